"""Options that the import commands share.

May import: typer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Only say what would be recorded.")]
SkipProblemsOption = Annotated[
    bool, typer.Option("--skip-problems", help="Record what is clear, and list what is not, instead of stopping.")
]
DocumentOption = Annotated[
    Path | None,
    typer.Option("--document", metavar="FILE", help="Put the counts into this evaluation document; made if missing."),
]
EndpointOption = Annotated[
    Literal["old", "new", "direct"],
    typer.Option("--endpoint", help="With --document: whose games they are; direct: new against old."),
]
StageOption = Annotated[
    Literal["long", "short"], typer.Option("--stage", help="With --document: the stage they were played at.")
]
MainOption = Annotated[
    str | None, typer.Option("--engine", metavar="NAME", help="The engine from whose side results are told.")
]
