"""Somebody swaps what an anchor is made of: its binary, its network, what the settings say about it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from anchorhold.checks.closing import close_check
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.measuring import Progress, measure
from anchorhold.errors import BadState
from checks.project import Project, gain, make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project in which Anchor 4 loads a network; a claim, and the anchors pinned."""
    made = make_project(tmp_path / "project", pairs=2)
    (made.directory / "net4.nnue").write_bytes(b"the network that was rated")
    made.edit(
        'command = "./anchor4"\n', 'command = "./anchor4"\noptions = { EvalFile = "net4.nnue" }\ndirectory = "."\n'
    )
    made.append("gain_test", gain(30.0))
    made.pin()
    return made


def swap_network(project: Project) -> None:
    (project.directory / "net4.nnue").write_bytes(b"a weaker one")


def swap_binary(project: Project) -> None:
    """Another program by a byte; its moves stay the same."""
    path = project.directory / "anchor4"
    replacement = path.with_name("replacement")
    replacement.write_bytes(path.read_bytes() + b"#\n")
    replacement.chmod(0o755)
    replacement.replace(path)


def lower_rating(project: Project) -> None:
    project.edit("rating = 3040.0", "rating = 3030.0")


SWAPS = [swap_network, swap_binary, lower_rating]


def test_the_network_is_part_of_the_pinned_identity(project: Project) -> None:
    (pinned,) = [entry for entry in project.entries() if entry.kind == "anchor_set"]
    anchors = pinned.payload["anchors"]
    assert isinstance(anchors, list)
    assert [sorted(anchor.get("files", {})) for anchor in anchors] == [[], [], [], ["net4.nnue"], [], []]


@pytest.mark.parametrize("swap", SWAPS)
def test_what_was_swapped_after_the_pinning_opens_no_check(project: Project, swap: Callable[[Project], None]) -> None:
    swap(project)
    with pytest.raises(BadState, match="Anchor 4: "):
        project.open()


@pytest.mark.parametrize("swap", SWAPS)
def test_what_was_swapped_after_the_opening_plays_no_game(project: Project, swap: Callable[[Project], None]) -> None:
    project.open()
    swap(project)
    with project.register() as register, pytest.raises(BadState, match="Anchor 4: "):
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)
    assert not project.settings().data.exists()


@pytest.mark.parametrize("swap", [swap_network, swap_binary])
def test_what_is_swapped_while_games_are_played_makes_the_check_defective(
    project: Project, swap: Callable[[Project], None]
) -> None:
    def on_progress(progress: Progress) -> None:
        if progress.done == 5:
            swap(project)

    closed = project.run("v1", "v2", on_progress=on_progress)
    assert closed.result.verdict == "DEFECTIVE"
    assert {defect.code for defect in closed.result.defects} == {"anchor_identity_differs"}


def test_what_is_swapped_between_two_runs_of_one_measuring_plays_no_further_game(project: Project) -> None:
    def stop(progress: Progress) -> None:
        if progress.done == 5:
            raise KeyboardInterrupt

    project.open()
    with project.register() as register:
        with pytest.raises(KeyboardInterrupt):
            measure(register, project.plan(), author="Ada", digest_of=FileDigests, on_progress=stop)
        swap_network(project)
        with pytest.raises(BadState, match=r"Anchor 4: files\.net4\.nnue is"):
            measure(register, project.plan(), author="Ada", digest_of=FileDigests)


def test_a_swap_that_is_undone_before_the_last_game_is_not_seen(project: Project) -> None:
    """What docs/explanation/threats.md says does not hold, said by a test so that the page stays honest."""
    before = (project.directory / "net4.nnue").read_bytes()

    def on_progress(progress: Progress) -> None:
        if progress.done == 5:
            swap_network(project)
        if progress.done == 8:
            (project.directory / "net4.nnue").write_bytes(before)

    project.open()
    with project.register() as register:
        measure(register, project.plan(), author="Ada", digest_of=FileDigests, on_progress=on_progress)
        assert close_check(register, author="Ada").result.verdict != "DEFECTIVE"
