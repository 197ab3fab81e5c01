"""What ends a search, as a table such as ``{ depth = 5 }``.

May import: anchorhold.domain, anchorhold.errors, anchorhold.config parts.
"""

from __future__ import annotations

from anchorhold.config.table import Table
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput


def read_limit(table: Table, *, beside: frozenset[str] = frozenset()) -> Limit:
    """Read the one key of a limit; keys in ``beside`` belong to the table's owner."""
    members = {name: value for name, value in table.members.items() if name not in beside}
    table.asked.update(members)
    where = table.where()
    try:
        return Limit.from_json(members, where=where)
    except BadInput as error:
        if error.where == where:
            raise
        raise BadInput(error.what, where=where, next_step=error.next_step) from error
