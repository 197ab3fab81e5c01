"""Every release that is not one: unsigned, forged, replayed, foreign, backdated, by a key outside its time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.gate.decision import decide
from anchorhold.gate.releases import JudgedRelease, judge_releases
from anchorhold.register import chain
from gate.keys import make_key, public, release_payload, signers_file

START = datetime(2026, 11, 30, 12, tzinfo=UTC)


class Entries(list[Entry]):
    """A register in memory: each entry a minute after the one before, unless a time is given."""

    def __init__(self, project: str = "Example") -> None:
        self.add("genesis", {"schema": "anchorhold/register/1", "project": project})

    def add(self, kind: str, payload: dict[str, object], *, at: datetime | None = None) -> Entry:
        time = at or START + timedelta(minutes=len(self))
        prev = self[-1].hash if self else NO_PREVIOUS
        entry = chain.sealed(
            seq=len(self) + 1, prev=prev, kind=kind, recorded_at=time, author="somebody", payload=payload
        )
        self.append(entry)
        return entry

    def close(self, check: str, verdict: str = "HALT") -> str:
        result = {"schema": "anchorhold/result/1", "verdict": verdict, "r": None}
        window = {"after": 1, "until": 1}
        return self.add("check_closed", {"check": check, "verdict": verdict, "result": result, "window": window}).hash

    def state(self, signers: Path | None) -> str:
        return decide(chain.chain_of(self), signers=signers).state


def judged(entries: Entries, signers: Path | None) -> JudgedRelease:
    found = judge_releases(entries, signers=signers)
    assert chain.chain_of(entries).problem is None
    return found[-1]


def test_a_signed_release_opens_its_halt_and_no_other(key: Path, signers: Path) -> None:
    entries = Entries()
    first, second = entries.close("c1"), entries.close("c2")
    entries.add("release", release_payload(key, halt=first, check="c1"))
    assert judged(entries, signers).opens
    answer = decide(chain.chain_of(entries), signers=signers)
    assert (answer.state, [halt.check for halt in answer.held_by]) == ("held", ["c2"])
    entries.add("release", release_payload(key, halt=second, check="c2"))
    assert entries.state(signers) == "open"
    assert entries.state(None) == "held"


def test_a_new_halt_after_a_release_holds_again(key: Path, signers: Path) -> None:
    entries = Entries()
    entries.add("release", release_payload(key, halt=entries.close("c1"), check="c1"))
    assert entries.state(signers) == "open"
    entries.close("c2")
    entries.close("c3", "CONTINUE")
    assert entries.state(signers) == "held"


CHANGES: dict[str, tuple[dict[str, object], str]] = {
    "another reason": ({"reason": "all is well"}, "incorrect signature"),
    "another reviewer of the same key": ({"reviewer": "bea"}, "incorrect signature"),
    "a reviewer whom nobody knows": ({"reviewer": "eve"}, "incorrect signature"),
    "a name that is no line": ({"reviewer": "ada\0\n"}, "not one line"),
    "no check": ({"check": None}, "names no check"),
    "another check": ({"check": "c2"}, "names the check c2, the HALT is that of c1"),
    "no signature": ({"signature": None}, "it is not signed"),
    "nonsense for a signature": ({"signature": "yes"}, "refuses the signature"),
    "a halt of nowhere": ({"halt": "ab" * 32}, "no check that closed before it in this register has that hash"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_release_with_one_member_changed_has_no_effect(key: Path, signers: Path, change: str) -> None:
    entries = Entries()
    payload = release_payload(key, halt=entries.close("c1"), check="c1")
    members, said = CHANGES[change]
    payload.update(members)
    entries.add("release", {name: value for name, value in payload.items() if value is not None})
    assert said in judged(entries, signers).why
    assert entries.state(signers) == "held"


def test_a_signature_for_one_halt_is_none_for_another(key: Path, signers: Path) -> None:
    entries = Entries()
    payload = release_payload(key, halt=entries.close("c1"), check="c1")
    entries.add("release", payload)
    second = entries.close("c2")
    for changed in ({"halt": second, "check": "c2"}, {"halt": second}, {"check": "c2"}, {}):
        entries.add("release", payload | changed)
        assert not judged(entries, signers).opens
        assert entries.state(signers) == "held"


def test_the_same_release_again_is_harmless(key: Path, signers: Path) -> None:
    entries = Entries()
    payload = release_payload(key, halt=entries.close("c1"), check="c1")
    entries.add("release", payload)
    entries.add("release", payload)
    assert "released before, by entry 3" in judged(entries, signers).why
    assert entries.state(signers) == "open"


def test_a_release_of_another_registers_halt_has_no_effect(key: Path, signers: Path) -> None:
    other, entries = Entries("Other"), Entries()
    foreign = release_payload(key, halt=other.close("c1"), check="c1")
    entries.close("c1")
    entries.add("release", foreign)
    assert "in this register" in judged(entries, signers).why
    assert entries.state(signers) == "held"


def test_a_release_of_a_check_that_did_not_halt_has_no_effect(key: Path, signers: Path) -> None:
    entries = Entries()
    entries.close("c1")
    entries.add("release", release_payload(key, halt=entries.close("c2", "WARN"), check="c2"))
    assert "c2, which closed with WARN" in judged(entries, signers).why
    assert entries.state(signers) == "held"


def test_a_key_that_is_not_in_the_file_opens_nothing(tmp_path: Path, signers: Path) -> None:
    entries = Entries()
    entries.add("release", release_payload(make_key(tmp_path / "own"), halt=entries.close("c1"), check="c1"))
    assert "made this signature" in judged(entries, signers).why
    assert entries.state(signers) == "held"


@pytest.mark.parametrize(
    ("options", "state"),
    [
        ('valid-after="20261130120200Z",valid-before="20261130120201Z"', "open"),
        ('valid-after="20261130120201Z"', "held"),
        ('valid-before="20261130120159Z"', "held"),
    ],
)
def test_the_key_must_be_valid_when_the_release_is_recorded(
    tmp_path: Path, key: Path, options: str, state: str
) -> None:
    entries = Entries()
    entries.add("release", release_payload(key, halt=entries.close("c1"), check="c1"))
    assert entries[-1].recorded_at == "2026-11-30T12:02:00Z"
    signers = signers_file(tmp_path / "other", f"ada {options} {public(key)}")
    assert entries.state(signers) == state


def test_no_date_brings_an_expired_key_back(tmp_path: Path, key: Path) -> None:
    signers = signers_file(tmp_path / "other", f'ada valid-before="20261130120130Z" {public(key)}')
    backdated = Entries()
    payload = release_payload(key, halt=backdated.close("c1"), check="c1")
    backdated.add("release", payload, at=START)
    assert "before the HALT (2026-11-30T12:01:00Z)" in judged(backdated, signers).why
    after_a_note = Entries()
    payload = release_payload(key, halt=after_a_note.close("c1"), check="c1")
    after_a_note.add("note", {"text": "later"})
    after_a_note.add("release", payload, at=START + timedelta(minutes=1, seconds=10))
    assert "before entry 3, which precedes it (2026-11-30T12:02:00Z)" in judged(after_a_note, signers).why
    assert {backdated.state(signers), after_a_note.state(signers)} == {"held"}


def test_an_entry_that_is_dated_back_makes_no_room_for_an_expired_key(tmp_path: Path, key: Path) -> None:
    entries = Entries()
    payload = release_payload(key, halt=entries.close("c1"), check="c1")
    entries.add("note", {"text": "after the key had expired"})
    entries.add("note", {"text": "dated back"}, at=START + timedelta(minutes=1, seconds=10))
    entries.add("release", payload, at=START + timedelta(minutes=1, seconds=20))
    expired = signers_file(tmp_path / "expired", f'ada valid-before="20261130120130Z" {public(key)}')
    assert "by the time of entry 3 (2026-11-30T12:02:00Z), which stands before it" in judged(entries, expired).why
    assert "expired" in judged(entries, expired).why
    assert entries.state(expired) == "held"
    still = signers_file(tmp_path / "still", f'ada valid-before="20261130120200Z" {public(key)}')
    assert entries.state(still) == "open"
    not_yet = signers_file(tmp_path / "not-yet", f'ada valid-after="20261130120200Z" {public(key)}')
    assert entries.state(not_yet) == "held"


def test_a_file_that_is_malformed_or_gone_holds_what_was_open(key: Path, signers: Path) -> None:
    entries = Entries()
    entries.add("release", release_payload(key, halt=entries.close("c1"), check="c1"))
    assert entries.state(signers) == "open"
    signers.write_text(signers.read_text(encoding="utf-8") + "ada misspelt\n", encoding="utf-8")
    assert "line 2: expected principals" in judged(entries, signers).why
    assert entries.state(signers) == "held"
    signers.unlink()
    assert "cannot be read" in judged(entries, signers).why
    assert entries.state(signers) == "held"
