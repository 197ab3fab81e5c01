"""The report of a check as one HTML page that needs nothing else: no network, no script, no font.

May import: jinja2, markupsafe, anchorhold.law, report.*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import anchorhold
from anchorhold.law.diagnosis import diagnose
from anchorhold.law.result import Finding, Note
from anchorhold.report import pictures
from anchorhold.report.codes import NEXT_STEPS, meaning
from anchorhold.report.derivation import derivation
from anchorhold.report.diagnosis import diagnosis_in_words
from anchorhold.report.reasons import in_own_words
from anchorhold.report.side import side_figures
from anchorhold.report.sureness import sureness_of
from anchorhold.report.tables import (
    chances_table,
    claimed_table,
    fall_table,
    history_table,
    pairs_table,
    scale_table,
)
from anchorhold.report.texts import NOTHING, Language, Texts, plain, texts_in
from anchorhold.report.view import CheckView, Claim, ClaimStage
from anchorhold.report.words import (
    CONDITION_NAMES,
    ENDPOINT_NAMES,
    KIND_NAMES,
    STAGE_NAMES,
    band_in_words,
    headline,
    zones_in_words,
)


@dataclass(frozen=True, slots=True)
class Place:
    """One place where something was found."""

    where: str
    message: str
    """What the law found, with the values of this check."""
    foreign: bool = False
    """The message is the law's own English on a page of another language."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """Defects, gaps or notes of one code, with one step for all of them."""

    code: str
    meaning: str
    places: tuple[Place, ...]
    next: str
    """What to do; empty for a note."""


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """One line of the table of anchors."""

    name: str
    rating: str
    delta_old: str
    nelo_old: str
    delta_new: str
    nelo_new: str
    weight: str
    share: str
    increase: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One line of the table of claims."""

    seq: str
    what: str
    id: str
    short: str
    long: str
    why: str
    change: bool = True
    """A change of main or a test of one; the others carry no claim by their kind."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A name with its value."""

    name: str
    value: str
    code: bool = False
    """A digest or an identifier: set in a typewriter face, and broken anywhere."""
    link: str = ""
    """Where the thing itself lies, relative to the page."""


