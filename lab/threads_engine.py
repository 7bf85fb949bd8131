"""The threads of this process as an engine, for tests of the algorithm and as a baseline for the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boruvka.kernels.team import map_parts
from boruvka.stream.remote.frame_forest import RowGroups
from boruvka.stream.remote.names import merged, names_of_part
from boruvka.stream.remote.tasks import Engine, Task, run_task

__all__ = ["Threads"]


class Threads(Engine):
    """Run tasks that read row groups.

    Parameters
    ----------
    parts : list of RowGroups
        The parts.
    threads : int
        Number of threads.
    """

    name = "threads"

    def __init__(self, parts: list[RowGroups], threads: int):
        self.parts, self._row_groups, self._threads = len(parts), parts, threads

    def map(self, task: Task, shared: Any) -> Iterator[tuple[int, Any]]:
        """Run a task for each part."""

        def run(part: int) -> tuple[int, Any]:
            return part, run_task(task, part, self._row_groups[part].read, shared)

        return iter(map_parts(run, range(self.parts), self._threads))

    def collect_names(self, shared: Any) -> Any:
        """Merge the names of all parts."""
        return merged([table for _, table in self.map(names_of_part, shared)])
