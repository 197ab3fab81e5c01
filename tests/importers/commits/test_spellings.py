"""One test, in the ways in which people set its rows: every way must read alike, and what cannot be read is listed."""

import pytest

from anchorhold.importers.commits.stretch import read_commit
from anchorhold.importers.report import Report

LLR = "LLR: 2.95 (-2.94,2.94) <0.00,2.00>"
TOTAL, PAIRS = "Total: 41200 W: 10905 L: 10584 D: 19711", "Ptnml(0-2): 120, 4687, 10670, 4998, 125"
FIGURES = (2.95, (-2.94, 2.94), (0.0, 2.0), 10905, 10584, 19711, (120, 4687, 10670, 4998, 125))
TABLE = (
    "Elo   | 4.10 +- 2.51 (95%)",
    "SPRT  | 8.0+0.08s Threads=1 Hash=8MB",
    "LLR   | 2.91 (-2.25, 2.89) [0.00, 5.00]",
    "Games | N: 20000 W: 5200 L: 5000 D: 9800",
    "Penta | [80, 2300, 5000, 2500, 120]",
)


def reports(*rows: str) -> tuple[Report, ...]:
    return read_commit("\n".join(("Title", "", *rows)), commit="message")[0].reports


def problems(*rows: str) -> list[str]:
    return [one.what for one in read_commit("\n".join(("Title", "", *rows)), commit="message")[1]]


def figures(report: Report) -> tuple[object, ...]:
    return (
        report.llr,
        report.llr_bounds,
        report.elo_bounds,
        report.wins,
        report.losses,
        report.draws,
        report.pentanomial,
    )


@pytest.mark.parametrize(
    "llr",
    [
        "LLR: 2.95 (-2.94..2.94) <0.00..2.00>",
        "LLR: +2.95 (-2.94,+2.94) <0,2>",
        "LLR 2.95 (-2.94 / 2.94) [0 / 2]",
        "LLR: 2.95 ( \u22122.94 , 2.94 ) < 0.00 , 2.00 >",
        "LLR:2.95(-2.94,2.94)<0.00,2.00>",
        "LLR: 2.95, bounds (-2.94, 2.94), [0.00, 2.00]",
        "LLR: 2.95 (100.2%) (-2.94, 2.94) [0.00, 2.00]",
        "LLR: 2,95 (-2,94; 2,94) [0,00; 2,00]",
        "LLR: 2.95 (-2.94,2.94) [0.00,2.00]a",
    ],
)
def test_an_llr_with_its_bounds_reads_alike_in_every_form(llr: str) -> None:
    [found] = reports("STC:", llr, TOTAL, PAIRS)
    assert (found.stage, found.outcome, found.kind, figures(found)) == ("short", "passed", "gain", FIGURES)


@pytest.mark.parametrize(
    "counts",
    [
        "Total: 41\u202f200 W: 10\u202f905 L: 10\u202f584 D: 19\u202f711",
        "Total: 41 200 W: 10 905 L: 10 584 D: 19 711",
        "Total: 41.200 W: 10.905 L: 10.584 D: 19.711",
        "Total: 41'200 W: 10'905 L: 10'584 D: 19'711",
        "W/L/D: 10905/10584/19711",
        "WDL: 10905 / 19711 / 10584",
        "W-D-L: 10905-19711-10584",
        "+10905 -10584 =19711",
        "+10905 =19711 -10584",
    ],
)
def test_counts_of_games_read_alike_in_every_order_and_with_every_separator(counts: str) -> None:
    [found] = reports("STC:", LLR, counts, PAIRS)
    assert figures(found) == FIGURES


@pytest.mark.parametrize(
    "pairs",
    [
        "Ptnml(0-2): 120 / 4687 / 10670 / 4998 / 125",
        "Ptnml(0-2):  120,  4,687, 10,670,  4,998,  125",
        "LL/LD/DD/WD/WW: 120, 4687, 10670, 4998, 125",
        "Pentanomial [0-2]: 120, 4687, 10670, 4998, 125",
        "Penta | [120, 4687, 10670, 4998, 125]",
    ],
)
def test_pairs_read_alike_in_every_form(pairs: str) -> None:
    [found] = reports("STC:", LLR, TOTAL, pairs)
    assert figures(found) == FIGURES


@pytest.mark.parametrize(
    "elo", ["Elo: 2.71 (+/- 1.20)", "Elo: 2.71 +1.20 -1.20", "Elo gain: 2.71 +/- 1.20", "Elo difference: 2,71 +/- 1,20"]
)
def test_an_estimate_reads_alike_in_every_form(elo: str) -> None:
    [found] = reports("STC:", elo, LLR, TOTAL, PAIRS)
    assert (found.stage, found.elo, found.elo_error, figures(found)) == ("short", 2.71, 1.2, FIGURES)


