"""A register of any length with real checks in it: every kind of entry, and verdicts that follow from their counts.

Its tests say what the oracle records of a test: bounds, rates, LLR, conditions, games; or what an import finds in the
messages of commits. Whether all tests were kept can be chosen: an imported history cannot say so, the oracle does, and
then every check rests on all tests before it.
"""

import math
import random
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from anchorhold.checks.judging import result_of_check
from anchorhold.checks.state import checks_of, last_closing
from anchorhold.domain.entries import NO_PREVIOUS, Entry
from anchorhold.register import chain
from anchorhold.register.store import Register
from anchorhold.stats.elo import NELO_PER_SIGMA, elo_from_pentanomial
from anchorhold.stats.outcomes import Pentanomial
from anchorhold.stats.sprt import Sprt

_STORED = Path(__file__).parent.parent / "registers" / "schema-1.sqlite"
_START = datetime(2026, 11, 30, tzinfo=UTC)
EVEN, AHEAD = [50, 100, 200, 100, 50], [30, 80, 200, 120, 70]
SHORT, LONG = Sprt(0.0, 0.5), Sprt(0.05, 0.55)
CONDITIONS = {"time_control": "10+0.1", "threads": 1, "hash_mb": 16, "book_sha256": "ab" * 32, "book_order": "random"}


def _templates() -> dict[str, Entry]:
    """The first entry of every kind in a register that real engines filled."""
    with tempfile.TemporaryDirectory() as directory:
        path = shutil.copy(_STORED, directory)
        with Register.open(str(path), read_only=True) as register:
            return {entry.kind: entry for entry in reversed(register.entries())}


class _Book:
    """Entries, one after the other."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, kind: str, payload: Mapping[str, object]) -> Entry:
        number = len(self.entries) + 1
        entry = chain.sealed(
            seq=number,
            prev=self.entries[-1].hash if self.entries else NO_PREVIOUS,
            kind=kind,
            recorded_at=_START + timedelta(minutes=number),
            author="Ada Löwe" if number % 7 == 0 else "ada",
            payload=payload,
        )
        self.entries.append(entry)
        return entry


def long_register(
    count: int, *, checks: int, seed: int = 1, halts: bool = False, all_kept: bool = False, imported: bool = False
) -> list[Entry]:
    """Make ``count`` entries, among them ``checks`` closed checks; the last halts when ``halts``, and an unsigned
    release names it, which opens nothing. Every test declares that all tests were kept when ``all_kept``; when
    ``imported``, it has the form that an import of commits gives.

    Between the checks lie claims as a project makes them: two tests in five gained, two were rejected, of these one in
    four at the long stage.
    """
    chance = random.Random(seed)
    stored = _templates()
    book = _Book()
    book.add("genesis", {"schema": "anchorhold/register/1", "project": "Sparrow"})
    book.add("anchor_set", stored["anchor_set"].payload)
    book.add("contract", stored["contract"].payload)
    between = (count - 4 - 6 * checks) // max(checks, 1)
    for number in range(1, checks + 1):
        for _ in range(between):
            _claim(book, chance, all_kept=all_kept, imported=imported)
        _check(book, stored, number, ahead=not (halts and number == checks))
    if halts:
        closed = book.entries[-1]
        book.add("release", {**stored["release"].payload, "halt": closed.hash, "check": closed.payload["check"]})
    while len(book.entries) < count:
        _claim(book, chance, all_kept=all_kept, imported=imported)
    return book.entries


def _claim(book: _Book, chance: random.Random, *, all_kept: bool, imported: bool) -> None:
    number = len(book.entries) + 1
    commit = f"{chance.getrandbits(160):040x}"
    versions = {"id": f"dev-{number}", "candidate": commit, "base": f"{chance.getrandbits(160):040x}"}
    stage = _stage
    if imported:
        versions = {"id": f"commit:{commit}", "candidate": commit, "date": "2026-11-30", "source": f"commit {commit}"}
        stage = _imported_stage
    kept = {"all_kept": True} if all_kept else {}
    kind = chance.choices(
        ["gain_test", "rejected_test", "special_path", "note", "retraction", "epoch_change"], [40, 40, 8, 8, 3, 1]
    )[0]
    match kind:
        case "gain_test" | "rejected_test":
            passed = kind == "gain_test"
            reaches_long = passed or chance.random() < 0.25
            stages = {"short": stage(chance, SHORT, passed=reaches_long)}
            if reaches_long:
                stages["long"] = stage(chance, LONG, passed=passed)
            book.add(kind, {**versions, **kept, **stages})
        case "special_path":
            book.add(kind, {"special": "simplification", **versions})
        case "note":
            book.add(kind, {"text": f"Notiz {number}: „größer“ → \U0001f40e\n"})
        case "retraction":
            book.add(kind, {"of": f"dev-{max(number - 5, 1)}", "reason": "regressed"})
        case _:
            book.add(kind, {"reason": "new book", "conditions": {"time_control": "10+0.1", "hash_mb": 0.5}})


def _stage(chance: random.Random, test: Sprt, *, passed: bool) -> dict[str, object]:
    """One stage as the oracle records it, stopped at a bound."""
    counts, llr = _stopped(chance, test, passed=passed)
    found = elo_from_pentanomial(counts)
    return {
        "passed": passed,
        "pentanomial": counts.as_tuple(),
        "pairs": counts.pairs,
        "bounds": [test.elo0, test.elo1],
        "bounds_model": test.model,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": llr,
        "outcome": f"{'passed' if passed else 'failed'} after {counts.pairs} pairs (LLR {llr:.2f})",
        "elo": found.elo,
        "elo_error": found.error,
        "conditions": CONDITIONS,
        "games_sha256": f"{chance.getrandbits(256):064x}",
    }


def _imported_stage(chance: random.Random, test: Sprt, *, passed: bool) -> dict[str, object]:
    """One stage as the message of a commit tells it."""
    counts, llr = _stopped(chance, test, passed=passed)
    draws = counts.ld + counts.wd + counts.dd_wl
    decided = 2 * counts.pairs - draws
    ahead = 2 * (counts.ww - counts.ll) + counts.wd - counts.ld
    draws += (decided - ahead) % 2
    decided = 2 * counts.pairs - draws
    return {
        "passed": passed,
        "pentanomial": counts.as_tuple(),
        "pairs": counts.pairs,
        "wins": (decided + ahead) // 2,
        "draws": draws,
        "losses": (decided - ahead) // 2,
        "bounds": [test.elo0, test.elo1],
        "bounds_model": test.model,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": round(llr, 2),
        "outcome": "passed" if passed else "failed",
    }


def _stopped(chance: random.Random, test: Sprt, *, passed: bool) -> tuple[Pentanomial, float]:
    """Counts at which a test has just stopped, with their LLR."""
    pairs = chance.randrange(800_000, 3_000_000)
    share = chance.uniform(0.20, 0.26)
    ends = int(pairs * 0.01)
    sigma = math.sqrt((share + 4 * 0.01) / 8)
    """Standard deviation of a pair's score."""
    bound = test.bounds.upper if passed else test.bounds.lower
    # To first order the LLR is pairs · step · (t − middle), with t in standard deviations of a pair's score.
    per_t = math.sqrt(2.0) / NELO_PER_SIGMA
    step, middle = (test.elo1 - test.elo0) * per_t, (test.elo0 + test.elo1) / 2 * per_t
    t = bound / (pairs * step) + middle
    ahead = round(t * sigma * 4 * pairs)
    low = int(pairs * share - ahead / 2)
    while True:
        counts = Pentanomial(ends, low, pairs - 2 * (ends + low) - ahead, low + ahead, ends)
        llr = test.llr(counts)
        if test.decide(llr) == ("passed" if passed else "failed"):
            return counts, llr
        ahead += 1 if passed else -1


