"""Measures the ratings of the demo's six anchors by games among them, and writes them into the package.

    python scripts/measure_lineup.py --pairs 40 --workers 2 --games lineup

Every anchor plays every other from the openings of the package's book, each opening with both colours, each anchor at
the fixed limit that it has in the demo. The ratings are Bradley-Terry by maximum likelihood with half-widths at 95 %
that count the pair as the unit (stats/ratings.py). The mean of the six is set to 2000: only differences are measured,
and R does not depend on it. An interrupted run is resumed by the same command with the same folder.
May import: anchorhold.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from anchorhold import config
from anchorhold.adopt.lineup import Lineup, MeasuredAnchor, data_file
from anchorhold.canonical import file_sha256
from anchorhold.checks.identity import FileDigests, run_identity
from anchorhold.checks.round_robin import RoundRobin, play
from anchorhold.cli.demo_project import ANCHORS, CONFIG_FILE, Programs, Scale, config_text, find_anchor_programs
from anchorhold.domain.limits import Limit
from anchorhold.matches.books import load_book
from anchorhold.stats.ratings import rate_pool

MEAN = 2000.0
# Printed by no engine in one form, so they stand here; each is checked by its binary's digest.
VERSIONS = {
    "Toga II": "3.0.0.1SE1",
    "GNU Chess": "6.2.7",
    "Ethereal": "12.00",
    "Fairy-Max": "5.0b",
    "Phalanx": "XXV",
    "HoiChess": "0.22.0",
}


@dataclass(frozen=True, slots=True)
class Package:
    """The Debian package that a program came from."""

    name: str
    version: str


def package_of(program: str) -> Package:
    """Ask the system's package database."""
    name = ANCHORS[program][1]
    if shutil.which("dpkg-query") is None:
        return Package(name, "unknown")
    asked = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True, text=True, check=False)
    return Package(name, asked.stdout.strip() or "unknown")


def main() -> None:
    """Play, rate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=40, help="openings per two anchors")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--games", type=Path, required=True, help="folder of the games; not part of the repository")
    parser.add_argument("--output", type=Path, default=data_file("lineup.json"))
    arguments = parser.parse_args()

    programs = find_anchor_programs(path=os.environ.get("PATH", ""))
    digests = {ANCHORS[program][0]: file_sha256(path) for program, path in programs.items()}
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / CONFIG_FILE
        settings.write_text(_settings(programs, digests), encoding="utf-8")
        project = config.load(settings, environment={})
        engines = [anchor.spec(Limit(depth=1)) for anchor in project.anchors]
        book = load_book(data_file("openings.pgn"), order="sequential", seed=1, plies=None, variant="standard")
        digest_of = FileDigests()
        identities = {engine.name: run_identity(engine, digest_of=digest_of).to_json() for engine in engines}
        plan = RoundRobin(tuple(engines), identities, book, project.rules, arguments.pairs)
        results = play(
            plan,
            directory=arguments.games,
            workers=arguments.workers,
            on_pair=lambda done, total: print(f"\r{done} of {total} pairs", end="", file=sys.stderr),
        ).results
        print(file=sys.stderr)
    pool = rate_pool(results, mean=MEAN)
    document = {
        "command": shlex.join(["python", "scripts/measure_lineup.py", "--pairs", str(arguments.pairs)]),
        "measured": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "scale": f"logistic Elo, half-widths at 95 %; the mean of the six is set to {MEAN:g}",
        "book": {"name": "openings.pgn", "sha256": book.sha256, "openings": f"1 to {arguments.pairs}, both colours"},
        "anchors": {
            rating.name: {
                "version": VERSIONS[rating.name],
                "package": " ".join((package.name, package.version)),
                "sha256": digests[rating.name],
                "limit": next(engine.limit.to_json() for engine in engines if engine.name == rating.name),
                "games": rating.games,
                "rating": round(rating.rating, 1),
                "rating_error": round(rating.error, 1),
            }
            for rating in pool.ratings
            for program, (name, _) in ANCHORS.items()
            if name == rating.name
            for package in [package_of(program)]
        },
        "pairs": [{"first": r.first, "second": r.second, "pentanomial": list(r.pairs.as_tuple())} for r in results],
    }
    arguments.output.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for rating in pool.ratings:
        print(f"{rating.name:10} {rating.rating:7.1f} ± {rating.error:.1f}  ({rating.games} games)")


def _settings(programs: dict[str, Path], digests: dict[str, str]) -> str:
    """Fill in the demo's template with ratings that nobody reads here: only the anchors' commands are wanted."""
    unknown = Lineup(
        anchors={
            name: MeasuredAnchor(name, VERSIONS[name], digests[name], Limit(depth=1), 0.0, 0.0) for name in digests
        },
        command="",
        measured="",
    )
    nowhere = Path("/nowhere")
    return config_text(Programs(nowhere, nowhere, nowhere, programs), unknown, Scale(1, 1, 1))


if __name__ == "__main__":
    main()
