"""A whole check with real processes: opened, measured, interrupted, resumed, closed, and read back."""

from collections import Counter
from pathlib import Path

import chess.pgn
import pytest

from anchorhold.canonical import file_sha256
from anchorhold.checks.closing import Closed
from anchorhold.checks.document import document_of_check
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.measuring import Progress, measure
from anchorhold.checks.recompute import recompute
from anchorhold.checks.state import CheckState
from anchorhold.errors import BadInput, BadState, MatchStopped
from anchorhold.matches.journal import Journal
from checks.project import Project, gain, make_project, write_engine

PAIRS, SHORT, DIRECT = 8, 4, 5
TOTAL = 2 * 6 * (PAIRS + SHORT) + DIRECT


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with every part, pinned and with a claim."""
    made = make_project(tmp_path / "project", pairs=PAIRS, short=SHORT, direct=DIRECT)
    made.append("gain_test", gain(30.0))
    made.pin()
    return made


def pentanomials(check: CheckState) -> dict[tuple[str, str, str], tuple[int, ...]]:
    return {
        (*part, anchor): counted.pentanomial
        for part, measurement in check.measured().items()
        for anchor, counted in measurement.counts.items()
    }


def counted_from_pgn(path: Path) -> dict[tuple[str, str, str], tuple[int, ...]]:
    """Count pairs from the games alone: by tags, results and colours."""
    points: Counter[tuple[str, str, str, str]] = Counter()
    versions = {"old": "v1", "new": "v2"}
    with path.open(encoding="utf-8") as handle:
        while (game := chess.pgn.read_game(handle)) is not None:
            tags = game.headers
            assert not game.errors
            first_is_white = tags["White"] == versions[tags["Endpoint"]]
            score = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[tags["Result"]]
            endpoint = "direct" if tags["Anchor"] == "old" else tags["Endpoint"]
            points[endpoint, tags["Stage"], tags["Anchor"], tags["Opening"]] += score if first_is_white else 2 - score
    found: dict[tuple[str, str, str], list[int]] = {}
    for (endpoint, stage, anchor, _), half_points in points.items():
        found.setdefault((endpoint, stage, anchor), [0] * 5)[half_points] += 1
    return {key: tuple(value) for key, value in found.items()}


def test_a_check_lives_from_opening_to_result(project: Project) -> None:
    seen: list[Progress] = []
    closed = project.run("v1", "v2", on_progress=seen.append)
    check = closed.check
    assert check.status == "closed"
    assert [progress.done for progress in seen] == list(range(TOTAL + 1))
    assert {progress.planned for progress in seen} == {TOTAL}

    directory = project.settings().data / "checks" / "check-1"
    measured = check.measured()
    assert set(measured) == {("old", "long"), ("new", "long"), ("old", "short"), ("new", "short"), ("direct", "long")}
    assert {measurement.games_sha256 for measurement in measured.values()} == {file_sha256(directory / "games.pgn")}
    assert pentanomials(check) == counted_from_pgn(directory / "games.pgn")
    planned = {"long": PAIRS, "short": SHORT}
    for (endpoint, stage, _), pentanomial in pentanomials(check).items():
        assert sum(pentanomial) == (DIRECT if endpoint == "direct" else planned[stage])
    assert len(set(pentanomials(check).values())) > 3, "games that are all alike prove nothing"

    joint = measured["new", "long"].joint
    assert set(joint) == {f"Anchor {n}" for n in range(1, 7)}
    assert document_of_check(project.entries(), "check-1").joint is not None
    for anchor, table in joint.items():
        assert tuple(sum(row) for row in table) == measured["old", "long"].counts[anchor].pentanomial
        assert tuple(sum(column) for column in zip(*table, strict=True)) == (
            measured["new", "long"].counts[anchor].pentanomial
        )
    assert measured["new", "long"].main == check.plan.new
    assert measured["direct", "long"].opponent == check.plan.old
    assert measured["old", "short"].anchors == check.plan.anchor_set.anchors
    assert recompute(project.entries()) == ()

    before = project.entries()
    assert project.run("v1", "v2").result == closed.result
    assert project.entries() == before, "a run that was broken off after its result only shows it again"


class Interrupted(Exception):
    """Stands for whatever breaks a run off."""


def test_an_interrupted_check_goes_on_where_it_stopped(project: Project, tmp_path: Path) -> None:
    twin = make_project(tmp_path / "twin", pairs=PAIRS, short=SHORT, direct=DIRECT, workers=2)
    twin.append("gain_test", gain(30.0))
    twin.pin()
    undisturbed = twin.run("v1", "v2")

    def interrupt_at(pair: int) -> Closed:
        def on_progress(progress: Progress) -> None:
            if progress.done >= pair:
                raise Interrupted

        return project.run("v1", "v2", on_progress=on_progress)

    reached = 0
    for pair in (0, 1, 40, 100):
        with pytest.raises(Interrupted):
            interrupt_at(pair)
        with Journal.read(project.settings().data / "checks" / "check-1" / "journal.sqlite") as journal:
            assert len(journal) >= max(pair, reached)
            reached = len(journal)
    closed = project.run()
    assert closed.result == undisturbed.result
    assert pentanomials(closed.check) == pentanomials(undisturbed.check)
    assert len([entry for entry in project.entries() if entry.kind == "measurement"]) == 5


def test_a_check_that_was_stopped_between_its_measurements_records_the_rest(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from anchorhold.register.store import Register

    append, recorded = Register.append, 0

    def append_three(self: Register, kind: str, *args: object, **kwargs: object) -> object:
        nonlocal recorded
        if kind == "measurement":
            recorded += 1
            if recorded > 3:
                raise Interrupted
        return append(self, kind, *args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(Register, "append", append_three)
        with pytest.raises(Interrupted):
            project.run("v1", "v2")
    assert len(project.checks()[0].measurements) == 3
    closed = project.run()
    assert len(closed.check.measurements) == 5
    assert len({measurement.games_sha256 for measurement in closed.check.measured().values()}) == 1
    assert recompute(project.entries()) == ()


def exchanged_at(path: Path, pair: int) -> object:
    """Replace a program by another while games are played."""

    def on_progress(progress: Progress) -> None:
        if progress.done == pair:
            replacement = path.with_name(path.name + "x")
            write_engine(replacement)
            replacement.replace(path)

    return on_progress


def test_an_anchor_that_is_exchanged_while_it_plays_makes_the_check_defective(project: Project) -> None:
    closed = project.run("v1", "v2", on_progress=exchanged_at(project.directory / "anchor3", 20))  # type: ignore[arg-type]
    assert closed.result.verdict == "DEFECTIVE"
    assert {defect.code for defect in closed.result.defects} == {"anchor_identity_differs"}
    assert recompute(project.entries()) == ()


def test_a_version_of_main_that_is_exchanged_while_it_plays_is_not_recorded(project: Project) -> None:
    with pytest.raises(BadState, match="v2 was exchanged while it was measured: sha256 is"):
        project.run("v1", "v2", on_progress=exchanged_at(project.directory / "v2", 20))  # type: ignore[arg-type]
    assert project.checks()[0].measurements == ()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("seed = 3", "seed = 4", "long stage: book_seed is 4, was 3"),
        ("depth = 1\n", "depth = 2\n", "long stage: depth is 2, was 1"),
        ("nodes = 10", "nodes = 11", "short stage: nodes is 11, was 10"),
        ("max_moves = 15", "max_moves = 16", "adjudication.max_moves is 16, was 15"),
        ("Hash = 4", "Hash = 8", "hash_mb is 8, was 4"),
        ('command = "./{version}"', 'command = "./{version} -x"', "v1 is not what check-1 was opened with"),
        ("rating = 3020.0", "rating = 3021.0", "the anchors are not the pinned ones: Anchor 2: rating is"),
    ],
)
def test_settings_that_changed_since_the_opening_are_refused_before_a_game(
    project: Project, old: str, new: str, expected: str
) -> None:
    project.open()
    project.edit(old, new)
    with project.register() as register, pytest.raises(BadState) as caught:
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)
    assert expected in str(caught.value)
    assert not project.settings().data.exists()


def test_an_exchanged_anchor_is_refused_before_a_game(project: Project) -> None:
    project.open()
    write_engine(project.directory / "anchor5", strength=1)
    with project.register() as register, pytest.raises(BadState, match="Anchor 5: sha256 is"):
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)


def test_pairs_are_those_of_the_opening_whatever_the_settings_say_now(project: Project) -> None:
    project.open(pairs_long=2, pairs_short=1, pairs_direct=0)
    with project.register() as register:
        check = measure(register, project.plan(), author="Ada", digest_of=FileDigests)
    assert set(check.measured()) == {("old", "long"), ("new", "long"), ("old", "short"), ("new", "short")}
    assert {sum(pentanomial) for pentanomial in pentanomials(check).values()} == {1, 2}


def test_a_check_that_is_measured_already_is_left_alone(project: Project) -> None:
    project.open(pairs_long=1, pairs_short=1, pairs_direct=0)
    with project.register() as register:
        check = measure(register, project.plan(), author="Ada", digest_of=FileDigests)
        again = measure(register, project.plan(), author="Ada", digest_of=FileDigests)
        assert again == check
        assert len(register.entries()) == len(project.entries())


def test_an_engine_that_never_starts_stops_the_check_and_leaves_it_open(project: Project) -> None:
    (project.directory / "anchor2").write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    project.pin()
    with pytest.raises(MatchStopped, match="Anchor 2 ended with exit status 3"):
        project.run("v1", "v2")
    assert project.checks()[0].status == "open"


def test_two_processes_do_not_measure_one_check(project: Project) -> None:
    check = project.open()
    directory = project.settings().data / "checks" / "check-1"
    directory.mkdir(parents=True)
    plan = {"check": check.id, "opened": check.opened.hash}
    with (
        Journal.open(directory / "journal.sqlite", plan=plan),
        project.register() as register,
        pytest.raises(BadState, match="another process writes to this journal"),
    ):
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)


def test_run_refuses_other_versions_than_the_open_checks(project: Project) -> None:
    project.open()
    with pytest.raises(BadState, match="check-1 is open for v1 to v2"):
        project.run("v1", "v3")


def test_run_needs_a_new_version_when_no_check_is_open(project: Project) -> None:
    with pytest.raises(BadInput, match="no new version is named"):
        project.run("v1")


def test_nothing_is_measured_when_no_check_is_open(project: Project) -> None:
    with project.register() as register, pytest.raises(BadState, match="no check is open"):
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)


def test_a_data_directory_that_cannot_be_made_is_named(project: Project) -> None:
    project.open()
    project.settings().data.write_text("a file", encoding="utf-8")
    with project.register() as register, pytest.raises(BadInput, match=r"check-1: cannot be made: "):
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)
