"""What an opening freezes, and every way in which it is refused."""

import json
from pathlib import Path

import pytest

from anchorhold.canonical import file_sha256
from anchorhold.checks.closing import abandon_check
from anchorhold.checks.start import next_start
from anchorhold.domain.contract import edition
from anchorhold.errors import BadInput, BadState
from checks.project import AHEAD, EVEN, Project, gain, write_engine


def close(project: Project, *, new: tuple[int, ...] = AHEAD) -> str:
    return project.close(old=EVEN, new=new).result.verdict


def test_the_opening_freezes_everything_that_decides(project: Project) -> None:
    project.pin()
    project.edit("[check]", "[stages.short]\nnodes = 10\npairs = 4\n\n[check]")
    check = project.open(pairs_long=7, pairs_direct=3)
    payload = check.opened.payload
    assert payload["check"] == "check-1"
    assert check.plan.contract.digest == edition(7).digest
    assert check.plan.anchor_set.digest == project.entries()[1].payload["digest"]
    assert (check.plan.old.version, check.plan.new.version) == ("v1", "v2")
    assert check.plan.old.sha256 == file_sha256(project.directory / "v1")
    assert payload["conditions"] == {
        "depth": 1,
        "hash_mb": 4,
        "book_sha256": file_sha256(project.directory / "book.epd"),
        "book_order": "random",
        "book_seed": 3,
        "adjudication": {"resign": {"count": 1, "score": 200, "sides": "one"}, "max_moves": 15},
        "runner": project.plan().runner,
    }
    assert payload["conditions_short"] == {"depth": None, "nodes": 10}
    assert payload["planned_pairs"] == {"long": 7, "short": 4, "direct": 3}
    assert check.plan.window.after == 1


def test_the_contract_is_adopted_once_and_again_when_it_changes(project: Project) -> None:
    project.pin()
    project.open()
    with project.register() as register:
        abandon_check(register, reason="again", author="Ada")
    project.open()
    with project.register() as register:
        abandon_check(register, reason="again", author="Ada")
    check = project.open(contract=8)
    assert check.plan.contract.edition == 8
    assert [entry.payload["edition"] for entry in project.entries() if entry.kind == "contract"] == [7, 8]


def test_a_project_may_bring_its_own_edition(project: Project) -> None:
    project.pin()
    own = {**edition(7).to_json(), "edition": 1000, "date": "2026-11-30"}
    file = project.directory / "own.json"
    file.write_text(json.dumps(own), encoding="utf-8")
    assert project.open(contract_file=str(file)).plan.contract.edition == 1000


def test_an_anchor_set_must_be_pinned(project: Project) -> None:
    with pytest.raises(BadState, match="no anchor set is pinned"):
        project.open()


def test_the_number_of_anchors_must_be_the_contracts(project: Project) -> None:
    text = project.config_path.read_text(encoding="utf-8")
    project.config_path.write_text(text[: text.rindex("[[anchors]]")], encoding="utf-8")
    project.pin()
    with pytest.raises(BadState, match="5 anchors are pinned, contract edition 7 needs 6"):
        project.open()


def test_anchors_that_are_not_the_pinned_ones_are_refused(project: Project) -> None:
    project.pin()
    write_engine(project.directory / "anchor6", strength=1)
    with pytest.raises(BadState, match="the anchors are not the pinned ones: Anchor 6: sha256"):
        project.open()


def test_one_check_is_open_at_a_time(project: Project) -> None:
    project.pin()
    project.open()
    with pytest.raises(BadState, match=r"the check check-1 is open \(v1 to v2\)"):
        project.open()


def test_old_and_new_must_differ_in_name_and_in_substance(project: Project) -> None:
    project.pin()
    with pytest.raises(BadState, match="old and new are the same version 'v1'"):
        project.open("v1", "v1")
    (project.directory / "v2").write_bytes((project.directory / "v1").read_bytes())
    with pytest.raises(BadState, match="v1 and v2 are the same program"):
        project.open("v1", "v2")


