"""What the algorithm asks of a system that runs tasks: to map one function over the parts of the edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from boruvka.errors import BoruvkaError

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Batches", "Engine", "Read", "Task", "run_task"]

Batches = Iterator[tuple[str, "pyarrow.RecordBatch"]]
"""Batches of Arrow, each after a text that says where it is."""
Read = Callable[[list[str]], Batches]
"""Reads the batches of a part, with some columns at least."""
Task = Callable[[int, Read, Any], Any]
"""A pure function of the number of a part, what reads it, and what is the same for all parts."""


class Engine(Protocol):
    """A system that runs tasks beside the parts of the edges."""

    name: str
    parts: int
    """Number of parts, as far as it is known."""

    def map(self, task: Task, shared: Any) -> Iterator[tuple[int, Any]]:
        """Run a task for each part, again where its worker was lost; give number and result, in any order.

        A part without edges may be left out. An error of ours is a result: see `run_task`.
        """


def run_task(task: Task, part: int, read: Read, shared: Any) -> Any:
    """Run a task on a worker; return its result, or an error of ours, which a repetition would not mend."""
    try:
        return task(part, read, shared)
    except BoruvkaError as error:
        return error
