"""The result in the terminal: any width, with and without colour, in any encoding."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from anchorhold.domain.contract import edition
from anchorhold.errors import BadInput
from anchorhold.report.terminal import print_result
from anchorhold.report.view import CheckView
from report.samples import altered, bare, case, defective

NAMES = ["case-01", "case-09", "case-12", "case-19", "case-28", "invented-warn"]


def printed(view: CheckView, *, width: int, language: str = "en", encoding: str = "utf-8", colour: bool = False) -> str:
    raw = io.BytesIO()
    with io.TextIOWrapper(raw, encoding=encoding) as file:
        console = Console(
            file=file,
            width=width,
            force_terminal=colour,
            color_system="truecolor" if colour else None,
            legacy_windows=False,
            _environ={},
        )
        print_result(view.result, console, language=language)
        file.flush()
        return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [40, 60, 76, 80, 120, 200])
@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    for language in ("en", "de"):
        for line in printed(case(name), width=width, language=language).splitlines():
            assert cell_len(line) <= width


@pytest.mark.parametrize("name", NAMES)
def test_a_terminal_without_unicode_gets_only_ascii(name: str) -> None:
    for language in ("en", "de"):
        text = printed(case(name), width=80, language=language, encoding="ascii")
        assert text.isascii()
        assert "?" not in text


def test_without_colour_there_are_no_escapes_and_the_zones_differ() -> None:
    text = printed(case("case-28"), width=80)
    assert "\x1b" not in text
    zones = next(line for line in text.splitlines() if " HALT ░" in line)
    assert zones.index("░") < zones.index("▒") < zones.index("▓")
    assert "\x1b[" in printed(case("case-28"), width=80, colour=True)


def test_the_point_stands_in_the_zone_of_its_verdict() -> None:
    for name, between in (("invented-halt", "░"), ("invented-warn", "▒"), ("case-11", "▓")):
        lines = printed(case(name), width=100).splitlines()
        zones = next(number for number, line in enumerate(lines) if "░" in line)
        column = lines[zones - 1].index("●")
        left, right = lines[zones][:column], lines[zones][column:]
        assert between in left + right
        first, last = lines[zones].index(between), lines[zones].rindex(between)
        assert first <= column <= last


def test_what_decides_and_what_arrived_is_said() -> None:
    text = printed(case("case-15"), width=100)
    for part in ("HALT", "R = -0.13".replace("-", "−"), "0.40", "0.75", "+27.00 ± 25.50", "survival", "paired, pooled"):
        assert part in text


def test_defects_and_gaps_are_all_listed_with_their_steps() -> None:
    view = defective()
    text = " ".join(printed(view, width=100).split())
    for finding in (*view.result.defects, *view.result.gaps):
        assert f"[{finding.code}]" in text
        assert " ".join(finding.next.split()) in text


def test_names_are_printed_as_they_are() -> None:
    view = case("case-28")
    anchors = (view.result.anchors[0].model_copy(update={"name": "[red]Engine[/red] 象"}), *view.result.anchors[1:])
    text = printed(altered(view, anchors=anchors), width=80)
    assert "[red]Engine[/red] 象" in text
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_another_edition_needs_its_parameters() -> None:
    result = bare("case-28").result
    other = result.model_copy(update={"contract": result.contract.model_copy(update={"edition": 99})})
    console = Console(file=io.StringIO(), width=80)
    with pytest.raises(BadInput, match="edition 99"):
        print_result(other, console)
    print_result(other, console, parameters=edition(7).parameters)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(BadInput, match="no language 'xx'"):
        print_result(bare("case-28").result, Console(file=io.StringIO()), language="xx")
