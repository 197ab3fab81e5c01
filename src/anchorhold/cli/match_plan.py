"""What a plain match consists of: engines, meetings, book and rules, from what the command line says.

May import: anchorhold.cli.engine_words, match_words, anchorhold.canonical, anchorhold.domain, anchorhold.errors,
anchorhold.matches, anchorhold.stats.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from anchorhold import __version__
from anchorhold.canonical import file_sha256, nearest
from anchorhold.cli import match_words as words
from anchorhold.cli.engine_words import parse_engines
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import Variant
from anchorhold.errors import BadInput
from anchorhold.matches.books import Book, load_book, numbered_book
from anchorhold.matches.engine_files import at_absolute_paths, file_digests
from anchorhold.matches.jobs import MatchRules, PairJob, TablebaseRule
from anchorhold.matches.schedule import Tournament, match_jobs, meetings
from anchorhold.matches.shards import WHOLE, Manifest, Shard
from anchorhold.stats.sprt import Sprt

RUN = "match"
STAGE = "match"

TOURNAMENTS: Mapping[str, Tournament] = {
    "roundrobin": "round-robin",
    "round-robin": "round-robin",
    "gauntlet": "gauntlet",
}
VARIANTS: Mapping[str, Variant] = {
    "standard": "standard",
    "chess960": "chess960",
    "fischerandom": "chess960",
    "frc": "chess960",
}


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """The options of the command line that say what is played, as they were given."""

    engines: Sequence[str]
    each: str | None
    openings: str | None
    rounds: int
    games: int
    tournament: str
    seeds: int
    seed: int
    variant: str
    draw: str | None
    resign: str | None
    maxmoves: int | None
    tb: str | None
    tbpieces: int | None
    tbignore50: bool
    tbadjudicate: str
    wait: int
    startup_ms: int
    ping_ms: int
    stall: float
    max_failures: int
    sprt: str | None
    shard: str | None = None


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match, ready to be played."""

    engines: tuple[EngineSpec, ...]
    tournament: Tournament
    seeds: int
    book: Book
    rules: MatchRules
    pairs: int
    """Per meeting."""
    test: Sprt | None
    shard: Shard = WHOLE
    """The part of it that is played here; 1/1: all."""

    @property
    def meetings(self) -> list[tuple[EngineSpec, EngineSpec]]:
        """Who meets whom, the first engine first."""
        return meetings(self.engines, tournament=self.tournament, seeds=self.seeds)

    @property
    def total(self) -> int:
        """Pairs that are played here: of the whole match, or of its shard."""
        return self.shard.openings(self.pairs) * len(self.meetings)

    @property
    def threads(self) -> int:
        """Threads of the engine that has most."""
        return most_threads(self.engines)

    @property
    def on_clock(self) -> bool:
        """Whether the time of any engine is bounded."""
        return any(engine.limit.on_clock for engine in self.engines)

    def jobs(self) -> Iterator[PairJob]:
        """Yield the pairs that are played here, opening by opening."""
        jobs = match_jobs(
            run=RUN,
            engines=self.engines,
            tournament=self.tournament,
            seeds=self.seeds,
            book=self.book,
            pairs=self.pairs,
            rules=self.rules,
            stage=STAGE,
        )
        return (job for job in jobs if self.shard.holds(job.key.opening))

    def manifest(self) -> Manifest:
        """Say what the file of a shard is a part of, with engines as they are on the disk now."""
        return Manifest(
            plan=self.to_json(),
            shard=self.shard,
            pairs=self.total,
            total=self.pairs * len(self.meetings),
            engines={e.name: file_digests(at_absolute_paths(e)) for e in self.engines},
            runner=f"anchorhold {__version__}",
        )

    def in_words(self) -> str:
        """Say what is going to be played in one line."""
        count = len(self.meetings)
        form = ""
        if len(self.engines) > 2:
            seeds = f" with {self.seeds} seeds" if self.tournament == "gauntlet" and self.seeds > 1 else ""
            form = f"{self.tournament}{seeds} of {len(self.engines)} engines, {count} meetings: "
        part = f"shard {self.shard} of {self.pairs * count} pairs: " if self.shard.of > 1 else ""
        return f"{form}{part}{self.total} pairs, {2 * self.total} games"

    def conditions(self) -> list[str]:
        """Say for each meeting under which limits and from which book it is played."""
        return [_conditions(first, second, self.book) for first, second in self.meetings]

    def to_json(self) -> dict[str, object]:
        """Return what must be the same for a match to go on; more pairs and other workers are no other match."""
        book, rules, test = self.book, self.rules, self.test
        return {
            "engines": [
                {
                    "name": e.name,
                    "command": list(e.command),
                    "directory": None if e.directory is None else str(e.directory),
                    "files": _digests(e),
                    "protocol": e.protocol,
                    "options": [[name, value] for name, value in e.options],
                    "setup": list(e.setup),
                    "depth_command": e.depth_command,
                    "restart": e.restart,
                    "limit": e.limit.to_json(),
                    "margin": e.margin,
                }
                for e in self.engines
            ],
            "tournament": self.tournament,
            "seeds": self.seeds,
            "book": {
                "sha256": book.sha256,
                "order": book.order,
                "seed": book.seed,
                "plies": book.plies,
                "start": book.start,
            },
            "variant": book.variant,
            "rules": {**rules.to_json(), "stall_timeout": rules.stall_timeout},
            "tablebases": _tablebase_conditions(rules.tablebases),
            # Bounds that change while a test runs make it another test.
            "sprt": None if test is None else [test.elo0, test.elo1, test.model, test.alpha, test.beta],
        }


