"""A run on a Dask cluster: the same jobs, one task each; the journal stays with the process that submits them.

Each worker of the cluster gets as many pairs as it has threads, and as many again while pairs are short, so that the
scheduler holds few of them however long the run is. What a lost worker had is played again elsewhere. A worker whose
engines differ, are missing or do not start plays nothing; the others go on. The only file that imports Dask.
Source: SPEC section 10. May import: dask, distributed, anchorhold, anchorhold.errors, anchorhold.domain,
anchorhold.matches.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace

import dask
from distributed import Client, Future, Worker, WorkerPlugin, get_worker

from anchorhold import __version__
from anchorhold.domain.engines import EngineSpec
from anchorhold.domain.games import PairKey
from anchorhold.errors import BadInput, MatchStopped
from anchorhold.matches.engine_files import at_absolute_paths, file_digests
from anchorhold.matches.failures import FailureCount
from anchorhold.matches.jobs import Overhead, PairJob, PairOutcome, RunReport
from anchorhold.matches.journal import Journal, describe
from anchorhold.matches.station import Answer, BrokenOff, Order, Refused, Station
from anchorhold.matches.tablebases import open_tablebases
from anchorhold.matches.wire import Broken, Played, Stopped

CONNECT = 4.0
"""Seconds to reach the scheduler."""
ANSWER = 15.0
"""Seconds in which scheduler and workers must answer what takes no time."""
LOOK = 0.5
"""Seconds between two looks at who is there."""
PATIENCE = 30.0
"""Seconds without any worker that can play after which the run ends."""
SHORT_PAIR = 2.0
"""Seconds: while pairs take less on average, a worker has as many again waiting."""
MOST_LOSSES = 5
"""A pair that so many workers did not survive ends the run."""
UNUSED = 20.0
"""Seconds after which a worker ends the engines of a submitter that was lost."""
PATHS = "anchorhold.paths"
"""Dask's configuration of a worker: which folder stands there for which folder of the submitting machine."""


