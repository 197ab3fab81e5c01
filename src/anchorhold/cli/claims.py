"""``anchorhold claims``: what a stretch of the register claims, in all the forms of S.

May import: typer, anchorhold.checks, anchorhold.errors, anchorhold.law, anchorhold.report,
anchorhold.stats, anchorhold.cli.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, LanguageOption, RegisterOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anchorhold.domain.entries import Entry
    from anchorhold.law.document import Window

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@fail_cleanly
def claims(
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="PLACE", help="Leave out this entry and all before it: number, id or day."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="PLACE", help="Last entry: number, id or day. By default the last.")
    ] = None,
    direct: Annotated[
        str | None,
        typer.Option(
            "--direct",
            metavar="COUNTS",
            help="Pairs of a match of the new version against the old one: LL,LD,DD+WL,WD,WW; or games: W,D,L.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every window of the register, not only the last one.")] = False,
    show_tests: Annotated[bool, typer.Option("--tests", help="List every entry, counted or not.")] = False,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="Draw the claims over time as an SVG picture, too.")
    ] = None,
    document: Annotated[
        Path | None,
        typer.Option("--document", metavar="FILE", help="Put the window into this evaluation document, too."),
    ] = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sum the claims of a window: since the last check that closed one, or between two places.

    S naive, median-unbiased and, where every test was kept, corrected for selection; what is counted and why the rest
    is not; how many changes no long test stands behind; and, where the two versions met, how much of the claims is
    there.

    Example: anchorhold claims --since 2021-06-29 --until 2021-10-23 --tests
    """
    from anchorhold.checks.claimed import claims_of, windows
    from anchorhold.cli.reading import open_register, warn_of_damage
    from anchorhold.errors import BadInput
    from anchorhold.law.document import Window

    chosen = since is not None or until is not None
    if chosen and every:
        raise BadInput("--all does not go together with --since and --until")
    if document is not None and every:
        raise BadInput("--document takes one window, and --all has several")
    match = None if direct is None else _direct(direct)
    with open_register(register, config) as opened:
        status = warn_of_damage(opened)
        entries = opened.entries()
    if chosen:
        after = 1 if since is None else _place(entries, since, "--since")
        last = entries[-1].seq if until is None else _place(entries, until, "--until")
        if last < after:
            raise BadInput(f"the window ends ({last}) before it begins ({after})", where="--until")
        asked = [Window(after=after, until=last)]
    else:
        asked = windows(entries) if every else windows(entries)[-1:]
    found = [claims_of(entries, window, direct=match) for window in asked]
    if picture is not None:
        _draw(entries, asked, picture, language, config)
    if document is not None:
        _put(entries, asked, document)
    if as_json:
        report = {"schema": "anchorhold/claims/1", "windows": [one.to_json() for one in found]}
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False))
        raise SystemExit(status)
    from anchorhold.cli.claims_words import claims_lines
    from anchorhold.cli.texts import texts_of

    texts = texts_of(language, config)
    if not found:
        typer.echo(texts.gettext("Nothing is claimed: the register holds no entry after its first."))
    for number, one in enumerate(found):
        typer.echo(("" if number == 0 else "\n") + "\n".join(claims_lines(one, texts, show_tests=show_tests)))
    raise SystemExit(status)


def _put(entries: Sequence[Entry], asked: Sequence[Window], path: Path) -> None:
    from anchorhold.checks.document import window_entries
    from anchorhold.cli import evaluation_file
    from anchorhold.errors import BadState

    if not asked:
        raise BadState("the register holds no entry after its first, so there is no window to put")
    window = asked[-1]
    filled = evaluation_file.load(path)
    filled["register"] = window_entries(entries, window)
    filled["window"] = {"after": window.after, "until": window.until}
    evaluation_file.save(path, filled)
    typer.echo(f"{path}: the window {window.after + 1} to {window.until}.", err=True)


def _draw(
    entries: Sequence[Entry], asked: Sequence[Window], picture: Path, language: str | None, config: Path | None
) -> None:
    from anchorhold.cli.files import write_whole
    from anchorhold.cli.texts import texts_of
    from anchorhold.errors import BadState
    from anchorhold.report.claimed import claimed_over_time
    from anchorhold.report.pictures import claims_over_time, standalone

    texts = texts_of(language, config)
    drawn = claims_over_time(claimed_over_time(entries, asked), texts=texts)
    if drawn is None:
        raise BadState("no gain is counted, so there is nothing to draw")
    write_whole(picture, standalone(drawn))
    typer.echo(texts.gettext("Wrote {file}.", file=picture), err=True)


def _place(entries: Sequence[Entry], text: str, option: str) -> int:
    """Number of the entry that is named: by its number, its id (or a unique beginning of it), or the last of a day."""
    from anchorhold.errors import BadInput

    if text.isascii() and text.isdecimal() and len(text) < 10:
        if not 1 <= int(text) <= entries[-1].seq:
            raise BadInput(f"there is no entry {text}", where=option, next_step=f"There are 1 to {entries[-1].seq}.")
        return int(text)
    if _DAY.fullmatch(text):
        return _last_of_day(entries, text)
    named = [
        entry.seq
        for entry in entries
        if isinstance(name := entry.payload.get("id"), str)
        and (name == text or (len(text) >= 6 and name.removeprefix("commit:").startswith(text)))
    ]
    exact = [seq for seq in named if entries[seq - 1].payload.get("id") == text]
    if len(exact or named) == 1:
        return (exact or named)[0]
    if not named:
        raise BadInput(
            f"there is no entry {text!r}",
            where=option,
            next_step="Give its number, its id, the first characters of its commit, or a day such as 2026-11-30.",
        )
    # A commit and its rejected tests share the beginning of their ids; the window ends after all of them.
    if len({_commit_of(entries[seq - 1]) for seq in named}) > 1:
        raise BadInput(
            f"{len(named)} entries have an id that begins with {text!r}", where=option, next_step="Give more of it."
        )
    return max(named)


def _last_of_day(entries: Sequence[Entry], day: str) -> int:
    """Last entry before the first that is younger: what a merge brought in later counts from the merge on."""
    last, dated = 1, ""
    for entry in entries[1:]:
        said = str(entry.payload.get("date") or "")
        # A retraction has no date of its own: it is as old as the commits before it, the first as those behind it.
        if not said and not dated and "of" in entry.payload:
            continue
        if (said or dated or entry.recorded_at[:10]) > day:
            break
        last, dated = entry.seq, said or (dated if "of" in entry.payload else "")
    return last


def _commit_of(entry: Entry) -> str:
    return str(entry.payload.get("id", "")).removeprefix("commit:").split(":")[0]


def _direct(text: str) -> tuple[float, float]:
    """Elo and half-width of a direct match, from its counts."""
    from anchorhold.errors import BadInput
    from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial, elo_from_trinomial
    from anchorhold.stats.outcomes import Pentanomial, Trinomial

    words = [word.strip() for word in text.split(",")]
    if len(words) not in (3, 5) or not all(word.isascii() and word.isdecimal() and len(word) < 16 for word in words):
        raise BadInput(
            f"is {text!r}, expected three whole numbers (wins, draws, losses) or five (pairs with 0 to 2 points)",
            where="--direct",
        )
    counts = [int(word) for word in words]
    try:
        if len(counts) == 5:
            found = elo_from_pentanomial(Pentanomial(*counts))
        else:
            found = elo_from_trinomial(Trinomial(wins=counts[0], draws=counts[1], losses=counts[2]))
    except NoEstimate as reason:
        raise BadInput(f"the counts carry no estimate: {reason}", where="--direct") from reason
    return found.elo, found.error
