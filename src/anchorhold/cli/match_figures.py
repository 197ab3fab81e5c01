"""The figures of a plain match: from its journal to records, to text, to JSON.

Seen from the first engine of each meeting. May import: anchorhold.domain, anchorhold.matches, anchorhold.stats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from anchorhold.domain.games import PairRecord
from anchorhold.matches.journal import Journal
from anchorhold.stats.elo import Estimate, NoEstimate, elo_from_pentanomial
from anchorhold.stats.figures import draw_ratio, likelihood_of_superiority, pairs_ratio
from anchorhold.stats.outcomes import Pentanomial, Trinomial
from anchorhold.stats.sprt import Sprt


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one engine made of another."""

    first: str
    second: str
    pairs: Pentanomial
    games: Trinomial
    estimate: Estimate | None
    no_estimate: str
    """Why there is no estimate; empty when there is one."""
    terminations: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)
    """Games lost by own fault, by engine; engines without any are left out."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a sequential test stands."""

    test: Sprt
    llr: float
    decision: str
    """``passed``, ``failed`` or ``undecided``."""


def meetings(journal: Journal, engines: Sequence[str], *, run: str, until: int | None = None) -> list[Meeting]:
    """Count what is in the journal, in the order of the engines; ``until``: openings up to this number only."""
    tallies: dict[tuple[str, str], _Tally] = {}
    for record in journal.pairs(run=run):
        if until is None or record.key.opening <= until:
            tallies.setdefault((record.key.endpoint, record.key.anchor), _Tally()).add(record)
    place = {name: number for number, name in enumerate(engines)}
    return [tallies[meeting].meeting(*meeting) for meeting in sorted(tallies, key=lambda m: (place[m[0]], place[m[1]]))]


class _Tally:
    def __init__(self) -> None:
        self.pairs = [0] * 5
        self.games = [0] * 3
        self.terminations: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def add(self, record: PairRecord) -> None:
        self.pairs[record.half_points] += 1
        for game in record.games:
            self.games[game.first_half_points] += 1
            self.terminations[game.termination] += 1
            if game.fault_of:
                self.faults[record.key.endpoint if game.fault_of == "first" else record.key.anchor] += 1

    def meeting(self, first: str, second: str) -> Meeting:
        pairs = Pentanomial(*self.pairs)
        estimate, why_not = None, ""
        try:
            estimate = elo_from_pentanomial(pairs)
        except NoEstimate as reason:
            why_not = str(reason)
        losses, draws, wins = self.games
        return Meeting(
            first=first,
            second=second,
            pairs=pairs,
            games=Trinomial(wins=wins, draws=draws, losses=losses),
            estimate=estimate,
            no_estimate=why_not,
            terminations=dict(self.terminations),
            faults=dict(self.faults),
        )


def to_text(meeting: Meeting, *, conditions: str) -> str:
    """Write one meeting as a block of lines in the field's form."""
    games, pairs = meeting.games, meeting.pairs
    points = games.wins + games.draws / 2
    lines = [f"Results of {meeting.first} against {meeting.second} ({conditions}):"]
    if meeting.estimate is None:
        lines.append(f"Elo: no estimate, {meeting.no_estimate}")
    else:
        e = meeting.estimate
        lines.append(f"Elo: {e.elo:.2f} ± {e.error:.2f}, nElo: {e.nelo:.2f} ± {e.nelo_error:.2f} (95 %)")
    lines.append(
        f"LOS: {_percent(likelihood_of_superiority(pairs))}, DrawRatio: {_percent(draw_ratio(pairs))},"
        f" PairsRatio: {_ratio(pairs_ratio(pairs))}"
    )
    share = f" ({100 * points / games.games:.2f} %)" if games.games else ""
    lines.append(
        f"Games: {games.games}, Wins: {games.wins}, Losses: {games.losses}, Draws: {games.draws},"
        f" Points: {points:.1f}{share}"
    )
    lines.append(f"Ptnml(0-2): {list(pairs.as_tuple())}")
    if meeting.faults:
        lines.append("Lost by own fault: " + ", ".join(f"{n} {c}" for n, c in sorted(meeting.faults.items())))
    return "\n".join(lines)


def sprt_text(state: SprtState) -> str:
    """Write where a sequential test stands in one line."""
    bounds, test = state.test.bounds, state.test
    words = {"passed": "H1 was accepted", "failed": "H0 was accepted", "undecided": "not decided"}
    return (
        f"LLR: {state.llr:.2f} ({bounds.lower:.2f}, {bounds.upper:.2f}) [{test.elo0:.2f}, {test.elo1:.2f}]"
        f" {test.model}, {words[state.decision]}"
    )


def to_json(meeting: Meeting) -> dict[str, object]:
    """Return one meeting as JSON; what does not exist is null."""
    e = meeting.estimate
    return {
        "first": meeting.first,
        "second": meeting.second,
        "pentanomial": list(meeting.pairs.as_tuple()),
        "wins": meeting.games.wins,
        "draws": meeting.games.draws,
        "losses": meeting.games.losses,
        "elo": e.elo if e else None,
        "elo_error": e.error if e else None,
        "nelo": e.nelo if e else None,
        "nelo_error": e.nelo_error if e else None,
        "no_estimate": meeting.no_estimate or None,
        "los": likelihood_of_superiority(meeting.pairs),
        "draw_ratio": draw_ratio(meeting.pairs),
        "pairs_ratio": pairs_ratio(meeting.pairs),
        "terminations": dict(sorted(meeting.terminations.items())),
        "faults": dict(sorted(meeting.faults.items())),
    }


def sprt_json(state: SprtState) -> dict[str, object]:
    """Return a sequential test as JSON."""
    return {
        "bounds": [state.test.elo0, state.test.elo1],
        "bounds_model": state.test.model,
        "alpha": state.test.alpha,
        "beta": state.test.beta,
        "llr": state.llr,
        "llr_bounds": [state.test.bounds.lower, state.test.bounds.upper],
        "decision": state.decision,
    }


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{100 * value:.2f} %"


def _ratio(value: float | None) -> str:
    return "none (no pair lost)" if value is None else f"{value:.2f}"
