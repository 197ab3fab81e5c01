"""The figures of a match against those that another program printed for real matches (tests/golden/match)."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from anchorhold.cli.match_figures import Meeting, SprtState, standings
from anchorhold.cli.match_print import meeting_json, meeting_text, sprt_text, standings_text
from anchorhold.cli.match_words import parse_sprt
from anchorhold.stats.elo import NoEstimate
from anchorhold.stats.figures import printed_elo
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import Sprt

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "match" / "fastchess.json").read_text(encoding="utf-8"))
NUMBER = r"(-?(?:[\d.]+|inf|nan))"


def found(pattern: str, text: str) -> list[float]:
    match = re.search(pattern, text)
    assert match is not None, (pattern, text)
    return [float(group) for group in match.groups()]


def meeting(pairs: Pentanomial, games: Trinomial) -> Meeting:
    try:
        return Meeting("A", "B", pairs, games, printed_elo(pairs), "")
    except NoEstimate as reason:
        return Meeting("A", "B", pairs, games, None, str(reason))


def counted(printed: str) -> Meeting:
    penta = [int(n) for n in found(r"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]", printed)]
    wins, losses, draws = (int(n) for n in found(r"Wins: (\d+), Losses: (\d+), Draws: (\d+)", printed))
    return meeting(Pentanomial(*penta), Trinomial(wins=wins, draws=draws, losses=losses))


def same(pattern: str, ours: str, theirs: str) -> None:
    """The numbers of a pattern are those of the other program to its two decimals, where it has numbers."""
    for one, other in zip(found(pattern.replace("+/-", "±"), ours), found(pattern, theirs), strict=True):
        assert one == pytest.approx(other, abs=1e-9) or not math.isfinite(other)


@pytest.mark.parametrize("run", GOLDEN["runs"], ids=range(len(GOLDEN["runs"])))
def test_the_figures_are_those_that_fastchess_prints(run: dict[str, Any]) -> None:
    printed = "\n".join(run["printed"])
    text = meeting_text(counted(printed), conditions="")
    same(r"Games: (\d+), Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: ([\d.]+)", text, printed)
    same(r"DrawRatio: ([\d.]+) %", text, printed)
    theirs = found(f"Elo: {NUMBER} \\+/- {NUMBER}, nElo: {NUMBER} \\+/- {NUMBER}", printed)
    if all(math.isfinite(value) for value in theirs):
        # The other program's text has +/- where ours has ±.
        assert found(f"Elo: {NUMBER} ± {NUMBER}, nElo: {NUMBER} ± {NUMBER}", text) == theirs
        assert found(r"LOS: ([\d.]+) %", text) == found(r"LOS: ([\d.]+) %", printed)
    else:
        assert "Elo: no estimate, only one class is occupied" in text
    if math.isfinite(won := found(f"PairsRatio: {NUMBER}", printed)[0]):
        assert found(f"PairsRatio: {NUMBER}", text) == [won]
    else:
        assert "PairsRatio: none (no pair lost)" in text


@pytest.mark.parametrize("run", GOLDEN["runs"], ids=range(len(GOLDEN["runs"])))
def test_the_llr_and_its_bounds_are_those_that_fastchess_prints(run: dict[str, Any]) -> None:
    printed = "\n".join(run["printed"])
    test = parse_sprt(run["command"].partition("-sprt ")[2])
    assert test is not None
    ours = sprt_text(SprtState(test, test.llr(counted(printed).pairs), "undecided"))
    llr, lower, upper = found(rf"LLR: {NUMBER} \([-\d.]+%\) \({NUMBER}, {NUMBER}\)", printed)
    own = found(rf"LLR: {NUMBER} \({NUMBER}, {NUMBER}\)", ours)
    assert own[1:] == [lower, upper]
    # It solves its equation to 1e-3, which the second decimal can show.
    assert own[0] == pytest.approx(llr, abs=0.0101)


def test_the_golden_matches_hold_the_cases_that_matter() -> None:
    samples = [counted("\n".join(run["printed"])).pairs for run in GOLDEN["runs"]]
    assert any(min(sample.as_tuple()) > 0 for sample in samples)
    assert any(0 in sample.as_tuple() and sum(count > 0 for count in sample.as_tuple()) > 1 for sample in samples)
    assert any(sum(count > 0 for count in sample.as_tuple()) == 1 for sample in samples)
    assert {("model=logistic" in run["command"]) for run in GOLDEN["runs"]} == {True, False}


def test_what_has_no_estimate_says_so_in_the_table_of_all_engines_too() -> None:
    lost = meeting(Pentanomial(4, 0, 0, 0, 0), Trinomial(wins=0, draws=0, losses=8))
    table = standings_text(standings([lost]))
    assert "1  B" in table
    assert "No ratings: no finite ratings exist" in table
    assert meeting_json(lost)["elo"] is None


def test_a_decided_test_says_which_hypothesis_was_accepted() -> None:
    assert sprt_text(SprtState(Sprt(0.0, 5.0), 2.95, "passed")).endswith("normalized, H1 was accepted")
    assert sprt_text(SprtState(Sprt(0.0, 5.0), -2.95, "failed")).endswith("normalized, H0 was accepted")
