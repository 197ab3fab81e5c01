"""Register entries, and the contract that stands in them, as the law reads them.

May import: pydantic, anchorhold.errors, anchorhold.domain, anchorhold.law, anchorhold.checks.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError

from anchorhold.checks.document import window_entry
from anchorhold.domain.contract import DEFAULT_EDITION, Contract, edition
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from anchorhold.law.document import RegisterEntry

_ENTRIES: TypeAdapter[list[RegisterEntry]] = TypeAdapter(list[RegisterEntry])


def document_entries(entries: Sequence[Entry]) -> list[RegisterEntry]:
    """Return register entries as an evaluation document has them.

    Raises
    ------
    RegisterBroken
        An entry that no evaluation can read.
    """
    try:
        return _ENTRIES.validate_python([window_entry(entry) for entry in entries])
    except ValidationError as error:
        raise RegisterBroken(f"an entry is none that a check can read: {error.errors()[0]['msg']}") from error


def contract_of_register(entries: Sequence[Entry]) -> Contract:
    """Return the contract that the register adopted last; edition 7 by default."""
    adopted = next((entry for entry in reversed(entries) if entry.kind == "contract"), None)
    if adopted is None:
        return edition(DEFAULT_EDITION)
    members = {name: value for name, value in adopted.payload.items() if name != "digest"}
    return Contract.from_json(members, where=f"entry {adopted.seq}: contract")
