"""Invented messages with test reports."""

SHORT = (
    "Passed STC:\nLLR: 2.95 (-2.94,2.94) <0.00,2.00>\nTotal: 41200 W: 10905 L: 10584 D: 19711\n"
    "Ptnml(0-2): 120, 4687, 10670, 4998, 125\nhttps://tests.example.org/tests/view/1\n"
)
LONG = (
    "Passed LTC:\nLLR: 2.96 (-2.94,2.94) <0.50,2.50>\nTotal: 24040 W: 6162 L: 5848 D: 12030\n"
    "Ptnml(0-2): 61, 2691, 6215, 2979, 74\nhttps://tests.example.org/tests/view/2\n"
)
FAILED = (
    "Failed STC:\nLLR: -2.95 (-2.94,2.94) <0.00,2.00>\nTotal: 20040 W: 5000 L: 5100 D: 9940\n"
    "Ptnml(0-2): 60, 2500, 4940, 2480, 40\n"
)
TABLE = (
    "Elo   | 5.79 +- 3.16 (95%)\nSPRT  | 40.0+0.40s Threads=1 Hash=64MB\nLLR   | 2.95 (-2.94, 2.94) [0.00, 3.00]\n"
    "Games | N: 12004 W: 3032 L: 2832 D: 6140\nPenta | [31, 1322, 3103, 1508, 38]\n"
)
CONSOLE = (
    "Score of new vs old: 55 - 40 - 105  [0.538] 200\nElo difference: 26.1 +/- 33.4, LOS: 93.8 %, DrawRatio: 52.5 %\n"
    "SPRT: llr 2.95 (100.2%), lbound -2.94, ubound 2.94 - H1 was accepted\n"
)
GAIN = f"Reduce late moves more\n\n{SHORT}\n{LONG}\nbench: 1234567\n"
SIMPLER = (
    "Drop a condition\n\nSTC:\nLLR: 2.94 (-2.94,2.94) <-1.75,0.25>\nTotal: 24640 W: 6560 L: 6500 D: 11580\n"
    "Ptnml(0-2): 70, 2720, 6700, 2760, 70\n"
)
