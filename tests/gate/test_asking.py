"""Where ``register verify`` finds that an entry contradicts what stood before it, the gate says so, too."""

import pytest

from anchorhold.checks.recompute import recompute
from anchorhold.domain.entries import Entry
from anchorhold.errors import RegisterBroken
from anchorhold.gate.asking import answer
from anchorhold.register import chain
from checks.forging import rechained
from checks.project import Project
from checks.test_verdicts import softened


def broken_for_verify(entries: tuple[Entry, ...]) -> str:
    try:
        return "".join(map(str, recompute(entries)))
    except RegisterBroken as error:
        return error.what


@pytest.mark.parametrize("kind", ["measurement", "check_closed", "check_abandoned", "contract"])
def test_an_entry_that_contradicts_a_register_without_a_check_breaks_it_for_both(halted: Project, kind: str) -> None:
    entries = halted.entries()
    one = next((entry for entry in entries if entry.kind == kind), None)
    if one is None:
        halted.open("v2", "v3")
        one = halted.append("check_abandoned", {"check": "check-2", "reason": "power cut"})
    # An edition under a released number that is another; the others belong to no check wherever they stand.
    found = chain.chain_of(rechained([entries[0], one], {2: softened} if kind == "contract" else {}))
    assert found.problem is None
    assert broken_for_verify(found.entries)
    asked = answer(found, signers=None)
    assert (asked.state, asked.exit_status) == ("broken", 4)
    assert broken_for_verify(found.entries) in asked.reason
