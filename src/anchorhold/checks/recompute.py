"""Verification of a register's checks: every stored result against a recomputation from the entries.

The chain says that nothing was changed after it was written; this says that what was written was right. Source: SPEC
section 7. May import: anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anchorhold.checks.compare import compare_results
from anchorhold.checks.following import Difference
from anchorhold.checks.judging import result_of_check
from anchorhold.checks.oracle_figures import figures_of_tests
from anchorhold.checks.state import CheckState, payload_of
from anchorhold.checks.verdicts import walk
from anchorhold.domain.entries import Entry
from anchorhold.domain.payloads import CheckClosed
from anchorhold.errors import BadInput
from anchorhold.law.evaluation import DEFAULT_SEED


def recompute(entries: Sequence[Entry]) -> tuple[Difference, ...]:
    """Recompute every check and every test of a register; empty when all that is stored follows.

    Raises
    ------
    RegisterBroken
        Entries that belong to no check, or say again what was said.
    """

    def whole_result(check: CheckState, closed: Entry, closing: CheckState | None) -> Iterator[Difference]:
        stored = dict(payload_of(closed, CheckClosed).result)
        band = stored.get("band")
        seed = band.get("seed") if isinstance(band, Mapping) else None
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            seed = DEFAULT_SEED
        try:
            again = result_of_check(entries, check, closing=closing, seed=seed).to_json()
        except BadInput as error:
            yield Difference(closed.seq, check.id, "result", f"cannot be recomputed: {error}")
            return
        for where, message in compare_results(stored, again):
            yield Difference(closed.seq, check.id, f"result.{where}", message)

    found = [*walk(entries, whole_result), *figures_of_tests(entries)]
    return tuple(sorted(found, key=lambda difference: difference.seq))
