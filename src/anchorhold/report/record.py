"""Names with their values: the tiles at the top of the page, and its record of versions, conditions and digests.

May import: report.texts, report.view, report.words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anchorhold.report.texts import Texts, plain
from anchorhold.report.view import CheckView
from anchorhold.report.words import CONDITION_NAMES, ENDPOINT_NAMES, STAGE_NAMES


@dataclass(frozen=True, slots=True)
class Fact:
    """A name with its value."""

    name: str
    value: str
    code: bool = False
    """A digest or an identifier: set in a typewriter face, and broken anywhere."""
    link: str = ""
    """Where the thing itself lies, relative to the page."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An anchor with what identifies it."""

    name: str
    facts: tuple[Fact, ...]


def tiles_of(view: CheckView, texts: Texts) -> list[Fact]:
    """Return what stands in large under the verdict."""
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


def versions_of(view: CheckView, texts: Texts) -> list[Fact]:
    """Return both versions of main."""
    _ = texts.gettext
    facts = []
    for name, version in ((_("old version"), view.old), (_("new version"), view.new)):
        if version is not None:
            facts.append(Fact(name, version.version))
            if version.sha256:
                facts.append(Fact(_("{version}, SHA-256", version=name), version.sha256, code=True))
            if (build := version.build) is not None:
                flags = [f"{variable}={value}" for variable, value in sorted(build.flags.items())]
                made = "; ".join([build.command, *flags, *build.compilers.values()])
                facts.append(Fact(_("{version}, commit", version=name), build.commit, code=True))
                facts.append(Fact(_("{version}, built by", version=name), made))
                if build.bench is not None:
                    facts.append(Fact(_("{version}, bench", version=name), str(build.bench)))
    return facts


def conditions_of(conditions: Mapping[str, object], texts: Texts) -> list[Fact]:
    """Return the conditions of a stage, without what does not apply."""
    return [
        Fact(texts.gettext(CONDITION_NAMES.get(name, name)), plain(value, texts), code=name.endswith("sha256"))
        for name, value in conditions.items()
        if value is not None
    ]


def identities_of(view: CheckView, texts: Texts) -> list[Identity]:
    """Return the pinned anchors."""
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
        found.append(Identity(anchor.name, tuple(facts)))
    return found


def _given(*pairs: tuple[str, str | None]) -> list[Fact]:
    return [Fact(name, value) for name, value in pairs if value]


def record_of(view: CheckView, texts: Texts) -> list[Fact]:
    """Return contract, digests, window and times."""
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
