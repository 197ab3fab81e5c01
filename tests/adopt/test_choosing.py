"""Which engines become anchors: rated ones first, no family twice, none of main's own."""

from pathlib import Path

from anchorhold.adopt.choosing import choose
from anchorhold.adopt.lineup import read_lineup
from anchorhold.adopt.recipes import Found, read_recipes

RECIPES = read_recipes()
ALL = tuple(Found(recipe, Path("/there") / recipe.program) for recipe in RECIPES)


def names(*, main: str, here: tuple[Found, ...] = ALL, wanted: int = 6) -> list[str]:
    chosen = choose(here, RECIPES, read_lineup(), wanted=wanted, main=main)
    assert len(chosen.anchors) + chosen.missing == wanted
    return [one.recipe.name for one in chosen.anchors]


def test_engines_with_a_measured_rating_go_first() -> None:
    assert set(names(main="sparrow")) == set(read_lineup().anchors)


def test_nobody_is_an_anchor_of_its_own_project() -> None:
    assert "Ethereal" not in names(main="ethereal")
    assert not {"Stockfish", "Glaurung"} & set(names(main="/usr/games/stockfish", wanted=8))


def test_of_one_family_there_is_one() -> None:
    assert len({"Stockfish", "Glaurung"} & set(names(main="sparrow", wanted=10))) == 1


def test_what_is_missing_is_named_with_what_could_be_installed() -> None:
    here = tuple(one for one in ALL if one.recipe.name in ("Toga II", "Stockfish"))
    chosen = choose(here, RECIPES, read_lineup(), wanted=6, main="sparrow")
    installable = [recipe.name for recipe in chosen.installable]
    assert chosen.missing == 4
    assert installable[:5] == ["Ethereal", "Fairy-Max", "GNU Chess", "HoiChess", "Phalanx"]
    assert "Glaurung" not in installable
