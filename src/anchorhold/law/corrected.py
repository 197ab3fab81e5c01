"""The sum of claims, corrected for what stopping and selecting do to it; recorded beside R and decides nothing.

A sum that cannot be had is None, and its reason stands in ``notes``. Source: SPEC section 4, ``s_median_unbiased`` and
``s_selection_corrected``. May import: anchorhold.domain.contract, anchorhold.errors, law.*, stats.
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
from anchorhold.stats.claims import NotRecomputable, StoppedTest, median_unbiased_sum
from anchorhold.stats.selection import EndedTest, ended_test, selection_corrected_sum


def median_unbiased_claims(counted: Sequence[CountedGain], *, notes: list[Note]) -> float | None:
    """Σ of the long-stage median-unbiased estimates; None unless every counted gain can be recomputed as passed."""

    def nothing(reason: str) -> float | None:
        notes.append(Note(code="median_unbiased_not_computed", message=f"s_median_unbiased is null: {reason}."))
        return None

    tests = []
    for gain in counted:
        label, report = f"entry {gain.seq}", gain.report
        counts = gain.long.counts if gain.long else None
        sample = (counts.pentanomial or counts.trinomial) if counts else None
        if counts is None or sample is None:
            return nothing(f"{label} has no counts")
        low, high = report.bounds or (None, None)
        if low is None or high is None or report.bounds_model is None or report.alpha is None or report.beta is None:
            return nothing(f"{label} does not state bounds, their model, alpha and beta")
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
        return nothing(str(reason))


def selection_corrected_claims(
    entries: Sequence[RegisterEntry],
    counted: Sequence[CountedGain],
    *,
    contract: Contract,
    seed: int,
    notes: list[Note],
) -> float | None:
    """Σ of the posterior means of the counted gains, given all gain tests; None unless all tests are known.

    Parameters
    ----------
    entries : sequence of RegisterEntry
        Of the whole register, also those before the window: every test tells how large true gains are.
    counted : sequence of CountedGain
        The gains that are summed.
    seed : int
        Of the bootstrap.
    """

    def nothing(reason: str) -> float | None:
        notes.append(Note(code="selection_not_computed", message=f"s_selection_corrected is null: {reason}."))
        return None

    summed = {gain.seq for gain in counted}
    tests: list[EndedTest] = []
    for entry in sorted(entries, key=lambda entry: entry.seq):
        if not isinstance(entry, GainTest | RejectedTest):
            continue
        if entry.all_kept is not True:
            return nothing(
                "it needs every source's declaration that all its tests were kept, the rejected ones too; "
                f"entry {entry.seq} has none"
            )
        if entry.long is None or not _is_gain_bounded(entry.long):
            continue
        test = _ended(entry.long, where=f"entry {entry.seq}", counted=entry.seq in summed)
        if isinstance(test, str):
            return nothing(test)
        tests.append(test)
    rejected = sum(not test.passed for test in tests)
    fewest, fewest_rejected = contract.parameters.selection_min_tests, contract.parameters.selection_min_rejected
    if len(tests) < fewest or rejected < fewest_rejected:
        return nothing(
            f"it needs {fewest} gain tests that reached the long stage, {fewest_rejected} of them rejected; "
            f"the register has {len(tests)} and {rejected}"
        )
    if missing := summed - {entry.seq for entry in entries if isinstance(entry, GainTest)}:
        return nothing(f"entry {min(missing)} is no gain test")
    found = selection_corrected_sum(tests, seed=seed)
    notes.append(
        Note(
            code="selection_corrected",
            message=(
                f"s_selection_corrected is {found.value:.2f} Elo, 95 % interval {found.low:.2f} to {found.high:.2f}: "
                f"it supposes that the true gains of all {len(tests)} tests are normally distributed, here about "
                f"{found.gains.mean:.2f} normalized Elo with a standard deviation of {found.gains.deviation:.2f}."
            ),
        )
    )
    return found.value


def _is_gain_bounded(report: StageReport) -> bool:
    """Bounds that ask for a gain; a test of non-regression speaks about another kind of change."""
    low, high = report.bounds or (None, None)
    return low is None or high is None or low + high > 0.0


def _ended(report: StageReport, *, where: str, counted: bool) -> EndedTest | str:
    """Read a test at its end, or say why it cannot be."""
    problems = Problems()
    counts = read_counts(report, where=where, scope="claims", problems=problems) or SoundCounts(None, None)
    sample = counts.pentanomial or counts.trinomial
    if sample is None:
        return f"{where} has no counts"
    low, high = report.bounds or (None, None)
    if low is None or high is None or report.bounds_model is None or report.alpha is None or report.beta is None:
        return f"{where} does not state bounds, their model, alpha and beta"
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
        return f"{where}: {error.what}"
    if counted and not test.passed:
        return f"{where} is counted, and its counts do not reach the bound"
    return test
