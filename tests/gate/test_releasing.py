"""Recording a review: only what opens the HALT becomes a release, everything else leaves a note."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError, BadState
from anchorhold.gate.asking import ask
from anchorhold.gate.releasing import release
from anchorhold.gate.signing import sign
from anchorhold.register.store import Register
from checks.project import Project
from gate.keys import make_key, public, signers_file

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def attempt(
    project: Project,
    key: Path,
    signers: Path | None,
    *,
    which: str = "check-1",
    reviewer: str = "ada",
    now: datetime = NOW,
) -> Entry:
    with Register.open(str(project.register_path), clock=lambda: now) as register:
        return release(
            register,
            which,
            reviewer=reviewer,
            reason="the book was wrong",
            sign=lambda signed: sign(signed, key=key),
            signers=signers,
            author="Bob",
            clock=lambda: now,
        )


def state(project: Project, signers: Path | None) -> str:
    with project.register() as register:
        return ask(register, signers=signers).state


def test_a_review_that_opens_the_halt_is_recorded(halted: Project, key: Path, signers: Path) -> None:
    assert state(halted, signers) == "held"
    entry = attempt(halted, key, signers)
    assert (entry.kind, entry.author, entry.payload["reviewer"]) == ("release", "Bob", "ada")
    assert state(halted, signers) == "open"


def test_the_halt_can_be_named_by_the_hash_of_its_closing(halted: Project, key: Path, signers: Path) -> None:
    attempt(halted, key, signers, which=halted.entries()[-1].hash[:12])
    assert state(halted, signers) == "open"


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        ({"which": "check-7"}, "'check-7' is no check that closed"),
        ({"which": "check"}, "'check' is no check that closed"),
        ({"reviewer": "eve"}, "no key that the allowed-signers file has for 'eve'"),
        ({"reviewer": "ada\nbea"}, "expected one line"),
        ({"now": datetime(2026, 11, 29, tzinfo=UTC)}, "ahead of this machine's clock"),
    ],
)
def test_a_refused_attempt_leaves_a_note_and_no_release(
    halted: Project, key: Path, signers: Path, refused: dict[str, str], said: str
) -> None:
    with pytest.raises(AnchorholdError, match=re.escape(said)):
        attempt(halted, key, signers, **refused)  # type: ignore[arg-type]
    last = halted.entries()[-1]
    assert last.kind == "note"
    text = str(last.payload["text"])
    assert text.startswith("release refused: of 'check")
    assert said in text
    assert state(halted, signers) == "held"


def test_no_key_that_is_added_later_turns_a_refused_attempt_into_a_release(
    halted: Project, tmp_path: Path, key: Path, signers: Path
) -> None:
    late = make_key(tmp_path / "late")
    with pytest.raises(BadState, match="opens nothing"):
        attempt(halted, late, signers)
    with pytest.raises(BadState, match="no allowed-signers file"):
        attempt(halted, key, None)
    signers_file(signers, f"ada {public(late)}", f"ada {public(key)}")
    assert state(halted, signers) == "held"
    assert [entry.kind for entry in halted.entries()[-2:]] == ["note", "note"]


def test_a_key_that_expires_before_an_entry_that_a_wrong_clock_dated_is_refused(
    halted: Project, key: Path, signers: Path
) -> None:
    for day in (9, 1):
        with Register.open(str(halted.register_path), clock=lambda day=day: NOW.replace(day=day)) as register:  # type: ignore[misc]
            register.append("note", {"text": f"dated {day}"}, author="Bob")
    limited = signers_file(signers.with_name("limited"), f'ada valid-before="20261205Z" {public(key)}')
    with pytest.raises(BadState, match=r"entry 9 is dated 2026-12-09.*and then ssh-keygen refuses.*expired"):
        attempt(halted, key, limited)
    assert halted.entries()[-1].kind == "note"
    attempt(halted, key, signers)
    assert state(halted, signers) == "open"


def test_a_halt_is_released_once(halted: Project, key: Path, signers: Path) -> None:
    attempt(halted, key, signers)
    with pytest.raises(BadState, match="the HALT of check-1 is released already, by ada"):
        attempt(halted, key, signers, now=NOW + timedelta(seconds=5))
    assert halted.entries()[-1].kind == "note"
    assert state(halted, signers) == "open"


def test_a_check_that_did_not_halt_cannot_be_released(project: Project, key: Path, signers: Path) -> None:
    project.pin()
    project.open("v1", "v2")
    project.close()
    with pytest.raises(BadState, match="'check-1' closed with GAP, not with HALT"):
        attempt(project, key, signers)
