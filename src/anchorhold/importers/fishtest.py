"""Run documents of a fishtest server: as its API gives them, one, a list, by id, or one per line.

Old documents lack members; what is absent has the meaning that the server gave it then. Source: fishtest's schemas at
commit b8eecff. May import: anchorhold.errors, anchorhold.importers.*.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from anchorhold.importers.base import Import, Place, Problem, Remark
from anchorhold.importers.commits.clocks import clock_in
from anchorhold.importers.documents import Document, documents_of
from anchorhold.importers.drafts import Draft
from anchorhold.importers.fields import Members
from anchorhold.importers.report import Report
from anchorhold.importers.runs import Run, import_of, report_of_run
from anchorhold.stats.sprt import BoundsModel, wald_bounds

READER = "fishtest/1"
_MODELS: dict[str, BoundsModel] = {"normalized": "normalized", "logistic": "logistic", "bayeselo": "bayeselo"}
_RUN_ID = re.compile(r"[0-9a-fA-F]{24}")
_THREADS = re.compile(r"\bThreads\s*=\s*(\d{1,4})")
_HASH = re.compile(r"\bHash\s*=\s*(\d{1,7})")


def read_runs(texts: list[tuple[str, str]]) -> Import[Draft]:
    """Read run documents.

    Parameters
    ----------
    texts : list of (source, text)
        How places name each input, and what it holds.
    """
    runs: list[Run] = []
    problems: list[Problem] = []
    remarks: list[Remark] = []
    for source, text in texts:
        documents, unread = documents_of(text, source=source)
        problems += unread
        for document in documents:
            for name, value in _values(document):
                if "args" not in value:
                    what = f"{name or 'it'} is no fishtest run: it has no member 'args'"
                    problems.append(Problem(document.place, what, ", ".join(list(value)[:10])))
                elif (run := _run(value, name, document.place, problems, remarks)) is not None:
                    runs.append(run)
    return import_of(READER, runs, problems, remarks)


def api_urls(url: str, *, pages: int) -> list[str]:
    """Return the API's addresses for what a user gives: a run's page, an API address, or an instance by itself."""
    parts = urlsplit(url)
    base = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.strip("/")
    if path.startswith("tests/view/") and (found := _RUN_ID.search(path)):
        return [f"{base}/api/get_run/{found.group()}"]
    if path in ("", "tests", "tests/finished"):
        return [f"{base}/api/finished_runs?page={page}" for page in range(1, pages + 1)]
    return [url]


def _values(document: Document) -> list[tuple[str, dict[str, object]]]:
    """Return the runs of an answer: itself, or its members by id."""
    members = [(name, value) for name, value in document.value.items() if isinstance(value, dict)]
    if "args" in document.value or (document.value and not members):
        return [("", document.value)]
    return members


def _run(value: dict[str, object], name: str, at: Place, problems: list[Problem], remarks: list[Remark]) -> Run | None:
    own: list[Problem] = []
    members = Members(value, place=at, problems=own)
    run_id = members.text("_id") or name
    # Within a large answer the line says little; the run's id says where.
    place = Place(f"{at.source}, run {run_id}" if run_id else at.source, at.line)
    members = Members(value, place=place, problems=own)
    if not run_id:
        problems.append(Problem(place, "a run without an id: a second import could not find it"))
        return None
    args = members.inner("args")
    if args.has("spsa"):
        remarks.append(Remark(place, "a tuning session (SPSA); it claims no gain"))
        return None
    if members.flag("deleted"):
        remarks.append(Remark(place, "a deleted run; not recorded"))
        return None
    report = _report(members, args, value, place)
    if own:
        # A guess about a member of a wrong type would be one about the result.
        problems += own
        return None
    if report.trinomial_counts is None and report.pentanomial is None:
        problems.append(Problem(place, "a run without results"))
        return None
    if report.elo_bounds is not None and report.bounds_model is None:
        problems.append(Problem(place, f"unknown model of the bounds {args.inner('sprt').text('elo_model')!r}"))
        return None
    if report.elo_bounds is not None and report.llr_bounds is None:
        problems.append(Problem(place, "sprt: alpha and beta are no error rates, expected above 0 and below 0.5"))
        return None
    state = args.inner("sprt").text("state")
    said = {"accepted": "passed", "rejected": "failed"}.get(state, "unknown")
    if report.kind in ("gain", "non_regression") and said != "unknown" and said != report.outcome:
        remarks.append(Remark(place, f"the state is {state!r}, by the counts the test {_ended(report.outcome)}"))
    if members.flag("failed") and report.outcome == "passed":
        problems.append(Problem(place, "the run is marked as failed, but its counts passed"))
        return None
    return Run(
        id=run_id,
        report=report,
        finished=members.flag("finished", default=state in ("accepted", "rejected")),
        candidate=args.text("resolved_new") or args.text("new_tag"),
        base=args.text("resolved_base") or args.text("base_tag"),
        ended=members.text("last_updated") or members.text("start_time"),
        reason=args.text("info"),
        source=f"fishtest run {run_id}",
    )


def _report(members: Members, args: Members, value: dict[str, object], place: Place) -> Report:
    results = members.inner("results")
    wins, losses, draws = (results.count(name) for name in ("wins", "losses", "draws"))
    pentanomial = results.counts("pentanomial", 5)
    if not members.has("results"):
        wins, losses, draws, pentanomial = _from_tasks(value)
    if pentanomial is not None and not any(pentanomial) and (wins or losses or draws):
        pentanomial = None  # runs of the time before pairs were counted, written again by a newer server
    sprt = args.inner("sprt")
    bounds = model = llr_bounds = None
    if args.has("sprt"):
        low, high = sprt.number("elo0"), sprt.number("elo1")
        bounds = None if low is None or high is None else (low, high)
        model = _MODELS.get((sprt.text("elo_model") or "BayesElo").lower())
        llr_bounds = _llr_bounds(sprt)
    clock_text = args.text("new_tc") or args.text("tc")
    clock = clock_in(clock_text)
    options = args.text("new_options")
    threads = args.count("threads") or _digits(_THREADS.search(options)) or 1
    return report_of_run(
        place=place,
        tool="fishtest",
        clock=clock,
        threads=threads,
        hash_mb=_digits(_HASH.search(options)),
        bounds=bounds,
        model=model,
        llr=sprt.number("llr"),
        llr_bounds=llr_bounds,
        games=(wins, draws, losses),
        pentanomial=pentanomial,
    )


def _from_tasks(value: dict[str, object]) -> tuple[int | None, int | None, int | None, tuple[int, ...] | None]:
    """Sum the tasks' results: old documents have no others. Purged tasks stand elsewhere and stay out."""
    tasks = value.get("tasks")
    sums, pairs, all_have_pairs = [0, 0, 0], [0] * 5, True
    counted = 0
    for task in tasks if isinstance(tasks, list) else []:
        stats = task.get("stats") if isinstance(task, dict) and not task.get("bad") else None
        if not isinstance(stats, dict):
            continue
        found = [stats.get(name) for name in ("wins", "losses", "draws")]
        if not all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in found):
            continue
        counted += 1
        sums = [total + one for total, one in zip(sums, found, strict=True) if isinstance(one, int)]
        five = stats.get("pentanomial")
        if isinstance(five, list) and len(five) == 5 and all(isinstance(one, int) and one >= 0 for one in five):
            pairs = [total + one for total, one in zip(pairs, five, strict=True)]
        else:
            all_have_pairs = False
    if not counted:
        return None, None, None, None
    wins, losses, draws = sums
    return wins, losses, draws, tuple(pairs) if all_have_pairs else None


def _llr_bounds(sprt: Members) -> tuple[float, float] | None:
    low, high = sprt.number("lower_bound"), sprt.number("upper_bound")
    if low is not None and high is not None:
        return (low, high)
    alpha, beta = sprt.number("alpha", 0.05), sprt.number("beta", 0.05)
    if alpha is None or beta is None or not (0 < alpha < 0.5 and 0 < beta < 0.5):
        return None
    wald = wald_bounds(alpha, beta)
    return (wald.lower, wald.upper)


def _digits(found: re.Match[str] | None) -> int | None:
    return int(found.group(1)) or None if found else None


def _ended(outcome: str | None) -> str:
    return outcome if outcome in ("passed", "failed") else "is not decided"
