"""A result in the terminal: the R scale with its zones, the way from claims to arrival, the anchors' increases.

Fits any width from 40 columns on; without colour the zones differ by their filling, and a terminal that knows only
ASCII gets only ASCII. It starts fast: no database is loaded for it. May import: rich,
anchorhold.domain.contract, law, report.* but view, page and pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from anchorhold.domain.contract import Parameters
from anchorhold.law.result import Finding, Result, Verdict
from anchorhold.report.codes import NEXT_STEPS
from anchorhold.report.frame import contract_of_result
from anchorhold.report.languages import check_language
from anchorhold.report.reasons import reason_of
from anchorhold.report.scale import Scale, Thresholds, scale_for
from anchorhold.report.terminal_paper import Paper
from anchorhold.report.texts import Texts, texts_in
from anchorhold.report.words import VERDICT_NAMES, band_in_words, headline, met_without_estimate

_STYLES: dict[Verdict, str] = {
    "CONTINUE": "black on green",
    "WARN": "black on yellow",
    "HALT": "bold white on red",
    "GAP": "reverse",
    "DEFECTIVE": "bold white on red",
}
_FILLING: dict[Verdict, str] = {"HALT": "░", "WARN": "▒", "CONTINUE": "▓"}
_PLOT_FROM = 76
"""From this width on the anchors' increases are drawn beside their numbers."""


def print_result(
    result: Result,
    console: Console | None = None,
    *,
    language: str = "en",
    parameters: Parameters | None = None,
    pairs: int | None = None,
) -> None:
    """Print one result.

    Parameters
    ----------
    result : Result
        What is shown.
    console : Console, optional
        Where; its width, colours and encoding are taken as they are. None: standard output.
    language : str
        ``en`` or ``de``.
    parameters : Parameters, optional
        Those of the result's contract; None: the built-in edition that the result names.
    pairs : int, optional
        Planned pairs against each anchor at the long stage, to say with how few games a wide band came.

    Raises
    ------
    BadInput
        Another language, or no parameters were given and the result's edition is not built in.
    """
    paper = Paper(console or Console(), texts_in(check_language(language)))
    parameters = parameters or contract_of_result(result).parameters
    texts, thresholds = paper.texts, Thresholds.of(parameters)
    said = headline(result, thresholds=thresholds.as_tuple(), texts=texts)
    first = Text(f" {said.verdict} ", style=_STYLES[result.verdict])
    paper.print(Text.assemble(first, " ", said.sentence))
    if said.why:
        paper.print(Text(said.why))
    paper.print(Text(said.sure))
    paper.print(Text(said.follows, style="bold"))
    paper.print(Text(said.next))
    paper.print()
    for line in _scale_lines(result, thresholds, paper):
        paper.print(line)
    paper.print()
    for sentence in band_in_words(result, parameters=parameters, pairs=pairs, texts=texts):
        paper.print(Text(sentence))
    _print_findings(result, paper)
    paper.print()
    paper.print(_way(result, paper))
    if result.anchors:
        paper.print()
        paper.print(Text(texts.gettext("Increase against each anchor, logistic Elo"), style="bold"))
        paper.print(_anchors(result, paper))


