"""``anchorhold anchors rate``: the anchors' ratings from games among them.

May import: typer, anchorhold.checks, anchorhold.config, anchorhold.errors, anchorhold.importers, anchorhold.matches,
anchorhold.stats, anchorhold.cli.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.imports.options import SkipProblemsOption
from anchorhold.cli.options import ConfigOption, JsonOption, WorkersOption
from anchorhold.cli.status import INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anchorhold.checks.anchor_ratings import AnchorRatings
    from anchorhold.config.record import Config
    from anchorhold.stats.rating_checks import Fit
    from anchorhold.stats.ratings import PairedResult, PoolRatings

DIGITS = 1
"""Decimals of a rating that is written: a tenth of an Elo is below what any pool of games tells."""


@fail_cleanly
def rate(
    pgn: Annotated[
        list[str] | None,
        typer.Option("--pgn", metavar="FILE", help="Games already played, also packed, - for standard input; repeat."),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option("--pairs", min=1, help="Play a round robin of the anchors: so many pairs per two. It resumes."),
    ] = None,
    main: Annotated[
        list[str] | None,
        typer.Option("--main", metavar="VERSION", help="With --pairs: let this version of main play along; repeat."),
    ] = None,
    leave_out: Annotated[
        list[str] | None, typer.Option("--leave-out", metavar="NAME", help="Do not use this engine's games; repeat.")
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option("--fix", metavar="NAME=ELO", help="Keep this rating; with several, their agreement is tested."),
    ] = None,
    mean: Annotated[
        float | None,
        typer.Option("--mean", metavar="ELO", help="Mean of the anchors. By default that of their present ratings."),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Put rating and rating_error into anchorhold.toml; comments stay.")
    ] = False,
    skip_problems: SkipProblemsOption = False,
    workers: WorkersOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rate the anchors by Bradley-Terry from games among them, with half-widths from pairs and their covariance.

    The games are played now (--pairs), read from PGN files (--pgn), or both, added up. Every engine that plays is
    rated, main as well. The half-widths (95 %) are what enters h_L; errors that two anchors share cancel in their
    difference, which is shown.

    Example: anchorhold anchors rate --pgn games.pgn --fix "Anchor A=3000"
    """
    from anchorhold.checks.anchor_ratings import rate as rate_anchors
    from anchorhold.errors import BadInput

    if not pgn and pairs is None:
        raise BadInput("there are no games to rate from", next_step="Give --pgn FILE, or --pairs N to play them now.")
    settings = _settings(config, workers=workers, needed=pairs is not None or write)
    results: list[PairedResult] = []
    if pgn:
        results += _read(pgn, skip_problems=skip_problems)
    if pairs is not None:
        assert settings is not None
        results += _play(settings, pairs=pairs, versions=main or [])
    found = rate_anchors(
        results,
        configured={anchor.name: anchor.rating for anchor in settings.anchors} if settings else {},
        fixed=_fixed(fix or []),
        mean=mean,
        leave_out=leave_out or [],
    )
    written = _write(settings, found) if write and settings else []
    if as_json:
        document = {**_document(found), "written": written}
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))
        return
    typer.echo("\n".join(_lines(found, settings)))
    if written and settings:
        typer.echo(
            f"\nWrote {', '.join(written)} into {settings.path}. Pin the set again ('anchorhold anchors pin'); a check"
            " that is open keeps the set that it was opened with."
        )


def _settings(config: Path | None, *, workers: int | None, needed: bool) -> Config | None:
    from anchorhold import config as settings

    if not needed and config is None and not settings.default_file().is_file():
        return None
    return settings.load(config, flags={"workers": workers})


def _fixed(words: Sequence[str]) -> dict[str, float]:
    from anchorhold.errors import BadInput

    found: dict[str, float] = {}
    for word in words:
        name, separator, text = word.rpartition("=")
        try:
            rating = float(text)
        except ValueError:
            rating = math.nan
        if not separator or not name.strip() or not math.isfinite(rating):
            raise BadInput(f"--fix is {word!r}, expected NAME=ELO, such as 'Anchor A=3000'")
        if found.setdefault(name.strip(), rating) != rating:
            raise BadInput(f"--fix gives {name.strip()!r} two ratings, {found[name.strip()]:g} and {rating:g}")
    return found


