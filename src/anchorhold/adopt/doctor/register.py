"""The register, and who may release a HALT. May import: anchorhold.checks, errors, gate, register, findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anchorhold.adopt.doctor.findings import Finding
from anchorhold.checks.verification import verify
from anchorhold.config.record import Config
from anchorhold.domain.entries import Entry
from anchorhold.errors import AnchorholdError
from anchorhold.gate.signers import signers_problem
from anchorhold.register.store import Register


def look_at_register(config: Config) -> tuple[list[Finding], tuple[Entry, ...]]:
    """Open the register and verify all of it; return its entries as far as they hold."""
    try:
        with Register.open(config.register, read_only=True) as opened:
            found = verify(opened, where=opened.location, data=config.data)
    except AnchorholdError as error:
        made = "Make it: 'anchorhold register create'; or mend [project] register"
        return [Finding("register", "failure", str(error), made)], ()
    if found.failure is not None:
        remedy = "Look at it: 'anchorhold register verify'. An export that was kept can be put back in its place"
        return [Finding("register", "failure", str(found.failure), remedy)], found.entries
    return [Finding("register", "ok", f"{len(found.entries)} entries, all hold")], found.entries


def look_at_signers(path: Path | None) -> Iterator[Finding]:
    """Is it said whose signature releases a HALT?"""
    if path is None:
        remedy = "Name a file of SSH keys: [gate] allowed_signers"
        yield Finding("signers", "skipped", "nobody is named who could release a HALT", remedy)
    elif problem := signers_problem(path):
        yield Finding("signers", "failure", problem, "Mend it: one line for each key, as ssh-keygen has them")
    else:
        yield Finding("signers", "ok", f"{path.name} can be read")
