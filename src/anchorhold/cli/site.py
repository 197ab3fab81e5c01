"""``anchorhold site``: a static site of all checks and the register.

May import: typer, anchorhold.config, anchorhold.errors, anchorhold.gate, anchorhold.register, anchorhold.web,
anchorhold.cli.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption, RegisterOption, SignersOption

if TYPE_CHECKING:
    from anchorhold.web.games import GamesOnDisk


@fail_cleanly
def site(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Made when it is not there; else a site of before.")
    ],
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="Where the site will stand: feeds then name whole addresses."),
    ] = None,
    games: Annotated[
        bool, typer.Option("--games", help="With the games that lie in the project's data directory, by anchor.")
    ] = False,
    allowed_signers: SignersOption = None,
    register: RegisterOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a static site: the gate, R over all checks, every report, the register, a feed and a badge.

    English at the top, German under de/. Plain files with relative links, for any host and any path; no scripts. The
    same register gives the same bytes. Exit status: 0 written, 2 bad usage, 4 written, and the register is broken.

    Example: anchorhold site -o public --base-url https://sparrow.example/checks/
    """
    from anchorhold import config as settings
    from anchorhold.cli.reading import nothing_collected, open_register
    from anchorhold.cli.texts import texts_of
    from anchorhold.errors import BadInput, RegisterBroken
    from anchorhold.gate import asking
    from anchorhold.gate.decision import broken
    from anchorhold.gate.limits import Limits
    from anchorhold.register.chain import Chain
    from anchorhold.web.site import write_site

    if base_url is not None and not base_url.startswith(("https://", "http://")):
        raise BadInput(f"{base_url!r} is not an address", where="--base-url", next_step="Give https://…")
    found = settings.gate_settings(config, flags={"allowed_signers": allowed_signers})
    limits = Limits(elo=found.max_unaudited_elo, tests=found.max_unaudited_tests, days=found.max_age_days)
    # A register that is named may be another project's; the settings' own is this project's.
    file = config or settings.default_file()
    loaded = settings.load(file) if file.is_file() else None
    project = loaded.project if loaded is not None and register is None else None
    on_disk = _games(loaded.data if loaded is not None else None) if games else None
    with open_register(register, config) as opened, nothing_collected():
        try:
            chain = opened.verify()
            answer = asking.answer(chain, signers=found.allowed_signers, limits=limits, now=datetime.now(UTC))
        except RegisterBroken as error:
            chain, answer = Chain((), None), broken(error.what)
    written = write_site(output, chain, answer, project=project, base=base_url, games=on_disk)
    if as_json:
        members = {"files": written.files, "changed": written.changed, "removed": written.removed, "gate": answer.state}
        typer.echo(json.dumps(members, indent=2))
    else:
        texts = texts_of(None, config)
        files, changed = texts.whole(written.files), texts.whole(written.changed)
        said = texts.gettext("{files} files, {changed} of them new or changed.", files=files, changed=changed)
        typer.echo(f"{output}: {said}")
    if answer.state == "broken":
        typer.echo(f"anchorhold: {answer.reason}", err=True)
        raise SystemExit(RegisterBroken.exit_status)


def _games(data: Path | None) -> GamesOnDisk:
    from anchorhold.errors import BadInput
    from anchorhold.web.games import GamesOnDisk

    if data is None:
        raise BadInput(
            "no settings say where games lie", where="--games", next_step="Give the project's anchorhold.toml: --config"
        )
    return GamesOnDisk([data])
