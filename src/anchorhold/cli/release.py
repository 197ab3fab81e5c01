"""``anchorhold release``: a human review of a HALT, signed with an SSH key.

May import: typer, anchorhold.config, anchorhold.gate, anchorhold.register, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import AuthorOption, ConfigOption, JsonOption, LanguageOption, RegisterOption, SignersOption

LONGEST_SIGNATURE = 10_000
"""Characters; what a register entry takes."""


@fail_cleanly
def release(
    halt: Annotated[str, typer.Argument(metavar="CHECK|HASH", help="The check that halted, or its closing's hash.")],
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help="The principal in the allowed-signers file.")
    ],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="What the review found; it is signed.")],
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="Private key, or a public one whose other half the agent has."),
    ] = None,
    signature: Annotated[
        Path | None, typer.Option("--signature", metavar="FILE", help="A signature that was made elsewhere.")
    ] = None,
    show: Annotated[bool, typer.Option("--print", help="Write the bytes to sign, and record nothing.")] = False,
    allowed_signers: SignersOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    author: AuthorOption = None,
    language: LanguageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Record a human review of a HALT: the only thing that opens the gate again.

    A refused attempt is recorded as a note. Exit status: 0 recorded, 2 refused or bad usage, 4 register broken.

    Example: anchorhold release check-3 --reviewer ada --reason "engine misread a book" --key ~/.ssh/id_ed25519
    """
    from anchorhold import config as settings
    from anchorhold.cli.reading import open_register
    from anchorhold.errors import BadInput
    from anchorhold.gate import releasing
    from anchorhold.gate.signing import sign
    from anchorhold.register.store import Register

    if (key is not None) + (signature is not None) + show != 1:
        raise BadInput("expected one of --key, --signature and --print")
    signers = settings.gate_settings(config, flags={"allowed_signers": allowed_signers}).allowed_signers
    if show:
        with open_register(register, config) as opened:
            entries = releasing.standing_entries(opened)
        review = releasing.review_of(entries, halt, reviewer=reviewer, reason=reason, signers=signers)
        sys.stdout.buffer.write(review.statement())
        sys.stdout.buffer.flush()
        return
    with Register.open(settings.register_url(register, config)) as opened:
        entry = releasing.release(
            opened,
            halt,
            reviewer=reviewer,
            reason=reason,
            sign=lambda signed: sign(signed, key=key) if key is not None else _read(signature),
            signers=signers,
            author=settings.author_name(author, config),
        )
    if as_json:
        typer.echo(json.dumps(entry.to_json(), ensure_ascii=False, indent=2))
    else:
        from anchorhold.cli.texts import said
        from anchorhold.domain.sentences import Sentence

        line = Sentence(
            "{reviewer} released the HALT of {check} (entry {seq}).",
            reviewer=entry.payload["reviewer"],
            check=entry.payload["check"],
            seq=entry.seq,
        )
        typer.echo(said(line, language, config))


def _read(path: Path | None) -> str:
    from anchorhold.errors import BadInput

    assert path is not None
    try:
        text = path.read_text(encoding="ascii")
    except UnicodeDecodeError as error:
        raise BadInput("is no SSH signature (binary data)", where=str(path)) from error
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", where=str(path)) from error
    if not text.strip() or len(text) > LONGEST_SIGNATURE:
        raise BadInput("is no SSH signature", where=str(path), next_step="Give the file that 'ssh-keygen -Y sign' made")
    return text
