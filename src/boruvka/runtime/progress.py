"""Progress of long work: events for callers, and bars for terminals and notebooks.

Long-running code calls `report`; callers receive the events in a `listening` block. Without a listener, an
event costs one variable lookup. Short work draws nothing, and does not import Rich or IPython.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, NamedTuple, Self

from boruvka.errors import OptionError, shown
from boruvka.runtime.argument_names import argument
from boruvka.runtime.html import element, text

__all__ = ["Progress", "ProgressBar", "ignore", "is_listening", "is_of_listener", "listening", "report"]

DELAY = 0.5
"""Seconds before a bar appears."""
BAR_WIDTH = 20
"""Characters of a bar: with numbers beside it, it fits 80 columns."""
INTERVAL = 0.1
"""Seconds between two drawings of a bar in a notebook."""


class Progress(NamedTuple):
    """An event of long work.

    Attributes
    ----------
    phase : str
        What is done: "read", "solve", "verify", "write" and so on.
    done : float
        Amount done, counted in ``unit``; it never decreases within a phase.
    total : float or None
        How much there is altogether; None if that is unknown.
    unit : str
        What ``done`` and ``total`` count: "bytes", "edges", "components" (those that have merged), or "" for
        parts of 1.
    round_edges : int or None
        Number of edges that the current round reads. It can increase, because light edges are processed
        before heavy ones.
    detail : str
        More, for people.
    """

    phase: str
    done: float
    total: float | None = None
    unit: str = ""
    round_edges: int | None = None
    detail: str = ""


Listener = Callable[[Progress], object]

_listener: ContextVar[Listener | None] = ContextVar("_listener", default=None)


def ignore(event: Progress) -> None:
    """Listen to a part of longer work, whose caller reports the whole: nothing is done."""


def is_listening() -> bool:
    """Return whether events of this thread go anywhere."""
    return _listener.get() is not None


def report(
    phase: str,
    done: float,
    total: float | None = None,
    unit: str = "",
    round_edges: int | None = None,
    detail: str = "",
) -> None:
    """Send a progress event to the current listener; see `Progress`. Exceptions of the listener propagate."""
    listener = _listener.get()
    if listener is None:
        return
    token = _listener.set(None)  # a listener that solves another graph does not hear of that
    try:
        listener(Progress(phase, done, total, unit, round_edges, detail))
    except BaseException as error:
        error.__dict__["_is_of_listener"] = True
        raise
    finally:
        _listener.reset(token)


def is_of_listener(error: BaseException) -> bool:
    """Return whether a listener raised an error, which therefore says nothing of the work."""
    return "_is_of_listener" in error.__dict__


class listening:
    """Listen to the events of a block, in this thread.

    Parameters
    ----------
    progress : bool or callable
        True draws a bar on a terminal or in a notebook. A function is called with each `Progress`; what it
        raises ends the work. False leaves events to whoever listens already.

    Raises
    ------
    OptionError
        It is neither.
    """

    __slots__ = ("_bar", "_listener", "_token")

    def __init__(self, progress: bool | Listener):
        self._bar: ProgressBar | None = None
        self._listener: Listener | None = None
        self._token: Token[Listener | None] | None = None
        if callable(progress):
            self._listener = progress
        elif not isinstance(progress, int):  # also a bool
            raise OptionError(
                f"{argument('progress')} must be True, False or a function of an event, got {shown(progress)}"
            )
        elif progress:
            self._listener = self._bar = ProgressBar()

    def __enter__(self) -> Self:
        if self._listener is not None:
            self._token = _listener.set(self._listener)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._token is not None:
            _listener.reset(self._token)
        if self._bar is not None:
            self._bar.stop()


class ProgressBar:
    """A bar that shows the events it is called with, once the work takes long.

    It appears on a terminal that is standard error, or in a notebook, and nowhere else. It has the phase, how
    much is done, the edges left, the rate, and the time.

    Parameters
    ----------
    visible : bool
        Whether to draw.
    """

    def __init__(self, visible: bool = True):
        self._make: Callable[[], _Display] | None = None
        if visible and _on_terminal():
            self._make = _TerminalDisplay
        elif visible and _in_notebook():
            self._make = _NotebookDisplay
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._display: _Display | None = None
        self._event = Progress("", 0)
        self._first, self._begin = self._event, 0.0

    def __call__(self, event: Progress) -> None:
        """Show an event."""
        if self._make is None:
            return
        with self._lock:
            if event.phase != self._event.phase or not self._begin:
                self._begin, self._first = time.monotonic(), event
            self._event = event
            if self._timer is None:
                self._timer = threading.Timer(DELAY, self._appear)  # also where no other event comes soon
                self._timer.daemon = True
                self._timer.start()
            if self._display is not None:
                self._display.show(event, self._rate(event))

    def stop(self) -> None:
        """Remove the bar; the next event begins another."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        with self._lock:
            if self._display is not None:
                self._display.stop()
            self._timer, self._display, self._begin = None, None, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _appear(self) -> None:
        with self._lock:
            assert self._make is not None
            self._display = self._make()
            self._display.show(self._event, self._rate(self._event))

    def _rate(self, event: Progress) -> str:
        """Return how much is done in a second in this phase: of edges, if they are counted."""
        seconds = time.monotonic() - self._begin
        if seconds <= 0 or not event.unit:
            return ""
        done: float
        if event.round_edges is not None and self._first.round_edges is not None:
            done, unit = self._first.round_edges - event.round_edges, "edges"
        else:
            done, unit = event.done - self._first.done, event.unit
        return f"{amount(done / seconds, unit)}/s" if done > 0 else ""


