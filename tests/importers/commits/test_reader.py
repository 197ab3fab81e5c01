"""From a history to register entries: what each commit gives, once."""

from pathlib import Path

import pytest

from anchorhold import forked
from anchorhold.domain.payloads import GainTest, read_payload
from anchorhold.importers.commits import reader
from anchorhold.importers.commits.history import Commit, Log, commits_of
from anchorhold.importers.commits.reader import History, read_history, read_log
from importers.commits.messages import CONSOLE, FAILED, GAIN, LONG, SHORT, SIMPLER, TABLE
from importers.commits.repositories import repository


def name(number: int) -> str:
    return f"{number:08x}" + "0" * 32


def history(*messages: str) -> History:
    return read_history(Commit(name(number), message) for number, message in enumerate(messages, start=1))


def kinds(found: History) -> list[str]:
    return [draft.kind for draft in found.drafts]


def test_a_gain_a_simplification_a_failure_and_a_revert_give_their_entries_in_order() -> None:
    found = history(GAIN, "Nothing tested", SIMPLER, f"Keep it\n\n{FAILED}", 'Revert "Drop a condition"')
    assert kinds(found) == ["gain_test", "special_path", "rejected_test", "retraction"]
    assert found.commits == 5
    assert [draft.place.source for draft in found.drafts] == [name(number)[:12] for number in (1, 3, 4, 5)]


def test_a_gain_keeps_counts_bounds_model_and_error_rates_of_both_stages() -> None:
    payload = read_payload("gain_test", history(GAIN).drafts[0].payload)
    assert isinstance(payload, GainTest)
    assert payload.short is not None
    assert payload.long is not None
    assert payload.long.pentanomial == (61, 2691, 6215, 2979, 74)
    assert (payload.long.bounds, payload.long.bounds_model) == ((0.5, 2.5), "normalized")
    assert (payload.long.alpha, payload.long.beta) == (0.05, 0.05)
    assert payload.candidate == name(1)


def test_a_gain_that_lacks_a_stage_is_kept_with_the_reason() -> None:
    [draft] = history(f"Only short\n\n{SHORT}").drafts
    assert draft.kind == "gain_test"
    assert "long" not in draft.payload
    assert draft.payload["reason"] == "passed short only"


def test_gains_on_several_threads_speak_for_a_stage_only_when_asked() -> None:
    message = GAIN.replace("STC", "STC SMP").replace("LTC", "LTC SMP")
    [draft] = history(message).drafts
    assert draft.kind == "gain_test"
    assert not draft.payload.keys() & {"short", "long"}
    [asked] = read_history([Commit("a" * 40, message)], smp=True).drafts
    assert asked.payload.keys() >= {"short", "long"}


def test_the_last_single_threaded_pass_of_a_stage_is_taken() -> None:
    later = LONG.replace("24040 W: 6162 L: 5848 D: 12030", "24040 W: 6163 L: 5849 D: 12028").replace("LTC", "LTC SMP")
    again = LONG.replace("24040 W: 6162 L: 5848 D: 12030", "24040 W: 6164 L: 5850 D: 12026")
    [draft] = history(f"{GAIN}\n{again}\n{later}").drafts
    assert draft.payload["long"]["wins"] == 6164  # type: ignore[index]


def test_a_cherry_pick_adds_no_second_claim() -> None:
    found = history(GAIN, GAIN + "\n(cherry picked from commit 1)")
    assert kinds(found) == ["gain_test"]
    assert sum("the same test stands in commit" in remark.what for remark in found.remarks) == 2


def test_what_cannot_be_told_is_a_problem_and_no_entry() -> None:
    found = history(f"A change\n\n{CONSOLE}")
    assert kinds(found) == []
    assert "cannot be told" in found.problems[-1].what
    assert found.problems[-1].place.source == name(1)[:12]


