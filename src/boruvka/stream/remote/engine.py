"""The interface of a system that runs tasks: it maps one function over the parts of the edges."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from boruvka.errors import BoruvkaError

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Batches", "Engine", "Read", "Task", "run_task"]

Batches = Iterator[tuple[str, "pyarrow.RecordBatch"]]
"""Arrow batches, each with a description of its position, for errors."""
Read = Callable[[list[str]], Batches]
"""Reads the batches of a part, with at least the given columns."""
Task = Callable[[int, Read, Any], Any]
"""A pure function of the number of a part, its reader, and an argument that is the same for all parts."""


class Engine(ABC):
    """A system that runs tasks where the parts of the edges are."""

    name: str
    parts: int
    """Number of parts, as far as it is known."""

    @abstractmethod
    def map(self, task: Task, shared: Any) -> Iterator[tuple[int, Any]]:
        """Run a task for each part, again if its worker is lost; yield part number and result, in any order.

        A part without edges may be left out. Errors of this package are results: see `run_task`.
        """

    @abstractmethod
    def collect_names(self, shared: Any) -> pyarrow.Table:
        """Run `boruvka.stream.remote.names.names_of_part` for each part, and merge the tables by `merged`."""


def run_task(task: Task, part: int, read: Read, shared: Any) -> Any:
    """Run a task on a worker; return its result, or an error of this package, which repeating cannot fix."""
    try:
        return task(part, read, shared)
    except BoruvkaError as error:
        return error
