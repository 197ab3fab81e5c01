"""Windows tile the register, and the document says what the register says."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anchorhold.checks.document import contract_of, document_of_check
from anchorhold.checks.state import checks_of
from anchorhold.domain.contract import edition
from anchorhold.domain.entries import NO_PREVIOUS, Entry, entry_hash
from anchorhold.errors import BadState
from checks.project import AHEAD, EVEN, Project, gain

CONDITIONS = {"depth": 1}


def synthetic(steps: list[str]) -> list[Entry]:
    """Entries of a register with checks that end in the given ways, each after a note."""
    entries: list[Entry] = []

    def add(kind: str, payload: dict[str, object]) -> None:
        prev = entries[-1].hash if entries else NO_PREVIOUS
        fields = {
            "seq": len(entries) + 1,
            "prev": prev,
            "kind": kind,
            "recorded_at": "2026-11-30T00:00:00Z",
            "author": "Ada",
            "payload": payload,
        }
        entries.append(Entry(**fields, hash=entry_hash(**fields)))  # type: ignore[arg-type]

    from anchorhold.domain.anchors import set_digest

    anchors: list[dict[str, object]] = [{"name": "A", "sha256": "0" * 64, "rating": 0, "rating_error": 1}]
    contract = {**edition(7).to_json(), "digest": edition(7).digest}
    add("genesis", {"schema": "anchorhold/register/1"})
    after, version = 1, 0
    for number, step in enumerate(steps, start=1):
        add("note", {"text": f"before {number}"})
        opened = len(entries) + 1
        add(
            "check_opened",
            {
                "check": f"check-{number}",
                "contract": contract,
                "anchor_set": {"digest": set_digest(anchors), "anchors": anchors},
                "old": {"version": f"v{version}"},
                "new": {"version": f"v{number}"},
                "conditions": CONDITIONS,
                "planned_pairs": {"long": 1},
                "window": {"after": after},
            },
        )
        if step == "abandoned":
            add("check_abandoned", {"check": f"check-{number}", "reason": "because"})
            continue
        add(
            "check_closed",
            {
                "check": f"check-{number}",
                "verdict": step,
                "result": {"schema": "anchorhold/result/1", "verdict": step},
                "window": {"after": after, "until": opened},
            },
        )
        if step in ("CONTINUE", "WARN", "HALT"):
            after, version = opened, number
    return entries


STEPS = st.lists(st.sampled_from(["CONTINUE", "WARN", "HALT", "GAP", "DEFECTIVE", "abandoned"]), max_size=6)


@given(STEPS)
def test_windows_of_closing_checks_tile_the_register_without_hole_or_overlap(steps: list[str]) -> None:
    entries = synthetic(steps)
    covered: list[int] = []
    for check in checks_of(entries):
        document = document_of_check(entries, check.id)
        window = [entry.seq for entry in document.register_]
        assert window == list(range(document.window.after + 1, document.window.until + 1))
        if check.closes_window:
            covered += window
    closing = [check for check in checks_of(entries) if check.closes_window]
    assert covered == list(range(2, closing[-1].opened.seq + 1) if closing else [])


@given(STEPS)
def test_attempts_count_the_checks_of_one_window(steps: list[str]) -> None:
    expected, attempt = [], 0
    for step in steps:
        attempt += 1
        expected.append(attempt)
        if step in ("CONTINUE", "WARN", "HALT"):
            attempt = 0
    assert [check.attempt for check in checks_of(synthetic(steps))] == expected


def test_the_document_holds_what_was_frozen_measured_and_claimed(project: Project) -> None:
    project.append("gain_test", {**gain(3.0), "candidate": "v2", "base": "v1", "reason": "speed"})
    project.append("special_path", {"special": "simplification", "id": "dev-2"})
    project.append("retraction", {"of": "dev-0"})
    project.edit("[check]", "[stages.short]\nnodes = 10\npairs = 50\n\n[check]")
    project.pin()
    project.open(pairs_direct=50)
    closed = project.close(old=EVEN, new=AHEAD)
    project.append("gain_test", gain(4.0, name="dev-3"))
    entries = project.entries()
    document = document_of_check(entries, "check-1")
    assert [(entry.seq, entry.kind) for entry in document.register_] == [
        (entry.seq, entry.kind) for entry in entries[1 : closed.check.opened.seq]
    ]
    assert document.window.until == closed.check.opened.seq
    assert document.planned_pairs is not None
    assert (document.planned_pairs.long, document.planned_pairs.short) == (50, 50)
    old, new = document.endpoints.old, document.endpoints.new
    assert (old.version, new.version) == ("v1", "v2")
    assert old.conditions.depth == 1
    assert new.conditions_short is not None
    assert (new.conditions_short.nodes, new.conditions_short.depth) == (10, None)
    assert new.long["Anchor 3"] is not None
    assert new.long["Anchor 3"].pentanomial == list(AHEAD)
    assert new.short is not None
    assert document.direct is not None
    assert document.direct.pentanomial == list(AHEAD)
    assert new.anchors is not None
    assert [anchor.name for anchor in new.anchors] == [f"Anchor {n}" for n in range(1, 7)]
    assert contract_of(closed.check) == edition(7)


def test_an_unmeasured_check_has_a_document_without_measurements(project: Project) -> None:
    project.pin()
    project.open()
    document = document_of_check(project.entries(), "check-1")
    assert (document.endpoints.old.long, document.endpoints.new.anchors, document.direct) == ({}, None, None)


def test_a_check_that_was_never_opened_has_no_document(project: Project) -> None:
    with pytest.raises(BadState, match="there is no check 'check-7'; the register's last are: none"):
        document_of_check(project.entries(), "check-7")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=5)
@given(stage=st.sampled_from(["long", "short"]))
def test_an_identity_that_one_stage_saw_differently_reaches_the_document(
    tmp_path_factory: pytest.TempPathFactory, stage: str
) -> None:
    from checks.project import make_project

    project = make_project(tmp_path_factory.mktemp("project"), short=50)
    project.append("gain_test", gain(3.0))
    project.pin()
    project.open()
    turn = iter(["long", "short"])

    def other_bytes(anchors: list[dict[str, object]]) -> None:
        if next(turn) == stage:
            anchors[0]["sha256"] = "f" * 64

    closed = project.close(seen=other_bytes)
    assert closed.result.verdict == "DEFECTIVE"
    assert [defect.code for defect in closed.result.defects] == ["anchor_identity_differs"]