def test_a_lost_digit_is_a_problem_and_leaves_what_stands_around_it() -> None:
    torn = GAIN.replace("D: 12030\nPtnml(0-2): 61, 2691, 6215, 2979, 74", "D: 1203")
    found = history(SIMPLER, torn, f"B\n\n{TABLE}")
    assert [problem.place.source for problem in found.problems] == [name(2)[:12]] * 2
    assert "cannot be relied on" in found.problems[0].what
    assert "cannot be recorded" in found.problems[1].what
    assert kinds(found) == ["special_path", "gain_test"]


def test_a_figure_that_its_counts_do_not_give_is_remarked_with_its_place() -> None:
    found = history(GAIN.replace("LLR: 2.96", "LLR: 3.40"))
    assert [str(remark) for remark in found.remarks] == [
        "000000010000, line 10: the LLR is printed as 3.4, the counts give 2.96"
    ]


def test_a_retraction_names_the_commits_that_it_reverts() -> None:
    [draft] = history(f'Revert "A"\n\nThis reverts commit {"ab" * 20}.').drafts
    assert draft.payload["of"] == f"commit:{'ab' * 20}"
    [titled] = history('Revert "Drop a condition"').drafts
    assert titled.payload["of"] == "Drop a condition"


def test_bounds_of_an_old_table_are_in_the_model_that_gives_its_llr() -> None:
    # Figures of a real test: 2.96 is printed; its games give 2.96 under BayesElo bounds, 2.86 under normalized ones.
    old = (
        "ELO   | 4.62 +- 3.51 (95%)\nSPRT  | 10.0+0.1s Threads=1 Hash=32MB\nLLR   | 2.96 (-2.94, 2.94) [0.00, 4.00]\n"
        "Games | N: 19632 W: 5250 L: 4989 D: 9393\n"
    )
    found = history(f"A\n\n{old}")
    assert found.drafts[0].payload["short"]["bounds_model"] == "bayeselo"  # type: ignore[index]
    assert "the LLR is that of bayeselo bounds" in found.remarks[0].what
    table = history(f"A\n\n{TABLE}")
    assert table.drafts[0].payload["long"]["bounds_model"] == "normalized"  # type: ignore[index]
    assert table.remarks == []


def test_a_test_whose_first_commit_gave_no_entry_counts_at_the_next() -> None:
    quick = TABLE.replace("40.0+0.40s", "4.0+0.04s")
    found = history(f"A speedup\n\n{quick}", f"The same again\n\n{quick}")
    assert "cannot be told" in found.problems[0].what
    assert [(draft.kind, draft.place.source) for draft in found.drafts] == [("gain_test", name(2)[:12])]


def test_every_test_carries_the_day_of_its_commit() -> None:
    found = read_history([Commit("a" * 40, GAIN + FAILED, "1624968000"), Commit("b" * 40, 'Revert "x"', "1625140800")])
    assert [(draft.kind, draft.payload.get("date")) for draft in found.drafts] == [
        ("gain_test", "2021-06-29"),
        ("rejected_test", "2021-06-29"),
        ("retraction", None),
    ]


@pytest.mark.parametrize("first", [0.0, 0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("second_core", [True, False])
def test_two_halves_give_what_the_whole_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: float, second_core: bool
) -> None:
    torn = GAIN.replace("D: 12030\nPtnml(0-2): 61, 2691, 6215, 2979, 74", "D: 1203")
    # Tests of the first half are repeated in the second, whole and in part, beside some of its own.
    messages = [
        GAIN,
        SIMPLER,
        f"Keep it\n\n{FAILED}",
        torn,
        f"A\n\n{TABLE}",
        f"B\n\n{CONSOLE}",
        "Nothing",
        'Revert "A"',
    ]
    messages += [f"{SIMPLER}\n{LONG}", f"Again\n\n{TABLE}", GAIN.replace("LLR: 2.96", "LLR: 3.40")]
    place = repository(tmp_path / "r.git", messages)
    monkeypatch.setattr(reader, "LONG", 1)
    monkeypatch.setattr(reader, "FIRST", first)
    if not second_core:
        monkeypatch.setattr(forked, "is_possible", lambda: False)
    with Log(place) as log:
        found = read_log(log)
    assert found == read_history(commits_of(place))
    assert sum("the same test" in remark.what for remark in found.remarks) == 6
