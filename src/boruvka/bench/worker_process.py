"""Workers, from the side of the harness: each in its own, isolated process, or in this one."""

from __future__ import annotations

import contextlib
import copy
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from boruvka.bench.contestants.contestant import Contestant
from boruvka.bench.worker import Requests, serve
from boruvka.graph.graph import Graph

__all__ = ["Failure", "LocalWorker", "Worker", "WorkerProcess"]


class Failure(Exception):
    """Why a contestant has no result; the message is for the report."""


class Worker(Protocol):
    """A contestant that answers requests."""

    def ask(self, name: str, *arguments: Any) -> Any:
        """Return the answer to a request of `boruvka.bench.worker.Requests`; raise `Failure` if it fails."""

    def stop(self) -> None:
        """Free its resources; a second call does nothing."""


class LocalWorker:
    """A contestant in this process: all share one copy of the graph, but a crash would end all."""

    def __init__(self, contestant: Contestant, threads: int, graph: Graph):
        own = copy.copy(contestant)  # each worker has its own number of threads
        self._requests: Requests | None = Requests(own, threads, lambda: graph)

    def ask(self, name: str, *arguments: Any) -> Any:
        """Call the request."""
        assert self._requests is not None
        succeeded, result = self._requests.reply(name, *arguments)
        if not succeeded:
            raise Failure(result)
        return result

    def stop(self) -> None:
        """Release the native graph."""
        self._requests = None


class WorkerProcess:
    """A contestant in its own process.

    Parameters
    ----------
    contestant : Contestant
    threads : int
    folder : Path
        The folder with the graph.
    time_limit : float
        The longest time for one request, in seconds.
    """

    def __init__(self, contestant: Contestant, threads: int, folder: Path, time_limit: float):
        self._time_limit = time_limit
        self._log = folder / f"{contestant.name.replace(os.sep, '-')}-{threads}.log"
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=serve, args=(other, contestant, threads, folder, self._log), daemon=True
        )
        with _interrupts_deferred():
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


@contextlib.contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C until the end of the block; a process that is started in it ignores Ctrl-C for good."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    deferred: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()
    # The new process inherits the mask. Another thread of this one may still get Ctrl-C: a handler notes it.
    handler = signal.signal(signal.SIGINT, lambda number, _: deferred.append(number)) if in_main else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if in_main:
            signal.signal(signal.SIGINT, handler)
        if deferred:
            signal.raise_signal(signal.SIGINT)
