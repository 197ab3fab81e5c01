"""A verdict that no rule gave is found without draws, however well its hash fits."""

import copy
import subprocess
import sys
from collections.abc import Callable

import pytest

from anchorhold.canonical import digest
from anchorhold.checks import verdicts
from anchorhold.checks.verdicts import recompute_verdicts
from anchorhold.domain.contract import edition
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from checks.forging import Payload, forged, last, rechained, set_in
from checks.project import AHEAD, EVEN, gain, make_project


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """A GAP, a WARN, an abandoned check and a HALT, among entries that carry no claim."""
    project = make_project(tmp_path_factory.mktemp("verdicts"))
    project.pin()
    project.open()
    project.close(old=EVEN, new=AHEAD)
    project.append("gain_test", gain(60.0))
    project.append("gain_test", gain(60.0, name="failed", passed=False))
    counts = {"passed": False, "pentanomial": [10, 20, 40, 20, 9], "elo": -3.0}
    project.append("rejected_test", {"id": "rejected", "short": counts})
    project.append("special_path", {"id": "special", "special": "tempo_change", "long": {**counts, "passed": True}})
    project.open(None, "v2")
    assert project.close(old=EVEN, new=AHEAD).result.verdict == "WARN"
    project.open(None, "v3")
    project.append("check_abandoned", {"check": "check-3", "reason": "power cut"})
    project.append("gain_test", gain(200.0, name="dev-2"))
    project.open(None, "v3", pairs_direct=50)
    assert project.close(old=EVEN, new=AHEAD).result.verdict == "HALT"
    return project.entries()


def changed(*members: tuple[str, object]) -> Callable[[Payload], None]:
    def change(payload: Payload) -> None:
        for path, value in members:
            set_in(payload, path, value)

    return change


def test_what_the_program_wrote_follows(entries: list[Entry]) -> None:
    assert recompute_verdicts(entries) == ()


def test_a_halt_that_was_forged_into_a_continue_is_named(entries: list[Entry]) -> None:
    seq = last(entries, "check_closed")
    change = changed(("verdict", "CONTINUE"), ("result.verdict", "CONTINUE"), ("result.r", 0.9))
    found = recompute_verdicts(forged(entries, seq, change))
    assert [(one.seq, one.check, one.where) for one in found] == [
        (seq, "check-4", "result.verdict"),
        (seq, "check-4", "result.r"),
    ]
    assert "'CONTINUE' is stored, the entries give 'HALT'" in str(found[0])


@pytest.mark.parametrize("value", [0.5, None, True, 1])
def test_another_r_is_named(entries: list[Entry], value: object) -> None:
    (found,) = recompute_verdicts(forged(entries, last(entries, "check_closed"), changed(("result.r", value))))
    assert found.where == "result.r"


def test_a_verdict_from_no_measurement_at_all_is_named(entries: list[Entry]) -> None:
    without = [entry for entry in entries if entry.kind != "measurement" or entry.payload["check"] != "check-4"]
    found = recompute_verdicts(rechained(without, {}))
    assert {one.where for one in found} == {"measurements", "result.verdict", "result.r"}
    assert "was closed without old (long), new (long), direct (long)" in str(found[0])


@pytest.mark.parametrize("verdict", ["GAP", "DEFECTIVE"])
def test_a_halt_that_was_forged_into_no_verdict_is_named(entries: list[Entry], verdict: str) -> None:
    change = changed(("verdict", verdict), ("result.verdict", verdict), ("result.r", None))
    assert recompute_verdicts(forged(entries, last(entries, "check_closed"), change))


def test_counts_and_claims_that_were_changed_show_in_the_verdict(entries: list[Entry]) -> None:
    measured = next(e.seq for e in entries if e.kind == "measurement" and e.payload["check"] == "check-4")
    for seq, path, value in (
        (measured, "counts.Anchor 2.pentanomial", [50, 0, 0, 0, 0]),
        (measured, "counts.Anchor 2.pentanomial", [5, 10, 21, 9, 5]),
        (last(entries, "gain_test"), "long.elo", 60.0),
        (last(entries, "gain_test"), "short.passed", False),
        (last(entries, "gain_test"), "id", "dev-3"),
    ):
        found = recompute_verdicts(forged(entries, seq, changed((path, value))))
        assert bool(found) is (path != "id"), path


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ((("window.after", 20),), "window: the window begins after 20, expected after"),
        ((("window.after", 1),), "window: the window begins after 1, expected after"),
        ((("old.version", "v9"),), "old: old is 'v9', but must be 'v2'"),
        ((("planned_pairs.long", 49),), "result.verdict: 'HALT' is stored, the entries give 'GAP'"),
        ((("conditions.depth", 2),), "the conditions are not those of the opening"),
        ((("new.sha256", "0" * 64),), "another program was run than the check was opened for"),
    ],
)
def test_a_forged_opening_is_named(
    entries: list[Entry], members: tuple[tuple[str, object], ...], expected: str
) -> None:
    found = recompute_verdicts(forged(entries, last(entries, "check_opened"), changed(*members)))
    assert any(expected in str(one) for one in found), found


