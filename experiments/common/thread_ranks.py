"""Ranks as threads of this process, to count what they send on more ranks than a few processors can run.

`ThreadComm` stands in for a communicator of mpi4py: it has the methods that `boruvka.distributed` calls.
Threads sleep while they wait, ranks of MPI poll, and 64 of them would take turns at it. What is sent does not
depend on that.

Ranks share all that there is once in a process: a rank must neither change it nor measure its memory.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeVar

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

__all__ = ["ThreadComm", "on_threads"]

T = TypeVar("T")

REDUCTIONS = (MPI.MIN, np.minimum), (MPI.MAX, np.maximum), (MPI.SUM, np.add)


class Aborted(Exception):
    """Another rank failed."""

    collective = True
    """Tells `boruvka.distributed.collective_errors` that the others end too."""


class Meeting:
    """Where the threads meet: what each hands to the others, and messages under way."""

    def __init__(self, ranks: int):
        self.ranks = ranks
        self.barrier = threading.Barrier(ranks)
        self.slots: list[list[Any]] = [[None] * ranks, [None] * ranks]
        """What each rank contributes to a collective operation, and to the next one."""
        self.arrived = [threading.Condition() for _ in range(ranks)]
        self.messages: list[dict[int, deque[NDArray[Any]]]] = [defaultdict(deque) for _ in range(ranks)]
        """For each receiver: messages by sender, in order."""
        self.aborted = False

    def abort(self) -> None:
        """Let every rank that waits, or will wait, raise `Aborted`."""
        self.aborted = True
        self.barrier.abort()
        for condition in self.arrived:
            with condition:
                condition.notify_all()


class ThreadComm:
    """The communicator of one thread.

    Buffers are as in mpi4py: an array, or a list of array, count or counts, and datatype. Arrays are copied
    when they are sent.
    """

    def __init__(self, meeting: Meeting, rank: int):
        self._meeting, self.rank, self.size = meeting, rank, meeting.ranks
        self._turn = 0

    def Get_rank(self) -> int:
        return self.rank

    def Get_size(self) -> int:
        return self.size

    def Split_type(self, kind: int) -> ThreadComm:
        """Return this communicator: all threads are on one machine."""
        return self

    def Free(self) -> None:
        pass

    def Abort(self, code: int) -> None:
        self._meeting.abort()

    def Barrier(self) -> None:
        try:
            self._meeting.barrier.wait()
        except threading.BrokenBarrierError:
            raise Aborted from None

    def allgather(self, value: T) -> list[T]:
        """Return what each rank contributes, by the same objects on all ranks.

        A rank contributes to the next operation only after all have contributed to this one, and to the one
        after that only after all have left this one: two lists are enough.
        """
        slots = self._meeting.slots[self._turn]
        self._turn = 1 - self._turn
        slots[self.rank] = value
        self.Barrier()
        return list(slots)

    def Allgather(self, sent: NDArray[Any], received: NDArray[Any]) -> None:
        received[:] = np.concatenate(self.allgather(sent.copy()))

    def Allgatherv(self, sent: Sequence[Any], received: Sequence[Any]) -> None:
        received[0][:] = np.concatenate(self.allgather(sent[0].copy()))

    def Gatherv(self, sent: Sequence[Any], received: Sequence[Any] | None, root: int) -> None:
        parts = self.allgather(sent[0].copy())
        if received is not None:
            received[0][:] = np.concatenate(parts)

    def Allreduce(self, in_place: Any, values: NDArray[Any], operation: Any) -> None:
        parts = self.allgather(values.copy())
        combine = next(function for known, function in REDUCTIONS if known == operation)
        values[:] = self.allgather(reduce(combine, parts) if self.rank == 0 else None)[0]

    def Alltoall(self, sent: NDArray[Any], received: NDArray[Any]) -> None:
        received[:] = [numbers[self.rank] for numbers in self.allgather(sent.copy())]

    def Alltoallv(self, sent: Sequence[Any], received: Sequence[Any]) -> None:
        bounds = [0, *np.cumsum(sent[1]).tolist()]
        parts = self.allgather((sent[0].copy(), bounds))
        received[0][:] = np.concatenate(
            [array[bounds[self.rank] : bounds[self.rank + 1]] for array, bounds in parts]
        )

    def Isend(self, sent: Sequence[Any], target: int) -> MPI.Request:
        arrived = self._meeting.arrived[target]
        with arrived:
            self._meeting.messages[target][self.rank].append(sent[0].copy())
            arrived.notify()
        return MPI.REQUEST_NULL

    def Probe(self, source: int, status: MPI.Status) -> None:
        status.Set_elements(MPI.BYTE, self._next_message(source).nbytes)

    def Recv(self, received: Sequence[Any], source: int) -> None:
        received[0][:] = self._next_message(source)
        self._meeting.messages[self.rank][source].popleft()

    def _next_message(self, source: int) -> NDArray[Any]:
        """Wait for a message of a rank; it stays the next one."""
        arrived, messages = self._meeting.arrived[self.rank], self._meeting.messages[self.rank]
        with arrived:
            arrived.wait_for(lambda: messages[source] or self._meeting.aborted)
            if not messages[source]:
                raise Aborted
            return messages[source][0]


def on_threads(ranks: int, job: Callable[[ThreadComm], T]) -> list[T]:
    """Run a job on so many ranks; return what it returns on each.

    If it fails on one rank, all others end too, and the error is raised here.
    """
    meeting = Meeting(ranks)
    returned: list[Any] = [None] * ranks
    errors: list[BaseException] = []

    def run(rank: int) -> None:
        try:
            returned[rank] = job(ThreadComm(meeting, rank))
        except Aborted:
            pass
        except BaseException as error:
            errors.append(error)
            meeting.abort()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(ranks)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException:  # an interrupt
        meeting.abort()
        raise
    if errors:
        raise errors[0]
    return returned
