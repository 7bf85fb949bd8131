"""The log of a command: what happens, while it happens, one JSON object a line."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from boruvka.cli.options import STANDARD_STREAM, standard_output
from boruvka.cli.output import json_number
from boruvka.errors import FileError

if TYPE_CHECKING:
    from boruvka.cli.report import Report
    from boruvka.runtime.progress import Progress


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
            standard_output(path)
            self._file = None if path == STANDARD_STREAM else path.open("w", encoding="utf-8")
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None

    def __call__(self, event: Progress) -> None:
        """Write an event of progress."""
        fields = {name: value for name, value in event._asdict().items() if value != ""}
        self._write(**fields)

    def add_report(self, report: Report) -> None:
        """Write the rounds of the algorithm with the seconds of their steps, and the result.

        The times of the result are in "step_seconds".
        """
        for number, round_ in enumerate(report.found.rounds, 1):
            fields = round_._asdict()
            name, seconds = fields.pop("phase"), fields.pop("seconds")
            self._write(phase="round", number=number, name=name, **fields, steps=seconds)
        result = report.to_json()
        self._write(phase="result", step_seconds=result.pop("seconds"), **result)

    def _write(self, phase: str, **fields: Any) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        seconds = round(time.monotonic() - self._begin, 6)
        fields = {
            name: json_number(value) if isinstance(value, float) else value for name, value in fields.items()
        }
        line = json.dumps(
            {"time": now, "seconds": seconds, "phase": phase, **fields},
            allow_nan=False,
            default=lambda number: number.item(),
        )
        if self._file is None:
            click.echo(line)
            return
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise FileError(f"{self._path}: {error.strerror or error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if isinstance(error, KeyboardInterrupt):
                self._write(phase="interrupted")
            elif error is not None and not isinstance(error, BrokenPipeError):
                self._write(phase="error", message=str(error))
        finally:
            if self._file is not None:
                with suppress(OSError):  # every line was flushed, or its error was raised
                    self._file.close()
