import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.ratings import read_ratings

# Written by Ordo 1.2.6 (commit 17eec77) on 80 invented games: ordo -q -p g.pgn -a 2800 -A "Rook A" -s 50 -o ordo.txt
ORDO = """\

   # PLAYER         :  RATING  ERROR  POINTS  PLAYED   (%)
   1 Rook A         :  2800.0   ----    22.0      40    55
   2 Bishop: B 2    :  2764.8   83.4    41.5      80    52
   3 Knight C       :  2702.9  110.1    16.5      40    41

White advantage = 0.00 +/- 0.00
Draw rate (equal opponents) = 50.00 % +/- 0.00

"""
BAYES = """\
Rank Name            Elo    +    - games score oppo. draws
   1 Rook A 1.0       15   22   21   400   54%   -15   40%
   2 Bishop B        -15   21   22   400   46%    15   40%
"""


def rows(text: str, **options: float) -> list[tuple[str, float, float | None, int | None]]:
    found = read_ratings([("list", text)], **options)
    assert found.problems == ()
    return [(one.name, one.rating, one.rating_error, one.games) for one in found.records]


def test_ordos_table_is_read_by_its_head() -> None:
    assert rows(ORDO) == [
        ("Rook A", 2800.0, None, 40),
        ("Bishop: B 2", 2764.8, 83.4, 80),
        ("Knight C", 2702.9, 110.1, 40),
    ]


def test_errors_of_another_confidence_become_95_percent_half_widths() -> None:
    assert rows(ORDO, confidence=0.6827)[1][2] == pytest.approx(83.4 * 1.95996, rel=1e-4)


def test_bayeselos_larger_side_is_the_half_width_and_named() -> None:
    assert rows(BAYES) == [("Rook A 1.0", 15.0, 22.0, 400), ("Bishop B", -15.0, 22.0, 400)]
    assert len(read_ratings([("list", BAYES)]).remarks) == 2


@pytest.mark.parametrize(
    "text",
    [
        "name,rating,rating_error,games\nRook A,2800.5,9,400\n",
        "Player;Elo;+/-;Games\nRook A;2800,5;9;400\n",
        '"Name"\t"Rating"\t"Error"\t"Played"\n"Rook A"\t2800.5\t9.0\t400\n',
        "\ufeffname,elo,+,-,n\r\nRook A,2800.5,9,8,400\r\n",
        "| # Name | Rating | +/- | Games |\n|:---|---:|---|---|\n| Rook A | 2800.5 | 9 | 400 |\n",
        '[{"name": "Rook A", "rating": 2800.5, "rating_error": 9, "games": 400}]',
        '{"ratings": [{"name": "Rook A", "elo": 2800.5, "error": 9, "games": 400}]}',
        '{"Rook A": {"rating": 2800.5, "rating_error": 9, "games": 400}}',
        '{"name": "Rook A", "rating": 2800.5, "rating_error": 9, "games": 400}\n',
    ],
)
def test_every_form_of_a_list_gives_the_same(text: str) -> None:
    assert rows(text) == [("Rook A", 2800.5, 9.0, 400)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,rating,elo\nA,1,2\n", "may both be the rating"),
        ("name,rating,error,+/-\nA,1,2,3\n", "may both be the error"),
        ("engine,strength\nA,1\n", "no head"),
        ("name,rating\nA\n", "1 cells, the head has 2"),
        ("name,rating\nA,high\n", "expected a name and a rating"),
        ("name,rating\nA,nan\n", "expected a name and a rating"),
        ("name,rating\nA,10\nA,20\n", "stands twice"),
        ("name,rating,error\nA,10,-4\n", "no half-width"),
        ("name,rating,error\nA,10,wide\n", "is no number"),
        ('{"A": "strong"}', "expected a name and a rating"),
        (ORDO.replace("2764.8", "27x"), "looks like a line of Ordo"),
        (BAYES.replace("-15   21   22", "-15   21"), "looks like a line of BayesElo"),
    ],
)
def test_what_is_not_clear_is_a_problem(text: str, said: str) -> None:
    found = read_ratings([("list", text)])
    assert any(said in problem.what for problem in found.problems), found.problems


@given(
    st.text(max_size=60), st.sampled_from([ORDO, BAYES, "name,rating\nA,10\n", '[{"name": "A"}]']), st.integers(0, 300)
)
def test_any_change_of_a_list_is_read_without_an_error(noise: str, text: str, at: int) -> None:
    read_ratings([("list", text[:at] + noise + text[at:])])
    read_ratings([("list", noise)])


@pytest.mark.parametrize(
    ("head", "own", "other"),
    [
        ("Elo     +/-   Games   Score    Draw", "35.4      20     400   55.0%   40.0%", "-35.4  20  400  45.0%  40.0%"),
        ("Elo  +/-  nElo  +/-  Games  Score  Draw  Ptnml(0-2)",
         "35.4  20  50.1  28.3  400  55.0%  40.0%  [1, 20, 100, 70, 9]",
         "-35.4  20  -50.1  28.3  400  45.0%  40.0%  [9, 70, 100, 20, 1]"),
    ],
)  # fmt: skip
def test_the_table_of_a_match_runner_is_read(head: str, own: str, other: str) -> None:
    table = f"Rank Name          {head}\n   1 Rook A 1.0     {own}\n   2 Bishop B      {other}\n\nFinished match\n"
    assert rows(table) == [("Rook A 1.0", 35.4, 20.0, 400), ("Bishop B", -35.4, 20.0, 400)]
    assert len(read_ratings([("x", table.replace("35.4 ", "nan  ", 1))]).problems) == 1
