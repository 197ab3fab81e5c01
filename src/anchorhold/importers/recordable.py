"""Proposed entries as they will be recorded, or why the register would refuse them.

Loading the forms of all entries takes longer than reading thousands of commits, and nearly every entry is usual. May
import: anchorhold.errors, anchorhold.domain, anchorhold.importers.drafts.
"""

from __future__ import annotations

import json

from anchorhold.canonical import write_plain
from anchorhold.domain.usual_tests import is_usual
from anchorhold.importers.drafts import Draft


def recordable(draft: Draft) -> Draft:
    """Return an entry with its text written.

    Raises
    ------
    BadInput
        The register would refuse it.
    """
    text = write_plain(draft.payload)
    if not is_usual(draft.kind, text):
        from anchorhold.domain.payloads import read_payload_json  # slow to load

        read_payload_json(draft.kind, json.dumps(draft.payload, allow_nan=False))
        text = draft.text
    return Draft(kind=draft.kind, payload=draft.payload, place=draft.place, written=text)
