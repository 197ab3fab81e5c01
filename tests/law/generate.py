"""Random evaluation documents: whole ones in every form the rule allows, and ones with a defect put in."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from law.independent import GAME_SCORES, PAIR_SCORES, estimated

Document = dict[str, object]
Random = np.random.Generator
T = TypeVar("T")

OTHER_KINDS = ("rejected_test", "special_path", "epoch_change", "retraction", "note")
SPECIAL = ("edge_case", "tempo_change", "game_settings", "simplification")


def chance(random: Random, share: float) -> bool:
    return bool(random.random() < share)


def one_of(random: Random, items: tuple[T, ...]) -> T:
    return items[int(random.integers(len(items)))]


def part(document: object, *keys: str | int) -> dict[str, object]:
    """Return the object at the place, which must be there."""
    for key in keys:
        if isinstance(key, int):
            assert isinstance(document, list)
            document = document[key]
        else:
            assert isinstance(document, dict)
            document = document[key]
    assert isinstance(document, dict)
    return document


def items(document: object, *keys: str | int) -> list[object]:
    *path, last = keys
    value = part(document, *path)[str(last)]
    assert isinstance(value, list)
    return value


def hexadecimal(random: Random) -> str:
    return bytes(random.integers(0, 256, 32, dtype=np.uint8)).hex()


def score_at(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


def pentanomial(random: Random, pairs: int, elo: float) -> list[int]:
    """Play pairs of two games with draws, both games at the same strength."""
    score = score_at(elo)
    drawn = min(score, 1 - score) * 0.8
    win, loss = score - drawn / 2, 1 - score - drawn / 2
    outcomes = [loss**2, 2 * loss * drawn, drawn**2 + 2 * loss * win, 2 * win * drawn, win**2]
    shares = np.array(outcomes) / sum(outcomes)
    return [int(count) for count in random.multinomial(pairs, shares)]


def games_of(random: Random, counts: list[int]) -> dict[str, object]:
    """Wins, draws and losses that these pairs can have consisted of."""
    ll, ld, middle, wd, ww = counts
    decisive = int(random.integers(0, middle + 1))
    return {
        "wins": 2 * ww + wd + decisive,
        "draws": ld + wd + 2 * (middle - decisive),
        "losses": 2 * ll + ld + decisive,
    }


def degenerate(random: Random, pairs: int) -> list[int]:
    """Counts at or beyond the edge of what gives an estimate."""
    counts = [0, 0, 0, 0, 0]
    where = int(random.integers(5))
    counts[where] = pairs
    if chance(random, 0.6):
        counts[int(random.integers(5))] += int(random.integers(1, 4))
    return counts if chance(random, 0.9) else [0, 0, 0, 0, 0]


def measurement(random: Random, pairs: int, elo: float) -> object:
    form = random.random()
    if form < 0.005:
        return None
    if form < 0.01:
        return {"pentanomial": None}
    if form < 0.015:
        return {"delta": one_of(random, (None, 3.0)), "error": None}
    if form < 0.30:
        return {"delta": round(elo, 2), "error": round(float(random.uniform(0.5, 25)), 2)}
    counts = pentanomial(random, pairs, elo) if chance(random, 0.985) else degenerate(random, pairs)
    games = games_of(random, counts)
    if form < 0.45:
        return games
    found: dict[str, object] = {"pentanomial": list(counts)}
    if form < 0.60:
        found.update(games)
    if chance(random, 0.1):
        estimate = estimated(counts, PAIR_SCORES)
        if estimate is not None:
            found["delta"] = estimate.delta + float(random.uniform(-0.04, 0.04))
            found["error"] = float(random.uniform(0.5, 30))
    if chance(random, 0.05):
        found["pentanomial"] = [float(count) for count in counts]
    return found


def stage(random: Random, *, passed: bool, near: float) -> dict[str, object]:
    found: dict[str, object] = {"passed": passed}
    form = random.random()
    size = one_of(random, (40, 400, 5000, 40000))
    counts = pentanomial(random, size, near)
    if form < 0.02:
        counts = degenerate(random, size)
    estimate = estimated(counts, PAIR_SCORES)
    if form < 0.45:
        found["pentanomial"] = counts
        if form < 0.02 or chance(random, 0.3):
            found.update(games_of(random, counts))
    elif form < 0.55:
        found.update(games_of(random, counts))
        estimate = estimated([int(str(found[name])) for name in ("losses", "draws", "wins")], GAME_SCORES)
    else:
        estimate = None
        near = float(random.normal(near, 5))
    if estimate is None or chance(random, 0.4):
        found["elo"] = round(near if estimate is None else estimate.delta + float(random.normal(0, 0.05)), 2)
        if chance(random, 0.85):
            found["elo_error"] = round(float(random.uniform(0.3, 12)), 2)
    elif chance(random, 0.1):
        found["elo"] = None
        found["elo_error"] = one_of(random, (None, 4.5))
    if chance(random, 0.2):
        found.update({"bounds": [0.0, 2], "bounds_model": "normalized", "alpha": 0.05, "beta": 0.05})
    return found


def gain_test(random: Random, level: float) -> dict[str, object]:
    passes = [chance(random, 0.9), chance(random, 0.9)]
    found: dict[str, object] = {"kind": "gain_test"}
    for name, passed in zip(("short", "long"), passes, strict=True):
        if passed or chance(random, 0.7):
            found[name] = stage(random, passed=passed, near=level)
    return found


def other_entry(random: Random, known: list[str]) -> dict[str, object]:
    kind = one_of(random, OTHER_KINDS)
    found: dict[str, object] = {"kind": kind}
    if kind == "special_path":
        found["special"] = one_of(random, SPECIAL)
    if kind == "retraction":
        found["of"] = known[int(random.integers(len(known)))] if known and chance(random, 0.5) else "elsewhere"
    if kind == "rejected_test":
        found["short"] = stage(random, passed=False, near=-1)
        found["long"] = stage(random, passed=False, near=-1)
    return found


def register(random: Random) -> tuple[list[dict[str, object]], dict[str, object]]:
    after = one_of(random, (0, 1, 100, 10**9))
    size = int(random.integers(0, 13)) if chance(random, 0.9) else 0
    level = one_of(random, (6.0, 3.0, 3.0, 10.0, -4.0))
    entries: list[dict[str, object]] = []
    known: list[str] = []
    for seq in range(max(1, after - 2), after + size + 3):
        entry = gain_test(random, level) if chance(random, 0.55) else other_entry(random, known)
        entry["seq"] = float(seq) if chance(random, 0.02) else seq
        if chance(random, 0.9):
            entry["id"] = f"t{seq}"
            known.append(f"t{seq}")
        entries.append(entry)
    inside = [entry for entry in entries if after < float(str(entry["seq"])) <= after + size]
    outside = [entry for entry in entries if entry not in inside]
    shown = inside + (outside if chance(random, 0.3) else [])
    if outside and chance(random, 0.1):
        shown.append(dict(outside[0]))
    if chance(random, 0.5):
        shown = [shown[index] for index in random.permutation(len(shown))]
    return shown, {"after": after, "until": after + size}


def anchor(random: Random, name: str) -> dict[str, object]:
    found: dict[str, object] = {
        "name": name,
        "sha256": hexadecimal(random),
        "rating": round(float(random.uniform(2800, 3200)), 1),
        "rating_error": 0.0 if chance(random, 0.3) else round(float(random.uniform(0.5, 30)), 1),
    }
    if chance(random, 0.6):
        found["version"] = "1.0"
    if chance(random, 0.3):
        found["options"] = {"Hash": 16, "Ponder": False, "EvalFile": "net.bin"}
    if chance(random, 0.3):
        found["files"] = {"net.bin": hexadecimal(random)}
    if chance(random, 0.2):
        found["limit"] = one_of(random, ({"nodes": 100}, {"tc": "8+0.08"}))
    if chance(random, 0.2):
        found["protocol"] = one_of(random, ("uci", "xboard"))
    if chance(random, 0.2):
        found["source"] = "a rating list"
    return found


def conditions(random: Random) -> dict[str, object]:
    found: dict[str, object] = {"time_control": "10+0.1", "threads": 1, "hash_mb": 16}
    if chance(random, 0.5):
        found["book_sha256"] = hexadecimal(random)
        found["book_seed"] = 7
    return found


def as_floats(value: object) -> object:
    """The same values with every whole number written as a fraction of one."""
    if isinstance(value, dict):
        return {key: as_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def joint_table(random: Random, old: list[int], new: list[int]) -> list[list[int]]:
    """A table with exactly these margins; alike pairs tend to stay together."""
    table = [[0] * 5 for _ in range(5)]
    left, right = list(old), list(new)
    for index in range(5):
        share = int(min(left[index], right[index]) * float(random.uniform(0, 0.8)))
        table[index][index] += share
        left[index] -= share
        right[index] -= share
    columns = random.permutation([column for column in range(5) for _ in range(right[column])])
    place = 0
    for row in range(5):
        for column in columns[place : place + left[row]]:
            table[row][int(column)] += 1
        place += left[row]
    return table


def endpoint(random: Random, names: list[str], shared: dict[str, object], pairs: int, level: float) -> Document:
    found: Document = {"conditions": dict(shared), "version": hexadecimal(random)[:7], "long": {}}
    found["long"] = {name: measurement(random, pairs, level + float(random.normal(0, 40))) for name in names}
    return found


def whole(random: Random) -> Document:
    """A document without a defect; parts may be missing."""
    anchors = [anchor(random, f"Anchor {letter}") for letter in "ABCDEF"]
    names = [str(pinned["name"]) for pinned in anchors]
    pairs = one_of(random, (60, 400, 1500, 20000))
    shared = conditions(random)
    progress = float(random.normal(8, 12))
    uniform = chance(random, 0.5)
    ends: dict[str, object] = {}
    for end, gain in (("old", 0.0), ("new", progress)):
        made = endpoint(random, names, shared, pairs, gain)
        if uniform:
            made["long"] = {
                name: {"pentanomial": pentanomial(random, pairs, gain + 30 * index - 60)}
                for index, name in enumerate(names)
            }
        if end == "new" and chance(random, 0.2):
            made["conditions"] = as_floats(shared)
        ends[end] = made
    listed, window = register(random)
    document: Document = {
        "schema": "anchorhold/evaluation/1",
        "contract": {"edition": 7},
        "anchors": anchors,
        "endpoints": ends,
        "register": listed,
        "window": window,
    }
    if chance(random, 0.4):
        for end in ends:
            if chance(random, 0.9):
                seen = [dict(pinned) for pinned in anchors]
                if chance(random, 0.3):
                    seen = [part({"": as_floats(pinned)}, "") for pinned in seen]
                part(ends, end)["anchors"] = [seen[index] for index in random.permutation(6)]
    if chance(random, 0.5):
        short(random, document, names, pairs)
    if chance(random, 0.5):
        joint(random, document, names)
    if chance(random, 0.4):
        given = measurement(random, 900, float(random.normal(15, 15)))
        document["direct"] = given
    if chance(random, 0.3):
        document["planned_pairs"] = {"long": pairs if chance(random, 0.8) else pairs + 1}
        if chance(random, 0.5):
            part(document, "planned_pairs")["short"] = pairs
    if chance(random, 0.02):
        name = one_of(random, ("rating", "rating_error"))
        part(document, "anchors", int(random.integers(6)))[name] = None
        for end in ends:
            part(ends, end).pop("anchors", None)
    return document


def short(random: Random, document: Document, names: list[str], pairs: int) -> None:
    for end in ("old", "new"):
        made = part(document, "endpoints", end)
        made["short"] = {
            name: {"pentanomial": pentanomial(random, pairs, float(random.normal(0, 40)))}
            if chance(random, 0.9)
            else measurement(random, pairs, 5.0)
            for name in names
        }
        made["conditions_short"] = {"time_control": "2+0.02"}


def joint(random: Random, document: Document, names: list[str]) -> None:
    tables: dict[str, object] = {}
    for name in names:
        measured = [part(document, "endpoints", end, "long").get(name) for end in ("old", "new")]
        counts = [item.get("pentanomial") if isinstance(item, dict) else None for item in measured]
        if counts[0] is None or counts[1] is None:
            if chance(random, 0.1):
                tables[name] = joint_table(random, [4, 4, 4, 4, 4], [4, 4, 4, 4, 4])
            continue
        old, new = ([int(count) for count in item or ()] for item in counts)
        if chance(random, 0.05):
            part(document, "endpoints", "new", "long")[name] = {"pentanomial": list(old)}
            tables[name] = [[old[row] if row == column else 0 for column in range(5)] for row in range(5)]
        elif chance(random, 0.8) and sum(old) == sum(new):
            tables[name] = joint_table(random, old, new)
    document["joint"] = tables


Spoiler = Callable[[Random, Document], None]


def some_end(random: Random, document: Document) -> Document:
    return part(document, "endpoints", one_of(random, ("old", "new")))


def some_counts(random: Random, document: Document) -> dict[str, object]:
    """Put a pentanomial with its games at some anchor of some endpoint and return the measurement."""
    name = str(part(document, "anchors", int(random.integers(6)))["name"])
    counts = pentanomial(random, 400, 10)
    found: dict[str, object] = {"pentanomial": list(counts), **games_of(random, counts)}
    part(some_end(random, document), "long")[name] = found
    part({"joint": document.get("joint") or {}}, "joint").pop(name, None)
    return found


def bad_count(random: Random, document: Document) -> None:
    measured = some_counts(random, document)
    bad = one_of(random, (-1, 0.5, 2**53 + 1, -(10**30), 1e300))
    if chance(random, 0.5):
        items(measured, "pentanomial")[int(random.integers(5))] = bad
    else:
        measured[one_of(random, ("wins", "draws", "losses"))] = bad


def games_too_many(random: Random, document: Document) -> None:
    measured = some_counts(random, document)
    measured["wins"] = int(str(measured["wins"])) + 2


def games_swapped(random: Random, document: Document) -> None:
    measured = some_counts(random, document)
    measured["wins"] = int(str(measured["wins"])) + 1
    measured["losses"] = int(str(measured["losses"])) - 1


def draws_impossible(random: Random, document: Document) -> None:
    measured = some_counts(random, document)
    measured.update({"pentanomial": [0, 10, 10, 10, 0], "wins": 25, "draws": 10, "losses": 25})


def delta_not_of_counts(random: Random, document: Document) -> None:
    some_counts(random, document).update({"delta": 99.0, "error": 5.0})


def error_not_positive(random: Random, document: Document) -> None:
    name = str(part(document, "anchors", 0)["name"])
    part(some_end(random, document), "long")[name] = {"delta": 3.0, "error": one_of(random, (0, -1.5))}


def rating_error_negative(random: Random, document: Document) -> None:
    part(document, "anchors", int(random.integers(6)))["rating_error"] = -0.1


def anchors_too_few(random: Random, document: Document) -> None:
    del items(document, "anchors")[int(random.integers(6))]


def anchors_too_many(random: Random, document: Document) -> None:
    added = anchor(random, "Anchor G")
    items(document, "anchors").append(added)
    for end in ("old", "new"):
        part(document, "endpoints", end, "long")["Anchor G"] = {"delta": 3.0, "error": 4.0}


def name_twice(random: Random, document: Document) -> None:
    listed = items(document, "anchors")
    listed[0] = dict(part(document, "anchors", 1))
    assert random is not None


def identity_differs(random: Random, document: Document) -> None:
    made = some_end(random, document)
    made["anchors"] = [dict(part(document, "anchors", index)) for index in range(6)]
    seen = part(made, "anchors", int(random.integers(6)))
    field = one_of(random, ("sha256", "rating", "rating_error", "version", "files", "options", "protocol"))
    value: object = {
        "sha256": hexadecimal(random),
        "rating": 1.5,
        "rating_error": 31.5,
        "version": "2",
        "files": {"other.bin": hexadecimal(random)},
        "options": {"Hash": 17},
        "protocol": "xboard" if seen.get("protocol") != "xboard" else "uci",
    }[field]
    if field in seen and field not in ("sha256", "rating", "rating_error") and chance(random, 0.5):
        del seen[field]
    else:
        seen[field] = value


def stranger_measured(random: Random, document: Document) -> None:
    part(some_end(random, document), "long")["Stranger"] = {"delta": 3.0, "error": 4.0}


def conditions_differ(random: Random, document: Document) -> None:
    changed = part(some_end(random, document), "conditions")
    field = one_of(random, ("hash_mb", "nodes", "threads"))
    if field in changed and chance(random, 0.5):
        del changed[field]
    else:
        changed[field] = 64


def inside(document: Document) -> list[dict[str, object]]:
    window = part(document, "window")
    after, until = (float(str(window[name])) for name in ("after", "until"))
    return [
        part(document, "register", index)
        for index, _ in enumerate(items(document, "register"))
        if after < float(str(part(document, "register", index)["seq"])) <= until
    ]


def entry_missing(random: Random, document: Document) -> None:
    entries = inside(document)
    if entries:
        items(document, "register").remove(entries[int(random.integers(len(entries)))])
    else:
        part(document, "window")["until"] = int(str(part(document, "window")["until"])) + 10**15
        document["register"] = []


def entry_twice(random: Random, document: Document) -> None:
    extend(document, {"kind": "note"}, {"kind": "note"})
    items(document, "register").append(dict(inside(document)[int(random.integers(len(inside(document))))]))


def id_twice(random: Random, document: Document) -> None:
    extend(document, {"kind": "note", "id": "same"}, {"kind": "epoch_change", "id": "same"})
    assert random is not None


def extend(document: Document, *entries: dict[str, object]) -> None:
    """Add entries at the end of the window; what stands outside goes."""
    window = part(document, "window")
    document["register"] = list(inside(document))
    for entry in entries:
        window["until"] = int(str(window["until"])) + 1
        items(document, "register").append({"seq": window["until"], **entry})


def counted(long: dict[str, object], short_stage: dict[str, object] | None = None) -> dict[str, object]:
    given = {"passed": True, "elo": 2.0, "elo_error": 1.0} if short_stage is None else short_stage
    return {"kind": "gain_test", "short": given, "long": {"passed": True, **long}}


def claim_without_value(random: Random, document: Document) -> None:
    absent: dict[str, object] = one_of(
        random, ({}, {"elo": None, "elo_error": 2.0}, {"pentanomial": [0, 0, 40, 0, 0]}, {"pentanomial": None})
    )
    extend(document, counted(dict(absent)))


def claim_against_counts(random: Random, document: Document) -> None:
    counts = pentanomial(random, 5000, 5)
    estimate = estimated(counts, PAIR_SCORES)
    assert estimate is not None
    extend(document, counted({"elo": estimate.delta + 3 * estimate.error, "pentanomial": counts}))


def claim_with_bad_counts(random: Random, document: Document) -> None:
    counts: list[object] = list(pentanomial(random, 5000, 5))
    counts[int(random.integers(5))] = one_of(random, (-4, 7.5))
    extend(document, counted({"elo": 3.0, "elo_error": 2.0, "pentanomial": counts}))


def claim_with_bad_error(random: Random, document: Document) -> None:
    extend(document, counted({"elo": 3.0, "elo_error": one_of(random, (0.0, -2.0))}))


def short_claim_with_bad_error(random: Random, document: Document) -> None:
    bad: dict[str, object] = {"passed": True, "elo": 3.0, "elo_error": one_of(random, (0.0, -2.0))}
    extend(document, counted({"elo": 3.0, "elo_error": 2.0}, bad))


def short_claim_absent(random: Random, document: Document) -> None:
    extend(document, counted({"elo": 3.0, "elo_error": 2.0}, {"passed": True}))
    assert random is not None


def short_counts_bad(random: Random, document: Document) -> None:
    name = str(part(document, "anchors", 2)["name"])
    made = some_end(random, document)
    made.setdefault("short", {})
    part(made, "short")[name] = {"pentanomial": [1, 2, -3, 4, 5]}


def short_conditions_differ(random: Random, document: Document) -> None:
    some_end(random, document)["conditions_short"] = {"time_control": "3+0.03"}


def rejected_with_bad_counts(random: Random, document: Document) -> None:
    bad: dict[str, object] = {"passed": False, "pentanomial": [5, 9, 9.5, 9, 5]}
    extend(document, {"kind": "rejected_test", one_of(random, ("short", "long")): bad})


def margins_differ(random: Random, document: Document) -> None:
    name = str(part(document, "anchors", int(random.integers(6)))["name"])
    counts = [pentanomial(random, 400, 5), pentanomial(random, 400, 15)]
    for end, given in zip(("old", "new"), counts, strict=True):
        part(document, "endpoints", end, "long")[name] = {"pentanomial": given}
    table = joint_table(random, counts[0], counts[1])
    table[int(random.integers(5))][int(random.integers(5))] += 1
    tables = document.setdefault("joint", {})
    assert isinstance(tables, dict)
    tables[name] = table


def direct_contradicts(random: Random, document: Document) -> None:
    counts = pentanomial(random, 400, 15)
    document["direct"] = {"pentanomial": counts, **games_of(random, counts), "delta": -500.0, "error": 4.0}


SPOILERS: tuple[Spoiler, ...] = (
    bad_count,
    games_too_many,
    games_swapped,
    draws_impossible,
    delta_not_of_counts,
    error_not_positive,
    rating_error_negative,
    anchors_too_few,
    anchors_too_many,
    name_twice,
    identity_differs,
    stranger_measured,
    conditions_differ,
    entry_missing,
    entry_twice,
    id_twice,
    claim_without_value,
    claim_against_counts,
    claim_with_bad_counts,
    claim_with_bad_error,
    short_claim_with_bad_error,
    short_claim_absent,
    short_counts_bad,
    short_conditions_differ,
    rejected_with_bad_counts,
    margins_differ,
    direct_contradicts,
)


def spoilt(random: Random, spoiler: Spoiler) -> Document:
    document = whole(random)
    spoiler(random, document)
    return document
