"""The log of a command: what happens, while it happens, one JSON object a line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from boruvka.cli.options import STANDARD_STREAM
from boruvka.cli.outputs import to_json
from boruvka.errors import FileError

if TYPE_CHECKING:
    from boruvka.runtime.progress import Progress
    from boruvka.runtime.round_log import Round


class EventLog:
    """A file of events, each written at once; ``-`` is standard output.

    Events must be there while the command runs, and when it is killed, so they are not written to a temporary
    file first.

    Every object has "time" (UTC, ISO 8601), "seconds" since the log began, and "phase". Events of progress
    have "done", "total", "unit" and "round_edges"; the phase "round" has a round of the algorithm, "result"
    what ``--json`` prints; "error" and "interrupted" end a log early.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        The file cannot be written.
    """

    def __init__(self, path: Path):
        self._path, self._begin = path, time.monotonic()
        try:
            self._file = sys.stdout if path == STANDARD_STREAM else path.open("w", encoding="utf-8")
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None

    def __call__(self, event: Progress) -> None:
        """Write an event of progress."""
        self._write(**{name: value for name, value in event._asdict().items() if value != ""})

    def add_result(self, rounds: Iterable[Round], result: Mapping[str, Any]) -> None:
        """Write the rounds of the algorithm with the seconds of their steps, and the result.

        The times of the result are in "step_seconds".
        """
        for number, round_ in enumerate(rounds, 1):
            fields = round_._asdict()
            name, steps = fields.pop("phase"), fields.pop("seconds")
            self._write("round", number=number, name=name, **fields, steps=steps)
        fields = dict(result)
        self._write("result", step_seconds=fields.pop("seconds"), **fields)

    def _write(self, phase: str, **fields: Any) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        seconds = round(time.monotonic() - self._begin, 6)
        line = to_json({"time": now, "seconds": seconds, "phase": phase, **fields})
        try:
            print(line, file=self._file, flush=True)
        except OSError as error:
            if self._path == STANDARD_STREAM:
                raise
            raise FileError(f"{self._path}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(OSError):  # the first error is raised
            if isinstance(error, KeyboardInterrupt):
                self._write("interrupted")
            elif error is not None and not isinstance(error, BrokenPipeError):
                self._write("error", message=str(error))
        if self._path != STANDARD_STREAM:
            with suppress(OSError):  # every line was flushed, or its error was raised
                self._file.close()
