"""What a machine can give a match, read from files of machines that are set up in other ways."""

from pathlib import Path

import pytest

from anchorhold.errors import BadInput
from anchorhold.matches.host import Host, fill_plan, pin_plan, read_host, read_quota, warnings

QUIET = Host(cores=4, usable=(0, 1, 2, 3), quota=None, load=0.1)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")


def test_this_machine_has_a_core_and_no_more_usable_ones_than_cores() -> None:
    host = read_host()
    assert host.cores >= 1
    assert len(host.usable) <= host.cores
    assert host.available > 0


def test_the_tightest_limit_between_the_group_and_the_root_counts(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "0::/user.slice/job\n")
    write(tmp_path / "cg/user.slice/job/cpu.max", "400000 100000\n")
    write(tmp_path / "cg/user.slice/cpu.max", "150000 100000\n")
    write(tmp_path / "cg/cpu.max", "max 100000\n")
    assert read_quota(proc=tmp_path / "proc", cgroups=tmp_path / "cg") == 1.5


def test_a_limit_of_the_first_version_is_read(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "5:cpu,cpuacct:/docker/abc\n3:memory:/docker/abc\n")
    write(tmp_path / "cg/cpu,cpuacct/cpu.cfs_quota_us", "50000\n")
    write(tmp_path / "cg/cpu,cpuacct/cpu.cfs_period_us", "100000\n")
    assert read_quota(proc=tmp_path / "proc", cgroups=tmp_path / "cg") == 0.5


@pytest.mark.parametrize("text", ["max 100000\n", "", "nonsense\n", "-1 100000\n", "0 0\n", "1\n"])
def test_no_limit_and_an_unreadable_one_are_none(tmp_path: Path, text: str) -> None:
    write(tmp_path / "proc/self/cgroup", "0::/\n")
    write(tmp_path / "cg/cpu.max", text)
    assert read_quota(proc=tmp_path / "proc", cgroups=tmp_path / "cg") is None


def test_a_system_without_these_files_has_no_limit(tmp_path: Path) -> None:
    assert read_quota(proc=tmp_path, cgroups=tmp_path) is None


def test_a_quiet_machine_with_cores_enough_deserves_no_warning() -> None:
    assert warnings(QUIET, workers=4) == []
    assert warnings(QUIET, workers=2, threads=2) == []


def test_more_workers_than_cores_are_warned_of() -> None:
    (text,) = warnings(QUIET, workers=5)
    assert text.startswith("5 pairs at a time need 5 cores, but 4 can be used")
    (text,) = warnings(Host(cores=8, usable=(2, 3), quota=None, load=None), workers=3)
    assert "2 of the machine's 8" in text


def test_threads_count_as_cores() -> None:
    (text,) = warnings(QUIET, workers=3, threads=2)
    assert "3 pairs at a time with 2 threads each need 6 cores" in text


def test_a_cgroup_that_allows_too_little_is_warned_of() -> None:
    (text,) = warnings(Host(cores=4, usable=(0, 1, 2, 3), quota=1.5, load=0.0), workers=2)
    assert "a cgroup allows 1.5 cores' worth" in text


def test_a_busy_machine_is_warned_of_only_where_the_load_gets_in_the_way() -> None:
    busy = Host(cores=4, usable=(0, 1, 2, 3), quota=None, load=2.5)
    assert "load 2.50 on 4 cores" in warnings(busy, workers=2)[0]
    assert warnings(busy, workers=1) == []


def test_every_worker_gets_cores_of_its_own() -> None:
    assert pin_plan(Host(cores=8, usable=(1, 3, 5, 7), quota=None, load=None), workers=2) == ((1,), (3,))
    assert pin_plan(QUIET, workers=2, threads=2) == ((0, 1), (2, 3))


def test_pinning_more_workers_than_cores_is_refused() -> None:
    with pytest.raises(BadInput, match="5 workers with 1 cores each need 5 cores, but 4 can be used"):
        pin_plan(QUIET, workers=5)
    with pytest.raises(BadInput, match="cannot pin"):
        pin_plan(Host(cores=8, usable=(), quota=None, load=None), workers=1)


def test_workers_that_take_all_cores_get_one_each() -> None:
    assert fill_plan(QUIET, workers=4) == ((0,), (1,), (2,), (3,))


@pytest.mark.parametrize(
    ("host", "workers", "threads"),
    [
        (QUIET, 3, 1),
        (QUIET, 5, 1),
        (QUIET, 4, 2),
        (Host(cores=4, usable=(0, 1, 2, 3), quota=1.5, load=0.0), 4, 1),
        (Host(cores=4, usable=(), quota=None, load=None), 4, 1),
    ],
)
def test_elsewhere_the_system_places_workers(host: Host, workers: int, threads: int) -> None:
    assert fill_plan(host, workers=workers, threads=threads) == ()
