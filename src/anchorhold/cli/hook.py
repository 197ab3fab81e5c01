"""``anchorhold hook``: puts the gate in front of a git repository, so that a push is refused while it holds.

May import: typer, anchorhold, anchorhold.config, anchorhold.errors, anchorhold.gate, anchorhold.hooks,
anchorhold.register, anchorhold.cli.clean, anchorhold.cli.options.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption

if TYPE_CHECKING:
    from anchorhold.hooks.git import Repository
    from anchorhold.hooks.judging import Answer, Question
    from anchorhold.hooks.settings import Settings
    from anchorhold.hooks.updates import Kind

app = typer.Typer(
    name="hook",
    help="The gate in front of a git repository.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PrePushOption = Annotated[bool, typer.Option("--pre-push", help="The working tree here: asks before a push leaves it.")]
PreReceiveOption = Annotated[
    Path | None,
    typer.Option("--pre-receive", metavar="REPO.git", help="A server's repository: asks before a push is taken."),
]


@app.command()
@fail_cleanly
def install(
    pre_push: PrePushOption = False,
    pre_receive: PreReceiveOption = None,
    branch: Annotated[
        list[str] | None,
        typer.Option(
            "--branch",
            help="A protected branch, or a pattern such as release/*; may be repeated. "
            "By default the repository's default branch.",
        ),
    ] = None,
    register: Annotated[
        str | None,
        typer.Option(
            "--register",
            metavar="URL|PATH",
            help="The register, outside the repository; by default the one in anchorhold.toml.",
        ),
    ] = None,
    export: Annotated[
        str | None, typer.Option("--export", metavar="PATH", help="The register's export inside the repository.")
    ] = None,
    signers: Annotated[
        Path | None, typer.Option("--signers", metavar="FILE", help="Who may release: an allowed-signers file outside.")
    ] = None,
    signers_in_repo: Annotated[
        str | None,
        typer.Option(
            "--signers-in-repo",
            metavar="PATH",
            help="The allowed-signers file inside the repository, as it "
            "stood on the first protected branch before the push.",
        ),
    ] = None,
    timeout: Annotated[
        int, typer.Option("--timeout", metavar="S", help="Seconds after which a push without an answer is refused.")
    ] = 60,
    settings_only: Annotated[
        bool, typer.Option("--settings-only", help="No script: for a hook that calls 'anchorhold hook run' itself.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Write a hook that asks the gate before a protected branch moves.

    A hook that stands there already is left as it is, and the message says how to chain the two.

    Example: anchorhold hook install --pre-receive /srv/sparrow.git --branch main --register /srv/register.db
    """
    from anchorhold import config as of_project
    from anchorhold.errors import BadInput
    from anchorhold.hooks.installing import install as write
    from anchorhold.hooks.settings import Settings, absolute, branch_name

    repository, kind = _place(pre_push, pre_receive)
    if register is not None and export is not None:
        raise BadInput("--register and --export exclude each other", next_step="The register is outside or inside")
    if signers is not None and not signers.is_file():
        raise BadInput("there is no such file", where=f"--signers {signers}")
    of_gate = of_project.gate_settings(config, flags={"allowed_signers": None if signers is None else str(signers)})
    outside = None if signers_in_repo is not None and signers is None else of_gate.allowed_signers
    chosen = Settings(
        branches=tuple(branch_name(name) for name in branch) if branch else (_default_branch(repository, kind),),
        register=None if export is not None else absolute(of_project.register_url(register, config), Path.cwd()),
        export=export,
        signers=None if outside is None else str(outside.absolute()),
        signers_in_repo=signers_in_repo,
        timeout=timeout,
        max_unaudited_elo=of_gate.max_unaudited_elo,
        max_unaudited_tests=of_gate.max_unaudited_tests,
        max_age_days=of_gate.max_age_days,
    )
    found = write(repository, kind, chosen, python=sys.executable, packages=_packages(), with_script=not settings_only)
    names = ", ".join(name.removeprefix("refs/heads/") for name in chosen.branches)
    typer.echo(f"Wrote {'the settings' if settings_only else found.path}: a push to {names} asks the gate.")
    if chosen.signers is None and chosen.signers_in_repo is None:
        typer.echo("Nobody may release: name the allowed signers with --signers or --signers-in-repo.", err=True)


@app.command()
@fail_cleanly
def uninstall(pre_push: PrePushOption = False, pre_receive: PreReceiveOption = None) -> None:
    """Take a hook away that 'anchorhold hook install' wrote; another one is left as it is.

    Example: anchorhold hook uninstall --pre-receive /srv/sparrow.git
    """
    from anchorhold.hooks.installing import look
    from anchorhold.hooks.installing import uninstall as take_away

    repository, kind = _place(pre_push, pre_receive)
    there = look(repository, kind)
    take_away(repository, kind)
    typer.echo(f"Took {there.path} away." if there.ours else f"There was no hook at {there.path}.")


@app.command()
@fail_cleanly
def status(pre_push: PrePushOption = False, pre_receive: PreReceiveOption = None, as_json: JsonOption = False) -> None:
    """Say whether a hook stands, what it protects and by which register.

    Exit status: 0 it stands as it was installed, 1 it does not, 2 bad usage or settings.

    Example: anchorhold hook status --pre-receive /srv/sparrow.git
    """
    from anchorhold.hooks.installing import look
    from anchorhold.hooks.settings import SECTION, read_settings

    repository, kind = _place(pre_push, pre_receive)
    found = look(repository, kind)
    chosen = read_settings(repository) if found.ours or repository.settings(SECTION) else None
    stands = found.ours and found.runs
    if as_json:
        report = {
            "schema": "anchorhold/hook/1",
            "stands": stands,
            "hook": found.to_json(),
            "settings": None if chosen is None else {
                "branches": list(chosen.branches), "register": chosen.register, "export": chosen.export,
                "signers": chosen.signers, "signers_in_repo": chosen.signers_in_repo, "timeout": chosen.timeout,
            },
        }  # fmt: skip
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        typer.echo(f"{found.path}: {_standing(found.ours, found.foreign, found.runs)}")
        for name, value in [] if chosen is None else chosen.pairs():
            typer.echo(f"  {name}: {value}")
    raise SystemExit(0 if stands else 1)


