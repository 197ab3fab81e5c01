from pathlib import Path

import pytest

from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.limits import Limit
from anchorhold.errors import BadInput
from anchorhold.matches.books import Book, load_book
from anchorhold.matches.jobs import MatchRules
from anchorhold.matches.schedule import check_jobs, duel_jobs, match_jobs

LINES = "1. e4 *\n\n1. d4 *\n\n1. c4 *\n"


@pytest.fixture
def book(tmp_path: Path) -> Book:
    path = tmp_path / "book.pgn"
    path.write_text(LINES)
    return load_book(path)


def engine(name: str) -> EngineSpec:
    return EngineSpec(name, (f"./{name}",), Limit(depth=1))


def test_a_check_interleaves_anchors_and_endpoints_over_the_same_openings(book: Book) -> None:
    jobs = list(
        check_jobs(
            run="check-1",
            stage="long",
            endpoints={"old": engine("8"), "new": engine("15")},
            anchors=[engine("A"), engine("B")],
            book=book,
            pairs=2,
            rules=MatchRules(),
        )
    )
    assert [(j.key.opening, j.key.anchor, j.key.endpoint) for j in jobs] == [
        (opening, anchor, endpoint) for opening in (1, 2) for anchor in "AB" for endpoint in ("old", "new")
    ]
    assert {(j.first.name, j.second.name) for j in jobs if j.key.endpoint == "new"} == {("15", "A"), ("15", "B")}
    assert [j.opening.moves for j in jobs] == [("e2e4",)] * 4 + [("d2d4",)] * 4
    assert len({j.key for j in jobs}) == len(jobs)


def test_a_duel_plays_each_opening_once_and_starts_over_after_the_book(book: Book) -> None:
    jobs = list(
        duel_jobs(
            run="oracle-1",
            stage="short",
            first=engine("dev"),
            second=engine("main"),
            endpoint="candidate",
            anchor="base",
            book=book,
            pairs=4,
            rules=MatchRules(),
        )
    )
    assert [j.key.opening for j in jobs] == [1, 2, 3, 4]
    assert jobs[3].opening == jobs[0].opening
    assert {(j.key.endpoint, j.key.anchor, j.first.name, j.second.name) for j in jobs} == {
        ("candidate", "base", "dev", "main")
    }


def meetings(book: Book, tournament: str) -> list[tuple[str, str]]:
    jobs = match_jobs(
        run="match",
        engines=[engine("A"), engine("B"), engine("C")],
        tournament="gauntlet" if tournament == "gauntlet" else "round-robin",
        book=book,
        pairs=1,
        rules=MatchRules(),
    )
    return [(job.key.endpoint, job.key.anchor) for job in jobs]


def test_in_a_gauntlet_the_first_engine_meets_all_others_and_they_do_not_meet(book: Book) -> None:
    assert meetings(book, "gauntlet") == [("A", "B"), ("A", "C")]


def test_in_a_round_robin_each_meets_each_once(book: Book) -> None:
    assert meetings(book, "round-robin") == [("A", "B"), ("A", "C"), ("B", "C")]


@pytest.mark.parametrize(("names", "message"), [("AA", "named 'A'"), ("A", "at least two")])
def test_one_engine_or_two_of_one_name_are_no_match(book: Book, names: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        next(
            match_jobs(
                run="match",
                engines=[engine(name) for name in names],
                tournament="gauntlet",
                book=book,
                pairs=1,
                rules=MatchRules(),
            )
        )


def test_two_anchors_of_one_name_are_refused(book: Book) -> None:
    with pytest.raises(BadInput, match="two anchors are named 'A'"):
        next(
            check_jobs(
                run="c",
                stage="long",
                endpoints={"old": engine("8")},
                anchors=[engine("A"), engine("A")],
                book=book,
                pairs=1,
                rules=MatchRules(),
            )
        )


def test_jobs_are_made_only_as_they_are_asked_for(book: Book) -> None:
    jobs = duel_jobs(
        run="o",
        stage="long",
        first=engine("a"),
        second=engine("b"),
        endpoint="candidate",
        anchor="base",
        book=book,
        pairs=10**9,
        rules=MatchRules(),
    )
    assert next(jobs).key.opening == 1
