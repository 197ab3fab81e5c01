"""Every command of docs/howto/gate.md does what the page says, in the order in which it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

from checks.project import EVEN, Project, gain
from gate.today import make_project_of_today

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "gate.md"
# These are asked while the register stands in HALT; every other command does what it is there for.
HELD = re.compile(r"anchorhold gate(| --json| --extends .*)")


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def halt(project: Project, number: int) -> None:
    project.append("gain_test", gain(12.0, name=f"dev-{number}"))
    project.open("v1" if number == 1 else None, f"v{number + 1}")
    project.close(old=EVEN, new=EVEN)


def test_every_command_of_the_page_runs_in_its_order(tmp_path: Path) -> None:
    project = make_project_of_today(tmp_path / "project")
    project.pin()
    for number in (1, 2):
        halt(project, number)
    project.edit("[book]", '[gate]\nallowed_signers = "allowed_signers"\n\n[book]')
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "anchorhold"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m anchorhold "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    said: dict[str, str] = {}
    for command in commands():
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=project.directory,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == int(HELD.fullmatch(command) is not None), f"{command}: {done.stdout}{done.stderr}"
        said[command] = done.stdout
    assert len(said) >= 10
    assert "check-2 closed with HALT, R = 0, and ada released it" in said[next(c for c in said if "max-age" in c)]
    assert (project.directory / "badge.svg").is_file()