def _read(files: Sequence[str], *, skip_problems: bool) -> list[PairedResult]:
    from anchorhold.errors import BadInput
    from anchorhold.importers.pgn.reading import read_pgn
    from anchorhold.importers.sources import plain_files
    from anchorhold.stats.ratings import PairedResult

    with contextlib.ExitStack() as stack:
        found = read_pgn([file for one in files for file in stack.enter_context(plain_files(one))])
    if found.problems and not skip_problems:
        raise BadInput(
            f"{len(found.problems) + found.unlisted} places could not be read, the first: {found.problems[0]}",
            where=", ".join(files),
            next_step="--skip-problems goes on with the rest.",
        )
    unused = [f"{number} {reason}" for reason, number in sorted(found.not_counted.items())]
    if singles := sum(record.singles for record in found.records):
        unused.append(f"{singles} without a partner (one opening, both colours)")
    if unused:
        print(f"anchorhold: of {found.games} games these are not used: {', '.join(unused)}", file=sys.stderr)
    return [PairedResult(one.first, one.second, one.pentanomial) for one in found.records]


def _play(settings: Config, *, pairs: int, versions: Sequence[str]) -> list[PairedResult]:
    from anchorhold.checks.identity import FileDigests, run_identity
    from anchorhold.checks.round_robin import RoundRobin, play
    from anchorhold.cli.building import with_built
    from anchorhold.matches.books import load_book
    from anchorhold.matches.greeting import require_start

    settings, versions = with_built(settings, (), versions)
    choice = settings.book
    book = load_book(choice.path, order=choice.order, seed=choice.seed, plies=choice.plies, variant=choice.variant)
    engines = [anchor.spec(settings.long.limit) for anchor in settings.anchors]
    engines += [settings.main.spec(version, settings.long.limit) for version in versions]
    digest_of = FileDigests()
    identities = {engine.name: run_identity(engine, digest_of=digest_of).to_json() for engine in engines}
    for engine in engines:
        require_start(engine, rules=settings.rules)
    plan = RoundRobin(tuple(engines), identities, book, settings.rules, pairs)
    shown = -1

    def on_pair(done: int, total: int) -> None:
        nonlocal shown
        if (step := 20 * done // total) != shown:
            shown = step
            print(f"anchors: {done} of {total} pairs", file=sys.stderr, flush=True)

    try:
        return list(play(plan, directory=settings.data / "anchors", workers=settings.workers, on_pair=on_pair).results)
    except KeyboardInterrupt:
        print("anchorhold: interrupted; the pairs played so far are kept, the same command goes on", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


def _write(settings: Config, found: AnchorRatings) -> list[str]:
    """Write the ratings of the configured anchors that were rated; a fixed one keeps its half-width."""
    from anchorhold.adopt.settings_file import write_ratings

    configured = {anchor.name for anchor in settings.anchors}
    members: dict[str, dict[str, float | str]] = {}
    for rating in found.pool.ratings:
        if rating.name in configured:
            members[rating.name] = {"rating": round(rating.rating, DIGITS)}
            if not rating.held:
                # Rounded up: a half-width must not lose anything, and never becomes 0.
                members[rating.name]["rating_error"] = math.ceil(rating.error * 10**DIGITS) / 10**DIGITS
                members[rating.name]["source"] = f"anchorhold anchors rate, {rating.games} games"
    write_ratings(settings.path, members)
    return list(members)


def _document(found: AnchorRatings) -> dict[str, object]:
    pool = found.pool
    names = [rating.name for rating in pool.ratings]
    return {
        "schema": "anchorhold/ratings/1",
        "pairs": found.pairs,
        "scale": {"kind": found.scale.kind, "mean": found.scale.mean, "of": list(found.scale.of)},
        "ratings": [
            {
                "name": one.name,
                "rating": one.rating,
                "rating_error": one.error,
                "games": one.games,
                "fixed": one.held,
            }
            for one in pool.ratings
        ],
        "covariance": [list(row) for row in pool.covariance],
        "half_width_per_deviation": pool.reach,
        "differences": [
            {"first": first, "second": second, **_difference(pool, first, second)}
            for place, first in enumerate(names)
            for second in names[place + 1 :]
        ],
        "meetings": [
            {
                "first": one.first,
                "second": one.second,
                "pairs": one.pairs,
                "score": one.score,
                "expected": one.expected,
                "deviations": one.deviations,
            }
            for one in found.meetings
        ],
        "one_scale": _fit_json(found.one_scale),
        "fixed_points": [
            {
                "name": one.name,
                "given": one.given,
                "by_the_others": one.by_the_others.rating if one.by_the_others else None,
                "by_the_others_error": one.by_the_others.error if one.by_the_others else None,
            }
            for one in found.fixed
        ],
        "fixed_points_fit": _fit_json(found.fixed_fit),
        "few_pairs": dict(found.few),
    }


def _fit_json(fit: Fit | None) -> dict[str, object] | None:
    return None if fit is None else {"q": fit.q, "degrees": fit.degrees, "p": fit.p}


def _difference(pool: PoolRatings, first: str, second: str) -> dict[str, float]:
    found = pool.difference(first, second)
    return {
        "elo": found.elo,
        "error": found.error,
        "error_if_independent": math.hypot(pool.of(first).error, pool.of(second).error),
    }


def _lines(found: AnchorRatings, settings: Config | None) -> list[str]:
    pool = found.pool
    names = [rating.name for rating in pool.ratings]
    width = max(map(len, names))
    before = {anchor.name: anchor for anchor in settings.anchors} if settings else {}
    lines = [
        f"Ratings from {found.pairs} pairs in {len(found.meetings)} meetings; half-widths at 95 %, from pairs.",
        f"Scale: {_scale(found)}",
    ]
    for one in pool.ratings:
        now = f"  {one.name:<{width}} {one.rating:8.1f} " + ("  fixed" if one.held else f"± {one.error:5.1f}")
        was = before.get(one.name)
        lines.append(
            f"{now}  {one.games:>6} games" + (f"  (was {was.rating:.1f} ± {was.rating_error:.1f})" if was else "")
        )
    lines += ["", "Differences of neighbours; in brackets what the two half-widths alone would say:"]
    for first, second in itertools.pairwise(names):
        one_difference = _difference(pool, first, second)
        lines.append(
            f"  {first + ' over ' + second:<{2 * width + 6}} {one_difference['elo']:7.1f} ± "
            f"{one_difference['error']:5.1f}  (± {one_difference['error_if_independent']:.1f})"
        )
    lines += ["", *_agreement(found)]
    if found.few:
        listed = ", ".join(f"{name} ({count})" for name, count in found.few.items())
        lines.append(f"Few pairs, so single games decide: {listed}. Play more of theirs.")
    return lines


def _scale(found: AnchorRatings) -> str:
    scale = found.scale
    if scale.kind == "fixed":
        return f"{', '.join(scale.of)} fixed."
    whose = f"the {len(scale.of)} engines {', '.join(scale.of)}"
    why = ", as it was" if scale.kind == "kept mean" else ""
    return f"the mean of {whose} is {scale.mean:.1f}{why}."


def _agreement(found: AnchorRatings) -> list[str]:
    lines = []
    if found.one_scale is None:
        lines.append("Whether the meetings fit one rating per engine cannot be told: no meeting is left over.")
    else:
        fit, worst = found.one_scale, found.meetings[0]
        lines += [
            f"Do the meetings fit one rating per engine? Q = {fit.q:.1f} with {fit.degrees} degrees, p = {fit.p:.3f}"
            + (": hardly." if fit.p < 0.01 else "."),
            f"  farthest off: {worst.first} took {worst.score:.1%} from {worst.second}, the ratings say"
            f" {worst.expected:.1%} ({worst.deviations:+.1f} standard deviations, {worst.pairs} pairs)",
        ]
    if len(found.fixed) > 1:
        fixed = found.fixed_fit
        lines.append(
            "The games alone do not join the fixed engines, so nothing says whether their ratings agree."
            if fixed is None
            else f"Do the fixed ratings agree? Q = {fixed.q:.1f} with {fixed.degrees} degrees, p = {fixed.p:.3f}"
            + (": hardly." if fixed.p < 0.01 else ".")
        )
        lines += [
            f"  {one.name} is fixed at {one.given:.1f}; by the games and the others it would be"
            f" {one.by_the_others.rating:.1f} ± {one.by_the_others.error:.1f}"
            for one in found.fixed
            if one.by_the_others is not None
        ]
    return lines
