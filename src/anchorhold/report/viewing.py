"""How a view is made: of a result alone, of a result with its document, of a register's entries.

May import: anchorhold.errors, domain, law, checks, report.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anchorhold.checks.claimed import GENESIS, windows
from anchorhold.checks.closing import stored_result
from anchorhold.checks.document import contract_of, document_of_check
from anchorhold.checks.state import checks_of, find_check
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadState
from anchorhold.law.document import Document, GainTest, RejectedTest, SpecialPath, Window
from anchorhold.law.result import Result
from anchorhold.report.claimed import ClaimedWindow, claimed_over_time
from anchorhold.report.evidence import Listed, claims_of, joint_tables, reported, sample_of
from anchorhold.report.frame import contract_of_result
from anchorhold.report.history import history_of
from anchorhold.report.sums import sum_intervals
from anchorhold.report.view import AnchorView, CheckView, GamesDigest, Version


def view_of_result(result: Result, *, own: Contract | None = None, project: str | None = None) -> CheckView:
    """Show a result of which nothing else is known.

    Raises
    ------
    BadInput
        Its contract is not at hand.
    """
    contract = contract_of_result(result, own=own)
    return CheckView(
        result=result,
        contract=contract,
        project=project,
        intervals=sum_intervals(result, None, contract=contract),
    )


def view_of_document(
    result: Result, document: Document, *, own: Contract | None = None, project: str | None = None
) -> CheckView:
    """Show a result beside the evaluation document that it came from.

    Raises
    ------
    BadInput
        The contract is not at hand.
    """
    contract = contract_of_result(result, own=own)
    rule = contract.estimate_rule
    samples = []
    for endpoint, side in (("old", document.endpoints.old), ("new", document.endpoints.new)):
        for stage, measured in (("long", side.long), ("short", side.short or {})):
            samples += [
                sample
                for name, counts in measured.items()
                if counts is not None and (sample := sample_of(endpoint, stage, name, counts)) is not None  # type: ignore[arg-type]
            ]
    if document.direct is not None and (met := sample_of("direct", "long", "old", document.direct)) is not None:
        samples.append(met)
    window = (document.window.after, document.window.until)
    tests = {
        entry.seq: entry for entry in document.register_ if isinstance(entry, GainTest | RejectedTest | SpecialPath)
    }
    entries = [
        Listed(entry.seq, entry.kind, entry.id) for entry in document.register_ if window[0] < entry.seq <= window[1]
    ]
    return CheckView(
        result=result,
        contract=contract,
        project=project,
        old=Version(document.endpoints.old.version),
        new=Version(document.endpoints.new.version),
        conditions=document.endpoints.new.conditions.applying(),
        conditions_short=(
            document.endpoints.new.conditions_short.applying() if document.endpoints.new.conditions_short else {}
        ),
        anchors=tuple(
            AnchorView(
                name=anchor.name,
                sha256=anchor.sha256,
                rating=anchor.rating,
                rating_error=anchor.rating_error,
                version=anchor.version,
                files=anchor.files or {},
                options=anchor.options or {},
                limit={"time_control": anchor.limit} if isinstance(anchor.limit, str) else anchor.limit or {},
                protocol=anchor.protocol,
                source=anchor.source,
            )
            for anchor in document.anchors
        ),
        samples=tuple(samples),
        planned_pairs={
            stage: pairs
            for stage in ("long", "short")
            if document.planned_pairs and (pairs := getattr(document.planned_pairs, stage)) is not None
        },
        claims=claims_of(
            result,
            entries,
            {seq: (reported(entry.short, rule), reported(entry.long, rule)) for seq, entry in tests.items()},
        ),
        window=window,
        intervals=sum_intervals(result, document, contract=contract),
        joint=joint_tables(document),
    )


def view_of_check(
    entries: Sequence[Entry], check: str | None, *, project: str | None = None, whole: bool = False
) -> CheckView:
    """Show a closed check from the register's entries alone.

    Parameters
    ----------
    entries : Sequence[Entry]
        The whole register, in order.
    check : str, optional
        Id of the check; None: the last one that was closed.
    project : str, optional
        Name to show; None: the one of the register's first entry.
    whole : bool
        Show the checks and claims before this one, too: it takes reading all of the register.

    Raises
    ------
    BadState
        No check of this id was opened, or it is not closed, so there is nothing to report.
    RegisterBroken
        An entry cannot be read as what its kind holds.
    """
    checks = checks_of(entries)
    if check is None:
        closed_checks = [state.id for state in checks if state.closed is not None]
        if not closed_checks:
            raise BadState("no check of the register is closed", next_step="Run one first: anchorhold check run")
        check = closed_checks[-1]
    state = find_check(checks, check)
    if state.abandoned is not None:
        raise BadState(f"check {check!r} was abandoned, so there is no result to report")
    if state.closed is None:
        raise BadState(f"check {check!r} is still open", next_step="Measure and close it first: anchorhold check run")
    view = view_of_document(
        stored_result(state),
        document_of_check(entries, state.id),
        own=contract_of(state),
        project=project or _project(entries),
    )
    plan = state.plan
    direct = {} if plan.planned_pairs.direct is None else {"direct": plan.planned_pairs.direct}
    return replace(
        view,
        check=state.id,
        old=Version(plan.old.version, plan.old.sha256, plan.old.build),
        new=Version(plan.new.version, plan.new.sha256, plan.new.build),
        opened_at=state.opened.recorded_at,
        closed_at=state.closed.recorded_at,
        closing_hash=state.closed.hash,
        anchor_set_digest=plan.anchor_set.digest,
        planned_pairs={**view.planned_pairs, **direct},
        games=tuple(
            GamesDigest(measured.endpoint, measured.stage, measured.games_sha256, measured.reused_from)
            for measured in state.measured().values()
        ),
        attempts=state.attempt,
        history=history_of(entries, until=state.id) if whole else (),
        claimed=_claimed(entries, state.opened.seq) if whole else (),
    )


def _claimed(entries: Sequence[Entry], until: int) -> tuple[ClaimedWindow, ...]:
    """The windows up to the entry that opened a check; the last is its own, closed by it or not."""
    closed = [window for window in windows(entries) if window.until <= until]
    after = closed[-1].until if closed else GENESIS
    return claimed_over_time(entries, [*closed, *([Window(after=after, until=until)] if after < until else [])])


def _project(entries: Sequence[Entry]) -> str | None:
    if not entries or entries[0].kind != "genesis":
        return None
    named = entries[0].payload.get("project")
    return named if isinstance(named, str) else None
