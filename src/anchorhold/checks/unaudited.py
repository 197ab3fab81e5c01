"""The claims after an entry: what the next check's window would count, were it opened now.

Source: SPEC section 3. May import: anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.checks.law_view import contract_of_register, document_entries
from anchorhold.domain.entries import Entry
from anchorhold.law.document import Window
from anchorhold.law.problems import Problems
from anchorhold.law.window import Claim, read_window


def claims_after(entries: Sequence[Entry], *, after: int) -> tuple[Claim | None, ...]:
    """Read the counted gains after an entry, under the contract that the register adopted last.

    Parameters
    ----------
    entries : sequence of Entry
        The register, from its first entry on.
    after : int
        Number of the entry after which the window begins; it ends with the last entry.

    Returns
    -------
    tuple of Claim or None
        The long-stage claim of every counted gain test; None where it has no value.

    Raises
    ------
    RegisterBroken
        An entry that no evaluation can read.
    """
    inside = document_entries([entry for entry in entries if entry.seq > after])
    window = Window(after=after, until=entries[-1].seq)
    # Defects are the next check's matter: it will be DEFECTIVE, and its window stays open.
    read = read_window(
        inside, window, contract=contract_of_register(entries), problems=Problems(), short_problems=Problems()
    )
    return tuple(gain.long for gain in read.counted)
