"""``anchorhold claims``: S in all its forms for a window whose figures another program has."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from anchorhold.cli.app import app
from anchorhold.register.store import Register

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "golden" / "commits" / "window-15-to-15.1.json").read_text(encoding="utf-8")
)
DIRECT = "73,4844,17208,7820,55"
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    for name in ("REGISTER", "AUTHOR", "CONFIG"):
        monkeypatch.delenv("ANCHORHOLD_" + name, raising=False)
    return lambda *words: CliRunner().invoke(app, words, catch_exceptions=False)


def stage(test: dict[str, Any]) -> dict[str, object]:
    wins, losses, draws = test["games"]
    return {
        "passed": test["passed"],
        "pentanomial": test["pentanomial"],
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "bounds": test["bounds"],
        "bounds_model": test["model"],
        "alpha": 0.05,
        "beta": 0.05,
    }


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """The gain tests of a real release window, one entry for each commit, half of them dated a month later."""
    path = tmp_path / "register.sqlite"
    by_commit: dict[str, list[dict[str, Any]]] = {}
    for test in GOLDEN["tests"]:
        if test["used"] and test["bounds"][0] + test["bounds"][1] > 0:
            by_commit.setdefault(test["commit"], []).append(test)
    with Register.create(str(path), author="Ada") as made:
        for number, (commit, tests) in enumerate(by_commit.items()):
            stages = {"short" if test["stage"] == "STC" else "long": stage(test) for test in tests}
            day = "2022-05-10" if number < 12 else "2022-06-20"
            made.append("gain_test", {"id": f"commit:{commit}", "date": day, **stages}, author="Ada")
        made.append("special_path", {"id": "commit:" + "5" * 40, "special": "simplification"}, author="Ada")
        made.append(
            "rejected_test", {"id": "commit:" + "5" * 40 + ":2", "reason": "failed", "date": "2022-06-21"}, author="Ada"
        )
    return path


def the_window(result: Result) -> dict[str, Any]:
    report = json.loads(result.stdout)
    assert report["schema"] == "anchorhold/claims/1"
    (window,) = report["windows"]
    assert isinstance(window, dict)
    return window


def test_every_form_of_s_is_that_of_another_program(run: Run, register: Path) -> None:
    window = the_window(run("claims", "--register", str(register), "--json"))
    assert len(window["counted"]) == GOLDEN["gain"]
    assert window["s"]["value"] == pytest.approx(GOLDEN["s_long"], abs=0.01)
    assert window["s"]["high"] - window["s"]["value"] == pytest.approx(GOLDEN["s_long_half_width"], abs=0.01)
    # The same program: 43.83, 101.344 ± 13.968, 42.533 ± 6.647 (the mean of both sides).
    assert window["s_short"]["value"] == pytest.approx(43.83, abs=0.01)
    assert window["s_normalized"]["value"] == pytest.approx(101.344, abs=0.01)
    assert window["s_normalized"]["high"] - window["s_normalized"]["value"] == pytest.approx(13.968, abs=0.01)
    assert window["s_median_unbiased"]["value"] == pytest.approx(42.533, abs=0.01)
    unbiased = window["s_median_unbiased"]
    assert (unbiased["high"] - unbiased["low"]) / 2 == pytest.approx(6.647, abs=0.05)


def test_passes_alone_give_no_selection_corrected_sum_and_the_reason_is_said(run: Run, register: Path) -> None:
    window = the_window(run("claims", "--register", str(register), "--json"))
    assert window["s_selection_corrected"]["value"] is None
    assert "every source's declaration that all its tests were kept" in window["s_selection_corrected"]["reason"]


def test_what_adds_nothing_is_counted_apart_with_its_reason(run: Run, register: Path) -> None:
    window = the_window(run("claims", "--register", str(register), "--json"))
    assert (window["changes"], window["without_long_test"]) == (24, 1)
    assert [(one["kind"], one["why"]) for one in window["uncounted"]] == [
        ("special_path", "special path: simplification"),
        ("rejected_test", "rejected test"),
    ]


def test_a_direct_match_says_how_much_of_the_claims_is_there(run: Run, register: Path) -> None:
    # The project's own match of this release against the one before, 60,000 games: 17.04 ± 1.3.
    window = the_window(run("claims", "--register", str(register), "--direct", DIRECT, "--json"))
    direct = window["direct"]
    assert direct["elo"] == pytest.approx(17.04, abs=0.01)
    # Another program: 0.37 (0.31 to 0.42), by the delta method.
    survival = (direct["survival"], direct["survival_low"], direct["survival_high"])
    assert survival == pytest.approx((0.37, 0.31, 0.42), abs=0.015)
    assert "Survival D/S = " in run("claims", "--register", str(register), "--direct", DIRECT).stdout


def test_a_window_is_cut_by_day_number_id_or_the_beginning_of_a_commit(run: Run, register: Path) -> None:
    with Register.open(str(register)) as opened:
        twelfth = opened.entries()[12]
    assert isinstance(twelfth.payload["id"], str)
    for place in ("2022-06-01", "13", twelfth.payload["id"], twelfth.payload["id"].removeprefix("commit:")[:10]):
        window = the_window(run("claims", "--register", str(register), "--since", place, "--json"))
        assert (window["window"]["after"], len(window["counted"])) == (13, GOLDEN["gain"] - 12)


def test_a_day_ends_a_window_before_the_first_younger_entry(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    days = [
        "2022-01-10",
        "2022-01-20",
        "2022-03-01",
        "2022-01-15",
        "2022-03-02",
    ]  # the fourth came with a merge in March
    with Register.create(str(path), author="Ada") as made:
        for number, day in enumerate(days):
            made.append("rejected_test", {"id": f"commit:{number:040x}", "date": day, "reason": "failed"}, author="Ada")
    window = the_window(run("claims", "--register", str(path), "--until", "2022-02-01", "--json"))
    assert window["window"]["until"] == 3
    empty = run("claims", "--register", str(path), "--since", "2030-01-01").stdout
    assert empty == "No entry stands in this window: it is empty, behind entry 6.\n"


def test_a_retraction_at_the_beginning_has_the_day_of_what_follows(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "register.sqlite"
    with Register.create(str(path), author="Ada") as made:
        made.append("retraction", {"id": f"commit:{9:040x}", "of": "not named"}, author="Ada")
        for number, day in enumerate(["2022-01-10", "2022-03-01"]):
            made.append("rejected_test", {"id": f"commit:{number:040x}", "date": day, "reason": "failed"}, author="Ada")
    window = the_window(run("claims", "--register", str(path), "--since", "2022-02-01", "--json"))
    assert window["window"]["after"] == 3


def test_the_picture_of_months_adds_up(run: Run, register: Path) -> None:
    lines = run("claims", "--register", str(register)).stdout.splitlines()
    months = [line.split() for line in lines if line.strip().startswith("2022-")]
    assert [month[0] for month in months] == ["2022-05", "2022-06"]
    assert float(months[-1][2]) == pytest.approx(GOLDEN["s_long"], abs=0.11)


def test_every_test_can_be_listed(run: Run, register: Path) -> None:
    shown = run("claims", "--register", str(register), "--tests").stdout
    assert shown.count("commit:") == 25
    assert "special path: simplification" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--since", "99"), "--since: there is no entry 99. There are 1 to 26."),
        (("--since", "nothing"), "--since: there is no entry 'nothing'"),
        (("--since", "9", "--until", "4"), "--until: the window ends (4) before it begins (9)"),
        (("--direct", "1,2"), "--direct: is '1,2', expected three whole numbers"),
        (("--direct", "0,0,9"), "--direct: the counts carry no estimate"),
        (("--all", "--since", "3"), "--all does not go together with --since and --until"),
    ],
)
def test_bad_words_get_one_line(run: Run, register: Path, words: tuple[str, ...], said: str) -> None:
    result = run("claims", "--register", str(register), *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_empty_register_claims_nothing(run: Run, tmp_path: Path) -> None:
    Register.create(str(tmp_path / "empty.sqlite"), author="Ada").close()
    result = run("claims", "--register", "empty.sqlite")
    assert (result.exit_code, result.stdout) == (
        0,
        "Nothing is claimed: the register holds no entry after its first.\n",
    )


def test_the_claims_over_time_are_drawn_as_they_are_summed(run: Run, register: Path, tmp_path: Path) -> None:
    picture = tmp_path / "claims.svg"
    done = run("claims", "--register", str(register), "--picture", str(picture), "--json")
    assert done.exit_code == 0, done.output
    (window,) = json.loads(done.stdout)["windows"]
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<svg ")
    assert f"S = {window['s']['value']:.2f} ± " in drawn
    assert f"{len(window['counted'])} counted gain tests" in drawn


def test_where_nothing_is_counted_there_is_nothing_to_draw(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    assert run("register", "create", "--register", str(path), "--author", "Ada", "--project", "X").exit_code == 0
    done = run("claims", "--register", str(path), "--picture", str(tmp_path / "claims.svg"))
    assert done.exit_code == 2
    assert "nothing to draw" in done.stderr
