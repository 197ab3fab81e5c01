"""One change at a time, at every place of a whole document: refused, judged unsound, or harmless by the rule."""

import copy
import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from anchorhold.domain.contract import Contract, edition
from anchorhold.errors import BadInput
from anchorhold.law.document import read_document
from anchorhold.law.evaluation import evaluate

GOLDEN = Path(__file__).parent.parent / "golden" / "evaluation"
FILE = "spoilt.json"
LATER = {f"Engine {letter}" for letter in "CDEF"}
Path_ = tuple[str | int, ...]


def golden(name: str) -> dict[str, object]:
    document = json.loads((GOLDEN / name).read_text(encoding="utf-8"))["document"]
    assert isinstance(document, dict)
    return document


def attested() -> dict[str, object]:
    """Pairs at both stages, joint tables, identities, a plan and a direct match."""
    document = golden("case-28.json")
    for end in ("old", "new"):
        at(document, ("endpoints", end))["anchors"] = copy.deepcopy(document["anchors"])
    document["planned_pairs"] = {"long": 400, "short": 400}
    document["direct"] = golden("case-29.json")["direct"]
    return document


DOCUMENTS: dict[str, Callable[[], dict[str, object]]] = {
    "attested": attested,
    "games": lambda: golden("case-22.json"),
    "reported": lambda: golden("case-29.json"),
}

# What may stay sound, and why: every line is a reading of the rule. Names of changes stand before the place.
HARMLESS = (
    # Without identities at the endpoints, ratings and versions have nothing that they could differ from.
    r"(games|reported): (negative|fractional) anchors\.\d\.rating",
    r"(games|reported): fractional anchors\.\d\.rating_error",
    r"(games|reported): (delete|null) anchors\.\d\.version",
    # Identity may be left out of a bare document (not at one anchor of an endpoint that attests the others).
    r"attested: (delete|null) endpoints\.(old|new)\.anchors",
    # The short stage decides nothing, nor does what was planned for it.
    r"attested: .* endpoints\.(old|new)\.(conditions_short|short)(\..*)?",
    r"attested: .* planned_pairs(\.short)?",
    r"attested: (delete|null) planned_pairs\.long",
    # Pairs go before games, games before a reported value: what stands behind may go, what stands before too.
    r"games: (delete|null) endpoints\.(old|new)\.long\.[^.]*\.pentanomial",
    r"games: null endpoints\.(old|new)\.long\.[^.]*\.(wins|draws|losses)",
    # A reported value is another measurement, not a contradiction.
    r"reported: (negative|fractional) endpoints\.(old|new)\.long\.[^.]*\.delta",
    r"reported: fractional endpoints\.(old|new)\.long\.[^.]*\.error",
    # A joint table and a direct match may be left out.
    r"attested: (delete|null) joint(\.[^.]*)?",
    r".*: (delete|null) direct(\.pentanomial)?",
    # A test may have no id.
    r".*: (delete|null) register\.\d+\.id",
    # Without a pass a gain test is uncounted; its short stage decides nothing.
    r".*: (delete|null) register\.\d+\.(long|short)(\.passed)?",
    r".*: .* register\.\d+\.short\..*",
    # A claim is a number like any other, and may lack its half-width; counts may stand in for it and it for counts.
    r".*: (delete|null|negative|fractional) register\.\d+\.long\.elo",
    r".*: (delete|null|fractional) register\.\d+\.long\.elo_error",
    r".*: (delete|null) register\.\d+\.long\.pentanomial",
)


def at(document: object, path: Path_) -> dict[str, object]:
    value = value_at(document, path)
    assert isinstance(value, dict)
    return value


def value_at(document: object, path: Path_) -> object:
    for step in path:
        if isinstance(document, dict):
            document = document[step]
        else:
            assert isinstance(document, list)
            assert isinstance(step, int)
            document = document[step]
    return document


def put(document: object, path: Path_, value: object) -> None:
    parent = value_at(document, path[:-1])
    assert isinstance(parent, dict | list)
    parent[path[-1]] = value  # type: ignore[index]


