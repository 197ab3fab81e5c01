"""action.yml and the snippets of docs/howto/ci.md: parsed, held to what the page promises, really run."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from hooks.repositories import ENVIRONMENT, Registers, git

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "howto" / "ci.md").read_text(encoding="utf-8")
SNIPPETS: list[dict[Any, Any]] = [
    yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)
]
GITHUB, GITLAB = SNIPPETS
PROGRAM = """\
#!/bin/sh
PYTHONPATH={source}
export PYTHONPATH
exec {python} -m anchorhold "$@"
"""


@dataclass(frozen=True)
class Ran:
    """What a step left behind."""

    status: int
    said: str
    outputs: dict[str, str]
    summary: str


@dataclass(frozen=True)
class Runner:
    """A machine that builds: a working tree, and a folder for what steps leave there."""

    root: Path

    @property
    def tree(self) -> Path:
        return self.root / "tree"

    @property
    def temp(self) -> Path:
        return self.root / "temp"

    def install(self) -> None:
        """Stand in for the step that installs: the same program at the same place."""
        place = self.temp / "anchorhold" / "bin" / "anchorhold"
        place.parent.mkdir(parents=True)
        place.write_text(PROGRAM.format(source=ROOT / "src", python=sys.executable), encoding="utf-8")
        place.chmod(0o755)

    def bash(self, script: str, **variables: str) -> Ran:
        """Run a script as a step with ``shell: bash`` is run."""
        files = {name: self.root / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("", encoding="utf-8")
        (self.root / "step.sh").write_text(script, encoding="utf-8")
        environment = {
            **ENVIRONMENT,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(self.temp),
            **{name: str(file) for name, file in files.items()},
            **variables,
        }
        ran = subprocess.run(
            ("bash", "--noprofile", "--norc", "-eo", "pipefail", str(self.root / "step.sh")),
            cwd=self.tree,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines()
        outputs = {name: value for name, _, value in (line.partition("=") for line in lines)}
        summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        return Ran(ran.returncode, ran.stdout + ran.stderr, outputs, summary)

    def step(self, step: dict[str, Any], **values: str) -> Ran:
        """Run a step after its expressions are filled in; one without a value is an error."""

        def filled(text: str) -> str:
            return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda found: values[found[1]], text)

        variables = {name: filled(text) for name, text in step.get("env", {}).items()}
        assert "${{" not in step["run"], "an expression in a script is code that somebody else writes"
        return self.bash(step["run"], **variables)

    def gate(self, register: str, **inputs: str) -> Ran:
        """Run the action's gate step with these inputs, its defaults for the others."""
        given = {f"inputs.{name}": str(field.get("default", "")) for name, field in ACTION["inputs"].items()}
        given |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        given |= {"inputs.register": register, "runner.temp": str(self.temp)}
        return self.step(step_named("Ask the gate"), **given)


def step_named(name: str) -> dict[str, Any]:
    (found,) = [step for step in ACTION["runs"]["steps"] if step["name"] == name]
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def registers(tmp_path_factory: pytest.TempPathFactory) -> Registers:
    return Registers(tmp_path_factory.mktemp("registers"))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    made = Runner(tmp_path)
    made.tree.mkdir()
    made.temp.mkdir()
    made.install()
    return made


