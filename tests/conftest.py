"""What holds for every test: nothing outlives a run, ``--nothing-skipped`` leaves nothing out; one database server."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import settings

from leftovers import Leftovers
from postgres import Cluster, running_cluster

# A slow or loaded machine must not fail a property that holds, and two runs of one commit must not differ: the examples
# follow from the test. Wider search: pytest --hypothesis-profile=search
settings.register_profile("search", deadline=None, max_examples=2000)
settings.register_profile("anchorhold", deadline=None, derandomize=True)
settings.load_profile("anchorhold")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server for all tests that ask for one; it forgets everything when the power is cut."""
    with running_cluster() as running:
        yield running


@pytest.fixture(scope="session")
def durable_cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that may be stopped and started, and must run again when the test ends."""
    with running_cluster(durable=True) as running:
        yield running


LEFT_OUT = ("skipped", "deselected", "xfailed")
DESELECTED = pytest.StashKey[int]()
"""Tests that were not chosen; where several processes run them, the one that only collects reports asks the others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nothing-skipped", action="store_true", help="fail when a test was skipped or deselected")
    parser.addoption("--record", action="store_true", help="write what commands print into the pages of docs/")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[DESELECTED] = 0
    config.pluginmanager.register(Leftovers(), "leftovers")


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    if items:
        items[0].config.stash[DESELECTED] += len(items)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[DESELECTED] += getattr(node, "workeroutput", {}).get("deselected", 0)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["deselected"] = config.stash[DESELECTED]
        return
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if not config.getoption("--nothing-skipped") or reporter is None:
        return
    left_out = {outcome: len(reporter.stats.get(outcome, ())) for outcome in LEFT_OUT}
    left_out["deselected"] = config.stash[DESELECTED]
    if any(left_out.values()):
        reporter.write_line("")
        reporter.write_line(f"failed: tests were left out ({left_out}), and --nothing-skipped was given", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
