"""Shapes that the golden cases do not have: each says what must come of it."""

from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.commits.stretch import read_commit
from anchorhold.importers.report import Report
from importers.commits.messages import CONSOLE, LONG, SHORT, TABLE

TOTAL, PAIRS = "Total: 41200 W: 10905 L: 10584 D: 19711", "Ptnml(0-2): 120, 4687, 10670, 4998, 125"
LLR = "LLR: 2.95 (-2.94,2.94) <0.00,2.00>"


def reports(message: str) -> tuple[Report, ...]:
    return read_commit(message, commit="message")[0].reports


def problems(message: str) -> list[str]:
    return [problem.what for problem in read_commit(message, commit="message")[1]]


def same_as_plain(message: str) -> bool:
    """Whether one report is read with all figures of the plain form."""
    [found], [plain] = reports(message), reports(f"T\n\nSTC:\n{LLR}\n{TOTAL}\n{PAIRS}")
    names = ("stage", "outcome", "llr", "llr_bounds", "elo_bounds", "wins", "losses", "draws", "games", "pentanomial")
    return all(getattr(found, name) == getattr(plain, name) for name in names)


def test_one_test_reads_alike_however_it_is_set() -> None:
    block = f"STC:\n{LLR}\n{TOTAL}\n{PAIRS}"
    assert same_as_plain("T\n\n" + "\n".join(f"> {line}" for line in block.split("\n")))
    assert same_as_plain("T\n\n" + "\n".join(f"    {line}" for line in block.split("\n")))
    assert same_as_plain("T\r\n\r\n" + block.replace("\n", "\r\n"))
    assert same_as_plain("T\r\r" + block.replace("\n", "\r"))
    assert same_as_plain(f"T\n\n* **STC:**\n* {LLR}\n* {TOTAL}\n* {PAIRS}")
    assert same_as_plain(f"T\n\nSTC:\n{LLR} {TOTAL} {PAIRS}")
    assert same_as_plain(f"T\n\n#### STC\n```\n{LLR}\n{TOTAL}\n{PAIRS}\n```")
    assert same_as_plain(f"T\n\n<details>\n<summary>STC</summary>\n\n{LLR}\n{TOTAL}\n{PAIRS}\n</details>")


NUMBER = st.integers(0, 10**9 - 1)


@given(st.integers(-9999, 9999), st.sampled_from(["<>", "[]", "{}"]), st.lists(NUMBER, min_size=9, max_size=9))
def test_a_report_to_the_letter_reads_alike_at_once_and_row_by_row(llr: int, bracket: str, counts: list[int]) -> None:
    rows = [
        f"LLR: {llr / 100:.2f} (-2.94,2.94) {bracket[0]}0.00,2.00{bracket[1]}",
        "Total: {} W: {} L: {} D: {}".format(*counts),
        "Ptnml(0-2): {}, {}, {}, {}, {}".format(*counts[4:]),
    ]
    for taken in (rows, rows[:2], [*rows, *rows], [rows[0], "", *rows], [*rows[:2], "", *rows]):
        assert reports("T\n\n" + "\n".join(taken)) == reports("T\n\n" + "\n".join(f"  {row}" for row in taken))


def test_lines_that_were_wrapped_or_rearranged_read_alike() -> None:
    assert same_as_plain(f"T\n\nSTC:\nLLR: 2.95 (-2.94,2.94)\n<0.00,2.00>\n{TOTAL}\n{PAIRS}")
    assert same_as_plain(f"T\n\nSTC:\n{LLR}\n{TOTAL}\nPtnml(0-2): 120, 4687,\n10670, 4998, 125")
    assert same_as_plain(f"T\n\nSTC:\n{LLR}\nTotal: 41200 W: 10905 L: 10584\nD: 19711\n{PAIRS}")
    assert same_as_plain(f"T\n\nSTC:\n{TOTAL}\n{PAIRS}\n{LLR}")
    assert same_as_plain(f"T\n\nSTC:\n{LLR}\nTotal: 41,200 W: 10,905 L: 10,584 D: 19,711\n{PAIRS}")
    assert same_as_plain(f"T\n\nSTC:\n{LLR}\nTotal: 41200 D: 19711 L: 10584 W: 10905\n{PAIRS}")
    assert same_as_plain(f"T\n\nSTC:\nLLR: 2.95 <0.00,2.00> (-2.94,2.94)\n{TOTAL}\n{PAIRS}")


