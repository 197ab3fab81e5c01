"""Matches of fastchess: its JSON state (``config.json``) and its console output.

The state keeps a pair with one win each and a pair of two draws apart; here they are one class. Half-finished pairs are
not in it. Source: fastchess at commit 74deac2. May import: anchorhold.canonical, importers.*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from anchorhold.canonical import digest
from anchorhold.importers.base import Import, Place, Problem, Remark
from anchorhold.importers.commits.clocks import Clock
from anchorhold.importers.commits.stages import stage_of_clock
from anchorhold.importers.console import begins_with_time, read_console
from anchorhold.importers.counts import MatchCounts
from anchorhold.importers.documents import Document, documents_of
from anchorhold.importers.drafts import Draft
from anchorhold.importers.fields import Members
from anchorhold.importers.matches import MatchImport, fixed_or_sequential, reported, run_of_match
from anchorhold.importers.recount import sound_counts
from anchorhold.importers.report import Report
from anchorhold.importers.runs import Run, import_of
from anchorhold.stats.outcomes import Pentanomial, Trinomial, contradictions
from anchorhold.stats.sprt import BoundsModel, wald_bounds

READER = "fastchess/1"
_MODELS: dict[str, BoundsModel] = {"normalized": "normalized", "logistic": "logistic", "bayesian": "bayeselo"}
_PAIRS = ("penta_LL", "penta_LD", "penta_WL", "penta_DD", "penta_WD", "penta_WW")


@dataclass(slots=True)
class _Found:
    runs: list[Run]
    matches: list[MatchCounts]
    problems: list[Problem]
    remarks: list[Remark]


def read_fastchess(texts: list[tuple[str, str]], *, time_control: str | None = None) -> MatchImport:
    """Read states and console outputs; an input is one or the other.

    Parameters
    ----------
    time_control : str, optional
        That of console outputs which do not print it.
    """
    found = _Found([], [], [], [])
    for source, text in texts:
        # The lines of a log begin with a bracket, too.
        if text.lstrip()[:1] in ("{", "[") and not begins_with_time(text):
            documents, unread = documents_of(text, source=source)
            found.problems += unread
            for document in documents:
                _state(document, found)
        else:
            _console(text, source, time_control, found)
    imported: Import[Draft] = import_of(READER, found.runs, found.problems, found.remarks)
    return MatchImport(imported, tuple(found.matches))


def _console(text: str, source: str, time_control: str | None, found: _Found) -> None:
    console = read_console(text, source=source, tool="fastchess")
    found.problems += console.problems
    found.remarks += console.remarks
    for match in console.matches:
        sound = sound_counts(reported(match.counts, match.report))
        if sound.lost and not match.sequential:
            found.problems.append(Problem(match.place, f"its counts cannot be relied on: {sound.faults[-1]}"))
            continue
        found.matches.append(match.counts)
        if match.sequential:
            found.runs.append(run_of_match(match, tool="fastchess", time_control=time_control, model="normalized"))
        else:
            found.remarks.append(fixed_or_sequential(match.place, match.counts))


def _state(document: Document, found: _Found) -> None:
    own: list[Problem] = []
    members = Members(document.value, place=document.place, problems=own)
    stats = document.value.get("stats")
    if not isinstance(stats, dict) or not isinstance(document.value.get("engines"), list):
        what = "no fastchess state: expected the members 'engines' and 'stats'"
        found.problems.append(Problem(document.place, what, ", ".join(list(document.value)[:10])))
        return
    engines = _engines(document, own)
    matches: dict[tuple[str, str], MatchCounts] = {}
    for key, value in stats.items():
        names = _names(str(key), list(engines))
        if names is None:
            found.problems.append(
                Problem(
                    document.place,
                    f"stats: {str(key)[:100]!r} does not name two of the match's engines in one way",
                )
            )
            continue
        if not isinstance(value, dict):
            found.problems.append(Problem(document.place, f"stats.{key}: expected an object", str(value)[:200]))
            continue
        counts = _counts(value, names, document.place, own, penta=members.flag("report_penta", default=True))
        if counts is None:
            continue
        first, second = names
        # The same two engines may stand in both orders; the order of 'engines' decides whose side is told.
        if list(engines).index(first) > list(engines).index(second):
            counts = counts.swapped()
        pair = (counts.first, counts.second)
        matches[pair] = matches[pair].plus(counts) if pair in matches else counts
    found.problems += own
    found.matches += matches.values()
    sprt = members.inner("sprt")
    for counts in matches.values():
        if not sprt.flag("enabled"):
            found.remarks.append(fixed_or_sequential(document.place, counts))
            continue
        report = _report(counts, sprt, engines[counts.first], document.place)
        if report.bounds_model is None:
            found.problems.append(Problem(document.place, f"sprt.model: unknown model {sprt.text('model')!r}"))
            continue
        if report.llr_bounds is None:
            what = "sprt: alpha and beta are no error rates, expected above 0 and below 0.5"
            found.problems.append(Problem(document.place, what))
            continue
        planned = (members.count("rounds") or 0) * (members.count("games") or 2)
        identity = {
            "names": [counts.first, counts.second],
            "seed": members.text("seed"),
            "sprt": document.value["sprt"],
        }
        identity |= {"opening": document.value.get("opening"), "limit": engines[counts.first].get("limit")}
        found.runs.append(
            Run(
                id=digest(_texts(identity))[:16],
                report=report,
                finished=report.outcome != "unknown" or 0 < planned <= counts.trinomial.games,
                candidate=counts.first,
                base=counts.second,
                source=f"fastchess state {document.place.source}",
            )
        )


def _texts(value: object) -> object:
    """Replace whole numbers by their digits: a seed may be larger than canonical JSON can write."""
    if isinstance(value, dict):
        return {str(name): _texts(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_texts(one) for one in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _engines(document: Document, problems: list[Problem]) -> dict[str, dict[str, object]]:
    engines: dict[str, dict[str, object]] = {}
    listed = document.value["engines"]
    assert isinstance(listed, list)
    for number, value in enumerate(listed, start=1):
        name = value.get("name") if isinstance(value, dict) else None
        if not isinstance(name, str) or name in engines:
            problems.append(Problem(document.place, f"engines.{number}: expected an object with a name of its own"))
            continue
        engines[name] = value
    return engines


def _names(key: str, known: list[str]) -> tuple[str, str] | None:
    """Return the two engines of a key ``A vs B``; None where that is not clear (a name may hold `` vs ``)."""
    found = [(one, other) for one in known for other in known if one != other and f"{one} vs {other}" == key]
    return found[0] if len(found) == 1 else None


def _counts(
    value: dict[str, object], names: tuple[str, str], at: Place, problems: list[Problem], *, penta: bool
) -> MatchCounts | None:
    own: list[Problem] = []
    members = Members(value, place=at, problems=own, path=f"stats.{names[0]} vs {names[1]}.")
    three = [members.count(name) for name in ("wins", "draws", "losses")]
    six = [members.count(name) or 0 for name in _PAIRS]
    problems += own
    wins, draws, losses = three
    if own or wins is None or draws is None or losses is None:
        if not own:
            problems.append(Problem(at, f"stats.{names[0]} vs {names[1]}: expected wins, draws and losses"))
        return None
    pairs = Pentanomial(six[0], six[1], six[2] + six[3], six[4], six[5]) if penta and any(six) else None
    games = Trinomial(wins=wins, draws=draws, losses=losses)
    if pairs is not None and (wrong := contradictions(pairs, games)):
        problems.append(Problem(at, f"stats.{names[0]} vs {names[1]}: {wrong[0]}"))
        return None
    return MatchCounts(*names, pairs, games)


def _report(counts: MatchCounts, sprt: Members, engine: dict[str, object], place: Place) -> Report:
    low, high = sprt.number("elo0"), sprt.number("elo1")
    alpha, beta = sprt.number("alpha", 0.05), sprt.number("beta", 0.05)
    rates = alpha is not None and beta is not None and 0 < alpha < 0.5 and 0 < beta < 0.5
    wald = wald_bounds(alpha, beta) if rates and alpha is not None and beta is not None else None
    clock = _clock(Members(engine, place=place, problems=[]).inner("limit"))
    options = dict(_options(engine))
    report = Report(
        place=place,
        tool="fastchess",
        stage=stage_of_clock(clock),
        time_control=clock.text,
        nodes=clock.nodes,
        depth=clock.depth,
        movetime=clock.movetime,
        threads=_positive(options.get("Threads")) or 1,
        hash_mb=_positive(options.get("Hash")),
        llr_bounds=None if wald is None else (wald.lower, wald.upper),
        elo_bounds=None if low is None or high is None else (low, high),
        bounds_model=_MODELS.get(sprt.text("model") or "normalized"),
    )
    return reported(counts, report)


def _clock(limit: Members) -> Clock:
    """Return the limit of an engine; fastchess keeps milliseconds."""
    nodes, plies, tc = limit.count("nodes"), limit.count("plies"), limit.inner("tc")
    time, increment = (tc.count("time") or 0) / 1000, (tc.count("increment") or 0) / 1000
    if fixed := tc.count("fixed_time"):
        return Clock(movetime=fixed / 1000)
    if time:
        moves = tc.count("moves") or None
        text = f"{time:g}+{increment:g}"
        shown = text if moves is None else f"{moves}/{text}"
        return Clock(text=shown, base=time, increment=increment, moves=moves, seconds_said=True)
    return Clock(nodes=nodes or None, depth=plies or None)


def _options(engine: dict[str, object]) -> Iterator[tuple[str, str]]:
    listed = engine.get("options")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, list) and len(one) == 2:
            yield str(one[0]), str(one[1])


def _positive(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdecimal() and 0 < int(text) < 10**9 else None
