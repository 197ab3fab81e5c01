"""Invented documents of fishtest, OpenBench, fastchess: consistent counts, in the forms that the tools give."""

import json
from typing import Any


def run(number: int = 1, **changes: Any) -> dict[str, Any]:
    """A passed long-stage run; members of ``args`` and ``sprt`` are changed by the same name."""
    document: dict[str, Any] = {
        "_id": f"{number:024x}",
        "version": 24,
        "start_time": f"2026-02-03 04:05:{number % 60:02d}.789000+00:00",
        "last_updated": f"2026-02-04 01:00:{number % 60:02d}+00:00",
        "finished": True,
        "deleted": False,
        "failed": False,
        "results": {
            "wins": 6162,
            "losses": 5848,
            "draws": 12030,
            "crashes": 0,
            "time_losses": 3,
            "pentanomial": [61, 2691, 6215, 2979, 74],
        },
        "args": {
            "base_tag": "main",
            "new_tag": "lmr_twist",
            "resolved_base": "1" * 40,
            "resolved_new": "2" * 40,
            "new_options": "Hash=64",
            "tc": "60+0.6",
            "new_tc": "60+0.6",
            "threads": 1,
            "info": "more for late moves",
            "sprt": {
                "alpha": 0.05,
                "beta": 0.05,
                "elo0": 0.5,
                "elo1": 2.5,
                "elo_model": "normalized",
                "state": "accepted",
                "llr": 2.959,
                "lower_bound": -2.9444,
                "upper_bound": 2.9444,
            },
        },
        "tasks": [],
        "bad_tasks": [],
    }
    args = document["args"]
    for name, value in changes.items():
        places = (document, args, args["sprt"], document["results"])
        holder = next((one for one in places if isinstance(one, dict) and name in one), args)
        holder[name] = value
    return document


SHORT = {
    "tc": "10+0.1",
    "new_tc": "10+0.1",
    "elo0": 0.0,
    "elo1": 2.0,
    "results": {"wins": 10905, "losses": 10584, "draws": 19711, "pentanomial": [120, 4687, 10670, 4998, 125]},
    "llr": 2.949,
}
FAILED = {
    "results": {"wins": 5848, "losses": 6162, "draws": 12030, "pentanomial": [74, 2979, 6215, 2691, 61]},
    "state": "rejected",
    "llr": -4.4,
}

TEST = {
    "id": 731,
    "test_mode": "SPRT",
    "dev_engine": "Pawnstar",
    "base_engine": "Pawnstar",
    "dev": {"name": "nmp3", "sha": "3" * 40, "bench": 4711002},
    "base": {"name": "main", "sha": "4" * 40, "bench": 4698110},
    "dev_time_control": "40.0+0.40",
    "dev_options": "Threads=1 Hash=64",
    "elolower": 0.0,
    "eloupper": 3.0,
    "alpha": 0.05,
    "beta": 0.05,
    "lowerllr": -2.944,
    "currentllr": 2.947,
    "upperllr": 2.944,
    "games": 12004,
    "tri": [2832, 6140, 3032],
    "penta": [31, 1322, 3103, 1508, 38],
    "use_penta": True,
    "passed": True,
    "failed": False,
    "finished": True,
    "deleted": False,
}

BLOCK = """\
Elo   | 5.79 +- 3.16 (95%)
SPRT  | 40.0+0.40s Threads=1 Hash=64MB
LLR   | 2.95 (-2.94, 2.94) [0.00, 3.00]
Games | N: 12004 W: 3032 L: 2832 D: 6140
Penta | [31, 1322, 3103, 1508, 38]
"""

STATE: dict[str, Any] = {
    "games": 2,
    "rounds": 500,
    "seed": 9876543210123456789,
    "report_penta": True,
    "sprt": {"enabled": False, "alpha": 0.0, "beta": 0.0, "elo0": 0.0, "elo1": 0.0, "model": "normalized"},
    "opening": {"file": "b.epd", "format": 0, "order": 0, "plies": -1, "start": 1},
    "engines": [
        {
            "name": "Pawnstar-new",
            "options": [["Hash", "16"]],
            "limit": {
                "tc": {"time": 10000, "increment": 100, "fixed_time": 0, "moves": 0, "timemargin": 50},
                "nodes": 0,
                "plies": 0,
            },
        },
        {"name": "Anchor-A", "options": []},
    ],
    "stats": {
        "Pawnstar-new vs Anchor-A": {
            "wins": 260,
            "losses": 240,
            "draws": 500,
            "penta_WW": 20,
            "penta_WD": 150,
            "penta_WL": 70,
            "penta_DD": 110,
            "penta_LD": 130,
            "penta_LL": 20,
        }
    },
}

CONSOLE = """\
Started game 999 of 1000 (X vs Y)
--------------------------------------------------
Results of X vs Y (10+0.1, 1t, 16MB, b.epd):
Elo: 6.95 +/- 14.29, nElo: 10.49 +/- 21.53
LOS: 83.00 %, DrawRatio: 36.00 %, PairsRatio: 1.13
Games: 1000, Wins: 260, Losses: 240, Draws: 500, Points: 510.0 (51.00 %)
Ptnml(0-2): [20, 130, 180, 150, 20], WL/DD Ratio: 0.64
LLR: 0.33 (11.2%) (-2.94, 2.94) [0.00, 5.00]
--------------------------------------------------
"""

CUTECHESS = """\
Started game 200 of 200 (B vs A)
Finished game 200 (B vs A): 1/2-1/2 {Draw by 3-fold repetition}
Score of A vs B: 55 - 40 - 105  [0.538] 200
...      A playing White: 30 - 20 - 50  [0.550] 100
Elo difference: 26.1 +/- 33.4, LOS: 93.8 %, DrawRatio: 52.5 %
SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94 - H1 was accepted
Finished match
"""


def text(*documents: object) -> str:
    return json.dumps(list(documents) if len(documents) != 1 else documents[0])
