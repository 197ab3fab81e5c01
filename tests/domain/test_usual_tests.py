"""What is said to be usual is canonical JSON, and its kind's form takes it."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorhold.canonical import canonical_json
from anchorhold.domain.payloads import read_payload_json
from anchorhold.domain.usual_tests import is_usual, usual_id
from anchorhold.errors import BadInput

KINDS = ["gain_test", "rejected_test", "special_path", "retraction", "genesis", "note"]
reals = st.one_of(
    st.floats(-1500, 1500),
    st.decimals(-999, 999, places=2).map(float),
    st.sampled_from([0, -0.0, 0.05, 0.5, 0.049, 1e-5, 12345678901234567, 2.5, 1e300]),
)
wholes = st.one_of(st.integers(0, 2000), st.integers(-1, 2**60))
texts = st.one_of(st.sampled_from(["x", "passed", "8+0.08", " ", "", "ä", 'a"b', "x:5.0,"]), st.text(max_size=5))


@st.composite
def stages(draw: st.DrawFn) -> dict[str, Any]:
    """A stage whose counts agree, with one member or another that may not be right."""
    ll, ld, dd, wd, ww = (draw(st.integers(0, 400)) for _ in range(5))
    draws = ld + wd + 2 * draw(st.integers(0, dd))
    wins = (2 * (ll + ld + dd + wd + ww) - draws + 2 * (ww - ll) + wd - ld) // 2
    counts = {"wins": wins, "draws": draws, "losses": wins - 2 * (ww - ll) - wd + ld}
    stage: dict[str, Any] = {"passed": draw(st.booleans()), "outcome": "passed"}
    if draw(st.booleans()):
        stage |= counts
    if draw(st.booleans()):
        stage |= {"pentanomial": [ll, ld, dd, wd, ww], "pairs": ll + ld + dd + wd + ww}
    if draw(st.booleans()):
        stage |= {"bounds": sorted([draw(reals), draw(reals)]), "bounds_model": draw(st.sampled_from(["normalized"]))}
    if draw(st.booleans()):
        stage |= {"alpha": 0.05, "beta": draw(reals)}
    conditions = {"threads": wholes, "depth": wholes, "hash_mb": reals, "movetime": reals, "time_control": texts}
    odd = {"elo": reals, "elo_error": reals, "llr": reals, "wins": wholes, "passed": wholes, "outcome": texts,
           "pentanomial": st.lists(wholes, min_size=4, max_size=6), "alpha": reals,
           "bounds": st.lists(reals, min_size=2, max_size=2), "unknown": wholes,
           "conditions": st.fixed_dictionaries({}, optional=conditions)}  # fmt: skip
    for name in draw(st.lists(st.sampled_from(sorted(odd)), max_size=2)):
        stage[name] = draw(odd[name])
    return stage


payloads = st.fixed_dictionaries(
    {"id": st.one_of(st.just("commit:1"), texts)},
    optional={
        "candidate": texts, "base": texts, "date": st.sampled_from(["2026-11-30", "2026-13-01", "x"]), "reason": texts,
        "source": texts, "all_kept": st.booleans(), "short": stages(), "long": stages(), "of": texts,
        "special": st.sampled_from(["simplification", "odd"]), "schema": st.just("anchorhold/register/1"),
    },
)  # fmt: skip


def holds(kind: str, text: str) -> None:
    """A usual text is canonical, and its form takes it."""
    assert canonical_json(json.loads(text)).decode() == text
    read_payload_json(kind, text)
    assert (json.loads(text).get("id") or "") == usual_id(kind, text)


@given(st.sampled_from(KINDS), payloads)
def test_what_is_usual_passes_its_form(kind: str, payload: dict[str, Any]) -> None:
    try:
        text = canonical_json(payload).decode()
    except BadInput:
        return
    if is_usual(kind, text):
        holds(kind, text)


@given(stages(), stages())
def test_a_gain_that_is_usual_passes_its_form(short: dict[str, Any], long: dict[str, Any]) -> None:
    payload = {"candidate": "c", "id": "commit:1", "source": "s", "short": short, "long": long}
    try:
        text = canonical_json(payload).decode()
    except BadInput:
        return
    if is_usual("gain_test", text):
        holds("gain_test", text)


STAGE = (
    '{"alpha":0.05,"beta":0.05,"bounds":[0,2.5],"bounds_model":"normalized","conditions":{"hash_mb":16,"threads":1,'
    '"time_control":"8+0.08"},"draws":33664,"elo":1.5,"elo_error":2.1,"llr":2.96,"losses":16851,"outcome":"passed",'
    '"pairs":33863,"passed":true,"pentanomial":[76,6214,20970,6480,123],"wins":17211}'
)
GAIN = f'{{"candidate":"c","date":"2023-11-14","id":"commit:c","long":{STAGE},"short":{STAGE},"source":"commit c"}}'


@given(st.data())
def test_a_usual_text_with_another_letter_in_it_holds_or_is_not_usual(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(GAIN) - 1))
    put = data.draw(st.sampled_from([*'0159.-e,:{}[]" ', "", "00", ".0", "true", "null"]))
    text = GAIN[:at] + put + GAIN[at + data.draw(st.integers(0, 2)) :]
    if is_usual("gain_test", text):
        holds("gain_test", text)


@pytest.mark.parametrize("left_out", [None, *re.findall(r'"[a-z_]+":(?:"[^"]*"|\[[^]]*\]|[\d.]+)', STAGE)])
def test_each_member_of_a_stage_may_be_left_out(left_out: str | None) -> None:
    text = GAIN
    if left_out is not None:
        payload = json.loads(GAIN)
        name = left_out.split('"')[1]
        for stage in (payload["long"], payload["short"]):
            stage.pop(name, None)
            stage["conditions"].pop(name, None)
        text = canonical_json(payload).decode()
    names = {"alpha", "beta", "draws", "losses", "wins", "outcome", "pentanomial", "elo_error"}
    if left_out is None or left_out.split('"')[1] not in names:
        assert is_usual("gain_test", text)
    elif is_usual("gain_test", text):
        holds("gain_test", text)


def test_the_ids_are_told() -> None:
    assert usual_id("gain_test", GAIN) == "commit:c"
    assert usual_id("retraction", '{"id":"commit:1","of":"not named"}') == "commit:1"
    assert usual_id("genesis", '{"project":"p","schema":"anchorhold/register/1"}') == ""
    assert usual_id("special_path", GAIN) is None
    assert usual_id("special_path", GAIN[:-1] + ',"special":"simplification"}') == "commit:c"
    assert usual_id("note", '{"text":"x"}') is None