@app.command()
@fail_cleanly
def run(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="pre-receive or pre-push.")],
    given: Annotated[
        list[str] | None, typer.Argument(help="What git gives to the hook; to pre-push the remote's name and address.")
    ] = None,
) -> None:
    """Judge a push: called by the hook, with git's lines on standard input.

    Exit status: 0 the push may go on, 1 the gate holds it; any other refuses it too.

    Example: anchorhold hook run pre-receive < lines-from-git
    """
    from anchorhold.errors import BadInput
    from anchorhold.hooks.git import Repository
    from anchorhold.hooks.judging import branches_before, judge, protected
    from anchorhold.hooks.settings import read_settings
    from anchorhold.hooks.updates import KINDS, read_updates

    known = next((one for one in KINDS if one == kind), None)
    if known is None:
        raise BadInput(f"{kind!r} is no hook that can ask the gate", next_step=f"There are {' and '.join(KINDS)}")
    repository = Repository(Path.cwd())  # inside a hook, git's environment says which one
    chosen = read_settings(repository)
    # Its default action ends this process, wherever it hangs; the script that called it refuses then.
    signal.alarm(chosen.timeout)
    updates = protected(read_updates(known, _input()), chosen, repository)
    if not updates:
        return
    if known == "pre-push":
        before = branches_before(chosen, repository, updates=updates, remote=given[0] if given else "origin")
    else:
        before = branches_before(chosen, repository)
    refusal = judge(
        updates, before=before, settings=chosen, repository=repository, ask=lambda one: _ask(one, chosen, repository)
    )
    signal.alarm(0)
    if refusal is not None:
        from anchorhold.cli.texts import said

        for line in refusal.lines():
            # Settings of whatever directory git runs this in must not come between the pusher and the refusal.
            print(_printable(said(line, None, Path(os.devnull))), file=sys.stderr)
        raise SystemExit(1)


def _input() -> str:
    # Names of refs are bytes, mostly UTF-8; a branch with another name is none of the protected ones.
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def _ask(question: Question, settings: Settings, repository: Repository) -> Answer:
    from anchorhold.errors import RegisterBroken
    from anchorhold.gate.asking import answer
    from anchorhold.gate.decision import broken
    from anchorhold.gate.limits import Limits
    from anchorhold.gate.scratch import scratch_directory
    from anchorhold.hooks.judging import Answer
    from anchorhold.hooks.keeping import kept_head, require_continued
    from anchorhold.register.proposals import utc_now
    from anchorhold.register.reading import ExportedRegister, open_for_reading

    limits = Limits(elo=settings.max_unaudited_elo, tests=settings.max_unaudited_tests, days=settings.max_age_days)
    signers = None if settings.signers is None else Path(settings.signers)
    with scratch_directory() as scratch:
        if question.signers is not None:
            signers = scratch / "allowed_signers"
            signers.write_bytes(question.signers)
        try:
            if question.export is not None:
                chain = ExportedRegister(question.export, where=str(settings.export)).verify()
            else:
                assert question.register is not None
                directory = repository.git_dir()
                before = kept_head(register=question.register, directory=directory)
                with open_for_reading(question.register) as opened:
                    chain = opened.verify()
                if chain.problem is None:
                    require_continued(chain.entries, before=before, register=question.register, directory=directory)
            found = answer(chain, signers=signers, limits=limits, now=utc_now())
        except RegisterBroken as error:
            found = broken(error.what)
    return Answer(found.state, found.lines())


def _place(pre_push: bool, pre_receive: Path | None) -> tuple[Repository, Kind]:
    from anchorhold.errors import BadInput
    from anchorhold.hooks.git import Repository

    if pre_push == (pre_receive is not None):
        raise BadInput("one hook is needed", next_step="Give --pre-push, or --pre-receive with the server's repository")
    if pre_receive is not None:
        return Repository.at(pre_receive), "pre-receive"
    return Repository(Repository(Path.cwd()).top()), "pre-push"


def _default_branch(repository: Repository, kind: Kind) -> str:
    from anchorhold.errors import BadInput

    if kind == "pre-receive":
        found = repository.head_branch()
    else:
        found = repository.symbolic("refs/remotes/origin/HEAD")
        found = None if found is None else "refs/heads/" + found.removeprefix("refs/remotes/origin/")
    if found is None:
        raise BadInput("nothing says which branch is the default one", next_step="Name it with --branch")
    return found


def _packages() -> str:
    import anchorhold

    return str(Path(anchorhold.__file__).resolve().parent.parent)


def _standing(ours: bool, foreign: bool, runs: bool) -> str:
    if foreign:
        return "a hook that 'anchorhold hook install' did not write, or that was changed since"
    if not ours:
        return "there is no hook"
    return "stands as it was installed" if runs else "may not be executed, so git passes it over: chmod +x it"


def _printable(text: str) -> str:
    """One line that cannot move the cursor: names in a register may come from strangers."""
    return "".join(character if character.isprintable() else "�" for character in text)
