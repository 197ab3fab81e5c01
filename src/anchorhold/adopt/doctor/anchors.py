"""The anchors: how many, as pinned, with plausible ratings, and within reach of main.

Ratings in logistic Elo with 95 % half-widths. May import: anchorhold.canonical, checks, config, domain, stats,
anchorhold.adopt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from anchorhold.adopt.anchor_text import UNRATED, UNRATED_ERROR
from anchorhold.adopt.doctor.findings import Finding
from anchorhold.adopt.lineup import Lineup
from anchorhold.checks.anchors import compare, pinned_anchors
from anchorhold.checks.state import checks_of, last_anchor_set
from anchorhold.config.record import Config
from anchorhold.domain.contract import Contract
from anchorhold.domain.entries import Entry
from anchorhold.stats.elo import NoEstimate, elo_from_pentanomial
from anchorhold.stats.outcomes import PAIR_SCORES, Pentanomial

WIDE = 150.0
"""Half-width, Elo, beyond which an anchor's rating says little."""
SPREAD = 1200.0
"""Elo between the strongest and the weakest anchor beyond which no main is near both."""
FAR = 0.05
"""Score nearer to 0 or 1 than that: most games against this anchor tell nothing."""
REPIN = "Pin the set as it is now: 'anchorhold anchors pin'; or bring back what was pinned"


def look_at_count(config: Config, contract: Contract) -> Iterator[Finding]:
    """Are there as many anchors as the contract wants?"""
    count, expected = len(config.anchors), contract.parameters.anchors
    text = f"{count} configured, contract edition {contract.edition} needs {expected}"
    if count != expected:
        yield Finding(
            "anchors", "failure", text, "'anchorhold engines list' shows more; 'anchorhold engines add' adds one"
        )
    else:
        yield Finding("anchors", "ok", text)


def look_at_pins(config: Config, entries: Sequence[Entry], *, digest_of: Callable[[Path], str]) -> Iterator[Finding]:
    """Hash what would be run and compare it with the pinned set."""
    entry = last_anchor_set(entries)
    if entry is None:
        yield Finding("pinned", "failure", "no anchor set is pinned", "Pin the anchors: 'anchorhold anchors pin'")
        return
    states = compare(pinned_anchors(entry), config.anchors, digest_of=digest_of)
    for state in states:
        if state.problems:
            yield Finding("pinned", "failure", f"{state.name}: {'; '.join(state.problems)}", REPIN)
    if not any(state.problems for state in states):
        yield Finding("pinned", "ok", f"all {len(states)} are what was pinned (entry {entry.seq})")


def look_at_ratings(config: Config, lineup: Lineup) -> Iterator[Finding]:
    """Are the ratings such that a weighted mean over them makes sense?"""
    rate = "Measure it: 'anchorhold anchors rate --pairs 50 --write', then 'anchorhold anchors pin'"
    found: list[Finding] = []
    for anchor in config.anchors:
        held = f"{anchor.name}: {anchor.rating:g} ± {anchor.rating_error:g}"
        measured = lineup.anchors.get(anchor.name)
        source = anchor.source or ""
        if source == UNRATED or anchor.rating_error >= UNRATED_ERROR:
            found.append(Finding("ratings", "warning", f"{held} is only a place for a rating", rate))
        elif anchor.rating_error > WIDE:
            found.append(Finding("ratings", "warning", f"{held}: so wide that it weighs little", rate))
        elif anchor.rating_error == 0.0:
            found.append(
                Finding(
                    "ratings", "warning", f"{held}: no rating is known exactly", "Give its half-width: rating_error"
                )
            )
        elif measured is not None and source.startswith(lineup.source) and anchor.limit != measured.limit:
            was = ", ".join(f"{name} {value}" for name, value in measured.limit.to_json().items())
            found.append(Finding("ratings", "warning", f"{held} was measured at {was}, and is played otherwise", rate))
        elif "of another build" in source:
            found.append(Finding("ratings", "warning", f"{held} was measured on another build", rate))
    if len(config.anchors) > 1:
        ratings = [anchor.rating for anchor in config.anchors]
        if max(ratings) - min(ratings) > SPREAD:
            found.append(
                Finding(
                    "ratings",
                    "warning",
                    f"{max(ratings) - min(ratings):g} Elo between the strongest and the weakest anchor",
                    "Bring them together with limits of their own: limit = { depth = 5 }",
                )
            )
    yield from found
    if not found and config.anchors:
        yield Finding(
            "ratings", "ok", "; ".join(f"{one.name} {one.rating:g} ± {one.rating_error:g}" for one in config.anchors)
        )


def last_scores(entries: Sequence[Entry]) -> tuple[str, dict[str, Pentanomial]] | None:
    """Return the pairs of main's new version in the last measurement of the long stage, and the check's name."""
    for check in reversed(checks_of(entries)):
        measurement = check.measured().get(("new", "long"))
        if measurement is not None:
            found = {name: Pentanomial(*counts.pentanomial) for name, counts in measurement.counts.items()}
            return f"in {check.id}", found
    return None


def look_at_distance(scores: Mapping[str, Pentanomial], where: str) -> Iterator[Finding]:
    """Is main within reach of every anchor? An estimate outside the clip is no measurement (SPEC section 2)."""
    near: list[str] = []
    for name, pairs in scores.items():
        score = sum(count * value for count, value in zip(pairs.counts(), PAIR_SCORES, strict=True)) / pairs.pairs
        words = f"main scores {100 * score:.1f} % against {name} {where}"
        closer = f"Give {name} or main another limit, so that they come closer"
        try:
            elo_from_pentanomial(pairs)
        except NoEstimate as reason:
            yield Finding("distance", "failure", f"{words}: {reason}, so that its measurement would be missing", closer)
            continue
        if not FAR <= score <= 1 - FAR:
            yield Finding("distance", "warning", f"{words}: most games tell nothing", closer)
        else:
            near.append(f"{name} {100 * score:.0f} %")
    if near:
        yield Finding("distance", "ok", f"main's score {where}: {', '.join(near)}")