def make_plan(given: MatchOptions) -> MatchPlan:
    """Read the options, open the book and the tablebases.

    Raises
    ------
    BadInput
        Anything that cannot be played as it is asked for.
    """
    engines = parse_engines(given.engines, each=given.each)
    test = words.parse_sprt(given.sprt)
    tournament = TOURNAMENTS[_choice("--tournament", given.tournament, TOURNAMENTS)]
    variant = VARIANTS[_choice("--variant", given.variant, VARIANTS)]
    if given.games != 2:
        raise BadInput(
            f"--games is {given.games}, but a round is a pair of 2 games, both colours from one opening",
            next_step=f"Give --rounds {max(1, given.rounds * given.games // 2)} and leave --games out",
        )
    if test is not None and len(engines) != 2:
        raise BadInput(f"--sprt tests one engine against one other, but {len(engines)} are given")
    if not 0.0 < given.stall <= 1e6:
        raise BadInput(f"--stall is {given.stall}, expected seconds of at most 1000000")
    shard = WHOLE if given.shard is None else Shard.parse(given.shard)
    if shard.of > 1 and test is not None:
        raise BadInput(
            "--shard cannot be used with --sprt: whether the test goes on depends on the pairs of all shards"
        )
    if shard.of > given.rounds:
        raise BadInput(f"--shard {shard}: {given.rounds} rounds are no {shard.of} parts")
    rules = MatchRules(
        draw=words.parse_draw(given.draw),
        resign=words.parse_resign(given.resign),
        max_moves=given.maxmoves,
        tablebases=words.parse_tablebases(
            given.tb, pieces=given.tbpieces, ignore_50=given.tbignore50, decides=given.tbadjudicate
        ),
        wait=given.wait / 1000,
        start_timeout=given.startup_ms / 1000,
        ping_timeout=given.ping_ms / 1000,
        stall_timeout=given.stall,
        max_failures=given.max_failures,
    )
    if rules.tablebases is not None:
        _tablebase_conditions(rules.tablebases)  # so that a damaged table stops the match before it begins
    plan = MatchPlan(
        engines=engines,
        tournament=tournament,
        seeds=given.seeds,
        book=open_book(words.parse_openings(given.openings), seed=given.seed, variant=variant),
        rules=rules,
        pairs=given.rounds,
        test=test,
        shard=shard,
    )
    assert plan.meetings, "fewer than two engines are refused"
    return plan


def _tablebase_conditions(rule: TablebaseRule | None) -> dict[str, object] | None:
    if rule is None:
        return None
    from anchorhold.matches.tablebases import tablebase_conditions  # slow to load, and few matches need it

    return tablebase_conditions(rule)


def most_threads(engines: Sequence[EngineSpec]) -> int:
    """Return the threads of the engine that has most, by its option Threads."""
    counts = [value for engine in engines for name, value in engine.options if name.lower() == "threads"]
    return max([1, *(count for count in counts if isinstance(count, int))])


def open_book(choice: words.OpeningsChoice, *, seed: int, variant: Variant) -> Book:
    """Open the book that was chosen; without one that of the package.

    Raises
    ------
    BadInput
        It cannot be read, or nothing in it can be played.
    """
    seed = seed if choice.seed is None else choice.seed
    if choice.positions is not None:
        if variant != "chess960":
            raise BadInput("positions= are those of Chess960", where="--openings", next_step="Add --variant chess960")
        return numbered_book(choice.positions, order=choice.order, seed=seed, start=choice.start)
    return load_book(
        choice.file or Path(str(resources.files("anchorhold") / "data" / "openings.pgn")),
        order=choice.order,
        seed=seed,
        plies=choice.plies,
        variant=variant,
        format=choice.format,
        start=choice.start,
    )


def _choice(option: str, text: str, known: Mapping[str, object]) -> str:
    if text.lower() not in known:
        raise BadInput(f"{option} is {text!r}; known are {', '.join(known)}", next_step=nearest(text.lower(), known))
    return text.lower()


def _digests(engine: EngineSpec) -> dict[str, str]:
    """SHA-256 of the program and of every argument that is a file: an engine built anew is another engine."""
    base = engine.directory or Path()
    found: dict[str, str] = {}
    program = shutil.which(engine.command[0]) or str(base / engine.command[0])
    for word, path in [(engine.command[0], Path(program)), *((word, base / word) for word in engine.command[1:])]:
        try:
            if path.is_file():
                found[word] = file_sha256(path)
        except (OSError, ValueError):
            continue  # an argument that is no path: too long, or with a zero byte
    return found


def _conditions(first: EngineSpec, second: EngineSpec, book: Book) -> str:
    limits = [", ".join(f"{k} {v}" for k, v in e.limit.to_json().items()) for e in (first, second)]
    return f"{limits[0] if limits[0] == limits[1] else ' / '.join(limits)}; {book.path.name}"
