"""Revisions become programs: in clean worktrees, once, recorded, refused when they are not what is expected."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from anchorhold.builds.building import Built
from anchorhold.errors import BadInput, BadState
from builds.repository import BUILD, ENVIRONMENT, EngineRepository, builder, left_over, runs, scratch_of

BENCH = ("{program}", "bench")


def test_a_revision_is_built_once_and_kept_with_its_record(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(repository, tmp_path / "builds", bench=BENCH)
    commit = made.source.commit("v2")
    first, second = made.built(commit), made.built(commit)
    assert (first.made_now, second.made_now) == (True, False)
    record = first.record
    assert second.record == record
    assert record.commit == repository.git("rev-parse", "v2")
    assert (record.subject, record.name, record.bench) == ("Prune more", "Sparrow 1", 1281)
    assert record.size == first.program.stat().st_size
    assert "cc -O1 -Wall" in first.log.read_text(encoding="utf-8")
    assert (
        record.compilers["cc"]
        == subprocess.run(["cc", "--version"], check=True, capture_output=True, text=True).stdout.partition("\n")[0]
    )
    assert json.loads((first.folder / "build.json").read_text(encoding="utf-8"))["schema"] == "anchorhold/build/1"
    assert left_over(repository, tmp_path / "builds") == []


def test_two_revisions_are_two_programs_and_facts_name_both_commits(
    repository: EngineRepository, tmp_path: Path
) -> None:
    made = builder(repository, tmp_path / "builds")
    one, other = (made.built(made.source.commit(name)).version().facts for name in ("v1", "v2"))
    assert one.sha256 != other.sha256
    assert [one.commit, other.commit] == [repository.git("rev-parse", name) for name in ("v1", "v2")]


def test_the_users_own_files_stay_out_of_a_build(repository: EngineRepository, tmp_path: Path) -> None:
    clean = builder(repository, tmp_path / "one")
    expected = clean.built(clean.source.commit("master")).record.sha256
    repository.edit("engine.c", "#define SEED 3", "#define SEED 4")
    repository.write("untracked.c", "#error untracked\n")
    changed = builder(repository, tmp_path / "one", command=f"test ! -e untracked.c && {BUILD}")
    assert changed.built(changed.source.commit("master")).record.sha256 == expected


def test_a_program_may_be_left_where_the_build_puts_it(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(repository, tmp_path / "builds", command="make EXE=sparrow", program="sparrow")
    assert made.built(made.source.commit("v1")).program.name == "sparrow"


def test_a_build_may_run_what_it_makes_and_put_it_where_it_likes(repository: EngineRepository, tmp_path: Path) -> None:
    # What Makefiles do that profile: the name is a word beside their own, not a path.
    command = "mkdir src && mv engine.c Makefile src && cd src && make EXE={output} && ./{output} bench"
    made = builder(repository, tmp_path / "builds", command=command)
    built = made.built(made.source.commit("v1"))
    assert built.program.name == "engine"
    assert "Nodes searched  : 1209" in built.log.read_text(encoding="utf-8")


def test_a_failing_build_says_its_last_lines_and_where_the_log_is(repository: EngineRepository, tmp_path: Path) -> None:
    repository.write("engine.c", "int main(void) { return no_such_thing; }\n")
    repository.commit("Broken", tag="broken")
    made = builder(repository, tmp_path / "builds")
    with pytest.raises(BadState, match=r"the build of broken failed with 2; its last lines: .*Error 1") as failed:
        made.built(made.source.commit("broken"))
    assert "no_such_thing" in Path(failed.value.where).read_text(encoding="utf-8")
    assert "\n" not in str(failed.value)
    assert left_over(repository, tmp_path / "builds") == []


def test_a_build_that_makes_no_program_is_refused_and_says_what_it_made(
    repository: EngineRepository, tmp_path: Path
) -> None:
    made = builder(repository, tmp_path / "builds", command="make EXE={output}-avx2")
    with pytest.raises(BadState, match=r"left no program \{output\}; engine-\w+ was \{output\}, .* engine-\w+-avx2"):
        made.built(made.source.commit("v1"))


def test_a_program_that_is_slow_to_start_is_waited_for_as_long_as_in_a_match(
    repository: EngineRepository, tmp_path: Path
) -> None:
    command = "printf '#!/bin/sh\\nsleep 1\\necho uciok\\n' >{output}; chmod +x {output}"
    patient = builder(repository, tmp_path / "one", command=command)
    assert patient.built(patient.source.commit("v1")).record.name is None
    hasty = builder(repository, tmp_path / "two", command=command, start_timeout=0.2)
    with pytest.raises(BadState, match=r"did not start and answer within .* Raise start_timeout in \[match\]"):
        hasty.built(hasty.source.commit("v1"))


def test_a_build_that_makes_no_engine_is_refused(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(
        repository, tmp_path / "builds", command="printf '#!/bin/sh\\necho hi\\n' >{output}; chmod +x {output}"
    )
    with pytest.raises(BadState, match=r"does not answer 'uci'; the last it said was 'hi'"):
        made.built(made.source.commit("v1"))


def test_a_hung_build_is_ended_with_all_its_children(repository: EngineRepository, tmp_path: Path) -> None:
    file = tmp_path / "children"
    command = f"setsid sleep 1000 & echo $! >{file}; sleep 1000 & echo $! >>{file}; wait # {{output}}"
    made = builder(repository, tmp_path / "builds", command=command, timeout=1.0)
    with pytest.raises(BadState, match=r"was not done in 1 s"):
        made.built(made.source.commit("v1"))
    children = [int(word) for word in file.read_text(encoding="ascii").split()]
    assert len(children) == 2
    assert [pid for pid in children if runs(pid)] == []
    assert left_over(repository, tmp_path / "builds") == []


def test_a_bench_that_differs_from_the_commit_message_is_refused(repository: EngineRepository, tmp_path: Path) -> None:
    repository.seed(5, "Wrong bench\n\nBench: 77", tag="wrong")
    made = builder(repository, tmp_path / "builds", bench=BENCH)
    with pytest.raises(BadState, match=r"the bench of wrong is \d{3,}, expected 77 \(in the commit message\)"):
        made.built(made.source.commit("wrong"))
    assert list((tmp_path / "builds").glob("*/build.json")) == []


def test_a_bench_that_was_asked_for_goes_before_the_commit_message(
    repository: EngineRepository, tmp_path: Path
) -> None:
    made = builder(repository, tmp_path / "builds", bench=BENCH)
    commit = made.source.commit("v2")
    assert made.built(commit, bench=1281).record.bench == 1281
    with pytest.raises(BadState, match=r"the bench of v2 is 1281, expected 9 \(asked for\)"):
        made.built(commit, bench=9)


def test_a_bench_that_nobody_runs_is_said(repository: EngineRepository, tmp_path: Path) -> None:
    notices: list[str] = []
    made = builder(repository, tmp_path / "builds", notices=notices)
    assert made.built(made.source.commit("v2")).record.bench is None
    assert any("the commit says bench 1281, and no bench is run" in notice for notice in notices)
    with pytest.raises(BadInput, match="no bench is run"):
        made.built(made.source.commit("v2"), bench=1281)


def test_a_kept_build_is_asked_for_its_bench_when_the_settings_want_one_later(
    repository: EngineRepository, tmp_path: Path
) -> None:
    before = builder(repository, tmp_path / "builds")
    before.built(before.source.commit("v2"))
    later = builder(repository, tmp_path / "builds", bench=BENCH)
    found = later.built(later.source.commit("v2"))
    assert (found.made_now, found.record.bench) == (False, 1281)


def test_a_bench_command_without_a_bench_is_refused(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(repository, tmp_path / "builds", bench=("{program}",))
    with pytest.raises(BadState, match="the bench command printed no bench"):
        made.built(made.source.commit("v1"))


def test_an_id_that_differs_is_refused(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(repository, tmp_path / "builds", id=r"Sparrow \d+")
    assert made.built(made.source.commit("v1")).record.name == "Sparrow 1"
    strict = builder(repository, tmp_path / "builds", id="Sparrow 2")
    with pytest.raises(BadState, match="the program of v1 calls itself 'Sparrow 1', expected 'Sparrow 2'"):
        strict.built(strict.source.commit("v1"))


def test_flags_make_another_build_and_are_recorded(repository: EngineRepository, tmp_path: Path) -> None:
    plain = builder(repository, tmp_path / "builds", command=f'{BUILD} CFLAGS="$CFLAGS"')
    commit = plain.source.commit("v1")
    other = builder(
        repository,
        tmp_path / "builds",
        command=f'{BUILD} CFLAGS="$CFLAGS"',
        environment={**ENVIRONMENT, "CFLAGS": "-O2"},
        variables=(("CPPFLAGS", "-DX"),),
    )
    one, two = plain.built(commit), other.built(commit)
    assert one.record.flags == {}
    assert two.record.flags == {"CFLAGS": "-O2", "CPPFLAGS": "-DX"}
    assert one.folder != two.folder


def test_the_environment_of_a_build_is_scrubbed(repository: EngineRepository, tmp_path: Path) -> None:
    caller = {**ENVIRONMENT, "MAKEFLAGS": "-n", "GIT_DIR": "/nowhere", "ANCHORHOLD_WORKERS": "2", "SECRET": "token"}
    made = builder(repository, tmp_path / "builds", command=f"env; {BUILD}", environment=caller)
    built = made.built(made.source.commit("v1"))
    seen = {line.partition("=")[0] for line in built.log.read_text(encoding="utf-8").splitlines() if "=" in line}
    assert "SOURCE_DATE_EPOCH" in seen
    assert seen.isdisjoint({"MAKEFLAGS", "GIT_DIR", "SECRET", "ANCHORHOLD_WORKERS"})


def test_what_is_kept_and_was_changed_is_not_used(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(repository, tmp_path / "builds")
    built = made.built(made.source.commit("v1"))
    built.program.chmod(0o755)
    built.program.write_bytes(built.program.read_bytes() + b"x")
    with pytest.raises(BadState, match="engine is not the program that was built"):
        made.built(made.source.commit("v1"))
    (built.folder / "build.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadState, match="holds no build that can be read"):
        made.built(made.source.commit("v1"))


def test_a_second_build_is_compared_and_the_kept_one_stays(repository: EngineRepository, tmp_path: Path) -> None:
    made = builder(repository, tmp_path / "builds")
    again = made.again(made.source.commit("v1"))
    assert again.same
    stamped = builder(repository, tmp_path / "builds", command=f"{BUILD} && date +%N >>{{output}}")
    other = stamped.again(stamped.source.commit("v1"))
    assert not other.same
    assert stamped.built(stamped.source.commit("v1")).record.sha256 == other.kept.record.sha256
    assert left_over(repository, tmp_path / "builds") == []


def test_nothing_is_built_in_a_folder_that_others_may_write(repository: EngineRepository, tmp_path: Path) -> None:
    scratch = scratch_of(tmp_path / "builds")
    scratch.mkdir()
    scratch.chmod(0o777)
    made = builder(repository, tmp_path / "builds")
    with pytest.raises(BadState, match="is not a folder that only this user may write"):
        made.built(made.source.commit("v1"))
    scratch.rmdir()
    scratch.symlink_to(tmp_path)
    with pytest.raises(BadState, match="is not a folder that only this user may write"):
        made.built(made.source.commit("v1"))


def test_what_a_build_made_unwritable_goes_too(repository: EngineRepository, tmp_path: Path) -> None:
    command = f"mkdir -p deep/er && touch deep/er/file && chmod -R a-w deep; {BUILD}"
    made = builder(repository, tmp_path / "builds", command=command)
    made.built(made.source.commit("v1"))
    assert left_over(repository, tmp_path / "builds") == []


def test_a_build_does_not_lie_within_the_users_own_tree(repository: EngineRepository, tmp_path: Path) -> None:
    repository.write("above.mk", "$(error the build looks above itself)\n")
    command = f"d=$PWD; while d=$(dirname $d); [ $d != / ]; do test ! -e $d/above.mk || exit 9; done; {BUILD}"
    made = builder(repository, repository.directory / "data" / "builds", command=command, scratch=tmp_path / "scratch")
    assert made.built(made.source.commit("v1")).made_now


def test_two_builds_of_one_revision_at_once_wait_for_each_other(repository: EngineRepository, tmp_path: Path) -> None:
    count = tmp_path / "count"
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command = f"echo begun >>{count}; read line <{gate}; {BUILD}"
    notices: list[str] = []
    found: list[Built] = []

    def run() -> None:
        made = builder(repository, tmp_path / "builds", command=command, notices=notices)
        found.append(made.built(made.source.commit("v1")))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: any("is being built by somebody else" in notice for notice in notices))
    with gate.open("w", encoding="ascii") as handle:
        handle.write("go\n")
    for thread in threads:
        thread.join()
    assert sorted(built.made_now for built in found) == [False, True]
    assert count.read_text(encoding="ascii") == "begun\n"


def wait_until(condition: object, patience: float = 60.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.01)


def test_what_a_killed_build_left_is_cleared_by_the_next(repository: EngineRepository, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    command = f"echo $$ >{begun}; test -e {tmp_path}/go || sleep 1000; {BUILD}"
    script = (
        "import sys; sys.path[:0] = sys.argv[3:]\n"
        "from pathlib import Path\n"
        "from builds.repository import EngineRepository, builder\n"
        "made = builder(EngineRepository(Path(sys.argv[1])), Path(sys.argv[2]), command=sys.stdin.read())\n"
        "made.built(made.source.commit('v1'))\n"
    )
    folder = tmp_path / "builds"
    process = subprocess.Popen(
        [sys.executable, "-c", script, repository.directory, folder, *sys.path], stdin=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(command)
    process.stdin.close()
    wait_until(lambda: begun.exists() and begun.read_text(encoding="ascii").strip())
    orphan = int(begun.read_text(encoding="ascii"))
    process.kill()
    process.wait()
    assert runs(orphan)
    assert left_over(repository, folder) != []
    (tmp_path / "go").touch()
    made = builder(repository, folder, command=command)
    assert made.built(made.source.commit("v1")).made_now
    assert not runs(orphan)
    assert left_over(repository, folder) == []


def test_hooks_and_replacement_objects_of_the_repository_are_not_followed(
    repository: EngineRepository, tmp_path: Path
) -> None:
    hook = repository.directory / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n", encoding="utf-8")
    hook.chmod(0o755)
    made = builder(repository, tmp_path / "builds")
    expected = made.built(made.source.commit("v1")).record.sha256
    repository.git("replace", "v1", "v2")
    replaced = builder(repository, tmp_path / "others")
    assert replaced.built(replaced.source.commit("v1")).record.sha256 == expected
    assert not (tmp_path / "hooked").exists()


def test_a_checkout_that_a_filter_changed_is_refused(repository: EngineRepository, tmp_path: Path) -> None:
    repository.write(".gitattributes", "engine.c filter=upper\n")
    repository.commit("A filter", tag="filtered")
    repository.git("config", "filter.upper.smudge", "tr a-z A-Z")
    made = builder(repository, tmp_path / "builds")
    with pytest.raises(BadState, match=r"git's checkout of filtered is not what the commit holds: engine\.c"):
        made.built(made.source.commit("filtered"))
    assert left_over(repository, tmp_path / "builds") == []


def test_submodules_are_fetched(repository: EngineRepository, tmp_path: Path) -> None:
    library = EngineRepository(tmp_path / "library")
    library.directory.mkdir()
    library.git("init", "--quiet", ".")
    library.write("seed.h", "#define SEED 9\n")
    library.commit("A library")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.directory), "lib")
    repository.edit("engine.c", "#include <ctype.h>", '#include "lib/seed.h"\n#include <ctype.h>')
    repository.commit("Use a library", tag="with-library")
    allowed = {**ENVIRONMENT, "GIT_ALLOW_PROTOCOL": "file"}
    made = builder(repository, tmp_path / "builds", environment=allowed, bench=BENCH)
    assert made.built(made.source.commit("with-library")).record.bench not in (1209, 1281, None)
    assert left_over(repository, tmp_path / "builds") == []
    forbidden = builder(repository, tmp_path / "others", environment={**ENVIRONMENT, "GIT_ALLOW_PROTOCOL": "https"})
    with pytest.raises(BadState, match="fetching the submodules of with-library failed"):
        forbidden.built(forbidden.source.commit("with-library"))
    assert left_over(repository, tmp_path / "others") == []


def test_a_log_is_bounded_and_keeps_beginning_and_end(repository: EngineRepository, tmp_path: Path) -> None:
    command = f"echo first; yes | head -c 40000000; echo last; {BUILD}"
    made = builder(repository, tmp_path / "builds", command=command)
    built = made.built(made.source.commit("v1"))
    log = built.log.read_bytes()
    assert len(log) < 18_000_000
    assert log.startswith(b"first\n")
    assert b"bytes of output are left out here]" in log
    assert b"last\n" in log[-70_000:]