def render_check_report(view: CheckView, *, language: Language, home: str | None = None) -> str:
    """Write the report of one check.

    Parameters
    ----------
    view : CheckView
        The result with what is known around it.
    language : {"en", "de"}
        Language of texts, numbers and dates.
    home : str, optional
        Where the report leads back to, when it is a page of a site.

    Returns
    -------
    str
        A whole HTML document, below a megabyte for any usual check.
    """
    texts = texts_in(language)
    result, thresholds = view.result, view.thresholds
    fall = pictures.levels(result, texts=texts, intervals=view.intervals)
    met = pictures.opponents(view, texts)
    sure = sureness_of(view)
    return (
        _environment()
        .get_template("check.html.j2")
        .render(
            _=texts.gettext,
            ngettext=texts.ngettext,
            t=texts,
            view=view,
            result=result,
            language=language,
            home=home,
            version=anchorhold.__version__,
            level=texts.percent(view.contract.parameters.uncertainty_level, 0),
            headline=headline(result, thresholds=thresholds.as_tuple(), texts=texts),
            title=_title(view, texts),
            scale=_markup(pictures.r_scale(result, thresholds=thresholds, texts=texts)),
            scale_table=scale_table(view, texts),
            path=_markup(pictures.waterfall(fall, s=result.s, thresholds=thresholds, texts=texts)),
            path_table=fall_table(fall, texts),
            forest=_markup(pictures.forest(result, texts=texts)),
            pairs=_markup(pictures.pair_bars(met, texts=texts)),
            pairs_table=pairs_table(met, texts),
            games_links=sorted(set(view.games_files.values())),
            sure=sure,
            chances=_markup(pictures.chances(sure, r=result.r, texts=texts) if sure else None),
            chances_table=chances_table(sure, texts) if sure else None,
            history=_markup(pictures.r_over_checks(view.history, thresholds=thresholds, texts=texts)),
            history_table=history_table(view.history, thresholds, texts),
            over_time=_markup(pictures.claims_over_time(view.claimed, texts=texts)),
            over_time_table=claimed_table(view.claimed, thresholds, texts),
            boxes=_markup(pictures.six_boxes(result, thresholds=thresholds, texts=texts)),
            light=_markup(pictures.traffic_light(thresholds=thresholds, texts=texts)),
            zones=zones_in_words(thresholds.as_tuple(), texts),
            band=band_in_words(
                result, parameters=view.contract.parameters, pairs=view.planned_pairs.get("long"), texts=texts
            ),
            diagnosis=_diagnosis(view, texts),
            defects=_findings(result.defects, texts),
            gaps=_findings(result.gaps, texts),
            notes=_notes(result.notes, texts),
            anchors=_anchor_rows(view, texts),
            counted=_claim_rows(view, texts, counted=True),
            uncounted=[row for row in _claim_rows(view, texts, counted=False) if row.change],
            others=[row for row in _claim_rows(view, texts, counted=False) if not row.change],
            figures=side_figures(view, texts),
            derivation=derivation(view, texts),
            versions=_versions(view, texts),
            conditions=_conditions(view.conditions, texts),
            conditions_short=_conditions(view.conditions_short, texts),
            identities=_identities(view, texts),
            record=_record(view, texts),
            summary=markdown_summary(view, texts),
            tiles=_tiles(view, texts),
        )
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("anchorhold.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@dataclass(frozen=True, slots=True)
class _Figure:
    wide: Markup
    narrow: Markup


def _diagnosis(view: CheckView, texts: Texts) -> Sequence[str]:
    found = diagnose(view.result, pairs=view.planned_pairs.get("long"))
    return () if found is None else diagnosis_in_words(found, texts=texts)


def _markup(picture: pictures.Picture | None) -> _Figure | None:
    # The SVG comes from our own drawing; texts within it were escaped when it was written.
    if picture is None:
        return None
    return _Figure(wide=Markup(picture.wide), narrow=Markup(picture.narrow))  # noqa: S704


def _title(view: CheckView, texts: Texts) -> str:
    named = [name for name in (view.project, view.check) if name]
    verdict = headline(view.result, thresholds=view.thresholds.as_tuple(), texts=texts).verdict
    return f"{verdict}: {' · '.join(named)}" if named else verdict


def _findings(findings: Sequence[Finding], texts: Texts) -> list[FindingView]:
    places: dict[tuple[str, str], list[Place]] = {}
    for finding in findings:
        # The law's step is the more exact one; in another language the general one is what can be read.
        step = finding.next if texts.language == "en" else texts.gettext(NEXT_STEPS.get(finding.code, finding.next))
        places.setdefault((finding.code, step), []).append(_place(finding.where, finding.message, texts))
    return [
        FindingView(code, texts.gettext(meaning(code)), tuple(found), step) for (code, step), found in places.items()
    ]


def _place(where: str, message: str, texts: Texts) -> Place:
    said = in_own_words(message, texts)
    return Place(where, message, foreign=texts.language != "en") if said is None else Place(where, said)


def _notes(notes: Sequence[Note], texts: Texts) -> list[FindingView]:
    places: dict[str, list[Place]] = {}
    for note in notes:
        places.setdefault(note.code, []).append(_place("", note.message, texts))
    return [FindingView(code, texts.gettext(meaning(code)), tuple(found), "") for code, found in places.items()]


def _tiles(view: CheckView, texts: Texts) -> list[Fact]:
    _, result = texts.gettext, view.result
    games = sum(sample.games for sample in view.samples)
    tiles = [
        Fact(_("R = ΔA/S"), texts.ratio(result.r, view.thresholds.as_tuple())),
        Fact(_("arrived, ΔA"), texts.with_error(result.delta_a, result.delta_a_error, 1, signed=True)),
        Fact(_("claimed, S"), texts.with_error(result.s, result.s_error, 1, signed=True)),
    ]
    if result.direct is not None:
        tiles.append(Fact(_("there, D"), texts.with_error(result.direct.elo, result.direct.error, 1, signed=True)))
    tiles.append(Fact(_("anchors"), texts.whole(len(result.anchors))))
    if games:
        tiles.append(Fact(_("games"), texts.whole(games)))
    return tiles


def _anchor_rows(view: CheckView, texts: Texts) -> list[AnchorRow]:
    rows = []
    shares = pictures.weight_shares(view.result.anchors)
    for anchor, share in zip(view.result.anchors, shares, strict=True):
        pinned = view.anchor(anchor.name)
        rows.append(
            AnchorRow(
                name=anchor.name,
                rating=texts.with_error(pinned.rating, pinned.rating_error, 1) if pinned else NOTHING,
                delta_old=texts.with_error(anchor.old.delta, anchor.old.error, signed=True),
                nelo_old=_nelo(anchor.old.nelo, texts),
                delta_new=texts.with_error(anchor.new.delta, anchor.new.error, signed=True),
                nelo_new=_nelo(anchor.new.nelo, texts),
                weight=f"{texts.significant(anchor.old.weight, 3)} → {texts.significant(anchor.new.weight, 3)}",
                share=texts.gettext("share {share}", share=texts.percent(share)) if share is not None else "",
                increase=texts.with_error(anchor.increase, anchor.increase_error, signed=True),
            )
        )
    return rows


def _nelo(nelo: float | None, texts: Texts) -> str:
    return "" if nelo is None else f"{texts.signed(nelo)} nElo"


_CHANGES = {"gain_test", "rejected_test", "special_path", "retraction", "epoch_change"}


def _claim_rows(view: CheckView, texts: Texts, *, counted: bool) -> list[ClaimRow]:
    if view.claims:
        return [_claim_row(claim, texts) for claim in view.claims if claim.counted == counted]
    # Of a result alone only the numbers of the entries are known, and why the others add nothing.
    if counted:
        return [
            ClaimRow(str(seq), texts.gettext(KIND_NAMES["gain_test"]), "", "", "", "") for seq in view.result.counted
        ]
    return [ClaimRow(str(entry.seq), "", "", "", "", texts.gettext(entry.why)) for entry in view.result.uncounted]


def _claim_row(claim: Claim, texts: Texts) -> ClaimRow:
    return ClaimRow(
        seq=str(claim.seq),
        what=texts.gettext(KIND_NAMES.get(claim.kind, claim.kind)),
        id=claim.id or "",
        short=_stage(claim.short, texts),
        long=_stage(claim.long, texts),
        why=texts.gettext(claim.why) if claim.why else "",
        change=claim.kind in _CHANGES,
    )


def _stage(stage: ClaimStage | None, texts: Texts) -> str:
    if stage is None:
        return NOTHING
    _ = texts.gettext
    passed = "" if stage.passed is None else _("passed") if stage.passed else _("failed")
    if stage.elo is None:
        return passed or NOTHING
    figure = texts.with_error(stage.elo, stage.error, signed=True)
    if stage.from_counts:
        figure = _("{figure} (from counts)", figure=figure)
    return f"{figure}, {passed}" if passed else figure


def _versions(view: CheckView, texts: Texts) -> list[Fact]:
    _ = texts.gettext
    facts = []
    for name, version in ((_("old version"), view.old), (_("new version"), view.new)):
        if version is not None:
            facts.append(Fact(name, version.version))
            if version.sha256:
                facts.append(Fact(_("{version}, SHA-256", version=name), version.sha256, code=True))
    return facts


def _conditions(conditions: Mapping[str, object], texts: Texts) -> list[Fact]:
    return [
        Fact(texts.gettext(CONDITION_NAMES.get(name, name)), plain(value, texts), code=name.endswith("sha256"))
        for name, value in conditions.items()
        if value is not None
    ]


@dataclass(frozen=True, slots=True)
class _Identity:
    name: str
    facts: tuple[Fact, ...]


def _identities(view: CheckView, texts: Texts) -> list[_Identity]:
    _ = texts.gettext
    found = []
    for anchor in view.anchors:
        facts = [
            Fact(_("rating"), texts.with_error(anchor.rating, anchor.rating_error)),
            *_given(
                (_("version"), anchor.version),
                (_("protocol"), anchor.protocol),
                (_("limit"), plain(anchor.limit, texts) if anchor.limit else None),
                (_("options"), plain(anchor.options, texts) if anchor.options else None),
                (_("source of the rating"), anchor.source),
            ),
            Fact("SHA-256", anchor.sha256, code=True),
        ]
        facts += [Fact(name, sha256, code=True) for name, sha256 in anchor.files.items()]
        found.append(_Identity(anchor.name, tuple(facts)))
    return found


def _given(*pairs: tuple[str, str | None]) -> list[Fact]:
    return [Fact(name, value) for name, value in pairs if value]


def _record(view: CheckView, texts: Texts) -> list[Fact]:
    _, result = texts.gettext, view.result
    facts = [
        Fact(_("contract"), _("edition {edition}", edition=result.contract.edition)),
        Fact(_("digest of the contract"), result.contract.digest, code=True),
    ]
    if view.anchor_set_digest:
        facts.append(Fact(_("digest of the anchor set"), view.anchor_set_digest, code=True))
    for games in view.games:
        name = _(
            "games: {endpoint}, {stage}",
            endpoint=_(ENDPOINT_NAMES[games.endpoint]),
            stage=_(STAGE_NAMES[games.stage]),
        )
        if games.reused_from:
            name += " " + _("(reused from check {check})", check=games.reused_from)
        facts.append(Fact(name, games.sha256, code=True, link=view.games_files.get(games.sha256, "")))
    if view.window is not None:
        facts.append(
            Fact(
                _("window of the register"),
                _("after entry {after}, up to {until}", after=view.window[0], until=view.window[1]),
            )
        )
    facts += _planned(view.planned_pairs, texts)
    if view.attempts is not None:
        facts.append(Fact(_("attempt in this window"), texts.whole(view.attempts)))
    for name, moment in ((_("opened"), view.opened_at), (_("closed"), view.closed_at)):
        if moment:
            facts.append(Fact(name, texts.moment(moment)))
    if view.closing_hash:
        facts.append(Fact(_("register entry of the result"), view.closing_hash, code=True))
    if result.band is not None:
        facts.append(Fact(_("seed of the band"), str(result.band.seed)))
    return facts


def _planned(planned: Mapping[str, int], texts: Texts) -> Iterable[Fact]:
    names = {
        "long": texts.gettext("planned pairs per anchor, long stage"),
        "short": texts.gettext("planned pairs per anchor, short stage"),
        "direct": texts.gettext("planned pairs, new against old"),
    }
    return [Fact(names.get(stage, stage), texts.whole(pairs)) for stage, pairs in planned.items()]


def markdown_summary(view: CheckView, texts: Texts) -> str:
    """Write the check in a few lines of Markdown, to be pasted into release notes."""
    _, result = texts.gettext, view.result
    said = headline(result, thresholds=view.thresholds.as_tuple(), texts=texts)
    lines = [f"**{said.verdict}** – {said.sentence} {said.follows}", ""]
    rows: Sequence[tuple[str, str]] = [
        (_("claimed, S"), texts.with_error(result.s, result.s_error, signed=True)),
        (
            _("there, D"),
            texts.with_error(result.direct.elo, result.direct.error, signed=True) if result.direct else NOTHING,
        ),
        (_("arrived, ΔA"), texts.with_error(result.delta_a, result.delta_a_error, signed=True)),
    ]
    lines += [f"| | {_('logistic Elo')} |", "| --- | --- |"]
    lines += [f"| {name} | {value} |" for name, value in rows]
    versions = f"{view.old.version} → {view.new.version}, " if view.old and view.new else ""
    lines += [
        "",
        versions
        + _(
            "{anchors} anchors, contract edition {edition} ({digest}…)",
            anchors=texts.whole(len(result.anchors)),
            edition=result.contract.edition,
            digest=result.contract.digest[:12],
        ),
    ]
    return "\n".join(lines)
