"""Torn, mixed and hostile messages: no traceback, and no line with data that is neither read nor named."""

import json

from hypothesis import given
from hypothesis import strategies as st

from anchorhold.importers.commits.blocks import blocks_of
from anchorhold.importers.commits.document import message_document
from anchorhold.importers.commits.history import Commit
from anchorhold.importers.commits.reader import read_history
from anchorhold.importers.commits.rows import looks_like_data
from anchorhold.importers.commits.stretch import read_commit
from anchorhold.importers.commits.text import lines_of
from importers.commits.messages import CONSOLE, FAILED, GAIN, LONG, SHORT, SIMPLER, TABLE

EXTRA = (
    "H1 was accepted\nSPRT ([0.00, 5.00]) completed - H0 was accepted\nFinished match\n"
    "Rank Name Elo +/- Games Score Draws\n1 a 12 3 100 55.0% 30.0%\nBOUNDS [0, 5]\nConf | N=25000 Threads=1\n"
    "SPRT @ 5.0+0.05s\nPasses [-3, 1] with LLR 3.5\nPtnml(0-2): 12, 14,\n20, 3, 1\n+5 -3 =9\n"
    "Passed STC and LTC:\nLogisticElo range : [1, 2, 3]\nW: 5 L: 4 D:\n"
)
MESSAGES = st.sampled_from([GAIN, SIMPLER, f"A\n\n{TABLE}", f"B\n\nSTC:\n{CONSOLE}", f"{FAILED}\n{SHORT}{LONG}{TABLE}"])
NOISE = st.text(st.sampled_from("0123456789.,-+|:()[]{}<>%/= \r\n\u2028\u00b1WLDNeloEltTCSP"), max_size=20)


@st.composite
def torn(draw: st.DrawFn) -> str:
    message = draw(MESSAGES)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(message)))
        until = min(len(message), at + draw(st.integers(0, 12)))
        message = message[:at] + draw(NOISE) + message[until:]
    return message


def holds(message: str) -> None:
    read, problems = read_commit(message, commit="message")
    json.dumps(message_document(read, problems), allow_nan=False)
    read_history([Commit("a" * 40, message)])
    lines = lines_of(message)
    found = blocks_of(lines)
    inside = {index for block in found.blocks for index in range(block.first, block.last + 1)}
    named = {problem.place.line for problem in problems}
    for index in range(len(lines)):
        line = lines[index]
        if looks_like_data(line.text):
            assert index in inside or line.number in named, line.text


@given(torn())
def test_no_line_of_a_torn_message_is_lost(message: str) -> None:
    holds(message)


@given(st.text(max_size=400))
def test_any_text_is_read_without_a_fault(message: str) -> None:
    holds(message)


@given(st.lists(st.sampled_from((SHORT + LONG + TABLE + CONSOLE + EXTRA).splitlines()), max_size=25))
def test_rows_in_any_order_are_read_or_named(rows: list[str]) -> None:
    holds("\n".join(rows))


@given(MESSAGES, torn(), MESSAGES)
def test_a_torn_message_changes_nothing_before_and_after_it(first: str, middle: str, last: str) -> None:
    around = read_history([Commit("1" * 40, first), Commit("3" * 40, last)])
    found = read_history([Commit("1" * 40, first), Commit("2" * 40, middle), Commit("3" * 40, last)])
    kept = [draft for draft in found.drafts if draft.place.source != "2" * 12]
    repeated = any("2" * 12 in remark.what for remark in found.remarks)
    assert repeated or [draft.payload for draft in kept] == [draft.payload for draft in around.drafts]
