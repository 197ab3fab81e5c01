"""Options that several commands share.

May import: typer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings; by default anchorhold.toml.")
]
RegisterOption = Annotated[
    str | None,
    typer.Option(
        "--register",
        metavar="PATH|URL",
        help="The register, a file or postgresql://…; to read only, an export (FILE.jsonl, or -), too. By default the "
        "one in anchorhold.toml.",
    ),
]
AuthorOption = Annotated[str | None, typer.Option("--author", help="Who is named in new entries.")]
SignersOption = Annotated[
    str | None, typer.Option("--allowed-signers", metavar="FILE", help="Whose SSH keys may release a HALT.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
WorkersOption = Annotated[int | None, typer.Option("--workers", min=1, help="Pairs that are played at a time.")]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Play on a Dask cluster: its scheduler, as tcp://host:8786."),
]
ShardOption = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="K/N",
        help="Play the K-th of N parts only, and write it to a file; 'anchorhold merge' puts all parts together.",
    ),
]
ContractOption = Annotated[
    str | None, typer.Option("--contract", metavar="N|FILE", help="Contract edition, or the file of an own one.")
]
LanguageOption = Annotated[str | None, typer.Option("--lang", help="Language of texts, en or de.")]


def contract_flags(contract: str | None) -> dict[str, object]:
    """Return the settings that ``--contract`` stands for."""
    if contract is None:
        return {}
    if contract.isascii() and contract.isdecimal() and len(contract) < 16:
        return {"contract": int(contract)}
    return {"contract_file": contract}
