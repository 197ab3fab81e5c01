"""The report of a check as one HTML page that needs nothing else: no network, no script, no font.

May import: markupsafe, anchorhold.law, report.*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

import anchorhold
from anchorhold.law.diagnosis import diagnose
from anchorhold.report import pictures
from anchorhold.report.derivation import derivation
from anchorhold.report.diagnosis import diagnosis_in_words
from anchorhold.report.findings import findings_of, notes_of
from anchorhold.report.languages import Language
from anchorhold.report.record import conditions_of, identities_of, record_of, tiles_of, versions_of
from anchorhold.report.rows import anchor_rows, claim_rows
from anchorhold.report.side import side_figures
from anchorhold.report.summary import markdown_summary
from anchorhold.report.sureness import sureness_of
from anchorhold.report.tables import (
    boxes_table,
    chances_table,
    claimed_table,
    fall_table,
    history_table,
    lights_table,
    pairs_table,
    scale_table,
)
from anchorhold.report.templating import environment
from anchorhold.report.texts import Texts, texts_in
from anchorhold.report.view import CheckView
from anchorhold.report.words import band_in_words, headline, zones_in_words


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
        environment()
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
            boxes_table=boxes_table(result, thresholds, texts),
            light=_markup(pictures.traffic_light(thresholds=thresholds, texts=texts)),
            light_table=lights_table(thresholds, texts),
            zones=zones_in_words(thresholds.as_tuple(), texts),
            band=band_in_words(
                result, parameters=view.contract.parameters, pairs=view.planned_pairs.get("long"), texts=texts
            ),
            diagnosis=_diagnosis(view, texts),
            defects=findings_of(result.defects, texts),
            gaps=findings_of(result.gaps, texts),
            notes=notes_of(result.notes, texts),
            anchors=anchor_rows(view, texts),
            counted=claim_rows(view, texts, counted=True),
            uncounted=[row for row in claim_rows(view, texts, counted=False) if row.change],
            others=[row for row in claim_rows(view, texts, counted=False) if not row.change],
            figures=side_figures(view, texts),
            derivation=derivation(view, texts),
            versions=versions_of(view, texts),
            conditions=conditions_of(view.conditions, texts),
            conditions_short=conditions_of(view.conditions_short, texts),
            identities=identities_of(view, texts),
            record=record_of(view, texts),
            summary=markdown_summary(view, texts),
            tiles=tiles_of(view, texts),
        )
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
