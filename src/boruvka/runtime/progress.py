"""Progress of long work: events for callers, and a bar for terminals and notebooks.

Long work calls `report`; a caller that receives the events calls `listening`. Without a listener, an event
costs the look-up of one variable. Short work draws nothing.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import NamedTuple

from boruvka.errors import OptionError, shown
from boruvka.runtime.arguments import argument

DELAY = 0.5
"""Seconds before a bar appears."""
BAR_WIDTH = 20
"""Characters of a bar: with numbers beside it, it fits 80 columns."""
INTERVAL = 0.1
"""Seconds between two drawings of a bar."""


class Progress(NamedTuple):
    """An event of long work.

    Attributes
    ----------
    phase : str
        Name of the work: "read", "solve", "verify", "write" and so on.
    done : float
        Amount done, counted in ``unit``; it never decreases within a phase.
    total : float or None
        Amount of the whole phase; None if that is unknown.
    unit : str
        Unit of ``done`` and ``total``: "bytes", "edges", "components" (those that have merged), or "" for
        parts of 1.
    round_edges : int or None
        Number of edges that the current round reads. It can increase, because light edges are processed
        before heavy ones.
    detail : str
        A longer text, which is shown and not parsed.
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
    """Listen to a part of longer work, whose caller reports the whole: do nothing."""


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
    """Call the listener with a `Progress` event; an exception that it raises is raised here."""
    listener = _listener.get()
    if listener is None:
        return
    token = _listener.set(None)  # the listener may solve another graph, without events
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
        True draws a bar on a terminal or in a notebook. A callable receives each `Progress`; an exception
        that it raises stops the work. With False, a listener of an outer block receives the events.

    Raises
    ------
    OptionError
        It is neither.
    """

    __slots__ = ("_bar", "_listener", "_token")  # a generator would take longer, which a small solve notices

    def __init__(self, progress: bool | Listener):
        if not callable(progress) and not isinstance(progress, int):
            raise OptionError(
                f"{argument('progress')} must be True, False or a function of an event, got {shown(progress)}"
            )
        self._bar = ProgressBar() if progress and not callable(progress) else None
        self._listener = progress if callable(progress) else self._bar

    def __enter__(self) -> None:
        if self._listener is not None:
            self._token = _listener.set(self._listener)

    def __exit__(self, *error: object) -> None:
        if self._listener is not None:
            _listener.reset(self._token)
        if self._bar is not None:
            self._bar.stop()


class ProgressBar:
    """A line of text on standard error that shows the latest event, once the work takes long.

    It has the phase, how much is done, the edges left, the rate, and the time. It appears on a terminal or in
    a notebook, and nowhere else. The cursor stays at the start of the line, so a warning overwrites the bar.
    """

    def __init__(self) -> None:
        self._event = self._first = Progress("", 0)
        self._begin = 0.0
        self._is_visible = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
        self._thread: threading.Thread | None = None
        self._is_over = threading.Event()

    def __call__(self, event: Progress) -> None:
        """Show an event."""
        if event.phase != self._event.phase:
            self._begin, self._first = time.monotonic(), event
        self._event = event
        if self._is_visible and self._thread is None:
            # A thread draws, because the next event may come late.
            self._thread = threading.Thread(target=self._draw, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Remove the bar."""
        if self._thread is not None:
            self._is_over.set()
            self._thread.join()

    def _draw(self) -> None:
        """Draw the latest event again and again, until the work is over."""
        import shutil

        if self._is_over.wait(DELAY):
            return
        width = shutil.get_terminal_size().columns - 1
        with suppress(OSError, ValueError):  # standard error may be closed meanwhile
            is_over = False
            while not is_over:
                _write_line(self.text(time.monotonic() - self._begin), width)
                is_over = self._is_over.wait(INTERVAL)
            _write_line("", width)

    def text(self, seconds: float) -> str:
        """Return the line for the latest event, so many seconds after the first one of its phase."""
        event = self._event
        parts = [event.phase]
        if event.total:
            share = event.done / event.total
            parts.append(f"[{'#' * int(share * BAR_WIDTH):-<{BAR_WIDTH}}] {share:4.0%}")
        if event.detail:
            parts.append(event.detail)
        elif event.round_edges is not None:
            parts.append(f"{event.round_edges:,} edges left")
        elif event.unit:
            parts.append(amount(event.done, event.unit))
        rate = (event.done - self._first.done) / max(seconds, INTERVAL)
        if event.unit and rate > 0:
            parts.append(f"{amount(rate, event.unit)}/s")
        return "  ".join([*parts, f"{seconds:.0f} s"])


def amount(count: float, unit: str) -> str:
    """Return a number with its unit; bytes are shown as megabytes."""
    return f"{count / 1e6:,.1f} MB" if unit == "bytes" else f"{count:,.0f} {unit}"


def _write_line(text: str, width: int) -> None:
    sys.stderr.write(f"{text[:width]:{width}}\r")
    sys.stderr.flush()
