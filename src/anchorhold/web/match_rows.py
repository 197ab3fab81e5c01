"""Matches in words and numbers, as the first page has them. May import: anchorhold.report, anchorhold.web."""

from __future__ import annotations

from collections.abc import Mapping

from anchorhold.report.texts import NOTHING, Texts
from anchorhold.web.endings import ending_in_words
from anchorhold.web.followed import Match, Tally


def match_row(match: Match, texts: Texts) -> dict[str, object]:
    """Return a run as it is shown."""
    _ = texts.gettext
    names = {
        "playing": _("being played"),
        "paused": _("not being played"),
        "complete": _("all played"),
        "unreadable": _("cannot be read"),
    }
    facts = []
    if match.speed is not None:
        facts.append((_("speed"), _("{pairs} pairs an hour", pairs=texts.number(match.speed, 0))))
    if match.left is not None:
        words = duration(match.left, texts)
        facts.append((_("left"), _("at most {time}", time=words) if match.planned_is_limit else words))
    if match.waiting:
        facts.append((_("journal"), _("{pairs} pairs still to be read", pairs=texts.whole(match.waiting))))
    for test in match.tests:
        bounds = texts.span(test.lower, test.upper)
        stage = _stage(test.stage, texts)
        name = _("LLR, {stage}", stage=stage) if stage else "LLR"
        facts.append((name, f"{texts.number(test.llr)} ({bounds})"))
    if match.state != "unreadable":
        faults = ", ".join(f"{name}: {texts.whole(count)}" for name, count in match.faults)
        facts.append((_("lost by own fault"), faults or _("none")))
    return {
        "match": match,
        "state": names[match.state],
        "pairs": _("{done} of {planned} pairs", done=texts.whole(match.done), planned=texts.whole(match.planned))
        if match.planned
        else texts.ngettext("{count} pair", "{count} pairs", match.done),
        "facts": facts,
        "rows": [_tally(tally, texts) for tally in match.tallies],
        "last": _last(match, texts),
    }


def _stage(name: str, texts: Texts) -> str:
    _ = texts.gettext
    return {"long": _("long stage"), "short": _("short stage")}.get(name, "")


def _tally(tally: Tally, texts: Texts) -> Mapping[str, object]:
    counts = tally.counts
    e = tally.estimate
    return {
        "names": f"{tally.endpoint} – {tally.anchor}",
        "stage": _stage(tally.stage, texts),
        "pairs": texts.whole(counts.pairs)
        + ("" if tally.planned is None else f"\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}{texts.whole(tally.planned)}"),
        "counts": "  ".join(texts.whole(count) for count in counts.as_tuple()),
        "elo": NOTHING if e is None else texts.with_error(e.elo, e.error, 1, signed=True),
    }


def _last(match: Match, texts: Texts) -> Mapping[str, object] | None:
    if match.last is None:
        return None
    _ = texts.gettext
    game, record = match.last.game, match.last.record
    reason, foreign = ending_in_words(game.reason, texts)
    plies = len(game.moves) + len(record.opening.moves)
    return {
        "board": f"boards/{match.number}-{match.done}.svg",
        "white": match.last.white,
        "black": match.last.black,
        "result": game.result.replace("1/2", "½"),
        "reason": reason,
        "foreign": foreign,
        "moves": texts.ngettext("{count} move", "{count} moves", (plies + 1) // 2),
        "alt": _("Last position of {white} against {black}", white=match.last.white, black=match.last.black),
    }


def duration(seconds: float, texts: Texts) -> str:
    """Write a time to come, to the minute."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return texts.gettext("less than a minute")
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, texts.gettext("d")), (hours, "h"), (minutes, "min"))
    return " ".join(f"{value}\N{NO-BREAK SPACE}{unit}" for value, unit in parts if value)
