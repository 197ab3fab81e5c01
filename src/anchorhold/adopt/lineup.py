"""The ratings that the package brings along: six anchors, measured by games among them at fixed depths.

Logistic Elo, half-widths at 95 %. ``data/lineup.json`` says how they were measured. May import: anchorhold.domain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from anchorhold.domain.limits import Limit


@dataclass(frozen=True, slots=True)
class MeasuredAnchor:
    """Rating of one anchor, measured beforehand by games among the six; logistic Elo, 95 % half-width."""

    name: str
    version: str
    sha256: str
    """Of the binary that was measured."""
    limit: Limit
    """At which it was measured; at another one it plays otherwise."""
    rating: float
    rating_error: float


@dataclass(frozen=True, slots=True)
class Lineup:
    """The anchors' ratings with their origin, as ``lineup.json`` in the package has them."""

    anchors: Mapping[str, MeasuredAnchor]
    """By name."""
    command: str
    """The command that measured them."""
    measured: str
    """Date."""

    @property
    def source(self) -> str:
        """Where the ratings come from, as it stands beside them in settings and register."""
        return f"games among the six anchors, {self.measured}: {self.command}"


def data_file(name: str) -> Path:
    """Return a file of the package's data folder."""
    return Path(str(resources.files("anchorhold") / "data" / name))


def read_lineup() -> Lineup:
    """Read the measured ratings from the package."""
    document = json.loads(data_file("lineup.json").read_text(encoding="utf-8"))
    return Lineup(
        anchors={
            name: MeasuredAnchor(
                name=name,
                version=one["version"],
                sha256=one["sha256"],
                limit=Limit.from_json(one["limit"]),
                rating=one["rating"],
                rating_error=one["rating_error"],
            )
            for name, one in document["anchors"].items()
        },
        command=document["command"],
        measured=document["measured"],
    )