def places(value: object, path: Path_ = ()) -> Iterator[Path_]:
    if path:
        yield path
    if isinstance(value, dict):
        for name, member in value.items():
            yield from places(member, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def dotted(path: Path_) -> str:
    return ".".join(str(step) for step in path)


def is_cell(path: Path_) -> bool:
    """Whether the place is a count in a list of counts."""
    return isinstance(path[-1], int) and ("pentanomial" in path or path[0] == "joint")


def is_repeated(path: Path_) -> bool:
    """One of many like places: a count, or a member of the third or a later anchor."""
    listed = "anchors" in path[:-2] and int(path[path.index("anchors") + 1]) >= 2
    return is_cell(path) or listed or any(str(step)[:8] in LATER for step in path[:-1])


def deleted(document: dict[str, object], path: Path_) -> None:
    parent = value_at(document, path[:-1])
    assert isinstance(parent, dict | list)
    del parent[path[-1]]  # type: ignore[arg-type]


def renamed(document: dict[str, object], path: Path_) -> None:
    parent = at(document, path[:-1])
    parent[f"{path[-1]}x"] = parent.pop(str(path[-1]))


def changes(value: object, path: Path_) -> Iterator[tuple[str, Callable[[dict[str, object]], None]]]:
    """Every change that makes sense at a place, by name."""
    yield "delete", lambda document: deleted(document, path)
    yield "null", lambda document: put(document, path, None)
    yield "wrong type", lambda document: put(document, path, {"a": 1} if isinstance(value, list | str) else "text")
    yield "boolean", lambda document: put(document, path, "text" if isinstance(value, bool) else True)
    yield "empty", lambda document: put(document, path, "")
    yield "nested", lambda document: put(document, path, json.loads("[" * 200 + "]" * 200))
    if isinstance(path[-1], str):
        yield "renamed", lambda document: renamed(document, path)
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield "negative", lambda document: put(document, path, -abs(value) - 1)
        yield "fractional", lambda document: put(document, path, value + 0.5)
        yield "huge", lambda document: put(document, path, 1e300)
        yield "huge whole", lambda document: put(document, path, 10**30)


@cache
def contract() -> Contract:
    """Edition 7 with a short Monte-Carlo run: the band is not what is looked at here."""
    seven = edition(7)
    parameters = seven.parameters.model_copy(update={"band_draws": 100})
    return seven.model_copy(update={"parameters": parameters})


def outcome(text: str) -> tuple[str, str]:
    """Verdict, or ``refused`` with the message; anything else is an error of the program."""
    try:
        document = read_document(text, where=FILE)
        if document.contract.edition != 7:
            # Which edition a document names is looked up by whoever read it.
            return "refused", f"{FILE}: contract.edition: not built in"
        result = evaluate(document, contract()).to_json()
    except BadInput as error:
        return "refused", str(error)
    written = json.dumps(result, allow_nan=False)
    assert all(math.isfinite(float(number)) for number in re.findall(r"-?\d+\.?\d*e\+\d+", written))
    return str(result["verdict"]), ""


def names_the_place(message: str, path: Path_) -> bool:
    """Whether a refusal names the file, and the place or the object that it stands in, with the member's name."""
    found = re.match(rf"{re.escape(FILE)}: (.*?): ", message)
    if not found:
        return False
    named = found[1]
    if named == dotted(path) or named.startswith(f"{dotted(path)}."):
        return True
    inside = named == "the document" or dotted(path).startswith(f"{named}.") or named == dotted(path[:-1])
    return inside and (isinstance(path[-1], int) or str(path[-1]) in message)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_single_change_slips_through_and_none_breaks_the_program(name: str) -> None:
    base = DOCUMENTS[name]()
    assert outcome(json.dumps(base))[0] in ("CONTINUE", "WARN", "HALT")
    seen = set()
    for number, path in enumerate(places(base)):
        available = list(changes(value_at(base, path), path))
        if is_repeated(path):
            # These places are many and alike: over them the changes take turns.
            available = [available[number % len(available)]]
        for label, change in available:
            document = copy.deepcopy(base)
            change(document)
            verdict, message = outcome(json.dumps(document))
            tried = f"{name}: {label} {dotted(path)}"
            if verdict == "refused":
                assert names_the_place(message, path), f"{tried}: {message}"
            elif verdict not in ("GAP", "DEFECTIVE"):
                allowed = [rule for rule in HARMLESS if re.fullmatch(rule, tried)]
                assert allowed, f"{tried}: {verdict}"
                seen.update(allowed)
    own = {"attested": ("attested:", ".*:"), "games": ("games:", "(games|"), "reported": ("reported:", "(games|")}
    assert {rule for rule in HARMLESS if rule.startswith(own[name])} <= seen


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_unknown_field_is_refused_in_every_object_that_has_fields(name: str) -> None:
    base = DOCUMENTS[name]()
    for path in [(), *places(base)]:
        if not isinstance(value_at(base, path), dict):
            continue
        document = copy.deepcopy(base)
        at(document, path)["unheard"] = None
        verdict, message = outcome(json.dumps(document))
        if path and path[-1] in ("long", "short") and path[0] == "endpoints":
            assert verdict in ("DEFECTIVE", "HALT", "WARN", "CONTINUE")
            assert (verdict == "DEFECTIVE") == (path[-1] == "long")
        elif path == ("joint",):
            assert verdict == "DEFECTIVE"
        else:
            assert verdict == "refused", dotted(path)
            assert "'unheard'" in message
            assert names_the_place(message, (*path, "unheard"))


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_what_is_no_number_of_json_is_refused_wherever_it_stands(literal: str) -> None:
    base = attested()
    for path in places(base):
        if is_cell(path) or isinstance(value_at(base, path), dict | list):
            continue
        document = copy.deepcopy(base)
        put(document, path, "@")
        text = json.dumps(document, indent=1).replace('"@"', literal)
        verdict, message = outcome(text)
        line = text[: text.index(literal)].count("\n") + 1
        assert verdict == "refused"
        assert message.startswith(f"{FILE}: ")
        assert f"line {line} " in message


def test_a_key_that_stands_twice_is_refused_in_every_object() -> None:
    base = attested()
    for path in [(), *places(base)]:
        members = value_at(base, path)
        if not isinstance(members, dict):
            continue
        document = copy.deepcopy(base)
        key = next(iter(members))
        at(document, path)["@"] = members[key]
        verdict, message = outcome(json.dumps(document).replace('"@"', json.dumps(key)))
        assert verdict == "refused"
        assert message.startswith(f"{FILE}: ")
        assert repr(key) in message
