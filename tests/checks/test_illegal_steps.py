"""Every step that would bend a check is refused with its reason, and what was frozen decides whatever changed since."""

import json

import pytest

from anchorhold.canonical import digest
from anchorhold.checks.anchors import pin
from anchorhold.checks.closing import abandon_check, close_check
from anchorhold.checks.identity import FileDigests
from anchorhold.checks.measuring import measure
from anchorhold.checks.verdicts import recompute_verdicts
from anchorhold.domain.contract import edition
from anchorhold.errors import BadState
from checks.project import AHEAD, EVEN, Project, gain, record_measurements, write_engine


@pytest.fixture
def opened(project: Project) -> Project:
    """A claim, and an open check."""
    project.append("gain_test", gain(60.0))
    project.pin()
    project.open()
    return project


def refused_measuring(project: Project) -> str:
    before = project.entries()
    with project.register() as register, pytest.raises(BadState) as caught:
        measure(register, project.plan(), author="Ada", digest_of=FileDigests)
    assert project.entries() == before
    return str(caught.value)


def test_a_check_is_not_opened_twice(opened: Project) -> None:
    with pytest.raises(BadState, match=r"the check check-1 is open \(v1 to v2\)\. Go on with it"):
        opened.open("v1", "v3")
    assert len(opened.checks()) == 1


def test_a_check_is_not_closed_without_its_measurements(opened: Project) -> None:
    with opened.register() as register, pytest.raises(BadState, match=r"not measured: old \(long\), new \(long\)"):
        close_check(register, author="Ada")
    assert opened.checks()[0].status == "open"


def test_another_version_is_not_measured(opened: Project) -> None:
    with pytest.raises(BadState, match="check-1 is open for v1 to v2"):
        opened.run("v1", "v3")
    with pytest.raises(BadState, match="check-1 is open for v1 to v2"):
        opened.run("v2", None)


def test_a_check_is_not_measured_twice_and_nothing_follows_its_close(opened: Project) -> None:
    with opened.register() as register:
        record_measurements(register, old=EVEN, new=AHEAD)
        before = register.entries()
        measure(register, opened.plan(), author="Ada", digest_of=FileDigests)
        assert register.entries() == before
        close_check(register, author="Ada")
        with pytest.raises(BadState, match="no check is open"):
            measure(register, opened.plan(), author="Ada", digest_of=FileDigests)
        with pytest.raises(BadState, match="no check is open"):
            close_check(register, author="Ada")
        with pytest.raises(BadState, match="no check is open"):
            abandon_check(register, reason="disliked", author="Ada")


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_another_binary_under_the_versions_name_is_not_measured(opened: Project, version: str) -> None:
    write_engine(opened.directory / version, strength=777)
    assert f"{version} is not what check-1 was opened with: sha256 is" in refused_measuring(opened)


