"""All that can be verified of a register: chain, what somebody kept of it, figures, verdicts, files.

Each part is looked at only when the one before holds: figures are only worth a look when the entries are those that
were written. Source: SPEC section 7. May import: anchorhold.errors, anchorhold.register, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.checks.following import Difference
from anchorhold.checks.games_digests import FilesSeen, compare_files
from anchorhold.checks.recompute import recompute
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from anchorhold.register.chain import Problem
from anchorhold.register.reading import ReadableRegister

Kept = Callable[[Sequence[Entry]], Problem | None]
"""Compares entries whose chain holds with what somebody kept: ``register.extends``."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found; it holds when ``failure`` is None."""

    entries: tuple[Entry, ...]
    """Those whose chain holds."""
    problem: Problem | None
    """The first entry at which the chain, or what was kept, breaks."""
    differences: tuple[Difference, ...]
    """Figures, verdicts and files that do not follow, by entry number."""
    files: FilesSeen
    failure: RegisterBroken | None
    """The first thing that does not hold, in one line."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "schema": "anchorhold/verification/1",
            "holds": self.failure is None,
            "reason": None if self.failure is None else str(self.failure),
            "entries": len(self.entries),
            "head": self.entries[-1].hash if self.entries else None,
            "problem": None if self.problem is None else self.problem.to_json(),
            "differences": [one.to_json() for one in self.differences],
            "files": {
                "compared": self.files.compared,
                "missing": [{"seq": file.seq, "file": file.path} for file in self.files.missing],
            },
        }


def verify(
    register: ReadableRegister,
    *,
    where: str,
    kept: Sequence[Kept] = (),
    data: Path | None = None,
    require_files: bool = False,
) -> Verification:
    """Verify a register as far as it can be followed.

    Parameters
    ----------
    where : str
        Its name, for messages.
    kept : sequence of callable
        Comparisons with an older export or a kept head.
    data : Path, optional
        Directory of the games that entries refer to.
    require_files : bool
        A file that is not there does not hold.
    """
    entries: tuple[Entry, ...] = ()
    problem: Problem | None = None
    differences: tuple[Difference, ...] = ()
    files = FilesSeen(0, (), ())
    try:
        chain = register.verify()
        entries, problem = chain.entries, chain.problem
        if problem is not None:
            raise problem.as_error(where)
        for compare in kept:
            problem = compare(entries)
            if problem is not None:
                raise RegisterBroken(
                    f"it does not go on from what was kept: {problem}",
                    where=where,
                    next_step="Find out who removed or rewrote entries, and go back to what was kept",
                )
        files = compare_files(entries, data)
        missing = files.missing if require_files else ()
        differences = tuple(
            sorted(
                [
                    *recompute(entries),
                    *files.differences,
                    *(Difference(one.seq, one.check, one.where, f"{one.path} is not there") for one in missing),
                ],
                key=lambda difference: difference.seq,
            )
        )
        if differences:
            more = f" (and {len(differences) - 1} more, see --json)" if len(differences) > 1 else ""
            raise RegisterBroken(f"does not follow from what is stored: {differences[0]}{more}", where=where)
    except RegisterBroken as error:
        return Verification(entries, problem, differences, files, error)
    return Verification(entries, problem, differences, files, None)