def test_the_action_is_one_that_github_takes() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "outputs", "runs"} <= set(ACTION)
    for step in ACTION["runs"]["steps"]:
        assert ("uses" in step) != ("run" in step)
        assert "run" not in step or step["shell"] == "bash", "a composite step names its shell"
    gate = step_named("Ask the gate")
    assert set(ACTION["outputs"]) == {"state", "verdict", "r"}
    for name, output in ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.{gate['id']}.outputs.{name} }}}}"
    used = set(re.findall(r"inputs\.([a-z-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(ACTION["inputs"])


@pytest.mark.parametrize(("verdict", "r"), [("CONTINUE", "1.39647134"), ("WARN", "0.523676753")])
def test_the_action_succeeds_while_the_gate_is_open(runner: Runner, registers: Registers, verdict: str, r: str) -> None:
    shutil.copy(registers.of(verdict), runner.tree / "register.db")
    ran = runner.gate("register.db")
    assert ran.status == 0
    assert ran.outputs == {"state": "open", "verdict": verdict, "r": r}
    assert ran.summary.startswith("### anchorhold: merging may go on\n")
    assert verdict in ran.summary


def test_the_action_fails_in_halt_and_says_so_everywhere(runner: Runner, registers: Registers) -> None:
    shutil.copy(registers.of("HALT"), runner.tree / "register.db")
    ran = runner.gate("register.db")
    assert ran.status == 1
    assert ran.outputs == {"state": "held", "verdict": "HALT", "r": "0.0"}
    assert ran.summary.startswith("### anchorhold: merging is held\n")
    assert "check check-1 closed with HALT" in ran.summary
    assert "::error title=anchorhold::Merging is held" in ran.said


def test_the_action_fails_and_reports_when_there_is_no_register(runner: Runner) -> None:
    ran = runner.gate("absent.db")
    assert (ran.status, ran.outputs["state"]) == (2, "unknown")
    assert "there is no register here" in ran.summary


def test_the_action_fails_and_reports_when_nothing_was_installed(runner: Runner) -> None:
    shutil.rmtree(runner.temp / "anchorhold")
    ran = runner.gate("register.db")
    assert (ran.status, ran.outputs["state"]) == (127, "unknown")
    assert ran.summary.startswith("### anchorhold: merging is held\n")
    assert step_named("Ask the gate")["if"] == "always()"


@pytest.fixture
def branches(runner: Runner, registers: Registers) -> Runner:
    """A branch of a project that keeps its register in the repository; where it goes to is ``origin/main``."""
    git(runner.root, "init", "--bare", "-b", "main", "origin.git")
    git(runner.tree, "init", "-b", "main")
    git(runner.tree, "remote", "add", "origin", "../origin.git")
    (runner.tree / "allowed_signers").write_text("", encoding="utf-8")
    record(runner, registers.export("CONTINUE"))
    git(runner.tree, "push", "-u", "origin", "main")
    git(runner.tree, "switch", "-c", "change")
    return runner


def record(runner: Runner, export: bytes) -> None:
    (runner.tree / "register.jsonl").write_bytes(export)
    git(runner.tree, "add", "register.jsonl", "allowed_signers")
    git(runner.tree, "commit", "-m", "register")


CASES = [
    (("CONTINUE",), "open"),
    (("CONTINUE", "WARN"), "open"),
    (("CONTINUE", "HALT"), "held"),
    (("WARN", "WARN"), "broken"),
    ((), "broken"),
]


@pytest.mark.parametrize(("verdicts", "state"), CASES)
def test_the_github_job_compares_with_the_branch_that_is_merged_into(
    branches: Runner, registers: Registers, verdicts: tuple[str, ...], state: str
) -> None:
    if verdicts != ("CONTINUE",):
        record(branches, registers.export(*verdicts))
    (job,) = GITHUB["jobs"].values()
    base = "github.event.merge_group.base_ref || github.base_ref"
    (take,) = [step for step in job["steps"] if "run" in step]
    (gate,) = [step for step in job["steps"] if "anchorhold@" in step.get("uses", "")]
    for name in ("main", "refs/heads/main"):
        assert branches.step(take, **{base: name}).status == 0
    given = {name: value.replace("${{ runner.temp }}", str(branches.temp)) for name, value in gate["with"].items()}
    ran = branches.gate(given.pop("register"), **{name.replace("-", "_"): value for name, value in given.items()})
    assert ran.outputs["state"] == state, ran.said
    assert ran.summary
    assert (ran.status == 0) == (state == "open")


@pytest.mark.parametrize(("verdicts", "state"), CASES)
def test_the_gitlab_job_compares_with_the_branch_that_is_merged_into(
    branches: Runner, registers: Registers, verdicts: tuple[str, ...], state: str
) -> None:
    if verdicts != ("CONTINUE",):
        record(branches, registers.export(*verdicts))
    (job,) = GITLAB.values()
    script = "\n".join(("PATH=$RUNNER_TEMP/anchorhold/bin:$PATH", *job["script"]))
    ran = branches.bash(script, CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main", CI_DEFAULT_BRANCH="none")
    assert (ran.status == 0) == (state == "open"), ran.said
    assert {"open": "Merging may go on", "held": "Merging is held", "broken": "base.jsonl"}[state] in ran.said


def test_a_head_that_was_kept_is_asked_for(runner: Runner, registers: Registers) -> None:
    (runner.tree / "register.jsonl").write_bytes(registers.export("CONTINUE"))
    assert runner.gate("register.jsonl", kept_head=f"1:{'0' * 64}").outputs["state"] == "broken"


def test_the_action_installs_itself_into_the_place_where_the_gate_is_asked() -> None:
    script = step_named("Install anchorhold")["run"]
    subprocess.run(("bash", "-n"), input=script, text=True, check=True)
    assert '-c "$ACTION/constraints.txt"' in script
    place = step_named("Install anchorhold")["env"]["ENVIRONMENT"]
    assert step_named("Ask the gate")["env"]["ANCHORHOLD"] == f"{place}/bin/anchorhold"


def test_the_githubs_job_always_reports() -> None:
    triggers = GITHUB[True]  # YAML 1.1 reads the key `on` as a truth value
    assert set(triggers) == {"pull_request", "merge_group"}
    assert not any(triggers.values()), "a filter would keep the job from starting"
    (job,) = GITHUB["jobs"].values()
    assert job["if"] == "always()"
    assert "needs" not in job
    assert "continue-on-error" not in PAGE.partition("```yaml")[2].partition("```")[0]
    for step in job["steps"]:
        assert "if" not in step


def test_the_gitlab_job_always_reports() -> None:
    (job,) = GITLAB.values()
    assert job["rules"] == [{"when": "always"}]
    assert job["allow_failure"] is False
    assert job["needs"] == []


def test_the_action_is_called_with_inputs_that_it_has() -> None:
    (job,) = GITHUB["jobs"].values()
    (step,) = [step for step in job["steps"] if "anchorhold@" in step.get("uses", "")]
    assert set(step["with"]) <= set(ACTION["inputs"])
