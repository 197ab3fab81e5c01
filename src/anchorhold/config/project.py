"""The whole file as one record: [project], and each other section by its own reader.

May import: anchorhold.errors, anchorhold.config parts.
"""

from __future__ import annotations

from pathlib import Path

from anchorhold.config.anchors import read_anchors
from anchorhold.config.book import read_book
from anchorhold.config.gate import read_gate
from anchorhold.config.main import read_main
from anchorhold.config.match import read_rules
from anchorhold.config.named_engines import read_named_engines
from anchorhold.config.oracle import read_oracle_stage
from anchorhold.config.record import Config
from anchorhold.config.sources import absolute_register
from anchorhold.config.stages import read_stage
from anchorhold.config.table import Table
from anchorhold.errors import BadInput


def read_project(root: Table, path: Path, *, login: str) -> Config:
    """Read the whole file; ``login`` is the author where the file names none."""
    directory = path.parent
    project, match, check = root.table("project"), root.table("match"), root.table("check")
    stages, oracle, anchors = root.table("stages"), root.table("oracle"), root.raw("anchors")
    main, book, gate = root.table("main"), root.table("book"), root.table("gate")
    engines = root.table("engines")
    root.close()
    for table in (stages, oracle):
        table.asked.update(("long", "short"))
        table.close()
    language = project.choice("language", ("en", "de"), "en") if project.has("language") else None
    if project.has("contract") and project.has("contract_file"):
        raise BadInput(
            "contract and contract_file exclude each other", where=project.where("contract_file"), next_step="Keep one"
        )
    config = Config(
        path=path,
        project=project.text("name", path.parent.name or "project"),
        register=absolute_register(project.text("register", "register.sqlite"), project.base("register", directory)),
        data=project.base("data", directory) / project.text("data", "anchorhold-data"),
        author=project.text("author", login),
        language="de" if language == "de" else "en" if language else None,
        contract_edition=project.whole("contract", 7),
        contract_file=(
            project.base("contract_file", directory) / project.text("contract_file")
            if project.has("contract_file")
            else None
        ),
        main=read_main(main, directory),
        anchors=read_anchors(anchors, root, directory),
        long=read_stage(stages, "long"),
        short=read_stage(stages, "short") if "short" in stages.members else None,
        direct_pairs=check.whole("direct_pairs", 0, least=0),
        book=read_book(book, directory),
        oracle_short=read_oracle_stage(oracle, "short") if "short" in oracle.members else None,
        oracle_long=read_oracle_stage(oracle, "long") if "long" in oracle.members else None,
        rules=read_rules(match, directory),
        workers=match.whole("workers", 1),
        host_class=match.text("host_class") if match.has("host_class") else None,
        gate=read_gate(gate, directory),
        engines=read_named_engines(engines, directory),
    )
    for table in (project, match, check):
        table.close()
    if "stages.short.pairs" in root.given and config.short is None:
        raise BadInput(
            "there is no short stage", where=root.given["stages.short.pairs"].where, next_step="Add [stages.short]"
        )
    return config