def amount(count: float, unit: str) -> str:
    """Return a number with its unit: bytes as kB, MB or GB, others with commas."""
    if unit != "bytes":
        return f"{count:,.0f} {unit}".rstrip()
    for name in ("kB", "MB"):
        count /= 1000
        if count < 1000:
            return f"{count:.1f} {name}"
    return f"{count / 1000:.1f} GB"


def _detail(event: Progress) -> str:
    """Return what is left or done, in words."""
    if event.detail:
        return event.detail
    if event.round_edges is not None:
        return f"{event.round_edges:,} edges left"
    return amount(event.done, event.unit) if event.unit else ""


class _Display:
    """Where a bar is drawn."""

    def show(self, event: Progress, rate: str) -> None:
        """Draw an event."""
        raise NotImplementedError

    def stop(self) -> None:
        """Remove the bar."""
        raise NotImplementedError


class _TerminalDisplay(_Display):
    """A bar of Rich on standard error, which is removed at the end."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

        texts = [TextColumn(f"{{task.fields[{name}]}}") for name in ("detail", "rate")]
        columns = [TextColumn("{task.description}"), BarColumn(BAR_WIDTH), TaskProgressColumn(), *texts]
        self._bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
        self._phase: str | None = None
        self._bar.start()

    def show(self, event: Progress, rate: str) -> None:
        """Draw an event."""
        fields: dict[str, Any] = {"completed": event.done, "detail": _detail(event), "rate": rate}
        if event.phase != self._phase:
            for task in self._bar.task_ids:
                self._bar.remove_task(task)
            self._phase = event.phase
            self._task = self._bar.add_task(event.phase, total=event.total or None, **fields)
        else:
            self._bar.update(self._task, total=event.total or None, **fields)

    def stop(self) -> None:
        """Remove the bar."""
        self._bar.stop()


class _NotebookDisplay(_Display):
    """An element ``<progress>`` in the output of a cell, which is emptied at the end."""

    def __init__(self) -> None:
        from IPython.display import HTML, display

        self._html = HTML
        self._handle = display(HTML(""), display_id=True)
        self._drawn = 0.0
        self._phase = ""

    def show(self, event: Progress, rate: str) -> None:
        """Draw an event."""
        now = time.monotonic()
        if event.phase == self._phase and now - self._drawn < INTERVAL:
            return
        self._drawn, self._phase = now, event.phase
        value = {"value": f"{event.done / event.total:.4f}"} if event.total else {}
        words = ", ".join(filter(None, (event.phase, _detail(event), rate)))
        bar = element("progress", max=1, **value, style="width: 20em", aria_label=event.phase)
        self._handle.update(self._html(element("div", bar, " ", text(words))))

    def stop(self) -> None:
        """Remove the bar."""
        self._handle.update(self._html(""))


def _on_terminal() -> bool:
    """Return whether standard error is a terminal; it is None where it was closed."""
    return sys.stderr is not None and sys.stderr.isatty()


def _in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    return "ipykernel" in sys.modules