def test_the_first_check_needs_an_old_version(project: Project) -> None:
    project.pin()
    with pytest.raises(BadInput, match="the first check needs an old version"):
        project.open(None, "v2")


def test_a_version_that_is_not_there_is_refused(project: Project) -> None:
    project.pin()
    with pytest.raises(BadInput, match=r"engine v9: the command .*/v9' does not exist"):
        project.open("v1", "v9")


def test_versions_with_other_conditions_are_refused(project: Project) -> None:
    project.pin()
    project.edit("[stages.long]", "[main.versions.v2]\noptions = { Hash = 8 }\n\n[stages.long]")
    with pytest.raises(BadState, match="the conditions of v2 and v1 differ: hash_mb is 8, was 4"):
        project.open()


def test_a_book_that_is_not_there_is_refused(project: Project) -> None:
    project.pin()
    (project.directory / "book.epd").unlink()
    with pytest.raises(BadInput, match=r"book\.epd"):
        project.open()


def test_old_must_be_the_last_new_and_is_so_by_default(project: Project) -> None:
    project.append("gain_test", gain(1.0))
    project.pin()
    project.open()
    assert close(project) == "CONTINUE"
    with pytest.raises(BadState, match="old is 'v1', but must be 'v2': it is the new version of check-1"):
        project.open("v1", "v3")
    check = project.open(None, "v3")
    assert check.plan.old.version == "v2"
    assert check.plan.window.after == project.checks()[0].opened.seq


@pytest.mark.parametrize("verdict", ["GAP", "DEFECTIVE"])
def test_a_gap_or_a_defect_leaves_the_window_open_with_the_same_old_version(project: Project, verdict: str) -> None:
    project.pin()
    project.open()
    closed = project.close(seen=(lambda anchors: anchors.clear()) if verdict == "DEFECTIVE" else None)
    assert closed.result.verdict == verdict
    with pytest.raises(BadState, match="old is 'v2', but must be 'v1': the first window is still open"):
        project.open("v2", "v3")
    check = project.open(None, "v3")
    assert (check.plan.old.version, check.plan.window.after, check.attempt) == ("v1", 1, 2)


def test_an_abandoned_check_without_a_game_does_not_bind_the_old_version(project: Project) -> None:
    project.pin()
    project.open()
    with project.register() as register:
        abandon_check(register, reason="typing error", author="Ada")
    assert project.open("v2", "v3").attempt == 2


def test_an_old_version_that_was_built_anew_is_noted(project: Project) -> None:
    project.append("gain_test", gain(1.0))
    project.pin()
    project.open()
    close(project)
    write_engine(project.directory / "v2", strength=7)
    notes = project.open(None, "v3").plan.notes
    assert len(notes) == 1
    assert notes[0].startswith("v2 is not byte for byte what check-1 measured as new: sha256 is")


def test_what_is_not_as_at_the_last_check_is_noted(project: Project) -> None:
    project.append("gain_test", gain(1.0))
    project.pin()
    project.open()
    close(project)
    write_engine(project.directory / "v3", strength=3)
    project.edit("pairs = 50", "pairs = 20")
    project.edit("depth = 1", "depth = 2")
    project.edit("rating = 3010", "rating = 2900")
    project.pin()
    notes = project.open(None, "v3").plan.notes
    assert [note.partition(" not that of check-1: ")[0] for note in notes] == [
        "the anchor set is",
        "the conditions are",
        "the planned pairs are",
    ]
    assert notes[2].endswith("long is 20, was 50")


def test_a_register_that_changed_meanwhile_is_not_opened_on(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.pin()
    calls = iter([next_start(project.entries())])

    def once_then_truth(_entries: list[object]) -> object:
        try:
            return next(calls)
        except StopIteration:
            raise BadState("another one was faster") from None

    monkeypatch.setattr("anchorhold.checks.opening.next_start", once_then_truth)
    with pytest.raises(BadState, match="another one was faster"):
        project.open()
    assert project.checks() == ()


def test_the_journals_directory_is_not_made_by_an_opening(project: Project) -> None:
    project.pin()
    project.open()
    assert not Path(project.settings().data).exists()
