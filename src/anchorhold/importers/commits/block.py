"""One report as a group of rows of a message, with what the words around it say.

May import: anchorhold.importers.commits.fields, anchorhold.importers.commits.labels.
"""

from __future__ import annotations

from dataclasses import dataclass

from anchorhold.importers.commits.fields import Fields
from anchorhold.importers.commits.labels import NO_LABEL, Label
from anchorhold.importers.report import Stage


@dataclass(slots=True)
class Block:
    """The rows of one report, with its label."""

    fields: Fields
    first: int
    """Index of its first line."""
    last: int
    label: Label = NO_LABEL
    stage_of_label: Stage | None = None
    """The stage that the label names for this report."""
    unclear_label: bool = False
    """The label names several stages, and which is meant is open."""
    text_above: bool = False
    """Whether words stand between the report before and this one."""
    link: str | None = None

    @property
    def is_claim(self) -> bool:
        """Whether it is a claim on the games of another report."""
        return self.fields.family == "claim"
