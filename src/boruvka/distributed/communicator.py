"""The ranks of a communicator, and what they tell each other: NumPy arrays, timed and counted.

Nothing here is pickled. Counts have 64 bits; where the library's own have 32 (before MPI 4, as in Open MPI
5), more than 2^30 elements go in pieces.

What a rank sends is counted where it hands it over. Between two ranks that is exact; of a collective
operation it is what the usual algorithm for long messages sends: twice its size in 2 log2(P) messages for
a reduction to all (a half of it scattered, the other gathered), its size in log2(P) for a gathering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.mpi import MPI
from boruvka.distributed.unique_ids import distinct
from boruvka.distributed.vertex_partition import Blocks
from boruvka.forest.round_log import RoundLog

__all__ = ["World"]

Columns = tuple[NDArray[Any], ...]

LARGE_COUNTS = MPI.Get_version() >= (4, 0)
"""Whether the library counts in 64 bits."""
MOST = 1 << 30
"""Elements of a message where it does not."""


class World:
    """All ranks, seen from one of them.

    Every method is for all ranks at once: those that do not call wait for those that do.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The communicator.
    round_log : RoundLog
        Where time and bytes are noted, in the present round.
    """

    def __init__(self, comm: Any, round_log: RoundLog):
        self.comm, self.round_log = comm, round_log
        self.rank: int = comm.Get_rank()
        self.size: int = comm.Get_size()
        self._depth = (self.size - 1).bit_length()
        """Messages, one after the other, until all have heard of one."""

    def minimum(self, values: NDArray[Any]) -> NDArray[Any]:
        """Replace each value by the smallest that any rank has in its place."""
        return self._reduce(values, MPI.MIN)

    def maximum(self, values: NDArray[Any]) -> NDArray[Any]:
        """Replace each value by the largest that any rank has in its place."""
        return self._reduce(values, MPI.MAX)

    def total(self, values: NDArray[Any]) -> NDArray[Any]:
        """Replace each value by the sum over the ranks."""
        return self._reduce(values, MPI.SUM)

    def union(self, words: NDArray[Any]) -> NDArray[Any]:
        """Set the bits that any rank has set."""
        return self._reduce(words, MPI.BOR)

    def sum_of(self, number: int) -> int:
        """Add one number of each rank."""
        return int(self.total(np.array([number], np.int64))[0])

    def any(self, here: bool) -> bool:
        """Say whether it is so on any rank."""
        return self.sum_of(int(here)) > 0

    def of_each(self, number: int) -> NDArray[np.int64]:
        """List one number of each rank."""
        numbers = np.empty(self.size, np.int64)
        with self._sending(8 * (self.size - 1), self._depth):
            self.comm.Allgather(np.array([number], np.int64), numbers)
        return numbers

    def gather(self, columns: Sequence[NDArray[Any]], root: int | None = None) -> Columns:
        """Collect the elements of all ranks, those of rank 0 first, on all ranks or on one.

        Parallel columns go in one message. The other ranks get none where there is a root.
        """
        counts = self.of_each(columns[0].size)
        here = root in (None, self.rank)
        with self.round_log.step("pack"):
            records = _records(columns)
            gathered = np.empty(int(counts.sum()) if here else 0, records.dtype)
        with _type_of(records) as kind:
            outgoing, incoming = [records, records.size, kind], [gathered, counts, kind]
            if self._in_pieces(int(counts.sum())):
                to = range(self.size) if root is None else (root,)
                pieces: list[NDArray[Any]] = [
                    records[: records.size * (rank in to)] for rank in range(self.size)
                ]
                with self._sending(records.nbytes * (self.size - 1), self.size - 1):
                    self._send_pieces(pieces, _cut(gathered, counts * here), kind)
            elif root is None:
                sent = int(counts.sum() - counts[(self.rank + 1) % self.size]) * records.itemsize
                with self._sending(sent, self._depth):
                    self.comm.Allgatherv(outgoing, incoming)
            else:
                with self._sending(0 if here else records.nbytes, 0 if here else 1):
                    self.comm.Gatherv(outgoing, incoming if here else None, root)
        return self._unpacked(gathered)

    def exchange(self, columns: Sequence[NDArray[Any]], to: NDArray[Any]) -> Columns:
        """Send each element to a rank, all for one in one message; what arrives is in the order of ranks."""
        with self.round_log.step("pack"):
            counts = np.bincount(to, minlength=self.size).astype(np.int64)
            order = np.argsort(to.astype(np.uint16 if self.size <= 1 << 16 else np.int64), kind="stable")
            records = _records(columns, order)
        return self._unpacked(self._deliver(records, counts, self._announce(counts)))

    def ask(
        self, blocks: Blocks, x: NDArray[Any], answer: Callable[[NDArray[Any]], NDArray[Any]]
    ) -> NDArray[Any]:
        """Let the rank that owns each x answer for it; every rank asks for one x once.

        ``answer`` gives the answers to an array of what the rank owns, and runs on every rank.
        """
        with self.round_log.step("pack"):
            questions, which = distinct(x)  # so those for one rank lie together
            counts = np.bincount(blocks.owner(questions), minlength=self.size).astype(np.int64)
        asked = self._announce(counts)
        answers = answer(self._deliver(questions, counts, asked))
        return self._deliver(answers, asked, counts)[which]

    def _unpacked(self, records: NDArray[Any]) -> Columns:
        """Take records apart again."""
        with self.round_log.step("pack"):
            return tuple(np.ascontiguousarray(records[name]) for name in records.dtype.names or ())

    def _announce(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tell every rank how many elements it will get, and learn how many come."""
        arriving = np.empty_like(counts)
        with self._sending(4 * self.size * self._depth, self._depth):
            self.comm.Alltoall(counts, arriving)
        return arriving

    def _deliver(
        self, records: NDArray[Any], counts: NDArray[np.int64], arriving: NDArray[np.int64]
    ) -> NDArray[Any]:
        others = np.delete(counts, self.rank)
        received = np.empty(int(arriving.sum()), records.dtype)
        pieces = self._in_pieces(max(records.size, received.size))
        with (
            _type_of(records) as kind,
            self._sending(int(others.sum()) * records.itemsize, int(np.count_nonzero(others))),
        ):
            if pieces:
                self._send_pieces(_cut(records, counts), _cut(received, arriving), kind)
            else:
                self.comm.Alltoallv([records, counts, kind], [received, arriving, kind])
        return received

    def _in_pieces(self, elements: int) -> bool:
        """Say whether any rank has too many elements for one call of the library."""
        return not LARGE_COUNTS and self.any(elements > MOST)

    def _send_pieces(
        self, outgoing: list[NDArray[Any]], incoming: list[NDArray[Any]], kind: MPI.Datatype
    ) -> None:
        """Send an array to every rank and receive one from each, in messages of few enough elements."""
        requests = [
            start([array[begin : begin + MOST], min(MOST, array.size - begin), kind], rank)
            for start, arrays in ((self.comm.Irecv, incoming), (self.comm.Isend, outgoing))
            for rank, array in enumerate(arrays)
            for begin in range(0, array.size, MOST)
        ]
        MPI.Request.Waitall(requests)

    def _reduce(self, values: NDArray[Any], operation: MPI.Op) -> NDArray[Any]:
        with self._sending(2 * values.nbytes * (self.size - 1) // self.size, 2 * self._depth):
            step = max(values.size, 1) if LARGE_COUNTS else MOST
            for begin in range(0, values.size, step):
                self.comm.Allreduce(MPI.IN_PLACE, values[begin : begin + step], operation)
        return values

    @contextmanager
    def _sending(self, size: int, messages: int) -> Iterator[None]:
        with self.round_log.step("communicate"):
            yield
        sent = self.round_log.rounds[-1].sent
        sent["bytes"] = sent.get("bytes", 0) + size
        sent["messages"] = sent.get("messages", 0) + messages


def _records(columns: Sequence[NDArray[Any]], order: NDArray[Any] | None = None) -> NDArray[Any]:
    """Lay the values of an element side by side, without gaps."""
    records = np.empty(columns[0].size, [(f"f{k}", column.dtype) for k, column in enumerate(columns)])
    for name, column in zip(records.dtype.names or (), columns, strict=True):
        records[name] = column if order is None else column[order]
    return records


def _cut(records: NDArray[Any], counts: NDArray[np.int64]) -> list[NDArray[Any]]:
    """Cut an array into consecutive ones of these sizes."""
    return np.split(records, np.cumsum(counts)[:-1])


@contextmanager
def _type_of(records: NDArray[Any]) -> Iterator[MPI.Datatype]:
    """Make the type of a record for MPI, so that counts are counts of records."""
    kind = MPI.BYTE.Create_contiguous(records.itemsize).Commit()
    try:
        yield kind
    finally:
        kind.Free()
