"""Collective operations of MPI on NumPy arrays, with their time, bytes and messages in the round log.

Nothing is pickled. Counts have 64 bits; where counts of the MPI library have 32 (before MPI 4, as in Open
MPI 5), more than 2^30 elements are sent in batches.

`Round.sent` counts the bytes and messages that a rank sends in a round. Messages between two ranks are
counted exactly. A collective operation counts as its usual algorithm for long messages: an all-reduce sends
twice its size in 2 log2(P) messages (reduce-scatter, then all-gather), an all-gather sends its size in
log2(P) messages. On many ranks, small exchanges go along the rows and columns of a square (`RankGrid`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from boruvka.distributed.vertices import VertexPartition, is_ascending, unique_ids
from boruvka.errors import MissingExtraError
from boruvka.runtime.libraries import require
from boruvka.runtime.round_log import RoundLog

if TYPE_CHECKING:
    from mpi4py import MPI

Columns = tuple[NDArray[Any], ...]

MAX_COUNT = 1 << 30
"""Elements of a message where counts of the MPI library have 32 bits."""


@functools.cache
def mpi() -> Any:
    """Import ``mpi4py.MPI``, which starts MPI.

    This package is imported without it, because the operators of ranks are compiled when a wheel is built.

    Raises
    ------
    MissingExtraError
        It is not installed, or finds no MPI library.
    """
    require("mpi4py", "mpi")
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        raise MissingExtraError(
            f'mpi4py finds no MPI ({error}); install one with: pip install "boruvka[mpi]"', name="mpi4py"
        ) from error
    return MPI


@functools.cache
def has_large_counts() -> bool:
    """Return whether counts of the MPI library have 64 bits."""
    version: tuple[int, int] = mpi().Get_version()
    return version >= (4, 0)


class RankGrid(NamedTuple):
    """A square of ranks, seen from one of them: exchanges go along its row and then along a column.

    An element goes first along the row of its sender, to the rank in the column of its destination, and from
    there along this column. A rank has about 2 sqrt(P) partners instead of P - 1, and sends every byte twice.
    An element that a rank sends to itself stays there in both steps.

    Ranks are numbered row by row. Any number of ranks works: the last row may be short. For the columns that
    it lacks, its k-th rank sends to the ranks of row k.

    Source: P. Sanders, M. Schimek, Engineering Massively Parallel MST Algorithms, IPDPS 2023.

    Attributes
    ----------
    ranks : int
        Number of ranks.
    rank : int
        This rank.
    """

    ranks: int
    rank: int

    @property
    def columns(self) -> int:
        """Number of columns."""
        return isqrt(self.ranks)

    def column_of(self, destination: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the column of each destination."""
        return (destination % self.columns).astype(np.uint16)

    def row_of(self, destination: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the row of each destination."""
        return (destination // self.columns).astype(np.uint16)

    def along_row(self) -> tuple[list[int], list[int]]:
        """List the ranks to which this one sends in the first step, by column, and those that send to it."""
        full_rows, in_short_row = divmod(self.ranks, self.columns)
        row, column = divmod(self.rank, self.columns)
        members = list(range(row * self.columns, min((row + 1) * self.columns, self.ranks)))
        if row == full_rows:
            return members + [column * self.columns + k for k in range(in_short_row, self.columns)], members
        replaces = row < in_short_row <= column
        return members, members + [full_rows * self.columns + row] * replaces

    def along_column(self) -> tuple[list[int], list[int]]:
        """Return the ranks to which this one sends in the second step, by row, and those that send to it."""
        members = list(range(self.rank % self.columns, self.ranks, self.columns))
        return members, members


class Delivery(NamedTuple):
    """Received elements, and a function that sends replies to their senders."""

    columns: Columns
    reply: Callable[[NDArray[Any]], NDArray[Any]]
    """Send one answer for each element that arrived; return those for the elements that were sent."""


class Communicator:
    """All ranks, seen from one of them.

    Every method is collective: all ranks must call it.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        The communicator of MPI; by default ``MPI.COMM_WORLD``.
    phase : str
        The phase with which the log of rounds begins.
    tuning : Tuning, optional
        The tuning constants of exchanges.

    Attributes
    ----------
    rank, size : int
        This rank, and the number of ranks.
    round_log : RoundLog
        Its current round gets time, bytes and messages.
    """

    def __init__(self, comm: Any, phase: str, tuning: Tuning | None = None):
        self.comm = mpi().COMM_WORLD if comm is None else comm
        self.round_log, self._tuning = RoundLog(), tuning or Backend.tuning
        self.round_log.begin(phase, 0, 0)
        self.rank: int = self.comm.Get_rank()
        self.size: int = self.comm.Get_size()
        in_two_steps = self.size >= self._tuning.two_steps_from
        self._grid = RankGrid(self.size, self.rank) if in_two_steps else None
        self._tree_depth = (self.size - 1).bit_length()
        """Messages in sequence from one rank to all: log2(P), rounded up."""

    def ranks_on_this_machine(self) -> int:
        """Count the ranks that share the machine of this one."""
        machine = self.comm.Split_type(mpi().COMM_TYPE_SHARED)
        ranks: int = machine.Get_size()
        machine.Free()
        return ranks

    def all_reduce_min(self, values: NDArray[Any]) -> NDArray[Any]:
        """Replace each value by its minimum over all ranks, in place."""
        return self._all_reduce(values, mpi().MIN)

    def all_reduce_max(self, values: NDArray[Any]) -> NDArray[Any]:
        """Replace each value by its maximum over all ranks, in place."""
        return self._all_reduce(values, mpi().MAX)

    def all_reduce_sum(self, values: NDArray[Any]) -> NDArray[Any]:
        """Replace each value by its sum over all ranks, in place."""
        return self._all_reduce(values, mpi().SUM)

    def sum_of(self, number: int) -> int:
        """Return the sum of one number of each rank."""
        return int(self.all_reduce_sum(np.array([number], np.int64))[0])

    def max_of(self, number: int) -> int:
        """Return the maximum of one number of each rank."""
        return int(self.all_reduce_max(np.array([number], np.int64))[0])

    def any(self, condition: bool) -> bool:
        """Return whether a condition holds on any rank."""
        return self.sum_of(int(condition)) > 0

    def all_gather_number(self, number: int) -> NDArray[np.int64]:
        """Return one number of each rank."""
        numbers = np.empty(self.size, np.int64)
        with self._count_sent(8 * (self.size - 1), self._tree_depth):
            self.comm.Allgather(np.array([number], np.int64), numbers)
        return numbers

    def gather(self, columns: Sequence[NDArray[Any]], root: int | None = None) -> Columns:
        """Concatenate the parallel arrays of all ranks in the order of ranks, on all ranks (all-gather).

        With a ``root``, only that rank gets them; the others get empty arrays.
        """
        counts = self.all_gather_number(columns[0].size)
        receives = root in (None, self.rank)
        with self.round_log.step("pack"):
            records = _pack(columns)
            gathered = np.empty(int(counts.sum()) if receives else 0, records.dtype)
        with _record_type(records) as kind:
            outgoing, incoming = [records, records.size, kind], [gathered, counts, kind]
            if self._needs_batches(int(counts.sum())):
                receivers = range(self.size) if root is None else (root,)
                parts = [records[: records.size * (rank in receivers)] for rank in range(self.size)]
                with self._count_sent(records.nbytes * (self.size - 1), self.size - 1):
                    self._send_in_batches(parts, _split(gathered, counts * receives), kind)
            elif root is None:
                sent = int(counts.sum() - counts[(self.rank + 1) % self.size]) * records.itemsize
                with self._count_sent(sent, self._tree_depth):
                    self.comm.Allgatherv(outgoing, incoming)
            else:
                with self._count_sent(0 if receives else records.nbytes, 0 if receives else 1):
                    self.comm.Gatherv(outgoing, incoming if receives else None, root)
        return self._unpack(gathered)

    def exchange(self, columns: Sequence[NDArray[Any]], destination: NDArray[Any]) -> Columns:
        """Send each element of parallel arrays to its destination rank (all-to-all).

        The order of the received elements depends on the ranks and their elements alone.
        """
        return self.exchange_and_reply(columns, destination).columns

    def exchange_and_reply(self, columns: Sequence[NDArray[Any]], destination: NDArray[Any]) -> Delivery:
        """Send elements as `exchange` does, and return them with a function that sends replies."""
        grid, size = self._grid, sum(column.nbytes for column in columns)
        if grid is None or self.max_of(size) > self._tuning.bytes_of_message * self.size:
            return self._deliver_at_once(columns, destination)
        row, column = grid.row_of(destination), grid.column_of(destination)
        first = self._deliver_along((row, *columns), column, *grid.along_row())
        row, *passed_on = first.columns
        second = self._deliver_along(passed_on, row, *grid.along_column())
        return Delivery(second.columns, lambda answers: first.reply(second.reply(answers)))

    def _deliver_at_once(self, columns: Sequence[NDArray[Any]], destination: NDArray[Any]) -> Delivery:
        """Deliver elements in one message to each rank, after their counts. They arrive by senders."""
        with self.round_log.step("pack"):
            records, counts, order = _group(columns, destination, self.size)
        received = self._exchange_counts(counts)
        arrived = self._unpack(self._all_to_all(records, counts, received))
        return Delivery(arrived, lambda answers: _ungroup(self._all_to_all(answers, received, counts), order))

    def _deliver_along(
        self,
        columns: Sequence[NDArray[Any]],
        target: NDArray[Any],
        targets: Sequence[int],
        sources: Sequence[int],
    ) -> Delivery:
        """Deliver elements to few ranks, by positions in ``targets``, without their counts."""
        with self.round_log.step("pack"):
            records, counts, order = _group(columns, target, len(targets))
            outgoing = _split(records, counts) if targets else []
        incoming = self._send_along(outgoing, targets, sources, records.dtype)
        arrived = self._unpack(np.concatenate([records[:0], *incoming]))
        sizes = np.array([part.size for part in incoming], np.int64)

        def reply(answers: NDArray[Any]) -> NDArray[Any]:
            parts = _split(answers, sizes) if sources else []
            received = self._send_along(parts, sources, targets, answers.dtype)
            return _ungroup(np.concatenate([answers[:0], *received]), order)

        return Delivery(arrived, reply)

    def _unpack(self, records: NDArray[Any]) -> Columns:
        """Split records into columns."""
        with self.round_log.step("pack"):
            return tuple(np.require(records[name], None, ("C", "A")) for name in records.dtype.names or ())

    def _exchange_counts(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Send each rank the number of elements that it will receive."""
        received = np.empty_like(counts)
        with self._count_sent(4 * self.size * self._tree_depth, self._tree_depth):
            self.comm.Alltoall(counts, received)
        return received

    def _all_to_all(
        self, records: NDArray[Any], send_counts: NDArray[np.int64], receive_counts: NDArray[np.int64]
    ) -> NDArray[Any]:
        """Send consecutive records to the ranks, in order."""
        to_others = np.delete(send_counts, self.rank)
        received = np.empty(int(receive_counts.sum()), records.dtype)
        in_batches = self._needs_batches(max(records.size, received.size))
        with (
            _record_type(records) as kind,
            self._count_sent(int(to_others.sum()) * records.itemsize, int(np.count_nonzero(to_others))),
        ):
            if in_batches:
                self._send_in_batches(_split(records, send_counts), _split(received, receive_counts), kind)
            else:
                self.comm.Alltoallv([records, send_counts, kind], [received, receive_counts, kind])
        return received

    def _send_along(
        self,
        outgoing: Sequence[NDArray[Any]],
        targets: Sequence[int],
        sources: Sequence[int],
        dtype: np.dtype[Any],
    ) -> list[NDArray[Any]]:
        """Send one array to each target and receive one from each source, whose sizes the messages tell."""
        to_others = [(part, rank) for part, rank in zip(outgoing, targets, strict=True) if rank != self.rank]
        incoming = []
        with (
            _record_type(np.empty(0, dtype)) as kind,
            self._count_sent(sum(part.nbytes for part, _ in to_others), len(to_others)),
        ):
            requests = [self.comm.Isend([part, part.size, kind], rank) for part, rank in to_others]
            for source in sources:
                if source == self.rank:
                    incoming.append(outgoing[targets.index(source)])
                    continue
                status = mpi().Status()
                self.comm.Probe(source, status=status)
                incoming.append(np.empty(status.Get_count(kind), dtype))
                self.comm.Recv([incoming[-1], incoming[-1].size, kind], source)
            mpi().Request.Waitall(requests)
        return incoming

    def _needs_batches(self, elements: int) -> bool:
        """Return whether any rank has too many elements for one call of the MPI library."""
        return not has_large_counts() and self.any(elements > MAX_COUNT)

    def _send_in_batches(
        self, outgoing: Sequence[NDArray[Any]], incoming: Sequence[NDArray[Any]], kind: MPI.Datatype
    ) -> None:
        """Send one array to each rank and receive one from each, in messages of at most `MAX_COUNT`."""
        requests = [
            start([array[begin : begin + MAX_COUNT], min(MAX_COUNT, array.size - begin), kind], rank)
            for start, arrays in ((self.comm.Irecv, incoming), (self.comm.Isend, outgoing))
            for rank, array in enumerate(arrays)
            for begin in range(0, array.size, MAX_COUNT)
        ]
        mpi().Request.Waitall(requests)

    def _all_reduce(self, values: NDArray[Any], operation: MPI.Op) -> NDArray[Any]:
        with self._count_sent(2 * values.nbytes * (self.size - 1) // self.size, 2 * self._tree_depth):
            step = max(values.size, 1) if has_large_counts() else MAX_COUNT
            for begin in range(0, values.size, step):
                self.comm.Allreduce(mpi().IN_PLACE, values[begin : begin + step], operation)
        return values

    @contextmanager
    def _count_sent(self, size: int, messages: int) -> Iterator[None]:
        """Time a block as communication, and add its bytes and messages to the current round."""
        with self.round_log.step("communicate"):
            yield
        sent = self.round_log.rounds[-1].sent
        sent["bytes"] = sent.get("bytes", 0) + size
        sent["messages"] = sent.get("messages", 0) + messages


class VertexOwners(NamedTuple):
    """The ranks that own vertices, and answer queries about them."""

    communicator: Communicator
    backend: Backend
    partition: VertexPartition

    def query(self, x: NDArray[Any], answer: Callable[[NDArray[Any]], NDArray[Any]]) -> NDArray[Any]:
        """Query the owner of each vertex; return one answer for each. A rank sends each vertex once.

        Every rank must call it. ``answer`` computes the answers for an array of vertices that this rank owns;
        every rank calls it.
        """
        with self.communicator.round_log.step("pack"):
            questions, inverse = unique_ids(x, self.partition.n, self.backend)
        owners = self.partition.owner(questions)
        delivery = self.communicator.exchange_and_reply((questions,), owners)
        return delivery.reply(answer(delivery.columns[0]))[inverse]

    def query_values(self, x: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
        """Query the owners of vertices for their elements of ``values``, one for each vertex of a block."""
        return self.query(x, lambda asked: values[self.partition.position(asked)])


def _group(
    columns: Sequence[NDArray[Any]], group: NDArray[Any], groups: int
) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64] | None]:
    """Pack parallel arrays by group: return records, the size of each group, and the order if it is new."""
    counts = np.bincount(group, minlength=groups).astype(np.int64)
    order = None
    if not is_ascending(group, strictly=False):
        order = np.argsort(group.astype(np.uint16 if groups <= 1 << 16 else np.int64), kind="stable")
    return _pack(columns, order), counts, order


def _ungroup(values: NDArray[Any], order: NDArray[np.int64] | None) -> NDArray[Any]:
    """Put values in the order that elements had before `_group`."""
    if order is None:
        return values
    result = np.empty_like(values)
    result[order] = values
    return result


def _pack(columns: Sequence[NDArray[Any]], order: NDArray[Any] | None = None) -> NDArray[Any]:
    """Pack parallel arrays into one array of records without padding."""
    records = np.empty(columns[0].size, [(f"f{k}", column.dtype) for k, column in enumerate(columns)])
    for name, column in zip(records.dtype.names or (), columns, strict=True):
        records[name] = column if order is None else column[order]
    return records


def _split(records: NDArray[Any], counts: NDArray[np.int64]) -> list[NDArray[Any]]:
    """Split an array into consecutive parts of these sizes."""
    return np.split(records, np.cumsum(counts)[:-1])


@contextmanager
def _record_type(records: NDArray[Any]) -> Iterator[MPI.Datatype]:
    """Create the MPI type of a record, so that counts are counts of records."""
    kind = mpi().BYTE.Create_contiguous(records.itemsize).Commit()
    try:
        yield kind
    finally:
        kind.Free()
