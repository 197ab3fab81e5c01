"""Journals that are followed: counts, speed, what is left, faults, the last game; torn files; nothing is written."""

import sqlite3
from pathlib import Path

import pytest

from anchorhold.checks.state import CheckState, checks_of
from anchorhold.matches.journal import Journal
from anchorhold.matches.journal_lock import is_being_written
from anchorhold.web.board import board_svg
from anchorhold.web.followed import Follower, Match, Matches
from checks.project import make_project
from web.samples import pair

PLAN = {"engines": [{"name": "Alpha"}, {"name": "Beta"}], "sprt": [0.0, 5.0, "normalized", 0.05, 0.05]}


def looked(follower: Follower) -> Match:
    follower.look()
    return follower.match(1, {})


def test_a_match_is_followed_pair_by_pair_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    follower = Follower(path)
    with Journal.open(path, plan=PLAN) as journal:
        journal.add(pair(1))
        journal.add(pair(2))
        first = looked(follower)
        assert (first.state, first.title, first.done) == ("playing", "Alpha – Beta", 2)
        for number in range(3, 12):
            journal.add(pair(number, fault="second" if number == 5 else ""))
        second = looked(follower)
        assert second.done == 11
        assert second.speed == pytest.approx(100.0)  # one every 36 seconds
        assert second.faults == (("Beta", 1),)
        (tally,) = second.tallies
        assert tally.counts == journal.pentanomial(run="match", endpoint="Alpha", anchor="Beta", stage="match")
        (test,) = second.tests
        assert test.lower < test.llr < test.upper
        assert second.last is not None
        assert (second.last.white, second.last.black) == ("Beta", "Alpha")
    assert looked(follower).state == "paused"


