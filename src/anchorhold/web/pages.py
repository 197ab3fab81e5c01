"""The pages that site and dashboard share, as HTML: first page, register, search, and short messages.

May import: jinja2, markupsafe, anchorhold, anchorhold.domain, anchorhold.register, anchorhold.report, anchorhold.web.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from markupsafe import Markup

import anchorhold
from anchorhold.domain.entries import KINDS, Entry
from anchorhold.domain.sentences import said_in
from anchorhold.report.languages import Language
from anchorhold.report.reasons import reason_in_words
from anchorhold.report.templating import environment
from anchorhold.report.texts import NOTHING, Texts
from anchorhold.report.words import KIND_NAMES
from anchorhold.web import addresses
from anchorhold.web.charts import Chart, claims_over_time, r_over_checks
from anchorhold.web.entries import summary
from anchorhold.web.followed import Match
from anchorhold.web.match_rows import match_row
from anchorhold.web.overview import CheckLine, Overview
from anchorhold.web.texts import day, texts_in

SITE_POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around a page."""

    language: Language
    path: str
    """Address of the page inside its language's folder."""
    live: bool = False
    """A page of the dashboard: with the script, and with a search."""
    refresh: int | None = None
    """Seconds after which a browser without scripts loads the page again."""
    verified: str = ""
    """What is said of the register's verification; empty on a site."""
    notice: str = ""
    """What must be read before anything else."""
    mark: str = ""
    """Of the dashboard's first page: which state of the register it shows."""

    @property
    def home(self) -> str:
        """What leads to the first page's folder."""
        return addresses.up(self.path)

    @property
    def root(self) -> str:
        """What leads to the top."""
        return self.home + ("../" if addresses.folder(self.language) else "")

    def other(self, language: Language) -> str:
        """The same page in another language."""
        return self.root + addresses.folder(language) + self.path


@dataclass(frozen=True, slots=True)
class Row:
    """One entry on a page of the register."""

    seq: int
    kind: str
    name: str
    summary: str
    moment: str
    author: str
    hash: str
    prev: str
    payload: str
    report: str | None
    """Address of the report, of the entry that closed a check."""
    at: str
    """Address of the entry itself."""


def first_page(
    overview: Overview,
    frame: Frame,
    *,
    matches: Sequence[Match] | None = None,
) -> str:
    """Write the first page; ``matches`` is None on a site."""
    texts = texts_in(frame.language)
    said = (overview.answer.reason, overview.answer.next_step)
    return _render(
        "index.html.j2",
        frame,
        texts,
        overview=overview,
        answer=overview.answer,
        gate_said=" ".join(said_in(texts, part) for part in said if part),
        tiles=_tiles(overview, texts),
        scale=_markup(r_over_checks(overview, texts)),
        sums=_markup(claims_over_time(overview, texts)),
        checks=[_check_row(check, texts) for check in reversed(overview.checks)],
        claims=_claims(overview, texts),
        matches=None if matches is None else _rows_of(matches, texts),
        pages=addresses.page_of_entry(max(overview.entries, 1)),
        title=overview.project or "anchorhold",
    )


def matches_part(matches: Sequence[Match], frame: Frame) -> str:
    """Write the part of the first page that changes while games are played."""
    texts = texts_in(frame.language)
    return _render("matches.html.j2", frame, texts, matches=_rows_of(matches, texts))


def _rows_of(matches: Sequence[Match], texts: Texts) -> list[dict[str, object]]:
    return [match_row(match, texts) for match in matches]


def register_page(entries: Sequence[Entry], overview: Overview, number: int, frame: Frame) -> str:
    """Write one page of the register, numbered from 1."""
    texts = texts_in(frame.language)
    shown = entries[(number - 1) * addresses.PAGE : number * addresses.PAGE]
    return _render(
        "register.html.j2",
        frame,
        texts,
        overview=overview,
        rows=rows(shown, overview, frame, texts),
        number=number,
        pages=addresses.page_of_entry(max(len(entries), 1)),
        search=None,
        kinds=_kinds(texts),
        title=texts.gettext("Register, page {number}", number=number),
    )


def search_page(found: Sequence[Entry], overview: Overview, frame: Frame, *, words: str, kind: str, number: int) -> str:
    """Write a page of what a search found, newest first."""
    texts = texts_in(frame.language)
    shown = found[(number - 1) * addresses.PAGE : number * addresses.PAGE]
    return _render(
        "register.html.j2",
        frame,
        texts,
        overview=overview,
        rows=rows(shown, overview, frame, texts),
        number=number,
        pages=addresses.page_of_entry(max(len(found), 1)),
        search={"words": words, "kind": kind, "found": len(found)},
        kinds=_kinds(texts),
        title=texts.gettext("Search the register"),
    )


def message_page(frame: Frame, title: str, text: str, *, ask_token: bool = False) -> str:
    """Write a page that says one thing."""
    return _render("message.html.j2", frame, texts_in(frame.language), text=text, ask_token=ask_token, title=title)


