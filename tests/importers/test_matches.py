import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.cutechess import read_cutechess
from anchorhold.importers.fastchess import read_fastchess
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from importers.server_texts import CONSOLE, CUTECHESS, STATE

SPRT = {"enabled": True, "alpha": 0.05, "beta": 0.05, "elo0": 0.0, "elo1": 5.0, "model": "normalized"}
DECIDED = {
    "Pawnstar-new vs Anchor-A": {
        "wins": 6162, "losses": 5848, "draws": 12030,
        "penta_WW": 74, "penta_WD": 2979, "penta_WL": 3000, "penta_DD": 3215, "penta_LD": 2691, "penta_LL": 61,
    }
}  # fmt: skip


def state(**changes: Any) -> str:
    return json.dumps(STATE | changes)


def test_a_state_gives_pairs_with_both_middle_classes_added() -> None:
    (counts,) = read_fastchess([("config.json", state())]).matches
    assert counts.pentanomial == Pentanomial(ll=20, ld=130, dd_wl=180, wd=150, ww=20)
    assert counts.trinomial == Trinomial(wins=260, draws=500, losses=240)


def test_a_match_that_stands_in_both_orders_is_one() -> None:
    stats = STATE["stats"]["Pawnstar-new vs Anchor-A"]
    both = {"Pawnstar-new vs Anchor-A": stats, "Anchor-A vs Pawnstar-new": stats}
    (counts,) = read_fastchess([("config.json", state(stats=both))]).matches
    assert (counts.first, counts.trinomial) == ("Pawnstar-new", Trinomial(wins=500, draws=1000, losses=500))


def test_a_name_that_makes_a_key_ambiguous_is_a_problem() -> None:
    engines = [{"name": name} for name in ("A", "B vs C", "A vs B", "C")]
    stats = {"A vs B vs C": STATE["stats"]["Pawnstar-new vs Anchor-A"]}
    found = read_fastchess([("config.json", state(engines=engines, stats=stats))])
    assert found.matches == ()
    assert "in one way" in found.drafts.problems[0].what


def test_a_decided_sequential_test_is_an_entry_with_a_stable_id() -> None:
    found = read_fastchess([("config.json", state(sprt=SPRT, stats=DECIDED))])
    (draft,) = found.drafts.records
    short: Any = draft.payload["short"]
    assert (draft.kind, short["pentanomial"]) == ("gain_test", [61, 2691, 6215, 2979, 74])
    assert short["conditions"]["time_control"] == "10+0.1"
    again = read_fastchess([("other.json", state(sprt=SPRT, stats=DECIDED))])
    assert again.drafts.records[0].id == draft.id
    other = read_fastchess([("config.json", state(sprt=SPRT, stats=DECIDED, seed=9876543210123456788))])
    assert other.drafts.records[0].id != draft.id, "a seed above 2**53 lost its last digits"


def test_a_test_that_goes_on_is_left_for_a_later_import() -> None:
    found = read_fastchess([("config.json", state(sprt=SPRT, rounds=9000))])
    assert found.drafts.records == ()
    assert any("has not ended" in remark.what for remark in found.drafts.remarks)


def test_a_console_output_gives_its_last_standing() -> None:
    earlier = CONSOLE.replace("1000, Wins: 260", "500, Wins: 130").replace(
        "Losses: 240, Draws: 500", "Losses: 120, Draws: 250"
    )
    found = read_fastchess([("out.log", earlier + CONSOLE + "Finished match\n")])
    (counts,) = found.matches
    assert counts.trinomial == Trinomial(wins=260, draws=500, losses=240)
    (draft,) = found.drafts.records
    assert (draft.kind, draft.payload["candidate"]) == ("rejected_test", "X")


def test_counts_of_a_printed_standing_that_do_not_add_up_are_a_problem() -> None:
    found = read_fastchess([("out.log", CONSOLE.replace("Wins: 260", "Wins: 360") + "Finished match\n")])
    assert found.drafts.records == ()
    assert found.drafts.problems


def test_finished_games_are_counted_where_no_standing_is_printed() -> None:
    lines = [
        "Finished game 2 (B vs A): 1/2-1/2 {Draw by adjudication}",
        "Finished game 1 (A vs B): 1-0 {White mates}",
        "Finished game 3 (A vs B): 0-1 {White disconnects}",
        "Finished game 4 (B vs A): * {Game interrupted}",
    ]
    (counts,) = read_fastchess([("out.log", "\n".join(lines))]).matches
    counts = counts if counts.first == "A" else counts.swapped()
    assert counts.trinomial == Trinomial(wins=1, draws=1, losses=1)
    assert counts.pentanomial == Pentanomial(ll=0, ld=0, dd_wl=0, wd=1, ww=0)


def test_the_score_of_cutechess_is_wins_losses_draws() -> None:
    found = read_cutechess([("match.log", CUTECHESS)], bounds=(0.0, 5.0), time_control="8+0.08")
    (counts,) = found.matches
    assert counts.trinomial == Trinomial(wins=55, draws=105, losses=40)
    (draft,) = found.drafts.records
    short: Any = draft.payload["short"]
    assert (draft.kind, short["bounds_model"]) == ("rejected_test", "bayeselo")
    assert any("the LLR is printed as 2.95" in remark.what for remark in found.drafts.remarks)


def test_a_sequential_test_of_cutechess_without_its_bounds_is_a_problem() -> None:
    assert "--bounds" in read_cutechess([("match.log", CUTECHESS)]).drafts.problems[0].what


def test_numbers_as_another_locale_writes_them_and_nan_are_read() -> None:
    odd = CUTECHESS.replace("26.1 +/- 33.4", "26,1 +/- nan").replace("2.95", "2,95")
    assert read_cutechess([("match.log", odd)], bounds=(0.0, 5.0)).drafts.problems == ()


@pytest.mark.parametrize("bad", ["Score of A vs B: 55 - 40", "Finished game x (A vs B): 1-0", "Games: 12, Wins"])
def test_a_line_that_breaks_off_is_a_problem_with_its_line(bad: str) -> None:
    found = read_cutechess([("match.log", CUTECHESS + bad + "\n")], bounds=(0.0, 5.0))
    assert [problem.place.line for problem in found.drafts.problems] == [8]
    assert found.matches[0].trinomial.games == 200


@given(st.text(max_size=30), st.integers(0, 700), st.sampled_from([CONSOLE, CUTECHESS, json.dumps(STATE)]))
def test_any_change_of_an_input_is_read_without_an_error(noise: str, at: int, text: str) -> None:
    changed = text[:at] + noise + text[at:]
    read_fastchess([("x", changed)])
    read_fastchess([("x", text[:at])])
    read_cutechess([("x", changed)], bounds=(0.0, 5.0))


@pytest.mark.parametrize("stamp", ["[12:00:01] ", "[INFO  ] [2026-11-30 12:00:01.123] ", "2026-11-30T12:00:01.5Z "])
def test_the_times_before_the_lines_of_a_log_are_passed_over(stamp: str) -> None:
    stamped = "".join(f"{stamp}{line}\n" for line in CONSOLE.splitlines())
    assert read_fastchess([("x", stamped)]).matches == read_fastchess([("x", CONSOLE)]).matches
    assert len(read_fastchess([("x", stamped)]).matches) == 1
