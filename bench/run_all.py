"""Every figure that has a peer or a limit, one script after the other, and a page of results.

    python bench/run_all.py [--fastchess PATH] [--ordo PATH] [--only NAME …] [--out results.md]

A peer that is neither given nor on the path is not measured against, and the page says so. The machine should have
nothing else to do: the page names its load. Exit status 1 when a figure misses what is asked.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import psutil

from figures import FILE, Figure

HERE = Path(__file__).parent
SCRIPTS: dict[str, list[str]] = {
    "start_up": [],
    "gate_answer": [],
    "verify": [],
    "import_commits": [],
    "pgn_reading": ["--ordo", "{ordo}"],
    "calibrate": [],
    "throughput": ["--fastchess", "{fastchess}"],
    "memory_of_a_run": [],
    "serve": ["--pages", "--match"],
}
"""Each script with its options; one with a peer is left out where that is not installed."""


def main() -> int:
    """Run them, write the page, and say whether all was met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fastchess", default=shutil.which("fastchess"))
    parser.add_argument("--ordo", default=shutil.which("ordo"))
    parser.add_argument("--only", nargs="+", choices=SCRIPTS, default=list(SCRIPTS))
    parser.add_argument("--out", type=Path, default=Path("results.md"))
    given = parser.parse_args()
    peers = {name: os.path.abspath(path) for name, path in vars(given).items() if name in ("fastchess", "ordo") if path}
    page, all_met = (
        [*_heading(), "| what | measured | beside | ratio | asked | |", "| --- | --- | --- | --- | --- | --- |"],
        True,
    )
    for script in given.only:
        rows, met = _run(script, peers)
        page += rows
        all_met &= met
    given.out.write_text("\n".join(page) + "\n", encoding="utf-8")
    print(f"written: {given.out}")
    return int(not all_met)


def _heading() -> list[str]:
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True, check=False
    ).stdout.strip()
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return [
        "# Results",
        "",
        f"Commit {commit or 'unknown'}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {platform.python_version()}, "
        f"{_processor()}, {psutil.cpu_count()} cores, load before the run {load} (1, 5, 15 minutes).",
        "",
    ]


def _processor() -> str:
    """Name the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


def _run(script: str, peers: dict[str, str]) -> tuple[list[str], bool]:
    """Run one script; return its rows of the page, and whether it met what is asked."""
    lacking = [name for name in ("fastchess", "ordo") if f"{{{name}}}" in SCRIPTS[script] and name not in peers]
    if lacking:
        return [f"| {script} | not measured: {lacking[0]} is not installed | | | | |"], True
    print(f"--- {script}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "figures"
        done = subprocess.run(
            [sys.executable, str(HERE / f"{script}.py"), *(word.format_map(peers) for word in SCRIPTS[script])],
            env=os.environ | {FILE: str(file)},
            check=False,
        )
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    figures = [Figure(**json.loads(line)) for line in lines]
    rows = [_row(figure) for figure in figures]
    if done.returncode and all(figure.met for figure in figures):
        rows.append(f"| {script} | failed with status {done.returncode} | | | | |")
    return rows, not done.returncode


def _row(figure: Figure) -> str:
    sign, verdict = ("≥" if figure.at_least else "≤"), ("met" if figure.met else "**missed**")
    return (
        f"| {figure.name} | {figure.value:.4g} {figure.unit} | {figure.beside} {figure.beside_value:.4g} {figure.unit} "
        f"| {figure.ratio:.2f} | {sign} {figure.allowed:g} | {verdict} |"
    )


if __name__ == "__main__":
    raise SystemExit(main())