def test_prose_above_a_report_is_no_label() -> None:
    prose = (
        "Give a malus to those quiet moves that failed to produce a cutoff at LTC when another one managed to do it."
    )
    [found] = reports(f"T\n\n{prose}\n\n{TABLE}")
    assert (found.stage, found.outcome) == ("long", "passed")
    assert problems(f"T\n\n{prose}\n\n{TABLE}") == []


def test_a_label_that_contradicts_the_printed_clock_is_a_problem() -> None:
    [found] = reports(f"T\n\nSTC:\n{TABLE}")
    assert found.stage is None
    assert "its label says short, its clock is 40+0.4" in problems(f"T\n\nSTC:\n{TABLE}")


def test_words_that_contradict_the_figures_are_a_problem() -> None:
    [found] = reports(f"T\n\n{SHORT.replace('Passed', 'Failed')}")
    assert found.outcome is None
    assert "the label says failed, its figures say passed" in problems(f"T\n\n{SHORT.replace('Passed', 'Failed')}")


def test_a_claimed_pass_is_an_entry_of_its_own() -> None:
    message = f"T\n\nPassing LTC [-3, 1] (LLR: 5.69)\n{TABLE.replace('2.95 (', '1.95 (')}"
    claim, played = reports(message)
    assert (claim.stage, claim.outcome, claim.kind, claim.wins) == ("long", "passed", "non_regression", None)
    assert (played.outcome, played.kind) == ("unknown", "gain")


def test_a_heading_of_two_stages_needs_two_reports() -> None:
    two = SHORT.removeprefix("Passed STC:\n") + "\n" + LONG.removeprefix("Passed LTC:\n")
    assert [one.stage for one in reports(f"T\n\nPassed STC and LTC:\n{two}")] == ["short", "long"]
    assert [one.stage for one in reports(f"T\n\nTested at both std and ltc:\n{two}")] == ["short", "long"]
    one = SHORT.removeprefix("Passed STC:\n")
    assert [one.stage for one in reports(f"T\n\nPassed STC and LTC:\n{one}")] == [None]


def test_a_rating_list_is_a_report_without_counts_and_a_problem() -> None:
    message = "T\n\ntc=40/60\nRank Name Elo +/- Games Score Draws\n1 a 5 12 100 51.0% 30.0%\n2 b 3 9 90 50.5% 31.0%\n"
    [found] = reports(message)
    assert (found.stage, found.kind, found.wins, found.time_control) == ("other", "fixed_games", None, "40/60")
    assert "the games of one change cannot be taken out of a rating list" in problems(message)


def test_one_report_ends_where_the_next_begins_without_a_blank_line() -> None:
    found = reports(f"T\n\n{SHORT}{LONG}{TABLE}{CONSOLE}")
    assert [one.wins for one in found] == [10905, 6162, 3032, 55]
    assert [one.stage for one in found] == ["short", "long", "long", "unknown"]


def test_bare_figures_of_speed_meters_and_prose_are_no_report() -> None:
    assert (
        reports("Faster (+1.2 elo)\n\nNodes/second : 123456\nTotal time (ms) : 65200\n3 - 1 passed pawns, 12 elo\n")
        == ()
    )


def test_the_command_line_above_a_match_says_its_conditions() -> None:
    command = (
        "./runner -each nodes=10000 option.Hash=16 -engine cmd=new -engine cmd=old -openings file=book.epd -games 200"
    )
    [found] = reports(f"T\n\n```\n{command}\n{CONSOLE.splitlines()[0]}\n```")
    assert (found.nodes, found.stage, found.time_control) == (10000, "other", None)
    [several] = reports(f"T\n\ntc=10+0.1\nhash=256 (a)\nhash=512 (b)\nponder=on for b\nthreads=4 for b\n{CONSOLE}")
    assert (several.time_control, several.threads) == ("10+0.1", 4)


def test_very_large_numbers_are_no_fault() -> None:
    message = f"T\n\nSTC:\nLLR: {'9' * 400} (-2.94,2.94) <0.00,2.00>\nTotal: {'9' * 400} W: {'9' * 400} L: 1 D: 1"
    [found] = reports(message)
    assert found.wins is None
    assert found.llr is not None
    assert abs(found.llr) < 1e10
