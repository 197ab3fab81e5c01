"""Anchors: foreign engines with a fixed rating, pinned as a whole set.

Ratings and half-widths are logistic Elo, half-widths at 95 %. May import: anchorhold.canonical, errors, domain.engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from anchorhold.canonical import digest


@dataclass(frozen=True, slots=True)
class AnchorIdentity:
    """The identity fields (Kennfelder) of one anchor; optional ones are None or empty when they do not exist."""

    name: str
    sha256: str
    rating: float
    rating_error: float
    version: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """File name → SHA-256 of what the engine loads beside its binary."""
    options: Mapping[str, object] = field(default_factory=dict)
    limit: Mapping[str, object] = field(default_factory=dict)
    protocol: str | None = None
    source: str | None = None
    """Where the rating comes from."""

    def to_json(self) -> dict[str, object]:
        """Return the JSON form of the evaluation document, without fields that do not exist."""
        members: dict[str, object] = {
            "name": self.name,
            "sha256": self.sha256,
            "rating": self.rating,
            "rating_error": self.rating_error,
        }
        for name in ("version", "protocol", "source"):
            value = getattr(self, name)
            if value is not None:
                members[name] = value
        for name in ("files", "options", "limit"):
            value = getattr(self, name)
            if value:
                members[name] = dict(value)
        return members


def set_digest(anchors: list[dict[str, object]]) -> str:
    """Digest of an anchor set: canonical JSON of its identities, sorted by name."""
    return digest(sorted(anchors, key=lambda anchor: str(anchor["name"])))
