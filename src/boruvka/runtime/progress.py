"""Progress bars for long work; short work draws nothing and does not import Rich."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

DELAY = 0.5
"""Seconds before a bar appears."""


class ProgressBar:
    """A progress bar on standard error.

    Parameters
    ----------
    total : float
        The amount of work; 0 if it is unknown.
    visible : bool
        Whether to draw. Nothing is drawn where standard error is not a terminal.
    """

    def __init__(self, total: float, visible: bool):
        self._total, self._visible = total, visible and _on_terminal()
        self._begin = time.monotonic()
        self._bar: Any = None

    def update(self, done: float, doing: str) -> None:
        """Draw the work done, and a description of the current work."""
        if not self._visible or time.monotonic() - self._begin < DELAY:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self._total or None)
            self._bar.start()
        self._bar.update(self._task, completed=done, description=doing)

    def stop(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class RoundBar(ProgressBar):
    """A progress bar of the rounds of an algorithm: the work is to merge all components.

    Parameters
    ----------
    n : int
        Number of components at the beginning.
    visible : bool
        As for `ProgressBar`.
    """

    def show(self, components: int, edges: int) -> None:
        """Draw the numbers of components and edges that are left."""
        self.update(self._total - components, f"{components:,} components, {edges:,} edges")


@contextmanager
def spinner(doing: str | None, visible: bool = True) -> Iterator[None]:
    """Show a spinner on a terminal while a block runs, once it takes long.

    Parameters
    ----------
    doing : str or None
        A description of the work.
    visible : bool
        Whether to show it.
    """
    if not (visible and _on_terminal()):
        yield
        return
    status: Any = None

    def start() -> None:
        nonlocal status
        from rich.console import Console

        status = Console(stderr=True).status(f"{doing} ...")
        status.start()

    timer = threading.Timer(DELAY, start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if status is not None:
            status.stop()


def _on_terminal() -> bool:
    """Return whether standard error is a terminal; it is None where it was closed."""
    return sys.stderr is not None and sys.stderr.isatty()
