"""The sum of claims, corrected for what stopping and selecting do to it; recorded beside R and decides nothing.

Source: SPEC section 4, ``s_median_unbiased`` and ``s_selection_corrected``.
May import: anchorhold.domain.contract, anchorhold.errors, law.*, stats.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.domain.contract import Contract
from anchorhold.errors import BadInput
from anchorhold.law.counts import SoundCounts, read_counts
from anchorhold.law.document import GainTest, RegisterEntry, RejectedTest, StageReport
from anchorhold.law.problems import Problems
from anchorhold.law.result import Note
from anchorhold.law.window import CountedGain
from anchorhold.stats.claims import NotRecomputable, StoppedSum, StoppedTest, median_unbiased_sum
from anchorhold.stats.selection import EndedTest, SelectionCorrected, ended_test, selection_corrected_sum


class NoSum(Exception):
    """A corrected sum that cannot be had; the text is the reason."""


def median_unbiased_claims(counted: Sequence[CountedGain]) -> StoppedSum:
    """Σ of the long-stage median-unbiased estimates.

    Raises
    ------
    NoSum
        A counted gain lacks what its stopping rule needs, or cannot be recomputed as passed.
    """
    tests = []
    for gain in counted:
        label, report = f"entry {gain.seq}", gain.report
        counts = gain.long.counts if gain.long else None
        sample = (counts.pentanomial or counts.trinomial) if counts else None
        if counts is None or sample is None:
            raise NoSum(f"{label} has no counts")
        low, high = report.bounds or (None, None)
        if low is None or high is None or report.bounds_model is None or report.alpha is None or report.beta is None:
            raise NoSum(f"{label} does not state bounds, their model, alpha and beta")
        tests.append(
            StoppedTest(
                label=label,
                sample=sample,
                games=counts.trinomial,
                bounds=(low, high),
                model=report.bounds_model,
                alpha=report.alpha,
                beta=report.beta,
            )
        )
    try:
        return median_unbiased_sum(tests)
    except NotRecomputable as reason:
        raise NoSum(str(reason)) from reason


def selection_corrected_claims(
    entries: Sequence[RegisterEntry],
    counted: Sequence[CountedGain],
    *,
    contract: Contract,
    seed: int,
) -> SelectionCorrected:
    """Σ of the posterior means of the counted gains, given all gain tests.

    Parameters
    ----------
    entries : sequence of RegisterEntry
        Of the whole register, also those before the window: every test tells how large true gains are.
    counted : sequence of CountedGain
        The gains that are summed.
    seed : int
        Of the bootstrap.

    Raises
    ------
    NoSum
        A source does not declare that it kept all tests, a test lacks what its stopping rule needs, or there are too
        few.
    """
    summed = {gain.seq for gain in counted}
    tests: list[EndedTest] = []
    for entry in sorted(entries, key=lambda entry: entry.seq):
        if not isinstance(entry, GainTest | RejectedTest):
            continue
        if entry.all_kept is not True:
            raise NoSum(
                "it needs every source's declaration that all its tests were kept, the rejected ones too; "
                f"entry {entry.seq} has none"
            )
        if entry.long is None or not _is_gain_bounded(entry.long):
            continue
        tests.append(_ended(entry.long, where=f"entry {entry.seq}", counted=entry.seq in summed))
    rejected = sum(not test.passed for test in tests)
    fewest, fewest_rejected = contract.parameters.selection_min_tests, contract.parameters.selection_min_rejected
    if len(tests) < fewest or rejected < fewest_rejected:
        raise NoSum(
            f"it needs {fewest} gain tests that reached the long stage, {fewest_rejected} of them rejected; "
            f"the register has {len(tests)} and {rejected}"
        )
    if missing := summed - {entry.seq for entry in entries if isinstance(entry, GainTest)}:
        raise NoSum(f"entry {min(missing)} is no gain test")
    return selection_corrected_sum(tests, seed=seed)


def corrected_sums(
    entries: Sequence[RegisterEntry],
    counted: Sequence[CountedGain],
    *,
    has_sum: bool,
    contract: Contract,
    seed: int,
    notes: list[Note],
) -> tuple[StoppedSum | None, SelectionCorrected | None]:
    """Median-unbiased and selection-corrected S, each None with its reason in the notes.

    Parameters
    ----------
    entries : sequence of RegisterEntry
        Of the whole register.
    has_sum : bool
        There is an S; without it neither is computed.
    """

    def nothing(code: str, name: str, reason: object) -> None:
        notes.append(Note(code=code, message=f"{name} is null: {reason}."))

    if not has_sum:
        nothing("selection_not_computed", "s_selection_corrected", "there is no S")
        return None, None
    unbiased = selected = None
    try:
        unbiased = median_unbiased_claims(counted)
    except NoSum as reason:
        nothing("median_unbiased_not_computed", "s_median_unbiased", reason)
    try:
        selected = selection_corrected_claims(entries, counted, contract=contract, seed=seed)
    except NoSum as reason:
        nothing("selection_not_computed", "s_selection_corrected", reason)
    else:
        notes.append(
            Note(
                code="selection_corrected",
                message=(
                    f"s_selection_corrected is {selected.value:.2f} Elo, 95 % interval {selected.low:.2f} to "
                    f"{selected.high:.2f}: it supposes that the true gains of all {selected.tests} tests are normally "
                    f"distributed, here about {selected.gains.mean:.2f} normalized Elo with a standard deviation of "
                    f"{selected.gains.deviation:.2f}."
                ),
            )
        )
    return unbiased, selected


def _is_gain_bounded(report: StageReport) -> bool:
    """Bounds that ask for a gain; a test of non-regression speaks about another kind of change."""
    low, high = report.bounds or (None, None)
    return low is None or high is None or low + high > 0.0


def _ended(report: StageReport, *, where: str, counted: bool) -> EndedTest:
    """Read a test at its end."""
    problems = Problems()
    counts = read_counts(report, where=where, scope="claims", problems=problems) or SoundCounts(None, None)
    sample = counts.pentanomial or counts.trinomial
    if sample is None:
        raise NoSum(f"{where} has no counts")
    low, high = report.bounds or (None, None)
    if low is None or high is None or report.bounds_model is None or report.alpha is None or report.beta is None:
        raise NoSum(f"{where} does not state bounds, their model, alpha and beta")
    try:
        test = ended_test(
            sample,
            games=counts.trinomial,
            bounds=(low, high),
            model=report.bounds_model,
            alpha=report.alpha,
            beta=report.beta,
            counted=counted,
        )
    except BadInput as error:
        raise NoSum(f"{where}: {error.what}") from error
    if counted and not test.passed:
        raise NoSum(f"{where} is counted, and its counts do not reach the bound")
    return test
