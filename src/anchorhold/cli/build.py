"""``anchorhold build``: builds a revision of main in a clean worktree, or shows the build that is kept.

May import: typer, anchorhold.builds, anchorhold.config, anchorhold.errors, anchorhold.cli.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from anchorhold.cli.clean import fail_cleanly
from anchorhold.cli.options import ConfigOption, JsonOption

if TYPE_CHECKING:
    from anchorhold.builds.building import Built, Rebuilt

OTHER_BYTES = 1


@fail_cleanly
def build(
    revision: Annotated[str, typer.Argument(metavar="REV", help="Commit, tag or branch of main's repository.")],
    again: Annotated[
        bool, typer.Option("--again", help="Build once more, and say whether it gives the same bytes.")
    ] = False,
    bench: Annotated[
        int | None, typer.Option("--bench", metavar="N", help="Expected bench, instead of the commit message's.")
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build a revision of main as [main.build] says, in a clean worktree, and keep it; shows the one that is kept.

    'check open', 'check run' and 'oracle run' do so by themselves. Bench and id are compared with what is expected.

    Exit status: 0 built or kept, 1 --again gave other bytes, 2 no build, 130 interrupted.

    Example: anchorhold build v1.5 --again
    """
    from anchorhold import config as settings
    from anchorhold.cli.building import builder_of, interruptible
    from anchorhold.errors import BadInput

    loaded = settings.load(config)
    if loaded.main.recipe is None:
        raise BadInput(
            "names no build command",
            where=f"{loaded.path}: main",
            next_step='Add it, such as build = "make EXE={output}"',
        )
    builder = builder_of(loaded, loaded.main.recipe)
    with interruptible():
        commit = builder.source.commit(revision)
        rebuilt = builder.again(commit, bench=bench) if again else None
        built = rebuilt.kept if rebuilt else builder.built(commit, bench=bench)
    typer.echo(_document(commit.name, built, rebuilt) if as_json else _text(commit.name, built, rebuilt))
    if rebuilt is not None and not rebuilt.same:
        raise SystemExit(OTHER_BYTES)


def _document(name: str, built: Built, rebuilt: Rebuilt | None) -> str:
    members: dict[str, object] = {
        "version": name,
        "made_now": built.made_now,
        "program": str(built.program),
        "log": str(built.log),
        "build": built.record.to_json(),
    }
    if rebuilt is not None:
        members["again"] = {"same": rebuilt.same, "sha256": rebuilt.sha256, "log": str(rebuilt.log)}
    return json.dumps(members, ensure_ascii=False, indent=2, allow_nan=False)


def _text(name: str, built: Built, rebuilt: Rebuilt | None) -> str:
    record = built.record
    when = f"built in {record.seconds:.1f} s" if built.made_now else f"kept, built {record.built_at}"
    flags = [f"{variable}={shlex.quote(value)}" for variable, value in sorted(record.flags.items())]
    lines = [
        f"{name}: {record.subject}",
        f"  commit     {record.commit}",
        f"  build      {record.command}; {when}",
        f"  program    {built.program}, {record.size} bytes",
        f"  sha256     {record.sha256}",
        f"  compilers  {'; '.join(f'{program}: {said}' for program, said in sorted(record.compilers.items()))}",
        f"  flags      {' '.join(flags) or 'none in the environment'}",
        f"  id         {record.name or 'gives itself none'}",
        f"  bench      {'not asked for' if record.bench is None else record.bench}",
        f"  log        {built.log}",
    ]
    if rebuilt is not None:
        same = "Built again: the same bytes."
        other = (
            f"Built again: other bytes, SHA-256 {rebuilt.sha256} (log: {rebuilt.log}). The build is not reproducible;"
            " the one that is kept stays, and is what is played."
        )
        lines.append(same if rebuilt.same else other)
    return "\n".join(lines)