def _check(book: _Book, stored: Mapping[str, Entry], number: int, *, ahead: bool) -> None:
    """Six entries: one opening given up, one measured at both endpoints and closed, and what a review says."""
    closing = last_closing(checks_of(book.entries))
    opened: dict[str, Any] = dict(stored["check_opened"].payload)
    opened["old"] = {**opened["old"], "version": f"v{number}"}
    opened["new"] = {**opened["new"], "version": f"v{number + 1}"}
    opened["window"] = {"after": 1 if closing is None else closing.opened.seq}
    opened["planned_pairs"] = {"long": sum(EVEN)}
    attempt = len(checks_of(book.entries)) + 1
    book.add("check_opened", {**opened, "check": f"check-{attempt}"})
    book.add("check_abandoned", {"check": f"check-{attempt}", "reason": "power cut"})
    name = f"check-{attempt + 1}"
    plan = book.add("check_opened", {**opened, "check": name})
    for endpoint, counts in (("old", EVEN), ("new", AHEAD if ahead else EVEN)):
        payload: dict[str, Any] = dict(stored["measurement"].payload)
        payload.pop("joint", None)
        payload |= {
            "check": name,
            "endpoint": endpoint,
            "version": opened[endpoint]["version"],
            "main": opened[endpoint],
            "counts": {anchor: {"pentanomial": counts} for anchor in payload["counts"]},
        }
        book.add("measurement", payload)
    check = checks_of(book.entries)[-1]
    result = result_of_check(book.entries, check, closing=closing).to_json()
    book.add(
        "check_closed",
        {
            "check": name,
            "verdict": result["verdict"],
            "result": result,
            "window": {"after": opened["window"]["after"], "until": plan.seq},
        },
    )