@lru_cache(maxsize=1)
def style() -> str:
    """The stylesheet: the report's own, and what only these pages need."""
    report = resources.files("anchorhold.report") / "templates" / "style.css.j2"
    own = resources.files("anchorhold.web") / "static" / "web.css"
    return report.read_text(encoding="utf-8") + own.read_text(encoding="utf-8")


def rows(entries: Sequence[Entry], overview: Overview, frame: Frame, texts: Texts) -> list[Row]:
    """Return entries as they are shown."""
    reports = {check.closed_seq: check.page for check in overview.checks if check.closed_seq is not None}
    return [
        Row(
            seq=entry.seq,
            kind=entry.kind,
            name=texts.gettext(KIND_NAMES[entry.kind]),
            summary=summary(entry, texts),
            moment=texts.moment(entry.recorded_at),
            author=entry.author,
            hash=entry.hash,
            prev=entry.prev,
            payload=json.dumps(dict(entry.payload), ensure_ascii=False, indent=1),
            report=frame.home + reports[entry.seq] if entry.seq in reports else None,
            at=frame.home + addresses.entry(entry.seq),
        )
        for entry in entries
    ]


def _render(template: str, frame: Frame, texts: Texts, **values: object) -> str:
    return (
        environment("anchorhold.web")
        .get_template(template)
        .render(
            _=texts.gettext,
            ngettext=texts.ngettext,
            t=texts,
            frame=frame,
            policy=None if frame.live else SITE_POLICY,
            version=anchorhold.__version__,
            dash=NOTHING,
            **values,
        )
    )


def _markup(chart: Chart | None) -> object:
    # Our own drawing; texts within it were escaped when it was written.
    if chart is None:
        return None
    return {"wide": Markup(chart.wide), "narrow": Markup(chart.narrow), "description": chart.description}  # noqa: S704


def _kinds(texts: Texts) -> list[tuple[str, str]]:
    return [(kind, texts.gettext(KIND_NAMES[kind])) for kind in KINDS]


def _limits(check: CheckLine) -> tuple[float, ...]:
    return tuple(limit for limit in (check.halt_below, check.continue_from) if limit is not None)


def _tiles(overview: Overview, texts: Texts) -> list[tuple[str, str]]:
    _ = texts.gettext
    last, claims = overview.last, overview.claims
    tiles = []
    if last is not None:
        tiles.append((_("last check"), last.id))
        tiles.append((_("R = ΔA/S"), texts.ratio(last.r, _limits(last))))
        tiles.append((_("arrived, ΔA"), texts.with_error(last.delta_a, last.delta_a_error, 1, signed=True)))
        tiles.append((_("claimed, S"), texts.with_error(last.s, last.s_error, 1, signed=True)))
    if claims is not None:
        tiles.append((_("claimed since"), texts.signed(claims.s.value, 1)))
    tiles.append((_("checks"), texts.whole(len(overview.checks))))
    return tiles


def _check_row(check: CheckLine, texts: Texts) -> dict[str, object]:
    _ = texts.gettext
    statuses = {"open": _("being measured"), "measured": _("measured, not judged"), "abandoned": _("abandoned")}
    return {
        "check": check,
        "verdict": _(check.verdict) if check.verdict else statuses.get(check.status, check.status),
        "chip": (check.verdict or "none").lower(),
        "r": texts.ratio(check.r, _limits(check)) if check.verdict else "",
        "delta_a": texts.with_error(check.delta_a, check.delta_a_error, 1, signed=True) if check.verdict else "",
        "s": texts.with_error(check.s, check.s_error, 1, signed=True) if check.verdict else "",
        "moment": day(check.closed_at or check.opened_at, texts),
        "entry": addresses.entry(check.closed_seq or check.opened_seq),
    }


def _claims(overview: Overview, texts: Texts) -> list[tuple[str, str, str]]:
    """The claims of the open window: name, figure, reason where there is none."""
    claims = overview.claims
    if claims is None:
        return []
    _ = texts.gettext
    forms = (
        (_("S, as reported"), claims.s),
        (_("S, median-unbiased"), claims.s_median_unbiased),
        (_("S, corrected for selection"), claims.s_selection_corrected),
    )
    shown = []
    for name, form in forms:
        figure = texts.signed(form.value)
        if form.value is not None and form.low is not None and form.high is not None:
            figure += f" ({texts.span(form.low, form.high)})"
        why = reason_in_words(form.reason, texts)
        shown.append((name, f"{figure} Elo" if form.value is not None else figure, why))
    shown += [
        (_("counted gain tests"), texts.whole(len(claims.counted)), ""),
        (_("changes without a passed long stage"), texts.whole(claims.without_long_test), ""),
        (_("retractions"), texts.whole(claims.retractions), ""),
    ]
    return shown
