"""What ``anchorhold engines`` shows of engines: rows, lines and JSON.

May import: anchorhold.adopt.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anchorhold.adopt.known import KnownEngine
    from anchorhold.adopt.limits import Obeyed
    from anchorhold.adopt.probing import Probe

YES_NO = {True: "yes", False: "no", None: "not known"}


def engine_lines(known: Sequence[KnownEngine]) -> list[str]:
    """Return a table of engines, with its heading."""
    rows = [(one.name, one.role, one.template.protocol, _limit(one), _command(one.template.command)) for one in known]
    return _table([("name", "is", "protocol", "limit", "command"), *rows])


def _command(command: tuple[str, ...]) -> str:
    return shlex.join(command)


def _limit(engine: KnownEngine) -> str:
    if engine.limit is not None:
        return ", ".join(f"{key} {value}" for key, value in engine.limit.to_json().items())
    if engine.role == "anchor":
        return "the stage's"
    return "" if engine.recipe is None else f"obeys {', '.join(engine.recipe.obeys)}"


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def known_json(engine: KnownEngine) -> dict[str, object]:
    """Return an engine as it stands in a document."""
    return {
        "name": engine.name,
        "role": engine.role,
        "protocol": engine.template.protocol,
        "command": list(engine.template.command),
        "limit": None if engine.limit is None else engine.limit.to_json(),
        "recipe": None if engine.recipe is None else engine.recipe.name,
        "obeys": None if engine.recipe is None else list(engine.recipe.obeys),
    }


def probe_lines(seen: Probe) -> list[str]:
    """Return what was seen of an engine, a line each."""
    known, said = seen.engine, seen.greeting
    lines: list[tuple[str, ...]] = [
        ("engine", known.name if said.name in ("", known.name) else f"{known.name}: calls itself {said.name}"),
        ("author", said.author or "not said"),
        ("command", _command(known.template.command)),
        ("sha256", seen.identity.sha256),
        ("protocol", known.template.protocol + ("" if said.setboard else ", takes no positions: move lists only")),
        ("options", ", ".join(option.name for option in said.options) or "none"),
        *((f"obeys {one.kind}", f"{YES_NO[one.obeyed]} ({one.detail})") for one in seen.limits),
        ("speed", _speed(seen)),
        ("repeats itself", seen.repeats or "not known: it obeys neither depth nor nodes"),
    ]
    if known.recipe is not None:
        lines += [("recipe", " ".join((known.recipe.name + ".", *known.recipe.traits)))]
    return _table(lines)


def _speed(seen: Probe) -> str:
    if seen.nodes_per_second is not None:
        return f"{seen.nodes_per_second:,.0f} nodes a second"
    depth = next((one for one in seen.limits if one.kind == "depth" and one.searches), None)
    if depth is None:
        return "not known: it tells no nodes"
    return f"{depth.searches[-1].seconds:.3f} s to depth {_deepest(depth)}; it tells no nodes, or too few"


def _deepest(depth: Obeyed) -> int:
    from anchorhold.adopt.limits import DEPTHS

    return depth.searches[-1].depth or DEPTHS[-1]


def probe_json(seen: Probe) -> str:
    """Return what was seen of an engine as a document."""
    known, said = seen.engine, seen.greeting
    members: dict[str, object] = {
        "schema": "anchorhold/engine-probe/1",
        **known_json(known),
        "calls_itself": said.name or None,
        "author": said.author or None,
        "options": [
            {
                "name": option.name,
                "type": option.type,
                "min": option.low,
                "max": option.high,
                "choices": list(option.choices),
            }
            for option in said.options
        ],
        "takes_positions": said.setboard,
        "limits": {
            one.kind: {
                "obeyed": one.obeyed,
                "detail": one.detail,
                "searches": [
                    {"move": s.move, "seconds": s.seconds, "depth": s.depth, "nodes": s.nodes} for s in one.searches
                ],
            }
            for one in seen.limits
        },
        "nodes_per_second": seen.nodes_per_second,
        "repeats": seen.repeats,
        "identity": seen.identity.to_json(),
    }
    return json.dumps(members, ensure_ascii=False, indent=2, allow_nan=False)
