"""An engine as it is written into ``anchorhold.toml``.

May import: anchorhold.domain, anchorhold.adopt.lineup.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anchorhold.adopt.lineup import Lineup
from anchorhold.domain.limits import Limit
from anchorhold.domain.project import EngineTemplate

UNRATED = "not measured: 'anchorhold anchors rate --pairs 50 --write' does it"
"""Stands as the source of a rating that is only a place for one."""
UNRATED_ERROR = 400.0
"""Half-width, Elo, of such a rating: as good as unknown, so that the anchor weighs next to nothing."""
UNRATED_RATING = 2000.0
"""The mean of the ratings that the package brings along."""


@dataclass(frozen=True, slots=True)
class Rating:
    """An anchor's rating with the limit at which it holds; logistic Elo, 95 % half-width."""

    rating: float
    error: float
    source: str
    limit: Limit | None
    """None: the stage's."""
    version: str | None = None


def rating_of(
    name: str, program: Path, lineup: Lineup, *, digest_of: Callable[[Path], str], limit: Limit | None = None
) -> Rating:
    """Return the rating that was measured for this engine at this limit, or a place for one.

    Parameters
    ----------
    limit : Limit, optional
        The limit that is wanted; None: the one at which it was measured.
    """
    measured = lineup.anchors.get(name)
    if measured is None or (limit is not None and limit != measured.limit):
        return Rating(UNRATED_RATING, UNRATED_ERROR, UNRATED, limit)
    same = digest_of(program) == measured.sha256
    return Rating(
        measured.rating,
        measured.rating_error,
        lineup.source + ("" if same else " (of another build than this one)"),
        measured.limit,
        measured.version if same else None,
    )


def anchor_text(name: str, template: EngineTemplate, rating: Rating, *, comments: Sequence[str] = ()) -> str:
    """Write one table [[anchors]]."""
    lines = ["[[anchors]]", *(f"# {comment}" for comment in comments), f"name = {quoted(name)}"]
    lines += engine_lines(template)
    if rating.limit is not None:
        lines.append(f"limit = {inline(rating.limit.to_json())}")
    if rating.version is not None:
        lines.append(f"version = {quoted(rating.version)}")
    lines += [
        f"rating = {rating.rating!r}",
        f"rating_error = {rating.error!r}",
        f"source = {quoted(rating.source)}",
    ]
    return "\n".join(lines) + "\n"


def named_engine_text(name: str, template: EngineTemplate) -> str:
    """Write one table [engines.NAME]."""
    return "\n".join([f"[engines.{quoted(name)}]", *engine_lines(template)]) + "\n"


def engine_lines(template: EngineTemplate) -> list[str]:
    """Write how an engine is run; what is by default so is left out."""
    lines = [f"command = {_value(list(template.command))}"]
    if template.protocol != "uci":
        lines.append(f"protocol = {quoted(template.protocol)}")
    if template.options:
        lines.append(f"options = {inline(dict(template.options))}")
    if template.setup:
        lines.append(f"setup = {_value(list(template.setup))}")
    if template.depth_command != "sd":
        lines.append(f"depth_command = {quoted(template.depth_command)}")
    if template.restart != "never":
        lines.append(f"restart = {quoted(template.restart)}")
    return lines


def quoted(value: Path | str) -> str:
    """Write a text as TOML has it; JSON's notation is a part of TOML's."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def inline(members: dict[str, object] | dict[str, str | int | float | bool]) -> str:
    """Write an inline table."""
    parts = [f"{key if _bare(key) else quoted(key)} = {_value(value)}" for key, value in members.items()]
    return f"{{ {', '.join(parts)} }}"


def _bare(key: str) -> bool:
    return key.isascii() and bool(key) and all(letter.isalnum() or letter in "_-" for letter in key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    return quoted(value) if isinstance(value, str) else repr(value)
