"""The figures of a match as text in the field's form and as JSON.

May import: anchorhold.cli.match_figures, anchorhold.matches, anchorhold.stats.
"""

from __future__ import annotations

from collections.abc import Sequence

from anchorhold.cli.match_figures import Meeting, SprtState, Standings
from anchorhold.matches.jobs import Overhead
from anchorhold.stats.figures import draw_ratio, likelihood_of_superiority, pairs_ratio


def meeting_text(meeting: Meeting, *, conditions: str) -> str:
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
        f"LOS: {percent(likelihood_of_superiority(pairs))}, DrawRatio: {percent(draw_ratio(pairs))},"
        f" PairsRatio: {ratio(pairs_ratio(pairs))}"
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


def standings_text(found: Standings) -> str:
    """Write the table of all engines, with the ratings' errors."""
    width = max(len("Name"), *(len(row.name) for row in found.rows))
    lines = [f"{'Rank':>4}  {'Name':<{width}}  {'Elo':>8}  {'±':>7}  {'Games':>7}  {'Points':>9}  {'Score':>8}"]
    for rank, row in enumerate(found.rows, start=1):
        elo, error = ("", "") if row.rating is None else (f"{row.rating.rating:+.2f}", f"{row.rating.error:.2f}")
        score = f"{100 * row.points / row.games:.2f} %" if row.games else ""
        lines.append(
            f"{rank:>4}  {row.name:<{width}}  {elo:>8}  {error:>7}  {row.games:>7}  {row.points:>9.1f}  {score:>8}"
        )
    if found.no_ratings:
        lines.append(f"No ratings: {found.no_ratings}")
    return "\n".join(lines)


def overhead_text(overhead: Overhead) -> str:
    """Write what the referee cost in one line; empty where nothing was measured."""
    turnaround, cpu = overhead.turnaround_per_ply, overhead.cpu_per_ply
    if turnaround is None or cpu is None:
        return ""
    return (
        f"Referee: {1e6 * turnaround:.0f} µs between a move and the next go (worst {1e3 * overhead.worst:.1f} ms),"
        f" {1e6 * cpu:.0f} µs of processor time a ply"
    )


def meeting_json(meeting: Meeting) -> dict[str, object]:
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


def standings_json(found: Standings) -> list[dict[str, object]]:
    """Return the table of all engines as JSON, the best first."""
    return [
        {
            "name": row.name,
            "games": row.games,
            "points": row.points,
            "elo": row.rating.rating if row.rating else None,
            "elo_error": row.rating.error if row.rating else None,
        }
        for row in found.rows
    ]


def overhead_json(overhead: Overhead) -> dict[str, object]:
    """Return what the referee cost as JSON, in seconds."""
    return {
        "plies": overhead.plies,
        "turnaround_per_ply": overhead.turnaround_per_ply,
        "worst_turnaround": overhead.worst,
        "cpu_per_ply": overhead.cpu_per_ply,
    }


def percent(value: float | None) -> str:
    """Write a share in percent; ``none`` where it does not exist."""
    return "none" if value is None else f"{100 * value:.2f} %"


def ratio(value: float | None) -> str:
    """Write the ratio of pairs won and lost."""
    return "none (no pair lost)" if value is None else f"{value:.2f}"


def each_meeting(meetings: Sequence[Meeting], conditions: Sequence[str], state: SprtState | None) -> str:
    """Write all meetings, each with the test's state where one runs."""
    blocks = []
    for meeting, words in zip(meetings, conditions, strict=True):
        block = meeting_text(meeting, conditions=words)
        blocks.append(block if state is None else f"{block}\n{sprt_text(state)}")
    return "\n\n".join(blocks)
