"""The gate answers from entries: held while a HALT stands or the chain is broken, open otherwise.

The checks here are closings alone; whether a verdict follows from its counts is asked before (test_asking).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.canonical import digest
from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.gate.decision import GateAnswer
from anchorhold.gate.decision import decide as decide_chain
from anchorhold.register import chain

NOW = datetime(2026, 11, 30, 4, 5, 6, tzinfo=UTC)
Content = tuple[str, dict[str, object]]


def closed(check: str, verdict: str, r: float | None = None, *, edition: int | None = None) -> Content:
    result: dict[str, object] = {"schema": "anchorhold/result/1", "verdict": verdict, "r": r}
    if edition is not None:
        result["contract"] = {"edition": edition, "digest": "e" * 64}
    return "check_closed", {
        "check": check,
        "verdict": verdict,
        "result": result,
        "window": {"after": 1, "until": 2},
    }


def release(halt: str, signature: str | None = None) -> Content:
    payload: dict[str, object] = {"halt": halt, "check": "c1", "reviewer": "M. Reviewer", "reason": "seen"}
    return "release", {**payload, **({} if signature is None else {"signature": signature})}


def extended(entries: Sequence[Entry], *contents: Content) -> list[Entry]:
    made = list(entries)
    for kind, payload in contents:
        made.append(
            chain.sealed(
                seq=len(made) + 1,
                prev=made[-1].hash if made else NO_PREVIOUS,
                kind=kind,
                recorded_at=NOW,
                author="somebody",
                payload=payload,
            )
        )
    return made


def decide(entries: Sequence[Entry]) -> GateAnswer:
    return decide_chain(chain.chain_of(entries))


NEW = extended([], ("genesis", {"schema": "anchorhold/register/1"}))


def test_a_register_without_a_closed_check_is_open_and_says_that_nothing_was_confirmed() -> None:
    answer = decide(NEW)
    assert (answer.state, answer.exit_status, answer.last) == ("open", 0, None)
    assert "nothing was confirmed" in answer.reason


@pytest.mark.parametrize(
    ("verdict", "r", "said"),
    [
        ("CONTINUE", 0.8, "Merging may go on: check c1 closed with CONTINUE, R = 0.8."),
        ("WARN", 0.4, "Merging may go on, with a warning: check c1 closed with WARN, R = 0.4."),
        ("GAP", None, "Merging may go on, but nothing was confirmed: check c1 closed with GAP."),
    ],
)
def test_a_check_that_did_not_halt_leaves_the_gate_open(verdict: str, r: float | None, said: str) -> None:
    answer = decide(extended(NEW, closed("c1", verdict, r)))
    assert (answer.state, answer.exit_status, answer.reason) == ("open", 0, said)


def test_a_defective_check_confirms_nothing() -> None:
    answer = decide(extended(NEW, closed("c1", "CONTINUE", 0.9), closed("c2", "DEFECTIVE")))
    assert answer.state == "open"
    assert "nothing was confirmed: check c2 closed with DEFECTIVE" in answer.reason


def test_a_halt_holds_and_is_named() -> None:
    entries = extended(NEW, closed("c1", "HALT", 0.399999999))
    answer = decide(entries)
    assert (answer.state, answer.exit_status) == ("held", 1)
    assert [(halt.seq, halt.check, halt.hash, halt.r) for halt in answer.held_by] == [
        (2, "c1", entries[1].hash, 0.399999999)
    ]
    assert "check c1 closed with HALT, R = 0.399999999 (entry 2" in answer.reason


@given(st.lists(st.sampled_from(["CONTINUE", "WARN", "HALT", "GAP", "DEFECTIVE"]), max_size=6))
def test_it_is_held_exactly_while_any_halt_stands_whatever_came_later(verdicts: list[str]) -> None:
    contents = [closed(f"c{number}", verdict) for number, verdict in enumerate(verdicts)]
    answer = decide(extended(NEW, *contents))
    assert answer.state == ("held" if "HALT" in verdicts else "open")
    assert len(answer.held_by) == verdicts.count("HALT")


def test_without_an_allowed_signers_file_no_release_opens_and_the_answer_says_so() -> None:
    halted = extended(NEW, closed("c1", "HALT", 0.1))
    answer = decide(
        extended(halted, release(halted[1].hash, "-----BEGIN SSH SIGNATURE-----"), closed("c2", "CONTINUE"))
    )
    assert (answer.state, [one.seq for one in answer.without_effect]) == ("held", [3])
    assert answer.lines()[1:] == (
        "Release at entry 3, by M. Reviewer, has no effect: no allowed-signers file is named (--allowed-signers, or "
        "allowed_signers in [gate]).",
    )


def test_what_to_do_about_a_halt_is_said_with_the_command() -> None:
    answer = decide(extended(NEW, closed("c1", "HALT", 0.1), closed("it's", "HALT", 0.2)))
    assert answer.next_step == (
        "A reviewer named in the allowed-signers file opens it with: anchorhold release c1 --reviewer NAME --reason "
        "TEXT --key FILE and anchorhold release 'it'\"'\"'s' --reviewer NAME --reason TEXT --key FILE."
    )


def test_texts_of_strangers_cannot_move_the_cursor_or_make_lines() -> None:
    halted = extended(NEW, closed("c\n1\x1b[2J", "HALT", 0.1))
    payload = release(halted[1].hash)[1] | {"reviewer": "me\nMerging may go on.\r\x1b[1A"}
    lines = decide(extended(halted, ("release", payload))).lines()
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


def test_a_changed_entry_breaks_the_gate_and_is_named() -> None:
    entries = extended(NEW, closed("c1", "HALT", 0.1), closed("c2", "CONTINUE", 0.9))
    softened = replace(entries[1], payload=closed("c1", "WARN", 0.5)[1])
    answer = decide([entries[0], softened, entries[2]])
    assert (answer.state, answer.exit_status, answer.held_by) == ("broken", 4, ())
    assert answer.problem is not None
    assert (answer.problem.seq, answer.problem.field) == (2, "hash")
    assert "entry 2, hash" in answer.reason


def test_a_halt_that_was_taken_out_breaks_the_gate() -> None:
    entries = extended(NEW, closed("c1", "HALT", 0.1), closed("c2", "CONTINUE", 0.9))
    assert decide([entries[0], entries[2]]).state == "broken"


def test_a_made_up_entry_with_a_right_hash_and_no_verdict_breaks_the_gate() -> None:
    made_up: dict[str, object] = {
        "seq": 2,
        "prev": NEW[0].hash,
        "kind": "check_closed",
        "recorded_at": "2026-11-30T04:05:06Z",
        "author": "somebody",
        "payload": {"check": "c1", "verdict": "FINE"},
    }
    answer = decide([*NEW, Entry(**made_up, hash=digest(made_up))])  # type: ignore[arg-type]
    assert answer.state == "broken"


def test_an_empty_register_is_broken() -> None:
    assert decide([]).state == "broken"


def test_the_answer_as_json_carries_what_it_rests_on() -> None:
    entries = extended(NEW, closed("c1", "HALT", 0.1), closed("c2", "HALT", 0.2), closed("c3", "WARN", 0.5))
    answer = decide(entries).to_json()
    assert answer == {
        "schema": "anchorhold/gate/1",
        "state": "held",
        "reason": answer["reason"],
        "next": answer["next"],
        "held_by": [
            {
                "seq": seq,
                "check": check,
                "verdict": "HALT",
                "r": r,
                "hash": entries[seq - 1].hash,
                "closed_at": "2026-11-30T04:05:06Z",
                "contract": {"edition": None, "digest": None},
                "releases": [],
            }
            for seq, check, r in ((2, "c1", 0.1), (3, "c2", 0.2))
        ],
        "last": {
            "seq": 4,
            "check": "c3",
            "verdict": "WARN",
            "r": 0.5,
            "hash": entries[3].hash,
            "closed_at": "2026-11-30T04:05:06Z",
            "contract": {"edition": None, "digest": None},
            "releases": [],
        },
        "limits": [],
        "releases": [],
        "releases_without_effect": [],
        "attempts": None,
        "problem": None,
        "entries": 4,
        "head": entries[3].hash,
    }


def test_a_projects_own_edition_is_named_because_its_thresholds_may_be_any() -> None:
    own = decide(extended(NEW, closed("c1", "CONTINUE", 0.29, edition=9)))
    assert "check c1 closed with CONTINUE under the project's own edition 9, R = 0.29" in own.reason
    assert own.last is not None
    assert own.last.to_json()["contract"] == {"edition": 9, "digest": "e" * 64}
    built_in = decide(extended(NEW, closed("c1", "CONTINUE", 0.8, edition=7)))
    assert "edition" not in built_in.reason