def softened(payload: Payload) -> None:
    """Change a contract so that nothing halts, and its digest with it."""
    contract = payload.get("contract", payload)
    assert isinstance(contract, dict)
    contract["parameters"]["halt_below"] = 0.01
    contract["digest"] = digest(contract["parameters"])


def renumbered(payload: Payload) -> None:
    softened(payload)
    contract = payload.get("contract", payload)
    assert isinstance(contract, dict)
    contract["edition"] = 1000


def test_a_forged_contract_is_named_wherever_it_stands(entries: list[Entry]) -> None:
    opened = last(entries, "check_opened")
    assert "edition 7 has other parameters than the released file" in str(
        recompute_verdicts(forged(entries, opened, softened))[0]
    )
    assert "edition 1000 is not the one that was in force, 7" in str(
        recompute_verdicts(forged(entries, opened, renumbered))[0]
    )
    adopted = last(entries, "contract")
    assert str(recompute_verdicts(forged(entries, adopted, softened))[0]).startswith(
        f"entry {adopted}, contract: edition 7 has other parameters"
    )


def test_an_own_edition_never_changes_under_its_number(entries: list[Entry]) -> None:
    own: Payload = {**edition(7).to_json(), "edition": 1000, "digest": edition(7).digest}
    contract = entries[last(entries, "contract") - 1]
    twice = [*entries, contract, contract]
    first = len(entries) + 1

    def another(payload: Payload) -> None:
        payload.update(copy.deepcopy(own))
        renumbered(payload)

    found = recompute_verdicts(rechained(twice, {first: lambda payload: payload.update(own), first + 1: another}))
    assert [str(one) for one in found] == [
        f"entry {first + 1}, contract: edition 1000 was adopted before with other parameters"
    ]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("version", "v9", "measures 'v9', the check was opened for 'v2'"),
        ("main.sha256", "0" * 64, "another program was run"),
        ("main", None, "nothing says which program was run"),
        ("conditions.depth", 2, "the conditions are not those of the opening"),
        ("stage", "short", "was not planned when the check was opened"),
        ("anchors.0.sha256", "0" * 64, "the entries give 'DEFECTIVE'"),
    ],
)
def test_a_forged_measurement_is_named(entries: list[Entry], path: str, value: object, expected: str) -> None:
    seq = next(e.seq for e in entries if e.kind == "measurement" and e.payload["check"] == "check-4")
    found = recompute_verdicts(forged(entries, seq, changed((path, value))))
    assert any(expected in str(one) for one in found), found


def test_an_opponent_that_is_not_the_old_version_is_named(entries: list[Entry]) -> None:
    (found,) = recompute_verdicts(
        forged(entries, last(entries, "measurement"), changed(("opponent", {"version": "v9", "sha256": "0" * 64})))
    )
    assert "the opponent is another program" in found.message


def test_entries_that_belong_to_no_open_check_break_the_register(entries: list[Entry]) -> None:
    seq = last(entries, "check_closed")
    for change in (changed(("check", "check-9")), changed(("check", "check-1"))):
        with pytest.raises(RegisterBroken, match=rf"entry {seq} \(check_closed\) belongs to the check"):
            recompute_verdicts(forged(entries, seq, change))


def test_verdicts_load_nothing_that_plays_games_or_is_slow_to_load() -> None:
    script = (
        "import sys; import anchorhold.checks.verdicts as v;"
        "print(sorted({'numpy', 'scipy', 'chess', 'sqlalchemy', 'anchorhold.matches'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_two_processes_find_what_one_finds(entries: list[Entry], monkeypatch: pytest.MonkeyPatch) -> None:
    changed = forged(entries, last(entries, "check_closed"), lambda payload: set_in(payload, "result.r", 0.125))
    closed = [one.seq for one in entries if one.kind == "check_closed"]
    changed = forged(changed, closed[1], lambda payload: set_in(payload, "result.r", 9.0))
    alone = recompute_verdicts(changed)
    assert {one.seq for one in alone} >= {closed[1], closed[-1]}
    monkeypatch.setattr(verdicts, "LONG", 1)
    assert recompute_verdicts(changed) == alone
    assert recompute_verdicts(entries) == ()