def run(
    jobs: Iterable[PairJob],
    *,
    journal: Journal,
    address: str,
    on_outcome: Callable[[PairOutcome], None] | None = None,
    until: Callable[[], bool] | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> RunReport:
    """Play all jobs that are not in the journal yet on the workers of a Dask cluster.

    Parameters
    ----------
    jobs, journal, on_outcome, until
        As for ``runner.run``.
    address : str
        Of the scheduler, such as ``tcp://host:8786``.
    on_notice : callable, optional
        Told in one sentence when a worker is lost or cannot play.

    Raises
    ------
    BadInput
        No scheduler answers there.
    MatchStopped
        An engine fails too often in a row, no worker that can play is left, or the scheduler is lost. What was played
        is kept.
    KeyboardInterrupt
        As pressed; what was queued is cancelled and what was being played is broken off.
    """
    if until is not None and until():
        return RunReport(pairs=0, overhead=Overhead())
    wanted = (job for job in jobs if not journal.has(job.key))
    cpu = time.process_time()
    with _quiet():
        report = asyncio.run(_connect(address, _Run(wanted, journal, address, on_outcome, until, on_notice)))
    return replace(report, overhead=report.overhead + Overhead(cpu=time.process_time() - cpu))


async def _connect(address: str, run: _Run) -> RunReport:
    client: Client = Client(  # type: ignore[no-untyped-call]
        address, asynchronous=True, timeout=CONNECT, set_as_default=False, name="anchorhold"
    )
    try:
        try:
            await client
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise BadInput(
                f"no Dask scheduler answers there ({error})",
                where=f"--dask {address}",
                next_step="Give the address that 'dask scheduler' prints, such as tcp://host:8786",
            ) from error
        return await run.play(client)
    finally:
        with contextlib.suppress(TimeoutError, OSError):
            await asyncio.wait_for(client.close(), ANSWER)  # type: ignore[no-untyped-call]


@dataclass(slots=True)
class _Far:
    """A worker that can play."""

    address: str
    threads: int
    flights: set[asyncio.Task[Answer]] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Flight:
    """A pair on its way."""

    job: PairJob
    worker: _Far
    future: Future[Answer]


class _SchedulerLost(Exception):
    pass


class _Run:
    """One run from its first job to its last answer."""

    def __init__(
        self,
        jobs: Iterator[PairJob],
        journal: Journal,
        address: str,
        on_outcome: Callable[[PairOutcome], None] | None,
        until: Callable[[], bool] | None,
        on_notice: Callable[[str], None] | None,
    ) -> None:
        self._jobs = jobs
        self._journal = journal
        self._address = address
        self._on_outcome = on_outcome
        self._until = until
        self._on_notice = on_notice
        self._name = f"anchorhold-{uuid.uuid4().hex[:12]}"
        self._failures = FailureCount()
        self._orders = _Orders()
        self._workers: dict[str, _Far] = {}
        self._unfit: dict[str, str] = {}
        self._flights: dict[asyncio.Task[Answer], _Flight] = {}
        self._taken_back: deque[PairJob] = deque()
        self._losses: Counter[PairKey] = Counter()
        self._sent = 0
        self._seconds: float | None = None
        self._pairs = 0
        self._overhead = Overhead()
        self._has_played = False
        self._idle_since = time.monotonic()

    async def play(self, client: Client) -> RunReport:
        """Play everything; nothing of it is left on the cluster when it returns or raises."""
        try:
            await self._play(client)
        except _SchedulerLost:
            raise MatchStopped(
                "the Dask scheduler is lost",
                where=f"--dask {self._address}",
                next_step="Start it again and give the same command: what was played is kept",
            ) from None
        finally:
            await self._leave(client)
        return RunReport(pairs=self._pairs, overhead=self._overhead)

    async def _play(self, client: Client) -> None:
        looked_at = 0.0
        job = self._next()
        while job is not None or self._flights:
            if time.monotonic() - looked_at >= LOOK:
                await self._look(client)
                looked_at = time.monotonic()
            while job is not None and (worker := self._free()) is not None:
                self._send(client, worker, job)
                job = self._next()
            if not self._flights:
                await asyncio.sleep(LOOK)
                continue
            done, _ = await asyncio.wait(self._flights, timeout=LOOK, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if self._take(client, task):
                    return
            # What was taken back may be all that is left.
            job = job or self._next()

    # -- jobs

    def _next(self) -> PairJob | None:
        return self._taken_back.popleft() if self._taken_back else next(self._jobs, None)

    def _free(self) -> _Far | None:
        """Return the worker that has the fewest pairs for its threads, None when all have enough."""
        rounds = 2 if self._seconds is not None and self._seconds < SHORT_PAIR else 1
        open_ones = [far for far in self._workers.values() if len(far.flights) < rounds * far.threads]
        return min(open_ones, key=lambda far: len(far.flights) / far.threads, default=None)

    def _send(self, client: Client, worker: _Far, job: PairJob) -> None:
        self._sent += 1
        key = job.key
        # The last number lets a pair that was lost be sent again while the scheduler still forgets the first time.
        words = (self._name, key.run, key.endpoint, key.anchor, key.stage, key.opening, self._sent)
        future = client.submit(
            _play,
            self._name,
            self._orders.order(job),
            key="|".join(map(str, words)),
            workers=[worker.address],
            allow_other_workers=False,
            pure=False,
        )
        task = asyncio.create_task(_answer(future))
        worker.flights.add(task)
        self._flights[task] = _Flight(job, worker, future)

    def _take(self, client: Client, task: asyncio.Task[Answer]) -> bool:
        """Take what a task answers; True when the run has reached its end."""
        flight = self._flights.pop(task)
        flight.worker.flights.discard(task)
        if task.cancelled() or isinstance(task.exception(), CancelledError):
            if client.status != "running":
                raise _SchedulerLost
            # Somebody restarted the cluster, or cancelled it there.
            self._lost(flight.job)
            return False
        answer = task.result()
        if isinstance(answer, Played):
            return self._keep(flight.job, answer)
        if isinstance(answer, Stopped):
            raise MatchStopped(
                f"{answer.what} (on {flight.worker.address})", where=answer.where, next_step=answer.next_step
            )
        if isinstance(answer, Broken):
            raise RuntimeError(f"a worker met a fault of this program:\n{answer.traceback}")
        if isinstance(answer, Refused):
            self._dismiss(flight.worker, answer.reason)
            self._taken_back.append(flight.job)
        else:
            # Its station is gone: the worker was started anew at the same address.
            self._forget(flight.worker)
            self._lost(flight.job)
        return False

    def _keep(self, job: PairJob, played: Played) -> bool:
        outcome = played.outcome
        assert outcome.record.key == job.key
        old = played.seconds if self._seconds is None else self._seconds
        self._seconds = 0.8 * old + 0.2 * played.seconds
        self._has_played = True
        self._journal.add(outcome.record)
        self._pairs += 1
        self._overhead += outcome.overhead
        if self._on_outcome is not None:
            self._on_outcome(outcome)
        self._failures.take(job, outcome.marks)
        return self._until is not None and self._until()

    def _lost(self, job: PairJob) -> None:
        self._losses[job.key] += 1
        if self._losses[job.key] >= MOST_LOSSES:
            raise MatchStopped(
                f"{MOST_LOSSES} Dask workers were lost while they had {describe(job.key)}",
                next_step="See whether these machines run out of memory; fewer threads a worker need less",
            )
        self._taken_back.append(job)

    # -- workers

    async def _look(self, client: Client) -> None:
        """See who has come and who is gone."""
        scheduler = client.scheduler
        if scheduler is None:
            raise _SchedulerLost
        try:
            there: dict[str, int] = await asyncio.wait_for(scheduler.ncores(), ANSWER)
        except OSError as error:
            raise _SchedulerLost from error
        for address in self._unfit.keys() - there.keys():
            del self._unfit[address]
        for address in self._workers.keys() - there.keys():
            self._notice(f"Dask worker {address} is lost; what it had is played again")
            lost = self._workers[address]
            self._forget(lost)
            for task in lost.flights & self._flights.keys():
                flight = self._flights.pop(task)
                await self._drop(client, task, flight)
                self._lost(flight.job)
        new = [a for a, threads in there.items() if threads and a not in self._workers and a not in self._unfit]
        if new:
            await self._settle(client, new, there)
        if self._workers:
            self._idle_since = time.monotonic()
        else:
            self._nobody(there)

    async def _settle(self, client: Client, addresses: list[str], threads: dict[str, int]) -> None:
        """Take in those who have come, each for itself: one that hangs must not keep the others out."""
        answers = await asyncio.gather(*(_ask(client, address, self._name) for address in addresses))
        for address, reason in zip(addresses, answers, strict=True):
            worker = _Far(address, threads[address])
            if reason:
                self._dismiss(worker, reason)
            elif reason is not None:
                self._workers[address] = worker

    def _dismiss(self, worker: _Far, reason: str) -> None:
        self._workers.pop(worker.address, None)
        if worker.address not in self._unfit:
            self._unfit[worker.address] = reason
            self._notice(f"Dask worker {worker.address} does not play: {reason}")

    def _forget(self, worker: _Far) -> None:
        if self._workers.get(worker.address) is worker:
            del self._workers[worker.address]

    def _nobody(self, there: dict[str, int]) -> None:
        """End the run when no worker can play and none is to be expected."""
        # A worker that was lost may be started anew; where nobody ever played, nobody is waited for who can.
        if self._unfit and not self._has_played:
            address, reason = next(iter(self._unfit.items()))
            raise MatchStopped(
                f"none of {len(self._unfit)} Dask workers can play; {address}: {reason}",
                next_step="Put the same engines there at the same paths, or map the paths (docs/howto/cluster.md)",
            )
        if time.monotonic() - self._idle_since > PATIENCE:
            left = "".join(f"; {address} does not play: {reason}" for address, reason in self._unfit.items())
            raise MatchStopped(
                f"the Dask cluster has had no worker that can play for {PATIENCE:.0f} seconds{left}",
                where=f"--dask {self._address}",
                next_step=f"It has {len(there)} workers; start others and give the same command, which goes on",
            )

    def _notice(self, what: str) -> None:
        if self._on_notice is not None:
            self._on_notice(what)

    async def _drop(self, client: Client, task: asyncio.Task[Answer], flight: _Flight) -> None:
        task.cancel()
        await asyncio.wait([task])
        if client.status == "running":
            await client.cancel([flight.future], force=True)  # type: ignore[no-untyped-call]

    async def _leave(self, client: Client) -> None:
        """Cancel what is queued, break off what is played, end all engines of this run."""
        flights, self._flights = self._flights, {}
        for task, flight in flights.items():
            await self._drop(client, task, flight)
        everyone = [*self._workers, *self._unfit]
        if client.status == "running" and everyone:
            # Those that are lost end what they had on their own.
            with contextlib.suppress(OSError):
                await asyncio.wait_for(client.run(_leave, self._name, workers=everyone, on_error="ignore"), ANSWER)


class _Orders:
    """Makes orders of jobs; looks at each engine's files once."""

    def __init__(self) -> None:
        self._known: dict[EngineSpec, tuple[EngineSpec, dict[str, str]]] = {}

    def order(self, job: PairJob) -> Order:
        first, first_files = self._look(job.first)
        second, second_files = self._look(job.second)
        rules = job.rules
        tables = None
        if rules.tablebases is not None:
            tables = open_tablebases(rules.tablebases).digest
            folders = tuple(folder.absolute() for folder in rules.tablebases.directories)
            rules = replace(rules, tablebases=replace(rules.tablebases, directories=folders))
        sent = replace(job, first=first, second=second, rules=rules)
        return Order(job=sent, first=first_files, second=second_files, tables=tables)

    def _look(self, spec: EngineSpec) -> tuple[EngineSpec, dict[str, str]]:
        if spec not in self._known:
            absolute = at_absolute_paths(spec)
            self._known[spec] = absolute, file_digests(absolute)
        return self._known[spec]


async def _ask(client: Client, address: str, name: str) -> str | None:
    """Ask one worker to take part; return what speaks against it, None when it has gone meanwhile."""
    call = client.run(_settle, name, __version__, workers=[address], on_error="return")
    try:
        answer = (await asyncio.wait_for(call, ANSWER)).get(address)
    except TimeoutError:
        return f"it did not answer for {ANSWER:.0f} seconds"
    except OSError:
        return None
    if answer is None or isinstance(answer, OSError):
        return None
    return f"anchorhold {__version__} cannot be used there: {answer}" if isinstance(answer, Exception) else str(answer)


async def _answer(future: Future[Answer]) -> Answer:
    answer: Answer = await future
    return answer


# -- what runs on the workers


class _Plugin(WorkerPlugin):
    """Holds the station of one run on one worker, and ends it with the worker or the run."""

    def __init__(self) -> None:
        self.station = Station(paths=_paths())
        self._watch: asyncio.Task[None] | None = None

    async def setup(self, worker: Worker) -> None:  # noqa: ARG002
        self._watch = asyncio.create_task(self._end_unused())

    async def teardown(self, worker: Worker) -> None:  # noqa: ARG002
        if self._watch is not None:
            self._watch.cancel()
        await asyncio.to_thread(self.station.close)

    def transition(self, key: object, start: str, finish: str, **_: object) -> None:
        """Break off a pair that the scheduler does not want any more: its submitter gave it up, or is gone."""
        if start == "executing" and finish in ("cancelled", "released", "forgotten"):
            self.station.break_off(str(key))

    async def _end_unused(self) -> None:
        while True:
            await asyncio.sleep(UNUSED / 4)
            await asyncio.to_thread(self.station.end_idle, after=UNUSED)


async def _settle(name: str, version: str, dask_worker: Worker) -> str:
    """Make a station; return what speaks against it."""
    if version != __version__:
        return f"it has anchorhold {__version__}, the run was begun with {version}"
    plugin = _Plugin()
    await dask_worker.plugin_add(plugin=plugin, name=name)
    return ""


async def _leave(name: str, dask_worker: Worker) -> None:
    if name in dask_worker.plugins:
        await dask_worker.plugin_remove(name=name)


def _play(name: str, order: Order) -> Answer:
    """Play one pair: the task."""
    worker = get_worker()
    plugin = worker.plugins.get(name)
    if not isinstance(plugin, _Plugin):
        return BrokenOff()
    answer: Answer = plugin.station.play(order, ticket=str(worker.get_current_task()))
    return answer


def _paths() -> dict[str, str]:
    found = dask.config.get(PATHS, {})
    if not isinstance(found, dict):
        raise BadInput(f"is {found!r}, expected a mapping of folders", where=f"Dask's configuration, {PATHS}")
    return {str(there): str(here) for there, here in found.items()}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own log from the terminal: what matters is said as a notice or an error."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