def test_a_match_says_how_long_it_takes_and_when_all_is_played(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    follower = Follower(path)
    plan = {"engines": PLAN["engines"]}
    with Journal.open(path, plan=plan) as journal:
        journal.intend(3)
        for number in (1, 2, 3):
            journal.add(pair(number))
    assert (looked(follower).state, looked(follower).planned) == ("complete", 3)
    with Journal.open(path, plan=plan) as journal:
        journal.intend(23)  # the match is made longer
        match = looked(follower)
        assert (match.state, match.planned, match.planned_is_limit) == ("playing", 23, False)
        assert match.left == pytest.approx(20 * 36.0)
    with Journal.open(tmp_path / "b.journal", plan=PLAN) as journal:
        journal.intend(23)
        assert looked(Follower(tmp_path / "b.journal")).planned_is_limit, "a sequential test may end before"


def test_a_check_says_how_many_pairs_are_left_and_how_long_they_take(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", pairs=20, direct=5)
    project.pin()
    check = project.open()
    place = project.plan().data / "checks" / check.id
    place.mkdir(parents=True)
    states = {state.id: state for state in checks_of(project.entries())}
    plan = {"check": check.id, "opened": check.opened.hash}
    with Journal.open(place / "journal.sqlite", plan=plan) as journal:
        for number in range(1, 11):
            journal.add(pair(number, run=check.id, endpoint="old", anchor="Anchor 1", stage="long"))
        matches = Matches(data=[project.plan().data])
        matches.look()
        (match,) = matches.shown(states)
    assert (match.kind, match.planned, match.done) == ("check", 2 * 6 * 20 + 5, 10)
    assert match.left == pytest.approx(235 / 100 * 3600)
    assert len(match.tallies) == 13
    assert {tally.endpoint for tally in match.tallies} == {"v1", "v2"}
    assert [tally.planned for tally in match.tallies][-1] == 5
    assert match.title == f"{check.id} · v1 → v2"


def test_an_oracle_run_says_where_its_test_stands(tmp_path: Path) -> None:
    place = tmp_path / "oracle" / "dev-1"
    place.mkdir(parents=True)
    stage = {"bounds": [0.0, 5.0], "bounds_model": "normalized", "alpha": 0.05, "beta": 0.05, "max_pairs": 50}
    plan = {"oracle": "dev-1", "candidate": "c2", "base": "c1", "stages": {"short": stage, "long": stage}}
    with Journal.open(place / "journal.sqlite", plan=plan) as journal:
        for number in range(1, 5):
            journal.add(pair(number, run="dev-1", endpoint="candidate", anchor="base", stage="short"))
        matches = Matches(data=[tmp_path])
        matches.look()
        (match,) = matches.shown({})
    assert (match.kind, match.planned, match.planned_is_limit) == ("oracle", 100, True)
    assert [test.stage for test in match.tests] == ["short"]
    assert [(tally.endpoint, tally.anchor, tally.stage) for tally in match.tallies] == [
        ("c2", "c1", "short"),
        ("c2", "c1", "long"),
    ]


def test_a_journal_that_did_not_grow_is_not_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.journal"
    follower, opened = Follower(path), 0
    read = Journal.read

    def counted(path: Path) -> Journal:
        nonlocal opened
        opened += 1
        return read(path)

    monkeypatch.setattr(Journal, "read", counted)
    checks: dict[str, CheckState] = {}
    with Journal.open(path, plan=PLAN) as journal:
        journal.add(pair(1))
        follower.look()
        first = follower.match(1, checks)
        for _ in range(3):
            follower.look()
            assert follower.match(1, checks).tallies is first.tallies
        assert opened == 1
        journal.add(pair(2))
        follower.look()
        assert (opened, follower.match(1, checks).done) == (2, 2)


def test_two_matches_at_once_keep_their_places_on_the_page(tmp_path: Path) -> None:
    with (
        Journal.open(tmp_path / "a.journal", plan=PLAN) as first,
        Journal.open(tmp_path / "b.journal", plan=PLAN) as second,
    ):
        for number, journal in enumerate((first, second, first), start=1):
            journal.add(pair(number))
            matches = Matches(places=[tmp_path])
            matches.look()
            assert [match.done for match in matches.shown({})] == [(number + 1) // 2, number // 2]


@pytest.mark.parametrize("damage", ["cut", "text", "rows", "plan"])
def test_a_torn_journal_is_shown_as_one(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a.journal"
    with Journal.open(path, plan={"oracle": 1, "engines": 7} if damage == "plan" else PLAN) as journal:
        for number in range(1, 40):
            journal.add(pair(number))
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:5000])
    elif damage == "text":
        path.write_text("no journal at all")
    elif damage == "rows":
        with sqlite3.connect(path) as database:
            database.execute("DROP TRIGGER pairs_stay")
            database.execute("UPDATE pairs SET record = x'00'")
        database.close()
    match = looked(Follower(path))
    if damage == "plan":
        assert (match.title, match.done) == ("a.journal", 39)
    else:
        assert match.state == "unreadable"
        assert match.problem


def test_a_journal_that_is_replaced_is_read_from_its_beginning(tmp_path: Path) -> None:
    path, other = tmp_path / "a.journal", tmp_path / "b.journal"
    for file, count in ((path, 5), (other, 2)):
        with Journal.open(file, plan=PLAN) as journal:
            for number in range(1, count + 1):
                journal.add(pair(number))
    follower = Follower(path)
    assert looked(follower).done == 5
    other.replace(path)
    assert looked(follower).done == 2


def test_following_keeps_no_writer_out_and_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    with Journal.open(path, plan=PLAN) as journal:
        journal.add(pair(1))
    before = path.read_bytes()
    assert not is_being_written(path)
    follower = Follower(path)
    looked(follower)
    assert path.read_bytes() == before
    with Journal.open(path, plan=PLAN) as journal:  # the writer's lock is free
        assert is_being_written(path)
        assert looked(follower).done == 1
        journal.add(pair(2))
    assert not is_being_written(path)


def test_the_board_shows_the_last_position_and_stops_before_an_illegal_move() -> None:
    record = pair(1)
    svg = board_svg(record, record.games[0])
    assert svg.startswith("<svg")
    assert "check_gradient" in svg  # the white king stands mated
