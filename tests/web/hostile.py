"""A project whose every text is markup: its engines, claims, notes and reviews."""

import json
import tomllib
from pathlib import Path

from anchorhold.checks.anchors import pin
from anchorhold.checks.identity import FileDigests
from checks.project import Project, gain, make_project, write_engine

EVIL = "\"><img src=x onerror=alert(1)><script>alert('{name}')</script>&amp;"
VERSION = "v2<script>"
"""A version names a file, so it holds no slash."""


def evil(name: str) -> str:
    return EVIL.replace("{name}", name)


def hostile_project(directory: Path) -> Project:
    """Play a check and record a release and notes, with markup wherever text may stand."""
    made = make_project(directory, pairs=6, direct=2)
    text = made.config_path.read_text(encoding="utf-8")
    for before, name in (('"Example"', "project"), ('"Ada"', "author"), ('"Anchor 1"', "anchor")):
        assert before in text
        text = text.replace(before, json.dumps(evil(name)), 1)
    assert tomllib.loads(text)["anchors"][0]["name"] == evil("anchor")
    made.config_path.write_text(text, encoding="utf-8")
    write_engine(made.directory / VERSION, strength=40)
    with made.register() as register:
        pin(register, made.settings().anchors, author=evil("author"), digest_of=FileDigests())
    made.append("gain_test", {**gain(12.0), "id": evil("claim"), "candidate": evil("commit")})
    made.run("v1", VERSION)
    closed = made.entries()[-1]
    assert closed.kind == "check_closed"
    made.append("note", {"text": evil("note")})
    made.append("epoch_change", {"reason": evil("reason")})
    made.append("retraction", {"of": evil("retracted"), "reason": evil("reason")})
    made.append(
        "release",
        {
            "halt": closed.hash,
            "check": closed.payload["check"],
            "reviewer": evil("reviewer"),
            "reason": evil("review"),
            "signature": evil("signer"),
        },
    )
    return made
