"""The anchor set is pinned as a whole, and what differs from it is named."""

import pytest

from anchorhold.checks.anchors import AnchorState, compare, pin, pinned_anchors, require_pinned
from anchorhold.checks.identity import FileDigests
from anchorhold.domain.payloads import AnchorSet, read_payload
from anchorhold.errors import BadInput, BadState
from checks.project import Project, write_engine


def states(project: Project) -> list[AnchorState]:
    pinned = next(entry for entry in reversed(project.entries()) if entry.kind == "anchor_set")
    return compare(pinned_anchors(pinned), project.settings().anchors, digest_of=FileDigests())


def test_pinning_records_identities_and_ratings_with_a_digest(project: Project) -> None:
    project.pin()
    entry = project.entries()[-1]
    payload = read_payload(entry.kind, entry.payload)
    assert isinstance(payload, AnchorSet)
    assert [anchor.name for anchor in payload.anchors] == [f"Anchor {n}" for n in range(1, 7)]
    assert (payload.anchors[2].rating, payload.anchors[2].limit) == (3030.0, {"depth": 3})
    assert all(not state.problems for state in states(project))


def test_the_same_set_is_not_written_twice(project: Project) -> None:
    with project.register() as register:
        anchors = project.settings().anchors
        first = pin(register, anchors, author="Ada", digest_of=FileDigests())
        again = pin(register, anchors, author="Ada", digest_of=FileDigests())
        assert (first.added, again.added) == (True, False)
        assert again.entry == first.entry
        assert register.head() == first.entry


def test_an_exchanged_binary_is_named(project: Project) -> None:
    project.pin()
    write_engine(project.directory / "anchor4", strength=99)
    wrong = [state for state in states(project) if state.problems]
    assert [state.name for state in wrong] == ["Anchor 4"]
    assert wrong[0].problems[0].startswith("sha256 is ")
    with pytest.raises(BadState, match=r"not the pinned ones: Anchor 4: sha256 is .* Mend it"):
        require_pinned(states(project), next_step="Mend it")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("rating = 3020.0", "rating = 3021.0", "rating is 3021.0, was 3020"),
        ("limit = { depth = 2 }", "limit = { depth = 9 }", "limit.depth is 9, was 2"),
        ('command = "./anchor2"', 'command = "./anchor2 -x"', "options.[arguments] is '-x', was absent"),
        ('name = "Anchor 2"', 'name = "Anchor 2"\nversion = "2.0"', "version is '2.0', was absent"),
        ('command = "./anchor2"', 'command = "./anchor2"\noptions = { Hash = 2 }', "options.Hash is 2, was absent"),
    ],
)
def test_a_changed_setting_is_named(project: Project, old: str, new: str, expected: str) -> None:
    project.pin()
    project.edit(old, new)
    assert [problem for state in states(project) for problem in state.problems] == [expected]


def test_anchors_on_one_side_only_are_named(project: Project) -> None:
    project.pin()
    project.edit('name = "Anchor 2"', 'name = "Stranger"')
    found = {state.name: state.problems for state in states(project) if state.problems}
    assert found == {
        "Anchor 2": ("is pinned, but not among the configured anchors",),
        "Stranger": ("is configured, but not in the pinned set",),
    }


def test_a_missing_binary_is_a_finding_and_hides_no_other(project: Project) -> None:
    project.pin()
    (project.directory / "anchor1").unlink()
    write_engine(project.directory / "anchor2", strength=99)
    assert [state.name for state in states(project) if state.problems] == ["Anchor 1", "Anchor 2"]


def test_one_engine_under_two_names_is_refused(project: Project) -> None:
    project.edit('command = "./anchor2"\nlimit = { depth = 2 }', 'command = "./anchor1"\nlimit = { depth = 1 }')
    with pytest.raises(BadInput, match="'Anchor 1' and 'Anchor 2' are the same engine"):
        project.pin()


def test_no_anchors_is_refused(project: Project) -> None:
    with project.register() as register, pytest.raises(BadInput, match="no anchor is configured"):
        pin(register, (), author="Ada", digest_of=FileDigests())


def test_nothing_is_pinned_while_a_check_is_open(project: Project) -> None:
    project.pin()
    project.open()
    project.edit("rating = 3020.0", "rating = 3021.0")
    with pytest.raises(BadState, match="check-1 is open, and its anchors are frozen"):
        project.pin()
