"""Several processes write one register, and some of them die: nothing acknowledged is lost or numbered twice."""

import random
import signal
import subprocess
import sys
import threading

import pytest

from anchorhold.errors import BadState
from anchorhold.register.store import Register
from postgres import Cluster
from register.places import Place, PostgresPlace
from register.writers import Said, writers

PROCESSES = 8
EACH = 60
"""Of the 1,000 that bench/writers.py has every process append."""


def test_eight_processes_at_once_lose_nothing_and_number_nothing_twice(empty: Place) -> None:
    Register.create(empty.url, author="somebody").close()
    said: dict[str, list[Said]] = {}
    with writers(empty.url, processes=PROCESSES, count=EACH) as started:
        for writer in started:
            writer.begin()
        # Read at once: a pipe that is full would make its writer wait and the test easy.
        readers = [
            threading.Thread(target=lambda one: said.update({one.name: one.rest()}), args=(writer,))
            for writer in started
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        assert [writer.process.wait() for writer in started] == [0] * PROCESSES
    with Register.open(empty.url) as register:
        found = register.verify()
    assert found.problem is None
    assert len(found.entries) == 1 + PROCESSES * EACH
    acknowledged = {entry.seq: entry.hash for entries in said.values() for entry in entries}
    assert {entry.seq: entry.hash for entry in found.entries[1:]} == acknowledged
    for name in said:
        ids = [entry.payload["id"] for entry in found.entries if entry.author == name]
        assert ids == [f"{name}-{number}" for number in range(EACH)]
    # They did take turns: the entries of one process do not stand in one block.
    changes = sum(one.author != other.author for one, other in zip(found.entries, found.entries[1:], strict=False))
    assert changes > PROCESSES


def test_two_processes_that_make_the_same_register_make_one(empty: Place) -> None:
    script = (
        "import sys; from anchorhold.register.store import Register; Register.create(sys.argv[1], author='x').close()"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", script, empty.url], stderr=subprocess.DEVNULL) for _ in range(2)
    ]
    assert sorted(process.wait() for process in processes) == [0, 1]
    with Register.open(empty.url) as register:
        assert len(register.entries()) == 1
        assert register.verify().problem is None


@pytest.mark.parametrize("seed", range(4))
def test_a_process_that_is_killed_loses_nothing_it_was_told_is_written(place: Place, seed: int) -> None:
    chance = random.Random(seed)
    with writers(place.url, processes=2, count=100_000) as started:
        for writer in started:
            writer.begin()
        victim, other = started
        said = [victim.next() for _ in range(chance.randint(1, 12))]
        pause = threading.Event()
        pause.wait(chance.random() * 0.02)
        victim.process.send_signal(signal.SIGKILL)
        said += victim.rest()
        # The other one goes on: a dead writer holds nothing.
        said += [other.next() for _ in range(3)]
        other.process.send_signal(signal.SIGKILL)
        said += other.rest()
        assert [writer.process.wait() for writer in started] == [-signal.SIGKILL] * 2
    with Register.open(place.url) as register:
        found = register.verify()
        assert found.problem is None
        kept = {entry.seq: entry.hash for entry in found.entries}
        assert all(kept[entry.seq] == entry.hash for entry in said)
        # At most the one entry per process that was written and not yet acknowledged comes on top.
        assert 0 <= len(found.entries) - 3 - len(said) <= 2
        assert register.append("note", {"text": "on"}, author="somebody").seq == len(found.entries) + 1


def test_a_server_that_loses_its_power_keeps_what_was_acknowledged(durable_cluster: Cluster) -> None:
    place = PostgresPlace(durable_cluster)
    Register.create(place.url, author="somebody").close()
    said: list[Said] = []
    for turn in range(2):
        with writers(place.url, processes=3, count=100_000, name=f"turn{turn}-") as started:
            for writer in started:
                writer.begin()
            said += [writer.next() for writer in started for _ in range(5 + turn)]
            durable_cluster.stop("immediate")
            for writer in started:
                said += writer.rest()
                assert writer.process.wait() == 1
                assert writer.process.stderr is not None
                assert BadState.__name__ in writer.process.stderr.read()
        durable_cluster.start()
        with Register.open(place.url) as register:
            found = register.verify()
        assert found.problem is None
        kept = {entry.seq: entry.hash for entry in found.entries}
        assert all(kept[entry.seq] == entry.hash for entry in said)
