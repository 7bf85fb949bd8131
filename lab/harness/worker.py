"""Workers: a contestant answers requests, in this process or in one of its own.

Both kinds of workers have ``ask(name, *arguments)``, where a request is a method of `LocalWorker`, and
``stop()``.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from boruvka.backends.memory_pool import POOL
from boruvka.errors import BoruvkaError
from boruvka.runtime.round_log import Round
from lab.harness.contestant import Contestant, Outcome


class Failure(Exception):
    """A contestant has no result; the message says why."""


class Timed(NamedTuple):
    """The seconds of one run (several where a program solves several times), its rounds and answer."""

    seconds: tuple[float, ...]
    rounds: tuple[Round, ...]
    outcome: Outcome | None


class LocalWorker:
    """A contestant in this process: all share one copy of the graph, but a crash would end all.

    Parameters
    ----------
    contestant : Contestant
    threads : int
    graph : callable
        Returns the graph; called once, by `convert`.
    """

    def __init__(self, contestant: Contestant, threads: int, graph: Callable[[], Any]):
        self.contestant, self._threads, self._graph = contestant, threads, graph
        self._native: Any = None

    def ask(self, name: str, *arguments: Any) -> Any:
        """Call a method; an error becomes a `Failure`."""
        try:
            return getattr(self, name)(*arguments)
        except BoruvkaError as error:
            raise Failure(str(error)) from error
        except MemoryError as error:
            raise Failure("not enough memory") from error
        except Exception as error:
            raise Failure(f"{type(error).__name__}: {error}".splitlines()[0]) from error

    def stop(self) -> None:
        """Release the native graph."""
        self._native = None

    def convert(self) -> tuple[str, float]:
        """Load the library, then make the native graph; return its version, and the seconds of the latter."""
        self.contestant.load(self._threads)
        version = self.contestant.version()
        graph = self._graph()
        begin = time.perf_counter()
        self._native = self.contestant.prepare(graph)
        return version, time.perf_counter() - begin

    def check(self) -> Outcome | None:
        """Solve for the first time, which includes compilation."""
        outcome = self.contestant.outcome(self._native, self.contestant.solve(self._native))
        gc.collect()
        gc.freeze()  # else each later collection would traverse the compiler's objects for 0.1 s
        return outcome

    def weigh(self) -> tuple[int | None, float]:
        """Solve to measure memory; return its peak, and the approximate seconds."""
        answer, seconds, peak = time_and_peak(lambda: self.contestant.solve(self._native))
        timing = self.contestant.timing(answer, seconds)
        return peak if timing.peak is None else timing.peak, seconds

    def time(self, solves: int, warm_up: bool) -> Timed:
        """Time several solves in a row, with the garbage collector off.

        Parameters
        ----------
        solves : int
        warm_up : bool
            Solve once before, untimed: after the others' turns caches are cold, and memory may have been
            returned to the system.
        """
        if warm_up:
            self.contestant.solve(self._native)
        gc.collect()
        gc.disable()
        try:
            self.contestant.synchronize()
            begin = time.perf_counter()
            for _ in range(solves):
                answer = self.contestant.solve(self._native)
            self.contestant.synchronize()
            seconds = (time.perf_counter() - begin) / solves
        finally:
            gc.enable()
        timing = self.contestant.timing(answer, seconds)
        return Timed(timing.seconds, timing.rounds, self.contestant.outcome(self._native, answer))


class WorkerProcess:
    """A contestant in its own process.

    Parameters
    ----------
    contestant : Contestant
    threads : int
    folder : Path
        The folder with the graph, as `save` wrote it.
    time_limit : float
        The longest time for one request, in seconds.
    """

    def __init__(self, contestant: Contestant, threads: int, folder: Path, time_limit: float):
        self.contestant, self._time_limit = contestant, time_limit
        self._log = folder / f"{contestant.name.replace(os.sep, '-')}-{threads}.log"
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=serve, args=(other, contestant, threads, folder, self._log), daemon=True
        )
        self._process.start()
        other.close()

    def ask(self, name: str, *arguments: Any) -> Any:
        """Send a request, and wait for the answer.

        Raises
        ------
        Failure
            It failed, took too long, or the process died.
        """
        try:
            self._connection.send((name, *arguments))
            if not self._connection.poll(self._time_limit):
                raise Failure(f"took longer than the time limit of {self._time_limit:g} s")
            succeeded, result = self._connection.recv()
        except (EOFError, OSError):
            raise Failure(self._cause_of_death()) from None
        if not succeeded:
            raise Failure(result)
        return result

    def stop(self) -> None:
        """Kill the process and those that it has started; a second call does nothing."""
        if self._connection.closed:
            return
        if self._process.is_alive() and self._process.pid is not None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (AttributeError, OSError):  # no process groups here, or it does not lead one yet
                self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()

    def _cause_of_death(self) -> str:
        self._process.join(timeout=10)
        code = self._process.exitcode or 0
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        hint = ", perhaps for lack of memory" if code == -9 else ""
        last = self._log.read_text(errors="replace").strip().split("\n")[-1] if self._log.exists() else ""
        return f"its process died with {how}{hint}" + (f": {last[:200]}" if last else "")


def save(graph: Any, folder: Path) -> None:
    """Write a graph, or points, for worker processes."""
    with open(folder / "graph", "wb") as file:
        pickle.dump(graph, file, protocol=5)


def serve(connection: Connection, contestant: Contestant, threads: int, folder: Path, log: Path) -> None:
    """Answer requests ``(name, *arguments)`` until the other end is closed.

    The process leads its own process group, puts temporary files into ``folder`` and prints to ``log``.
    """
    if hasattr(os, "setsid"):
        os.setsid()
    tempfile.tempdir = str(folder)
    with contextlib.suppress(OSError), open(log, "ab") as file:
        for stream in sys.stdout, sys.stderr:
            stream.flush()
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    worker = LocalWorker(contestant, threads, lambda: pickle.loads((folder / "graph").read_bytes()))
    with contextlib.suppress(EOFError):
        while True:
            try:
                reply = True, worker.ask(*connection.recv())
            except Failure as failure:
                reply = False, str(failure)
            connection.send(reply)


def time_and_peak(run: Callable[[], Any]) -> tuple[Any, float, int | None]:
    """Run a function, and measure its time and how much resident memory rises at its peak.

    Returns
    -------
    result
        The result of the function.
    float
        Seconds.
    int or None
        Bytes; None on systems other than Linux.
    """
    before = None
    POOL.release()
    with contextlib.suppress(OSError, IndexError):
        libc = ctypes.CDLL(None)
        if hasattr(libc, "malloc_trim"):
            libc.malloc_trim(0)  # else reused freed memory would not count
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak
        before = _resident("VmRSS")
    begin = time.perf_counter()
    result = run()
    seconds = time.perf_counter() - begin
    return result, seconds, None if before is None else max(0, _resident("VmHWM") - before)


def _resident(field: str) -> int:
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split(f"{field}:")[1].split()[0])
