from pathlib import Path

import pytest

from anchorhold.cli.match_words import (
    OpeningsChoice,
    parse_draw,
    parse_openings,
    parse_pgnout,
    parse_resign,
    parse_sprt,
    parse_tablebases,
)
from anchorhold.errors import BadInput
from anchorhold.matches.jobs import DrawRule, ResignRule, TablebaseRule
from anchorhold.stats.sprt import Sprt


def test_openings_are_read_with_commas_or_spaces_and_file_names_may_hold_commas() -> None:
    expected = OpeningsChoice(Path("a,b.epd"), order="sequential", seed=7, plies=8)
    assert parse_openings("file=a,b.epd,order=sequential,seed=7,plies=8") == expected
    assert parse_openings("file=a,b.epd order=sequential seed=7 plies=8 format=auto") == expected
    assert parse_openings(None) == OpeningsChoice()


BAD = ["order=shuffled", "seed=-1", "plies=0", "fil=x", "plies=eight", "start=0", "format=cbh", "file=a,positions=1"]


@pytest.mark.parametrize("text", BAD)
def test_openings_of_another_form_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="--openings"):
        parse_openings(text)


def test_adjudication_is_read_in_the_fields_words() -> None:
    assert parse_draw("movenumber=40 movecount=8 score=10") == DrawRule(number=40, count=8, score=10)
    # As in the field, one side's score is enough unless told otherwise.
    assert parse_resign("movecount=3,score=400") == ResignRule(count=3, score=400, two_sided=False)
    assert parse_resign("movecount=3,score=400,twosided=true") == ResignRule(count=3, score=400, two_sided=True)
    assert parse_draw(None) is None
    assert parse_resign(None) is None
    assert parse_sprt(None) is None


@pytest.mark.parametrize("text", ["movecount=3", "movecount=3,score=x", "movecount=3,score=4,twosided=yes"])
def test_adjudication_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="--resign"):
        parse_resign(text)


def test_a_sequential_test_has_the_fields_defaults() -> None:
    assert parse_sprt("elo0=0,elo1=5") == Sprt(0.0, 5.0, model="normalized", alpha=0.05, beta=0.05)
    assert parse_sprt("elo0=-3 elo1=1 alpha=0.1 beta=0.2 model=logistic") == Sprt(-3.0, 1.0, "logistic", 0.1, 0.2)


@pytest.mark.parametrize(
    "text", ["elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=5,alpha=0.6,beta=0.6", "elo0=0,elo1=5,model=x"]
)
def test_a_test_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_sprt(text)


def test_bounds_for_single_games_are_refused_with_what_to_give_instead() -> None:
    with pytest.raises(BadInput, match=r"'bayesian'.*single games.*model=normalized"):
        parse_sprt("elo0=0 elo1=5 model=bayesian")


def test_a_book_is_played_in_its_own_order_and_that_of_the_package_shuffled() -> None:
    assert parse_openings("file=a.epd").order == "sequential"
    assert parse_openings("seed=4").order == "random"
    assert parse_openings("positions=518,0-9,start=3") == OpeningsChoice(
        positions="518,0-9", order="sequential", start=3
    )
    assert parse_openings("file=a format=pgn").format == "pgn"


def test_tablebases_are_directories_with_colons_between_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = parse_tablebases("a:/b", pieces=5, ignore_50=True, decides="WIN_LOSS")
    assert found == TablebaseRule((tmp_path / "a", Path("/b")), pieces=5, fifty_moves=False, decides="wins")
    assert parse_tablebases(None, pieces=None, ignore_50=False, decides="BOTH") is None
    with pytest.raises(BadInput, match="Give their directories with --tb"):
        parse_tablebases(None, pieces=5, ignore_50=False, decides="BOTH")
    with pytest.raises(BadInput, match="known are BOTH, WIN_LOSS, DRAW"):
        parse_tablebases("a", pieces=None, ignore_50=False, decides="LOSS")


def test_the_games_file_is_read_in_the_fields_words() -> None:
    assert parse_pgnout("file=a.pgn notation=san nodes=true append=true pv=false") == Path("a.pgn")
    with pytest.raises(BadInput, match="pv is not written"):
        parse_pgnout("file=a.pgn pv=true")
    with pytest.raises(BadInput, match=r"notation is 'lan'"):
        parse_pgnout("file=a.pgn notation=lan")
