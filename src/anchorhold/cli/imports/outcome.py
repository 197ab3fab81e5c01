"""What every import command does after reading: stop at problems or go on, record, say what came of it.

May import: anchorhold.checks, anchorhold.config, anchorhold.errors, anchorhold.importers, anchorhold.register.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from anchorhold.errors import BadInput
from anchorhold.importers.base import Import, Problem, Remark
from anchorhold.importers.drafts import Draft

_SHOWN = 20
"""Problems and remarks on a terminal; ``--json`` has them all."""


def finish(
    found: Import[Draft],
    *,
    where: str,
    register: str | None,
    config: Path | None,
    author: str | None,
    dry_run: bool,
    skip_problems: bool,
    as_json: bool,
    summary: Mapping[str, object],
) -> None:
    """Record the proposed entries and print what was read.

    Raises
    ------
    BadInput
        There are problems and they are not to be skipped; nothing is recorded then.
    """
    document: dict[str, object] = {"schema": "anchorhold/import/1", "reader": found.reader, **summary}
    document["entries"] = [{"kind": draft.kind, "payload": dict(draft.payload)} for draft in found.records]
    document["problems"] = [problem.to_json() for problem in found.problems]
    document["remarks"] = [remark.to_json() for remark in found.remarks]
    stops = bool(found.problems) and not skip_problems and not dry_run
    done = None
    if not dry_run and not stops:
        from anchorhold import config as settings
        from anchorhold.checks.imported import record
        from anchorhold.register.appending import open_for_appending

        with open_for_appending(settings.register_url(register, config)) as opened:
            done = record(opened, found.records, author=settings.author_name(author, config))
        document["added"], document["known"] = done.added, done.known
        document["changed"] = [draft.id for draft in done.changed]
    if as_json:
        print(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        for name, value in summary.items():
            print(f"{name}: {value}")
        print(_entries(found.records))
        if "added" in document:
            print(f"Added {document['added']} entries; {document['known']} stood in the register already.")
        for draft in done.changed if done is not None else ():
            print(f"{draft.id} would read differently now; the register keeps what it has.")
        sys.stdout.flush()  # problems are told after what was found, also where both go into one file
        show_findings(found.remarks, "remarks")
        show_findings(found.problems, "problems")
    if stops:
        raise BadInput(
            f"{len(found.problems)} places could not be read without guessing, the first at {found.problems[0]}",
            where=where,
            next_step="Nothing was recorded. --skip-problems records the rest; --dry-run only looks.",
        )


def load_for_recording() -> None:
    """Load what ``finish`` records with, while there is something to wait for."""
    import anchorhold.checks.imported
    import anchorhold.config
    import anchorhold.register.appending  # noqa: F401


def _entries(drafts: Sequence[Draft]) -> str:
    kinds = Counter(draft.kind for draft in drafts)
    counted = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return f"entries: {counted or 'none'}"


def show_findings(found: Sequence[Problem] | Sequence[Remark], name: str) -> None:
    """List problems or remarks on stderr; what is said of many places is said once, with their number."""
    if not found:
        return
    alike: dict[str, list[Problem | Remark]] = {}
    for one in found:
        alike.setdefault(one.what, []).append(one)
    print(f"{len(found)} {name}:", file=sys.stderr)
    for group in list(alike.values())[:_SHOWN]:
        more = f" ({len(group) - 1} more like this)" if len(group) > 1 else ""
        print(f"  {group[0]}{more}", file=sys.stderr)
    if len(alike) > _SHOWN:
        print(f"  … {sum(map(len, list(alike.values())[_SHOWN:]))} more, see --json", file=sys.stderr)
    sys.stderr.flush()
