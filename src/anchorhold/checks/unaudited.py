"""The claims after an entry: what the next check's window would count, were it opened now.

Source: SPEC section 3. May import: pydantic, anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError

from anchorhold.checks.document import window_entry
from anchorhold.domain.contract import DEFAULT_EDITION, Contract, edition
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from anchorhold.law.document import RegisterEntry, Window
from anchorhold.law.problems import Problems
from anchorhold.law.window import Claim, read_window

_ENTRIES: TypeAdapter[list[RegisterEntry]] = TypeAdapter(list[RegisterEntry])


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
    try:
        inside = _ENTRIES.validate_python([window_entry(entry) for entry in entries if entry.seq > after])
    except ValidationError as error:
        raise RegisterBroken(
            f"an entry after {after} is none that a check can read: {error.errors()[0]['msg']}"
        ) from error
    window = Window(after=after, until=entries[-1].seq)
    # Defects are the next check's matter: it will be DEFECTIVE, and its window stays open.
    read = read_window(inside, window, contract=_contract(entries), problems=Problems(), short_problems=Problems())
    return tuple(gain.long for gain in read.counted)


def _contract(entries: Sequence[Entry]) -> Contract:
    adopted = next((entry for entry in reversed(entries) if entry.kind == "contract"), None)
    if adopted is None:
        return edition(DEFAULT_EDITION)
    members = {name: value for name, value in adopted.payload.items() if name != "digest"}
    return Contract.from_json(members, where=f"entry {adopted.seq}: contract")
