"""docs/tutorial/first-check.md on real engines: every command of the page in its order, with fewer games than it says.

Main is Glaurung in two settings: 1.4 does not see mobility, 1.5 does.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from anchorhold.register.store import Register
from docs import pages

PAGE = pages.DOCS / "tutorial" / "first-check.md"
OLD = """\
#!/bin/sh
{ echo "setoption name Mobility (Middle Game) value 0"; echo "setoption name Mobility (Endgame) value 0"; exec cat; } |
    exec glaurung
"""
NEW = "#!/bin/sh\nexec glaurung\n"
LEFT_OUT = {
    # Why a command is not run here.
    "python3 -m venv ~/anchorhold": "tests/packaging installs into environments of their own",
    "~/anchorhold/bin/pip install -c constraints.txt .": "the same",
    "export PATH=~/anchorhold/bin:$PATH": "the same",
    "sudo apt-get install ethereal-chess toga2 gnuchess phalanx hoichess fairymax": "scripts/setup.sh does it",
}
SHORTER = {"--limit depth=3 --pairs 40": "--limit depth=1 --pairs 2", "--bounds 0 100": "--bounds 0 150"}

BY_CHANCE = re.compile(
    r"^(?:long  .*passed.*|Recorded as .*|  S, .*|  1 of 1 .*|Warning: .*|there, D.*|arrived, .*"
    r"|(?P<stays>check-1 .*attempt 1|claimed, S )  .*"
    r"|.* CONTINUE .*|.*closed with CONTINUE.*|the anchors, foreign .*)$",
    re.MULTILINE,
)
"""Lines of a passed test and its verdict: on the page of a whole run; so few games as here may end either way."""


def is_of_the_form(expected: str, printed: str) -> bool:
    """Whether a command printed what the page says, but for the numbers: fewer games are played here."""
    expected = BY_CHANCE.sub(lambda found: f"{found['stays']}{pages.ANY}" if found["stays"] else pages.ANY, expected)
    return pages.is_as_expected(re.sub(r"[+−-]?\d[\d.,]*", pages.ANY, expected), printed)


@pytest.mark.timeout(900)  # half a minute of real games; a loaded machine takes longer
def test_every_command_of_the_tutorial_runs_in_its_order(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name, text in (("old-build", OLD), ("new-build", NEW)):
        (home / name).write_text(text, encoding="utf-8")
        (home / name).chmod(0o755)
    variables = pages.environment(home)
    folder = tmp_path
    statuses = {}
    for command in pages.commands(PAGE):
        if command.text in LEFT_OUT:
            continue
        if command.text.startswith("cd "):
            folder = folder / command.text[3:]
            continue
        text = command.text
        for long, short in SHORTER.items():
            text = text.replace(long, short)
        done = subprocess.run(
            ["/bin/bash", "-c", text],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        statuses[command.text] = done.returncode
        assert "Traceback" not in done.stdout, done.stdout
        # A loaded machine may fail the doctor, who then says other things.
        if command.expected is not None and (done.returncode == 0 or "doctor" not in text):
            assert is_of_the_form(command.expected, done.stdout), f"{command.text}\n{done.stdout}"
    oracle, check = (next(text for text in statuses if word in text) for word in ("oracle run", "check run"))
    doctor = statuses.pop("anchorhold doctor")
    assert doctor in (0, 1), "a loaded machine is no fault of the page"
    assert statuses.pop(oracle) in (0, 1), "so few games may end either way"
    assert statuses.pop(check) in (0, 1, 3)
    gate = statuses.pop("anchorhold gate")
    assert set(statuses.values()) == {0}, statuses
    with Register.open(str(folder / "anchorhold" / "register.sqlite"), read_only=True) as register:
        kinds = [entry.kind for entry in register.entries()]
        verdict = register.entries()[-1].payload["result"]["verdict"]  # type: ignore[index]
    assert kinds[:3] == ["genesis", "contract", "anchor_set"]
    assert kinds[-1] == "check_closed"
    assert (gate == 1) is (verdict == "HALT")
    assert "Sparrow" in (folder / "report.html").read_text(encoding="utf-8")


def test_what_is_left_out_or_shortened_stands_on_the_page() -> None:
    commands = [command.text for command in pages.commands(PAGE)]
    assert set(LEFT_OUT) <= set(commands)
    for long in SHORTER:
        assert any(long in command for command in commands)
    assert shutil.which("glaurung", path="/usr/games:/usr/bin") is not None, "scripts/setup.sh test installs it"
