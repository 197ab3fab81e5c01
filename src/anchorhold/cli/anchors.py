"""``anchorhold anchors``: pins the set of foreign engines, lists it, verifies that it is still the same.

``rate`` is in ``cli.anchors_rate``.

May import: typer, anchorhold.checks, anchorhold.config, anchorhold.domain, anchorhold.errors, anchorhold.matches,
anchorhold.register, anchorhold.cli.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from anchorhold.cli.anchors_rate import rate
from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, RegisterOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from anchorhold.checks.anchors import AnchorState
    from anchorhold.domain.entries import Entry

app = typer.Typer(
    name="anchors",
    help="The pinned set of foreign engines that a version of main is measured against.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DIFFERS = 1

app.command("rate")(rate)


@app.command()
@fail_cleanly
def pin(
    config: ConfigOption = None,
    register: RegisterOption = None,
    author: AuthorOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pin the configured anchors as a whole: each is started once, hashed, and recorded with its rating.

    Example: anchorhold anchors pin --register register.db
    """
    from anchorhold import config as settings
    from anchorhold.checks.anchors import pin as pin_anchors
    from anchorhold.checks.identity import FileDigests
    from anchorhold.matches.greeting import require_start
    from anchorhold.register.store import Register

    loaded = settings.load(config, flags={"register": register, "author": author})
    with Register.open(loaded.register) as opened:
        for anchor in loaded.anchors:
            require_start(anchor.spec(loaded.long.limit), rules=loaded.rules)
        pinned = pin_anchors(opened, loaded.anchors, author=loaded.author, digest_of=FileDigests())
    if as_json:
        typer.echo(json.dumps({**_set_json(pinned.entry), "added": pinned.added}, ensure_ascii=False, indent=2))
        return
    done = "Pinned" if pinned.added else "Pinned already, nothing was added:"
    typer.echo(f"{done} {len(loaded.anchors)} anchors, digest {pinned.entry.payload['digest']}.")
    _print_set(pinned.entry)


@app.command("list")
@fail_cleanly
def list_anchors(config: ConfigOption = None, register: RegisterOption = None, as_json: JsonOption = False) -> None:
    """List the pinned set with ratings and identities, from the register alone.

    Example: anchorhold anchors list --json
    """
    from anchorhold.cli.reading import open_register

    with open_register(register, config) as opened:
        entry = _pinned(opened.entries())
    if as_json:
        typer.echo(json.dumps(_set_json(entry), ensure_ascii=False, indent=2))
        return
    typer.echo(f"Anchor set {entry.payload['digest']}, entry {entry.seq}, pinned {entry.recorded_at}:")
    _print_set(entry)


@app.command()
@fail_cleanly
def verify(config: ConfigOption = None, register: RegisterOption = None, as_json: JsonOption = False) -> None:
    """Hash what would be run now and compare it with the pinned set, field by field.

    Exit status: 0 all as pinned, 1 something differs.

    Example: anchorhold anchors verify
    """
    from anchorhold import config as settings
    from anchorhold.checks.anchors import compare, pinned_anchors
    from anchorhold.checks.identity import FileDigests
    from anchorhold.register.store import Register

    loaded = settings.load(config, flags={"register": register})
    with Register.open(loaded.register, read_only=True) as opened:
        entry = _pinned(opened.entries())
    states = compare(pinned_anchors(entry), loaded.anchors, digest_of=FileDigests())
    differs = any(state.problems for state in states)
    if as_json:
        report = {
            "digest": entry.payload["digest"],
            "seq": entry.seq,
            "as_pinned": not differs,
            "anchors": [_state_json(state) for state in states],
        }
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        for state in states:
            typer.echo(f"{state.name}: {'; '.join(state.problems) or 'as pinned'}")
    raise SystemExit(DIFFERS if differs else 0)


def _pinned(entries: list[Entry]) -> Entry:
    from anchorhold.checks.state import last_anchor_set
    from anchorhold.errors import BadState

    entry = last_anchor_set(entries)
    if entry is None:
        raise BadState("no anchor set is pinned", next_step="Pin the anchors first: 'anchorhold anchors pin'")
    return entry


def _set_json(entry: Entry) -> dict[str, object]:
    return {"seq": entry.seq, "recorded_at": entry.recorded_at, **entry.payload}


def _state_json(state: AnchorState) -> dict[str, object]:
    return {
        "name": state.name,
        "as_pinned": not state.problems,
        "problems": list(state.problems),
        "pinned": None if state.pinned is None else dict(state.pinned),
        "seen": None if state.seen is None else dict(state.seen),
    }


def _print_set(entry: Entry) -> None:
    from anchorhold.checks.anchors import pinned_anchors

    anchors = pinned_anchors(entry)
    width = max(len(str(anchor["name"])) for anchor in anchors)
    for anchor in anchors:
        rating = f"{anchor['rating']:>8.1f} ± {anchor['rating_error']:.1f}"
        typer.echo(f"  {anchor['name']!s:<{width}} {rating}  {str(anchor['sha256'])[:12]}…  {_how(anchor)}".rstrip())


def _how(anchor: Mapping[str, object]) -> str:
    parts = [str(anchor[name]) for name in ("version", "protocol") if name in anchor]
    for name in ("limit", "options"):
        value = anchor.get(name)
        if isinstance(value, dict):
            parts += [f"{key}={one}" for key, one in value.items()]
    return ", ".join(parts)
