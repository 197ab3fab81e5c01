"""Plays every case of a folder on the product and counts those that hold: ``make cases CASES=DIR``.

    python scripts/play_cases.py DIR [ID …]

DIR holds a ``cases.json`` with ``engine_cases`` (matches) and ``file_cases`` (PGN and EPD files to read) and what they
name. With IDs only these are played. One line for each case that does not hold; exit status 0 only when all hold.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import case_files
import case_match


def main() -> int:
    """Play the cases; return the exit status."""
    folder, *wanted = sys.argv[1:] or [""]
    here = Path(folder).absolute()
    if not (here / "cases.json").is_file():
        print(f"{folder or 'no folder given'}: there is no cases.json; give its folder, as CASES=DIR")
        return 2
    document = json.loads((here / "cases.json").read_text(encoding="utf-8"))
    matches = [case for case in document.get("engine_cases", []) if not wanted or case["id"] in wanted]
    files = [case for case in document.get("file_cases", []) if not wanted or case["id"] in wanted]

    def match(case: Mapping[str, Any]) -> list[str]:
        with tempfile.TemporaryDirectory(prefix="anchorhold-case-") as scratch:
            return case_match.play(case, folder=here, scratch=Path(scratch))

    def file(case: Mapping[str, Any]) -> list[str]:
        return case_files.check(case, folder=here)

    # Those that live on little time last and one by one; waiting for a clock takes no processor.
    patient = [case for case in matches if not case_match.sensitive(case["run"])]
    sensitive = [case for case in matches if case_match.sensitive(case["run"])]
    held = 0
    with ThreadPoolExecutor(max_workers=(os.cpu_count() or 1) + 1) as pool:
        held += sum(pool.map(lambda case: _holds(case, match), patient))
    for case in sensitive:
        held += _holds(case, match)
    for case in files:
        held += _holds(case, file)
    print(f"{held} of {len(matches) + len(files)} cases hold")
    return 0 if held == len(matches) + len(files) else 1


def _holds(case: Mapping[str, Any], check: Callable[[Mapping[str, Any]], list[str]]) -> bool:
    try:
        faults = check(case)
    except Exception as error:  # noqa: BLE001 - one case must not end the others; it does not hold
        traceback.print_exc()
        faults = [f"met a fault of the product or of this script: {error!r}"]
    if faults:
        print(f"{case['id']}: {'; '.join(faults)}", flush=True)
    return not faults


if __name__ == "__main__":
    raise SystemExit(main())
