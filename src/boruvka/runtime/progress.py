"""A progress bar for work that takes long; nothing is drawn, or imported, for work that does not."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

PATIENCE = 0.5
"""Seconds before a bar appears."""


class Bar:
    """A bar on standard error.

    Parameters
    ----------
    total : float
        What is done at the end.
    visible : bool
        Whether to draw at all; never done where standard error is no terminal.
    """

    def __init__(self, total: float, visible: bool):
        self._total, self._visible = total, visible and _on_terminal()
        self._begin = time.monotonic()
        self._bar: Any = None

    def draw(self, done: float, doing: str) -> None:
        """Show how much is done, and what is done now."""
        if not self._visible or time.monotonic() - self._begin < PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self._total)
            self._bar.start()
        self._bar.update(self._task, completed=done, description=doing)

    def stop(self) -> None:
        """Take the bar away, so that something can be printed."""
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


class RoundBar(Bar):
    """A bar that fills as components join.

    Parameters
    ----------
    n : int
        Components at the beginning.
    visible : bool
        As for `Bar`.
    """

    def show(self, components: int, edges: int) -> None:
        """Show how many components and edges are left."""
        self.draw(self._total - components, f"{components:,} components, {edges:,} edges")


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
    if not (visible and _on_terminal()):
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


def _on_terminal() -> bool:
    """Say whether standard error is a terminal; there is none where it was closed."""
    return sys.stderr is not None and sys.stderr.isatty()
