"""What holds for every test: a run with ``--nothing-skipped`` that left one out has failed; one database server."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nothing-skipped", action="store_true", help="fail when a test was skipped or deselected")
    parser.addoption("--record", action="store_true", help="write what commands print into the pages of docs/")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not session.config.getoption("--nothing-skipped") or reporter is None:
        return
    left_out = {outcome: len(reporter.stats[outcome]) for outcome in LEFT_OUT if reporter.stats.get(outcome)}
    if left_out:
        reporter.write_line("")
        reporter.write_line(f"failed: tests were left out ({left_out}), and --nothing-skipped was given", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
