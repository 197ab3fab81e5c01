"""Writes those parts of docs/ that say what the code says: ``python scripts/make_docs.py``; a test compares them.

Whole files: reference/codes.md, reference/commands.md, explanation/layers.svg. Between two marks: the tables of
explanation/case-study.md, the anchors' table in tutorial/demo.md, the layers in
explanation/architecture.md, the types in reference/contract.md, documents.md and register.md.
May import: typer, click's types through typer, anchorhold.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from anchorhold.adopt.lineup import data_file
from anchorhold.cli.app import app
from anchorhold.law.codes import DEFECTS, GAPS, NOTES
from case_study_tables import tables as case_study_tables
from layer_picture import picture
from layers import FLOORS, edges, purpose
from reference_tables import contract_tables, document_tables, register_tables

DOCS = Path(__file__).parent.parent / "docs"
BEGIN, END = "<!-- generated: scripts/make_docs.py -->", "<!-- end of generated -->"


def codes() -> str:
    """Return docs/reference/codes.md."""
    parts = [
        "# Codes of a result",
        "",
        "The closed lists of codes that a result's `defects`, `gaps` and `notes` may carry."
        " Written by `scripts/make_docs.py` from `src/anchorhold/law/codes.py`.",
    ]
    for title, what, known in (
        ("Defects", "The check is unsound and counts for nothing: DEFECTIVE.", DEFECTS),
        ("Gaps", "There is no R, and nothing is confirmed: GAP. A defect outranks it.", GAPS),
        ("Notes", "Something to know; it decides nothing.", NOTES),
    ):
        parts += ["", f"## {title}", "", what, "", "| code | meaning |", "| --- | --- |"]
        parts += [f"| `{code}` | {meaning} |" for code, meaning in known.items()]
    return "\n".join(parts) + "\n"


def commands() -> str:
    """Return docs/reference/commands.md."""
    root: Any = typer.main.get_command(app)
    parts = [
        "# Commands",
        "",
        "What `--help` says, for reading at one go. Written by `scripts/make_docs.py` from the commands themselves.",
    ]
    for name, command in walk(root, "anchorhold"):
        parts += ["", f"## {name}", "", *_paragraphs(command.help or "")]
        rows = [row for parameter in command.params if (row := _row(parameter))]
        if rows:
            parts += ["", "| option | meaning |", "| --- | --- |", *rows]
    return "\n".join(parts) + "\n"


def walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield every command that does something, with its full name."""
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
        return
    for child in sorted(children):
        yield from walk(children[child], f"{name} {child}")


def _paragraphs(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        words = " ".join(paragraph.split())
        if words.startswith("Example: "):
            words = f"Example: `{words.removeprefix('Example: ')}`"
        lines += [words, ""]
    return lines[:-1]


def _row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        name += f" {parameter.metavar}" if parameter.metavar else ""
    meaning = getattr(parameter, "help", None) or ""
    cells = (text.replace("|", "\\|") for text in (f"`{name}`", meaning))
    return f"| {' | '.join(cells)} |"


def lineup_table() -> str:
    """Return the anchors' table of docs/tutorial/demo.md."""
    document = json.loads(data_file("lineup.json").read_text(encoding="utf-8"))
    rows = [
        f"Measured {document['measured']} with `{document['command']}`, {document['book']['openings']} of"
        f" `{document['book']['name']}`. Scale: {document['scale']}.",
        "",
        "| anchor | Debian package | limit | rating | 95 % half-width | games |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, one in document["anchors"].items():
        limit = ", ".join(f"{key} {value}" for key, value in one["limit"].items())
        rows.append(
            f"| {name} {one['version']} | `{one['package']}` | {limit} | {one['rating']:.1f}"
            f" | {one['rating_error']:.1f} | {one['games']} |"
        )
    rows += ["", "| first | second | pairs with 0, ½, 1, 1½, 2 points, seen from the first |", "| --- | --- | --- |"]
    rows += [f"| {met['first']} | {met['second']} | {tuple(met['pentanomial'])} |" for met in document["pairs"]]
    return "\n".join(rows)


def layers() -> str:
    """Return the generated part of docs/explanation/architecture.md: floors, picture, who imports whom."""
    rows = [
        "![Ten floors with their rooms; a line is drawn where no longer way leads from a room to another](layers.svg)",
        "",
        "| floor | room | what it is |",
        "| --- | --- | --- |",
    ]
    for number, rooms in reversed(list(enumerate(FLOORS, start=1))):
        rows += [f"| {number} | `{room}` | {purpose(room)} |" for room in rooms]
    found = edges()
    order = [room for rooms in reversed(FLOORS) for room in rooms]
    targets = [room for room in order if any(target == room for _, target in found)]
    rows += ["", "Who imports whom: a row's room imports the column's where a dot stands.", ""]
    rows += [f"| | {' | '.join(f'`{target}`' for target in targets)} |", f"| --- |{' :-: |' * len(targets)}"]
    for room in order:
        dots = ["●" if (room, target) in found else "" for target in targets]
        if any(dots):
            rows.append(f"| `{room}` | {' | '.join(dots)} |")
    return "\n".join(rows)


def between_marks(text: str, made: str) -> str:
    """Replace what stands between the marks of a hand-written file."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    assert begin, "the file lacks the mark that begins the generated part"
    assert end, "the file lacks the mark that ends the generated part"
    return f"{head}{BEGIN}\n{made}\n{END}{tail}"


WHOLE: dict[str, Callable[[], str]] = {
    "reference/codes.md": codes,
    "reference/commands.md": commands,
    "explanation/layers.svg": picture,
}
PARTS: dict[str, Callable[[], str]] = {
    "explanation/architecture.md": layers,
    "explanation/case-study.md": case_study_tables,
    "tutorial/demo.md": lineup_table,
    "reference/contract.md": contract_tables,
    "reference/documents.md": document_tables,
    "reference/register.md": register_tables,
}


def as_it_should_be(name: str) -> str:
    """Return the text that a file of docs/ should have."""
    if name in WHOLE:
        return WHOLE[name]()
    return between_marks((DOCS / name).read_text(encoding="utf-8"), PARTS[name]())


def main(words: list[str]) -> int:
    """Write the files; with ``--check`` only say which would change, and return 1 when one would."""
    stale = 0
    for name in (*WHOLE, *PARTS):
        made, path = as_it_should_be(name), DOCS / name
        if words != ["--check"]:
            path.write_text(made, encoding="utf-8")
            print(f"docs/{name}")
        elif not path.is_file() or path.read_text(encoding="utf-8") != made:
            print(f"docs/{name} is not up to date")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
