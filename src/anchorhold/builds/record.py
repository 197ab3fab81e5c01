"""What is kept about a build, in a file beside the program; the program is what that file says, or it is not used.

May import: pydantic, anchorhold.canonical, anchorhold.domain.builds, anchorhold.errors.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from anchorhold.canonical import file_sha256
from anchorhold.domain.builds import BuildFacts
from anchorhold.errors import BadState

RECORD_FILE = "build.json"


class BuildRecord(BaseModel):
    """One build of one commit."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    schema_: Literal["anchorhold/build/1"] = Field("anchorhold/build/1", alias="schema")
    commit: str
    subject: str
    """First line of the commit's message."""
    command: str
    flags: dict[str, str]
    compilers: dict[str, str]
    program: str
    """File name of the program, beside the record."""
    size: int
    """Bytes."""
    sha256: str
    name: str | None
    """What the program calls itself."""
    bench: int | None
    bench_command: list[str]
    """By which the bench was asked for; empty: it was not."""
    built_at: str
    """UTC, RFC 3339."""
    seconds: float
    """That the build command took."""
    log: str
    """File name of its output, beside the folder of the program."""

    def facts(self) -> BuildFacts:
        """Return what the register keeps."""
        return BuildFacts(
            commit=self.commit,
            command=self.command,
            sha256=self.sha256,
            compilers=self.compilers,
            flags=self.flags,
            bench=self.bench,
            name=self.name,
        )

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        return self.model_dump(mode="json", by_alias=True)

    def write(self, folder: Path) -> None:
        """Put the record beside the program, whole or not at all."""
        new = folder / f"{RECORD_FILE}.new"
        new.write_text(json.dumps(self.to_json(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        os.replace(new, folder / RECORD_FILE)


def read_record(folder: Path) -> BuildRecord | None:
    """Return the record of a build that is kept in a folder; None when there is none.

    Raises
    ------
    BadState
        The record cannot be read, or the program is not the one that it is about.
    """
    if not folder.is_dir():
        return None
    next_step = "Remove this folder to have it built again"
    try:
        record = BuildRecord.model_validate_json((folder / RECORD_FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadState("holds no build that can be read", where=str(folder), next_step=next_step) from error
    program = folder / record.program
    if not program.is_file() or file_sha256(program) != record.sha256:
        raise BadState(f"{record.program} is not the program that was built", where=str(folder), next_step=next_step)
    return record
