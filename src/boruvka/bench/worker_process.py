"""Processes of contestants, seen from outside: each alone, so that none can harm another."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boruvka.bench.contestants.contestant import Contestant
from boruvka.bench.worker import serve

__all__ = ["Failure", "Worker"]


class Failure(Exception):
    """Why a contestant has no result; the message is for the report."""


class Worker:
    """The process of a contestant.

    Parameters
    ----------
    contestant : Contestant
    threads : int
    folder : Path
        Where the graph is.
    time_limit : float
        Seconds that it may take for one request.
    """

    def __init__(self, contestant: Contestant, threads: int, folder: Path, time_limit: float):
        self._time_limit = time_limit
        self._log = folder / f"{contestant.name.replace(os.sep, '-')}-{threads}.log"
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=serve, args=(other, contestant, threads, folder, self._log), daemon=True
        )
        with _interrupts_wait():  # and never reach the process, which we end ourselves
            self._process.start()
        other.close()

    def ask(self, name: str, *arguments: Any) -> Any:
        """Ask for something that `boruvka.bench.worker.Desk` does.

        Raises
        ------
        Failure
            It went wrong, took too long, or the process died.
        """
        try:
            self._connection.send((name, *arguments))
            if not self._connection.poll(self._time_limit):
                raise Failure(f"took longer than the time limit of {self._time_limit:g} s")
            fine, result = self._connection.recv()
        except (EOFError, OSError):
            raise Failure(self._death()) from None
        if not fine:
            raise Failure(result)
        return result

    def stop(self) -> None:
        """End the process, and whatever it has started; a second time does nothing."""
        if self._connection.closed:
            return
        if self._process.is_alive() and self._process.pid is not None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (AttributeError, OSError):  # no groups here, or it is not yet one
                self._process.kill()
        self._process.join()
        self._process.close()
        self._connection.close()

    def _death(self) -> str:
        self._process.join(timeout=10)
        code = self._process.exitcode or 0
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        hint = ", perhaps for want of memory" if code == -9 else ""
        last = self._log.read_text(errors="replace").strip().split("\n")[-1] if self._log.exists() else ""
        return f"its process died with {how}{hint}" + (f": {last[:200]}" if last else "")


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold Ctrl-C back; a process that is started meanwhile never hears it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    heard: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()
    # The mask is what the process inherits; another thread of ours may hear Ctrl-C all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number)) if in_main else None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if in_main:
            signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)
