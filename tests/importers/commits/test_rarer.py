"""Rarer ways to set a report, each with the reading that was written down before it was tried."""

from typing import Any

import pytest

from anchorhold.importers.commits.stretch import read_commit
from importers.commits.messages import CONSOLE, FAILED, LONG, SHORT, TABLE

S, L, F = (text.partition("\n")[2].partition("\nhttp")[0].strip() for text in (SHORT, LONG, FAILED))
SHORT_PASS = {"stage": "short", "outcome": "passed", "kind": "gain"}
LONG_PASS = SHORT_PASS | {"stage": "long"}
COUNTS = {"wins": 10905, "losses": 10584, "draws": 19711}
PAIRS = (120, 4687, 10670, 4998, 125)


@pytest.mark.parametrize(
    ("body", "expected", "kind"),
    [
        (f"STC -- passed\n{S}\n\nLTC -- passed\n{L}", [SHORT_PASS, LONG_PASS], "gain_test"),
        (f"\u2705 STC\n{S}\n\n\u2705 LTC\n{L}", [SHORT_PASS, LONG_PASS], "gain_test"),
        (f"- STC\n  {S.replace(chr(10), chr(10) + '  ')}\n- LTC\n  {L}", [SHORT_PASS, LONG_PASS], "gain_test"),
        (f"Passed STC and LTC\n{S}\n\n{L}", [SHORT_PASS, LONG_PASS], "gain_test"),
        (TABLE.replace("40.0+0.40s", "8.0+0.08s").replace(" |", "\t|"), [SHORT_PASS | {"elo": 5.79}], "none"),
        (
            "STC\nLLR: 2,95 (-2,94;2,94) [0,00;5,00]\nTotal: 41200 W: 10905 L: 10584 D: 19711",
            [SHORT_PASS | COUNTS | {"llr_bounds": (-2.94, 2.94), "elo_bounds": (0.0, 5.0)}],
            "none",
        ),
        ("STC\n" + S.replace(", ", " "), [SHORT_PASS | {"pentanomial": PAIRS}], "none"),
        ("STC\n" + S.replace("W: ", "W:\u00a0").replace(", ", ",\u00a0"), [SHORT_PASS | COUNTS], "none"),
        (
            "STC\n" + F.replace("-", "\u2212").replace("(0\u22122)", "(0-2)"),
            [{"stage": "short", "outcome": "failed", "llr": -2.95, "llr_bounds": (-2.94, 2.94)}],
            "none",
        ),
        (
            "STC: LLR 2.95 (-2.94,2.94) <0.00,2.00>; Total: 41200; W: 10905; L: 10584; D: 19711",
            [SHORT_PASS | COUNTS | {"games": 41200}],
            "none",
        ),
        (f"passed VVLTC w/ STC bounds\n{S}", [SHORT_PASS | {"stage": "very_long"}], "none"),
        (f"LTC 10+0.1 64th\n{L}", [LONG_PASS | {"time_control": "10+0.1", "threads": 64}], "none"),
        (
            f"STC\n{F}\n\nIt passes [-3, 1] with an LLR of 4.02.",
            [{"stage": "short", "outcome": "failed"}, {"stage": "short", "kind": "non_regression", "llr": 4.02}],
            "special_path",
        ),
        (
            "STC: W/L/D 155/120/225, +24.4 +- 22.6 Elo",
            [{"stage": "short", "wins": 155, "losses": 120, "draws": 225, "elo": 24.4, "elo_error": 22.6}],
            "none",
        ),
        ("It gains +24.4 +- 22.6 Elo at 10+0.1", [], "none"),
        (f"LTC 40+0.4:\n{CONSOLE}", [{"stage": "long", "outcome": "passed", "kind": "unknown", "wins": 55}], None),
        (f"Failed STC:\n{S}", [{"stage": "short", "outcome": None, "kind": "gain"}], "none"),
    ],
)
def test_a_rarer_form(body: str, expected: list[dict[str, Any]], kind: str | None) -> None:
    read, _ = read_commit(f"Title\n\n{body}\n", commit="c")
    assert [
        {name: getattr(one, name) for name in want} for one, want in zip(read.reports, expected, strict=True)
    ] == expected
    assert read.classified.kind == kind
