"""An old measurement stands again only when everything is as it was, and only when the opening said so."""

from pathlib import Path

import pytest

from anchorhold.checks.identity import FileDigests
from anchorhold.checks.measuring import Progress, measure
from anchorhold.checks.opening import open_new_check
from anchorhold.checks.recompute import recompute
from anchorhold.checks.state import CheckState
from anchorhold.checks.verdicts import recompute_verdicts
from anchorhold.cli.project import contract_of, plan_of
from anchorhold.domain.entries import Entry
from anchorhold.errors import BadState
from checks.forging import forged, set_in
from checks.project import Project, gain, make_project, write_engine

PAIRS = 3
COUNTS = {"old": (0, 1, 1, 1, 0), "new": (0, 0, 1, 1, 1)}
"""Of 3 pairs."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A check that closed its window with made-up counts, and a claim since."""
    made = make_project(tmp_path / "project", pairs=PAIRS, short=PAIRS)
    made.append("gain_test", gain(30.0))
    made.pin()
    made.open()
    assert made.close(old=COUNTS["old"], new=COUNTS["new"]).check.closes_window
    made.append("gain_test", gain(30.0, name="dev-2"))
    return made


def open_again(project: Project, new: str = "v3", **flags: object) -> CheckState:
    loaded = project.settings(**flags)
    with project.register() as register:
        return open_new_check(
            register,
            plan_of(loaded),
            old=None,
            new=new,
            contract=contract_of(loaded),
            author="Ada",
            digest_of=FileDigests(),
            reuse_old=True,
        )


def played(project: Project) -> list[Progress]:
    seen: list[Progress] = []
    with project.register() as register:
        measure(register, project.plan(), author="Ada", digest_of=FileDigests, on_progress=seen.append)
    return seen


def test_only_the_new_version_plays_and_the_old_ones_measurement_is_named(project: Project) -> None:
    opened = open_again(project)
    assert opened.plan.reuse_old_from == "check-1"
    assert "v2 is not measured again: the measurement of check-1 stands for it" in opened.plan.notes
    seen = played(project)
    assert (len(seen) - 1, seen[-1].planned) == (2 * 6 * PAIRS, 2 * 6 * PAIRS)

    first, second = project.checks()
    for stage in ("long", "short"):
        taken, source = second.measured()["old", stage], first.measured()["new", stage]
        assert (taken.reused_from, taken.counts, taken.games_sha256) == (
            "check-1",
            source.counts,
            source.games_sha256,
        )
        assert second.measured()["new", stage].reused_from is None
    closed = project.close()
    assert closed.result.verdict in ("CONTINUE", "WARN", "HALT", "GAP")
    assert recompute(project.entries()) == ()


def test_an_attempt_after_a_gap_may_use_what_the_attempt_before_took_over(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", pairs=PAIRS)
    project.append("gain_test", gain(30.0))
    project.pin()
    project.open()
    project.close(old=COUNTS["old"], new=COUNTS["new"])
    open_again(project)
    played(project)
    assert project.close().result.verdict == "GAP"
    again = open_again(project, "v4")
    assert (again.plan.old.version, again.plan.reuse_old_from) == ("v2", "check-1")
    played(project)
    project.close()
    assert recompute(project.entries()) == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("seed = 3", "seed = 4", "otherwise at the long stage: book_seed is 4, was 3"),
        ("depth = 1\n", "depth = 2\n", "otherwise at the long stage: depth is 2, was 1"),
        ("nodes = 10", "nodes = 11", "otherwise at the short stage: nodes is 11, was 10"),
        ("pairs = 3", "pairs = 4", "3 pairs against Anchor 1, planned are 4"),
        ('command = "./{version}"', 'command = "./{version} -x"', "check-1 measured v2 otherwise at the long stage"),
    ],
)
def test_nothing_is_used_again_when_something_changed(project: Project, old: str, new: str, expected: str) -> None:
    project.edit(old, new)
    with pytest.raises(BadState) as caught:
        open_again(project)
    assert expected in str(caught.value)
    assert len(project.checks()) == 1


def test_nothing_is_used_again_when_the_old_version_or_an_anchor_is_another_program(project: Project) -> None:
    write_engine(project.directory / "v2", strength=7)
    with pytest.raises(BadState, match="check-1 measured v2 otherwise at the long stage: sha256 is"):
        open_again(project)
    write_engine(project.directory / "v2", strength=40)
    write_engine(project.directory / "anchor3", strength=7)
    project.pin()
    with pytest.raises(BadState, match=r"otherwise at the long stage: Anchor 3\.sha256 is"):
        open_again(project)


def test_a_first_check_has_nothing_to_use_again(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", pairs=PAIRS)
    project.pin()
    loaded = project.settings()
    with project.register() as register, pytest.raises(BadState, match="no closed check measured v1"):
        open_new_check(
            register,
            plan_of(loaded),
            old="v1",
            new="v2",
            contract=contract_of(loaded),
            author="Ada",
            digest_of=FileDigests(),
            reuse_old=True,
        )


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """A register in which old was taken over, long stage only."""
    project = make_project(tmp_path_factory.mktemp("reuse") / "project", pairs=PAIRS)
    project.append("gain_test", gain(30.0))
    project.pin()
    project.open()
    project.close(old=COUNTS["old"], new=COUNTS["new"])
    project.append("gain_test", gain(30.0, name="dev-2"))
    open_again(project)
    played(project)
    project.close()
    assert recompute_verdicts(project.entries()) == ()
    return project.entries()


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("reused_from", None, "was taken over from None, the opening says check-1"),
        ("reused_from", "check-2", "was taken over from check-2, the opening says check-1"),
        ("counts.Anchor 2.pentanomial", [0, 0, 2, 1, 0], "is not what check-1 measured: counts"),
        ("games_sha256", "1" * 64, "is not what check-1 measured: games_sha256"),
        ("anchors.0.sha256", "1" * 64, "is not what check-1 measured: anchors"),
        ("version", "v1", "measures 'v1'"),
    ],
)
def test_a_measurement_that_is_not_the_named_one_is_found(
    entries: list[Entry], path: str, value: object, expected: str
) -> None:
    seq = next(entry.seq for entry in entries if entry.payload.get("reused_from"))
    found = recompute_verdicts(forged(entries, seq, lambda payload: set_in(payload, path, value)))
    assert any(expected in str(one) for one in found), found


def test_a_new_version_is_never_taken_over(entries: list[Entry]) -> None:
    seq = max(entry.seq for entry in entries if entry.kind == "measurement")
    assert entries[seq - 1].payload["endpoint"] == "new"
    found = recompute_verdicts(forged(entries, seq, lambda payload: set_in(payload, "reused_from", "check-1")))
    assert any("was taken over from check-1, the opening says None" in str(one) for one in found)
