"""The register entries that a commit gives: at most one for the change, and one for each test that did not pass.

Ids are made of the commit's hash (and the test's place in its message), so that a second import finds them. May import:
anchorhold.errors, anchorhold.domain, anchorhold.importers.*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anchorhold.importers.base import Place
from anchorhold.importers.commits.classify import Classified, reverted
from anchorhold.importers.drafts import Draft, stage_payload
from anchorhold.importers.report import Report

_STAGES = ("short", "long")


@dataclass(frozen=True, slots=True)
class ReadCommit:
    """One commit as it was read."""

    commit: str
    """Its hash."""
    message: str
    reports: tuple[Report, ...]
    claims: frozenset[int]
    classified: Classified
    day: str | None = None
    """When it was committed."""

    @property
    def place(self) -> Place:
        """The commit."""
        return Place(self.commit[:12])


def drafts_of(read: ReadCommit, *, smp: bool = False) -> list[Draft]:
    """Return the entries of a commit, the change first."""
    drafts = [draft] if (draft := _change(read, smp=smp)) is not None else []
    if read.classified.kind != "retraction":
        drafts += _rejected(read)
    return drafts


def chosen(reports: Iterable[Report], *, kind: str, stage: str, smp: bool = False) -> Report | None:
    """Return the passed test that speaks for a stage: the last one on one thread.

    Several passes at one stage are steps of one change, or repetitions; the last is of what came in. A gain on several
    threads need not be there on one, where the stages are measured: it speaks for a stage only where ``smp`` asks so.
    """
    passed = [one for one in reports if one.passed and one.kind == kind and one.stage == stage]
    single = [one for one in passed if not one.smp]
    found = single or (passed if smp else [])
    return found[-1] if found else None


def _change(read: ReadCommit, *, smp: bool) -> Draft | None:
    kind = read.classified.kind
    tests = [one for at, one in enumerate(read.reports) if at not in read.claims]
    base: dict[str, object] = {"id": f"commit:{read.commit}", "source": f"commit {read.commit}", **_date(read)}
    if kind == "retraction":
        named = reverted(read.message)
        payload = base | {"of": ", ".join(f"commit:{one}" if _is_hash(one) else one for one in named) or "not named"}
        payload = {name: payload[name] for name in ("id", "of")}
        return Draft(kind="retraction", payload=payload, place=read.place)
    if kind == "special_path":
        special = read.classified.special
        wanted = "gain" if special == "tempo_change" else "non_regression"
        stages = _stages(read.reports if special == "simplification" else tests, wanted, smp=True)
        return Draft(
            kind="special_path",
            payload=base | stages | {"candidate": read.commit, "special": special, "reason": read.classified.why},
            place=read.place,
        )
    gains = [one for one in tests if one.passed and one.kind == "gain"]
    if kind == "gain_test" or (kind == "none" and gains):
        stages = _stages(tests, "gain", smp=smp)
        whole = stages.keys() >= set(_STAGES)
        reason = {} if whole else {"reason": f"passed {', '.join(_words(one) for one in gains)} only"}
        return Draft(kind="gain_test", payload=base | stages | {"candidate": read.commit} | reason, place=read.place)
    return None


def _date(read: ReadCommit) -> dict[str, object]:
    return {} if read.day is None else {"date": read.day}


def _stages(reports: Sequence[Report], kind: str, *, smp: bool) -> dict[str, object]:
    found = {stage: chosen(reports, kind=kind, stage=stage, smp=smp) for stage in _STAGES}
    return {stage: stage_payload(report) for stage, report in found.items() if report is not None}


def _words(report: Report) -> str:
    stage = (report.stage or "a stage that is not clear").replace("_", " ")
    clock = f" at {report.time_control}" if report.time_control else ""
    threads = (f" on {report.threads} threads" if report.threads else " on several threads") if report.smp else ""
    return f"{stage}{clock}{threads}"


def _rejected(read: ReadCommit) -> list[Draft]:
    drafts = []
    for at, report in enumerate(read.reports):
        sequential = report.kind in {"gain", "non_regression"}
        if at in read.claims or not sequential or report.outcome not in {"failed", "unknown"}:
            continue
        stage = report.stage if report.stage in _STAGES else None
        payload: dict[str, object] = {
            "id": f"commit:{read.commit}:{at + 1}",
            "source": f"commit {read.commit}, line {report.place.line}",
            **_date(read),
            "candidate": read.commit,
            "reason": f"{_words(report)}: {'failed' if report.outcome == 'failed' else 'not decided'}",
        }
        if stage is not None:
            payload[stage] = stage_payload(report)
        drafts.append(Draft(kind="rejected_test", payload=payload, place=report.place))
    return drafts


def _is_hash(text: str) -> bool:
    return 7 <= len(text) <= 40 and all(character in "0123456789abcdefABCDEF" for character in text)