def test_a_book_with_other_openings_is_refused(opened: Project) -> None:
    book = opened.directory / "book.epd"
    book.write_text("\n".join(reversed(book.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    assert "long stage: book_sha256 is" in refused_measuring(opened)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('order = "random"\nseed = 3', 'order = "sequential"', "book_order is 'sequential', was 'random'"),
        ('order = "random"', 'order = "random"\nplies = 2', "book_order is 'random, 2 plies', was 'random'"),
        ("depth = 1\n", "nodes = 5\n", "long stage: depth is absent, was 1; long stage: nodes is 5, was absent"),
        ("[match]\n", "[match]\ndraw = { number = 1, count = 1, score = 900 }\n", "adjudication.draw"),
    ],
)
def test_conditions_and_book_that_were_edited_are_refused(opened: Project, old: str, new: str, expected: str) -> None:
    opened.edit(old, new)
    assert expected in refused_measuring(opened)


def test_a_stage_that_was_taken_away_is_refused_and_one_that_was_added_waits_for_the_next_check(
    project: Project,
) -> None:
    stage = "[stages.short]\nnodes = 10\npairs = 1\n\n"
    project.edit("[check]", stage + "[check]")
    project.pin()
    project.open(pairs_long=1)
    project.edit(stage, "")
    assert "short stage: " in refused_measuring(project)
    with project.register() as register:
        abandon_check(register, reason="settings", author="Ada")
    project.open(pairs_long=1)
    project.edit("[check]", stage + "[check]")
    with project.register() as register:
        check = measure(register, project.plan(), author="Ada", digest_of=FileDigests)
    assert set(check.measured()) == {("old", "long"), ("new", "long")}


def test_pairs_that_were_edited_change_no_plan(project: Project) -> None:
    project.pin()
    project.open(pairs_long=1)
    project.edit("pairs = 50", "pairs = 2")
    with project.register() as register:
        check = measure(register, project.plan(), author="Ada", digest_of=FileDigests)
    counts = [sum(one.pentanomial) for part in check.measured().values() for one in part.counts.values()]
    assert counts == [1] * 12


def test_a_contract_that_is_adopted_in_the_middle_applies_from_the_next_check_on(opened: Project) -> None:
    lenient = {**edition(7).parameters.model_dump(mode="json"), "halt_below": 0.01, "continue_from": 0.02}
    own = {"edition": 1000, "date": "2026-11-30", "remark": "", "parameters": lenient}
    opened.append("contract", {**own, "digest": digest(lenient)})
    file = opened.directory / "own.json"
    file.write_text(json.dumps(own), encoding="utf-8")
    opened.edit("[project]", '[project]\ncontract_file = "own.json"')
    opened.append("gain_test", gain(60.0, name="dev-2"))
    first = opened.close(old=EVEN, new=AHEAD)
    assert (first.result.verdict, first.result.contract.edition) == ("WARN", 7)
    second = opened.open(None, "v3")
    assert second.plan.contract.edition == 1000
    assert opened.close(old=EVEN, new=AHEAD).result.verdict == "CONTINUE"
    assert recompute_verdicts(opened.entries()) == ()


def test_an_edition_is_never_edited_once_it_was_adopted(opened: Project) -> None:
    own = {**edition(7).to_json(), "edition": 1000}
    file = opened.directory / "own.json"
    file.write_text(json.dumps(own), encoding="utf-8")
    opened.close(old=EVEN, new=AHEAD)
    opened.open(None, "v3", contract_file=str(file))
    with opened.register() as register:
        abandon_check(register, reason="again", author="Ada")
    own["parameters"] = {**edition(7).parameters.model_dump(mode="json"), "halt_below": 0.01}
    file.write_text(json.dumps(own), encoding="utf-8")
    with pytest.raises(BadState, match=r"edition 1000 was adopted with other parameters .*never edited once released"):
        opened.open(None, "v3", contract_file=str(file))


def test_another_anchor_set_is_not_pinned_in_the_middle(opened: Project) -> None:
    opened.edit("rating = 3020.0", "rating = 2020.0")
    with opened.register() as register, pytest.raises(BadState, match="check-1 is open, and its anchors are frozen"):
        pin(register, opened.settings().anchors, author="Ada", digest_of=FileDigests())
    assert "the anchors are not the pinned ones: Anchor 2: rating is 2020.0" in refused_measuring(opened)


@pytest.mark.parametrize("verdict", ["GAP", "DEFECTIVE"])
def test_a_broken_check_flushes_no_claims(opened: Project, verdict: str) -> None:
    if verdict == "GAP":
        broken = opened.close(old=(0, 0, 50, 0, 0), new=AHEAD)
    else:
        broken = opened.close(old=EVEN, new=AHEAD, seen=lambda anchors: anchors[0].update(sha256="0" * 64))
    assert broken.result.verdict == verdict
    with pytest.raises(BadState, match="old is 'v2', but must be 'v1'"):
        opened.open("v2", "v3")
    again = opened.open(None, "v3")
    assert (again.plan.old.version, again.plan.window.after, again.attempt) == ("v1", 1, 2)
    assert opened.close(old=EVEN, new=AHEAD).result.s == 60.0


def test_abandoning_changes_neither_window_nor_old_version(opened: Project) -> None:
    opened.close(old=EVEN, new=AHEAD)
    first = opened.checks()[0]
    for attempt in (1, 2, 3):
        check = opened.open(None, "v3")
        assert (check.plan.old.version, check.plan.window.after, check.attempt) == ("v2", first.opened.seq, attempt)
        with opened.register() as register:
            if attempt > 1:
                record_measurements(register, old=EVEN, new=EVEN)
            abandon_check(register, reason="disliked", author="Ada")
    with pytest.raises(BadState, match="old is 'v3', but must be 'v2'"):
        opened.open("v3", "v4")


def test_a_new_check_begins_with_the_last_new_version(opened: Project) -> None:
    assert opened.close(old=EVEN, new=AHEAD).check.closes_window
    for old in ("v1", "v3"):
        with pytest.raises(BadState, match=f"old is '{old}', but must be 'v2': it is the new version of check-1"):
            opened.open(old, "v4")


def test_what_was_added_after_the_opening_belongs_to_the_next_window(opened: Project) -> None:
    opened.append("gain_test", gain(500.0, name="too late"))
    first = opened.close(old=EVEN, new=AHEAD)
    assert (first.result.s, first.result.verdict) == (60.0, "WARN")
    opened.open(None, "v3")
    second = opened.close(old=EVEN, new=AHEAD)
    assert (second.result.s, second.result.verdict) == (500.0, "HALT")
    assert recompute_verdicts(opened.entries()) == ()