def test_a_decimal_number_is_taken_whole_or_not_at_all() -> None:
    line = "STC PASSED (verdict H1): 6215 games +789 -652 =4774, LLR 2.97 (-2.94, 2.94) [0, 3], Elo 7.7 +/- 4.2"
    [found] = reports(line)
    assert (found.llr, found.elo_bounds, found.wins, found.elo) == (2.97, (0.0, 3.0), 789, 7.7)
    assert reports("STC:", "LLR: 2.95oops", TOTAL)[0].llr is None


def test_a_row_that_cannot_be_read_does_not_make_two_tests_of_one() -> None:
    [found] = reports("STC:", LLR, "Total: 41200 W: many L: 10584 D: 19711", PAIRS)
    assert (found.wins, found.pentanomial) == (None, (120, 4687, 10670, 4998, 125))
    assert reports(PAIRS)[0].kind is None
    assert "pairs of a test whose other rows could not be read" in problems(PAIRS)


def test_a_table_reads_alike_on_one_line_behind_a_label_and_with_counts_by_sign() -> None:
    [plain] = reports(*TABLE)
    for rows in (
        [" ".join(TABLE)],
        [f"STC: {TABLE[0]}", *TABLE[1:]],
        ["Test  | a-branch", *TABLE[:3], "Games | 20000: +5200 -5000 =9800", TABLE[4]],
        [f"| {row} |" for row in TABLE],
    ):
        [found] = reports(*rows)
        assert (found.stage, found.time_control, found.threads) == ("short", "8+0.08", 1)
        assert (figures(found), found.elo, found.elo_error) == (figures(plain), 4.1, 2.51)


def test_two_tables_on_one_line_are_listed_and_not_mixed() -> None:
    line = " ".join(TABLE + TABLE)
    assert not any(one.wins for one in reports(line))
    assert "looks like a line of a test report, but could not be read" in problems(line)


def test_a_match_without_bounds_is_one_match_and_no_sequential_test() -> None:
    [found] = reports(
        "Score of new vs old: 994 - 873 - 1513 [0.518]",
        "Elo difference: 12.4 +/- 8.7, LOS: 99.7 %, DrawRatio: 44.8 %",
        "SPRT: llr 0 (0.0%), lbound -inf, ubound inf",
        "3392 of 5000 games finished.",
    )
    assert (found.wins, found.elo, found.llr_bounds, found.kind) == (994, 12.4, None, "fixed_games")


def test_a_match_won_without_loss_has_no_finite_estimate_and_stays_one_match() -> None:
    [found] = reports(
        "Results of dev vs base (10+0.1, 1t, 16MB, b.epd):",
        "Elo: inf +/- nan, nElo: inf +/- nan",
        "LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf",
        "Games: 10, Wins: 10, Losses: 0, Draws: 0, Points: 10.0 (100.00 %)",
        "Ptnml(0-2): [0, 0, 0, 0, 5], WL/DD Ratio: -nan",
    )
    assert (found.wins, found.elo, found.pentanomial) == (10, None, (0, 0, 0, 0, 5))


def test_the_difference_may_stand_above_the_score_and_again_below() -> None:
    score, difference = "Score of a vs b: 1656 - 1236 - 725  [0.558] 3617", "Elo difference: 40.53 +/- 10.16"
    for rows in ([difference, score], [difference, score, difference]):
        [found] = reports(*rows)
        assert (found.wins, found.elo) == (1656, 40.53)
    assert len(reports(score, difference, score.replace("a vs b", "c vs b"), difference)) == 2


def test_a_label_glued_to_the_draws_belongs_to_the_next_test() -> None:
    first, second = reports(f"STC:\n{LLR}\n{TOTAL}LTC:\n{LLR}\n{TOTAL}")
    assert (first.stage, first.draws, second.stage) == ("short", 19711, "long")
    [found] = reports(f"LTC\n{LLR}\n{TOTAL}STC https://tests.example.org/1", "", "the end")
    assert found.stage == "long"


def test_time_per_move_and_threads_in_every_form() -> None:
    assert reports("Results of a vs b (1.00/move, 1t, 16MB, b.epd):", TOTAL, LLR)[0].movetime == 1.0
    assert reports("Passed at STC with th=4:", LLR, TOTAL)[0].threads == 4
