"""A progress bar for work that takes long; nothing is drawn, or imported, for work that does not."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from boruvka.rounds import Round

PATIENCE = 0.5
"""Seconds before a bar appears."""


class RoundBar:
    """A bar on standard error that fills as components join.

    Parameters
    ----------
    n : int
        Components at the beginning.
    visible : bool
        Whether to draw at all; never done where standard error is no terminal.
    """

    def __init__(self, n: int, visible: bool):
        self._n, self._visible = n, visible and sys.stderr.isatty()
        self._begin = time.monotonic()
        self._bar: Any = None

    def show(self, round_: Round) -> None:
        """Show where the work stands."""
        if not self._visible or time.monotonic() - self._begin < PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self._n)
            self._bar.start()
        self._bar.update(
            self._task,
            completed=self._n - round_.components,
            description=f"{round_.components:,} components, {round_.edges:,} edges",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def spinner(doing: str | None, visible: bool = True) -> Iterator[None]:
    """Say on a terminal what is done, once it takes long.

    Parameters
    ----------
    doing : str
        What is done.
    visible : bool
        Whether to say it at all.
    """
    if not visible or not sys.stderr.isatty():
        yield
        return
    status: Any = None

    def start() -> None:
        nonlocal status
        from rich.console import Console

        status = Console(stderr=True).status(f"{doing} ...")
        status.start()

    timer = threading.Timer(PATIENCE, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if status is not None:
            status.stop()
