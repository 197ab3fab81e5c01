"""Tests of an OpenBench server: its API's answers, and the text block that it offers for commit messages.

The server gives games as losses, draws, wins. Its bounds are normalized Elo (SPEC section 12). Source: OpenBench's
models and views at commit 9906bad. May import: anchorhold.importers.*.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from anchorhold.importers.base import Import, Place, Problem, Remark
from anchorhold.importers.commits.clocks import clock_in, hash_in, threads_in
from anchorhold.importers.commits.reading import read_message
from anchorhold.importers.documents import documents_of
from anchorhold.importers.drafts import Draft
from anchorhold.importers.fields import Members
from anchorhold.importers.report import Report
from anchorhold.importers.runs import Run, import_of, report_of_run

READER = "openbench/1"
_TEST_PAGE = re.compile(r"(?:test|workload)/(\d+)")


def read_tests(texts: list[tuple[str, str]]) -> Import[Draft]:
    """Read API answers (JSON) and text blocks; an input is one or the other.

    The blocks of one text belong to one change.
    """
    runs: list[Run] = []
    problems: list[Problem] = []
    remarks: list[Remark] = []
    for source, text in texts:
        if text.lstrip()[:1] not in ("{", "["):
            runs += _blocks(text, source, problems)
            continue
        documents, unread = documents_of(text, source=source)
        problems += unread
        for document in documents:
            for value in _infos(document.value):
                run = _run(value, document.place, problems, remarks)
                if run is not None:
                    runs.append(run)
    return import_of(READER, runs, problems, remarks)


def api_urls(url: str) -> list[str]:
    """Return the API's address of a test's page; any other address as it is."""
    parts = urlsplit(url)
    if not parts.path.startswith("/api/") and (found := _TEST_PAGE.search(parts.path)):
        return [f"{parts.scheme}://{parts.netloc}/api/workload/{found.group(1)}/info/"]
    return [url]


def _infos(value: dict[str, object]) -> Iterator[dict[str, object]]:
    info = value.get("info")
    if isinstance(info, dict):
        yield info
        return
    members = [one for one in value.values() if isinstance(one, dict)]
    inner = [one["info"] if isinstance(one.get("info"), dict) else one for one in members]
    listed = [one for one in inner if isinstance(one, dict) and "test_mode" in one]
    yield from listed or [value]


def _run(value: dict[str, object], at: Place, problems: list[Problem], remarks: list[Remark]) -> Run | None:
    if "error" in value and "id" not in value:
        problems.append(Problem(at, "the server answers with an error", str(value["error"])[:200]))
        return None
    own: list[Problem] = []
    number = Members(value, place=at, problems=own).text("id")
    place = Place(f"{at.source}, test {number}" if number else at.source, at.line)
    members = Members(value, place=place, problems=own)
    mode = members.text("test_mode").upper()
    if not number or not (mode or members.has("elolower")):
        what = "no OpenBench test: expected the answer of /api/workload/<id>/info/"
        problems.append(Problem(place, what, ", ".join(list(value)[:10])))
        return None
    if mode in ("SPSA", "DATAGEN"):
        remarks.append(Remark(place, f"a workload of mode {mode}; it claims no gain"))
        return None
    if members.flag("deleted"):
        remarks.append(Remark(place, "a deleted test; not recorded"))
        return None
    report = _report(members, place, sequential=mode != "GAMES")
    dev, base = members.inner("dev"), members.inner("base")
    engines = members.text("dev_engine"), members.text("base_engine")
    passed, failed = members.flag("passed"), members.flag("failed")
    finished = members.flag("finished", default=passed or failed)
    if own:
        problems += own
        return None
    if report.trinomial_counts is None and report.pentanomial is None:
        problems.append(Problem(place, "a test without results"))
        return None
    if engines[0] != engines[1] and all(engines):
        remarks.append(
            Remark(place, f"{engines[0]} was tested against another engine, {engines[1]}; it claims no gain")
        )
        report = replace(report, kind="fixed_games")
    said = "passed" if passed else "failed" if failed else report.outcome
    if report.kind in ("gain", "non_regression") and said != report.outcome:
        remarks.append(Remark(place, f"the server says {said}, the counts do not"))
    return Run(
        id=f"{engines[0]}/{number}" if engines[0] else number,
        report=report,
        finished=finished,
        candidate=dev.text("sha") or dev.text("name"),
        base=base.text("sha") or base.text("name"),
        ended=members.text("updated") or members.text("creation"),
        reason=members.text("info") or dev.text("name"),
        source=f"OpenBench test {number}",
    )


def _report(members: Members, place: Place, *, sequential: bool) -> Report:
    games = members.counts("tri", 3)
    if games is None and members.has("wins"):
        single = [members.count(name) for name in ("losses", "draws", "wins")]
        games = tuple(one for one in single if one is not None) if None not in single else None
    pairs = members.counts("penta", 5)
    if pairs is None and members.has("WW"):
        five = [members.count(name) for name in ("LL", "LD", "DD", "DW", "WW")]
        pairs = tuple(one for one in five if one is not None) if None not in five else None
    if pairs is not None and (not members.flag("use_penta", default=True) or not any(pairs)):
        pairs = None
    low, high = members.number("elolower"), members.number("eloupper")
    bounds = (low, high) if sequential and low is not None and high is not None else None
    low_llr, high_llr = members.number("lowerllr"), members.number("upperllr")
    clock = clock_in(members.text("dev_time_control"))
    options = members.text("dev_options")
    return report_of_run(
        place=place,
        tool="openbench",
        clock=clock,
        threads=threads_in(options) or 1,
        hash_mb=hash_in(options),
        bounds=bounds,
        model="normalized" if bounds is not None else None,
        llr=members.number("currentllr") if sequential else None,
        llr_bounds=(low_llr, high_llr) if low_llr is not None and high_llr is not None else None,
        games=(None, None, None) if games is None else (games[2], games[1], games[0]),
        pentanomial=pairs,
        printed_games=members.count("games"),
    )


def _blocks(text: str, source: str, problems: list[Problem]) -> Iterator[Run]:
    """Read the text blocks of one change; a block's id is made of its figures, for it names nothing else."""
    reading = read_message(text, source=source)
    problems += reading.problems
    if not reading.reports and text.strip():
        problems.append(Problem(Place(source, 1), "neither JSON nor a text block with LLR, Games or Penta", text[:200]))
    for report in reading.reports:
        figures = (report.time_control, report.elo_bounds, report.wins, report.losses, report.draws, report.pentanomial)
        name = hashlib.sha256(repr(figures).encode()).hexdigest()[:16]
        yield Run(
            id=f"block-{name}",
            report=replace(report, tool="openbench"),
            finished=report.outcome in ("passed", "failed"),
            candidate="",
            base="",
            source=f"OpenBench text block, {source}",
            change=source,
            exact=False,
        )