def _scale_lines(result: Result, thresholds: Thresholds, paper: Paper) -> Sequence[Text]:
    band = result.band
    scale = scale_for(
        result.r,
        band_low=band.low if band else None,
        band_high=band.high if band else None,
        thresholds=thresholds,
    )
    columns = paper.width - 2

    def column(r: float) -> int:
        return 1 + min(max(round(scale.place(r) * (columns - 1)), 0), columns - 1)

    lines = []
    if result.r is not None:
        label = "R = " + paper.texts.ratio(result.r, thresholds.as_tuple())
        start = min(max(column(result.r) - len(label) // 2, 1), columns - len(label) + 1)
        lines.append(Text(" " * start + label, style="bold"))
        lines.append(_band_line(scale, result.r, column, columns))
    else:
        lines.append(Text(" " + paper.texts.gettext("no R: nothing to place on the scale")))
    zones = Text(" ")
    marks = [column(limit) for limit in thresholds.as_tuple()]
    edges = [1, *marks, columns + 1]
    for zone, low, high in zip(scale.zones, edges[:-1], edges[1:], strict=True):
        name = paper.texts.gettext(VERDICT_NAMES[zone.verdict])
        filling = " " if paper.coloured else _FILLING[zone.verdict]
        inside = f" {name} " if high - low >= len(name) + 2 else ""
        zones.append(inside.center(high - low, filling), style=_STYLES[zone.verdict])
    lines.append(zones)
    lines.append(_limits_line(thresholds, marks, columns, paper.texts))
    return lines


def _band_line(scale: Scale, r: float, column: Callable[[float], int], columns: int) -> Text:
    cells = [" "] * (columns + 2)
    if scale.band is not None:
        low, high = column(scale.band.low), column(scale.band.high)
        cells[low : high + 1] = ["─"] * (high + 1 - low)
        cells[low] = "◀" if scale.band.beyond_low else "├"
        cells[high] = "▶" if scale.band.beyond_high else "┤"
    cells[column(r)] = "●"
    return Text("".join(cells).rstrip())


def _limits_line(thresholds: Thresholds, marks: Sequence[int], columns: int, texts: Texts) -> Text:
    halt, go = (texts.number(limit) for limit in thresholds.as_tuple())
    # The first ends at its place when the two would otherwise meet.
    first = marks[0] - len(halt) // 2
    second = marks[1] - len(go) // 2
    if second <= first + len(halt):
        first, second = max(marks[0] - len(halt), 0), max(marks[0] + 1, marks[1])
    cells = [" "] * (columns + 2 + len(go))
    cells[first : first + len(halt)] = halt
    cells[second : second + len(go)] = go
    return Text("".join(cells).rstrip(), style="bold")


def _print_findings(result: Result, paper: Paper) -> None:
    _ = paper.texts.gettext
    for title, findings in ((_("Defects"), result.defects), (_("Gaps"), result.gaps)):
        if not findings:
            continue
        paper.print()
        paper.print(Text(title, style="bold"))
        for number, finding in enumerate(findings):
            paper.print(Text(f"- {_said(finding, paper.texts)} [{finding.code}]"))
            # One step for all that have it in common, after the last of them.
            following = findings[number + 1] if number + 1 < len(findings) else None
            if following is None or (following.code, following.next) != (finding.code, finding.next):
                paper.print(Text(f"  {_step(finding, paper.texts)}"))


def _said(finding: Finding, texts: Texts) -> str:
    place = f"{finding.where}: " if finding.where else ""
    return place + reason_of(finding.code, finding.message, texts)


def _step(finding: Finding, texts: Texts) -> str:
    return finding.next if texts.language == "en" else texts.gettext(NEXT_STEPS.get(finding.code, finding.next))


def _way(result: Result, paper: Paper) -> Table:
    texts, _ = paper.texts, paper.texts.gettext
    direct = result.direct
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold", min_width=10)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    rows: Iterable[tuple[str, str, str]] = (
        (
            _("claimed, S"),
            texts.with_error(result.s, result.s_error, signed=True),
            texts.ngettext("{count} counted gain test", "{count} counted gain tests", len(result.counted)),
        ),
        (
            _("there, D"),
            texts.with_error(direct.elo, direct.error, signed=True)
            if direct
            else _("no estimate")
            if met_without_estimate(result)
            else _("not measured"),
            _("survival {share}", share=texts.number(direct.survival))
            if direct and direct.survival is not None
            else "",
        ),
        (
            _("arrived, ΔA"),
            texts.with_error(result.delta_a, result.delta_a_error, signed=True),
            _("transfer {share}", share=texts.number(direct.transfer))
            if direct and direct.transfer is not None
            else "",
        ),
    )
    for name, value, more in rows:
        table.add_row(paper.text(name), paper.text(value, "bold"), paper.text(more, "dim"))
    return table


def _anchors(result: Result, paper: Paper) -> Table:
    texts = paper.texts
    rows = [(anchor.name, anchor.increase, anchor.increase_error, "■") for anchor in result.anchors]
    if result.paired is not None:
        rows.append((texts.gettext("paired, pooled"), result.paired.delta_a, result.paired.error, "◆"))
    ends = [0.0]
    for _name, value, error, _sign in rows:
        if value is not None:
            ends += [value - (error or 0.0), value + (error or 0.0)]
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    plotted = paper.width >= _PLOT_FROM and max(ends) > min(ends)
    if plotted:
        table.add_column(no_wrap=True)
    for name, value, error, sign in rows:
        style = "bold" if sign == "◆" else ""
        cells = [paper.text(name, style), paper.text(texts.with_error(value, error, signed=True), style)]
        if plotted:
            cells.append(paper.text(_interval(value, error, sign, min(ends), max(ends), paper.width - 46)))
        table.add_row(*cells)
    return table


def _interval(value: float | None, error: float | None, sign: str, low: float, high: float, columns: int) -> str:
    def column(elo: float) -> int:
        return round((elo - low) / (high - low) * (columns - 1))

    cells = [" "] * columns
    cells[column(0.0)] = "│"
    if value is not None:
        if error is not None:
            first, last = column(value - error), column(value + error)
            cells[first : last + 1] = ["─"] * (last + 1 - first)
            cells[first], cells[last] = "├", "┤"
        cells[column(value)] = sign
    return "".join(cells)
