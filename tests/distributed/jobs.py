"""What tests run on ranks: ``python -m tests.distributed.jobs JOB GIVEN RETURNED``, on each of them."""

import os
import pickle
import signal
import sys
import time
from pathlib import Path

import numpy as np
from mpi4py import MPI

from boruvka import distributed
from boruvka.backends import threads
from boruvka.distributed import communicator as world_of_arrays
from boruvka.distributed import filter_boruvka
from boruvka.distributed.communicator import World
from boruvka.distributed.vertex_partition import Blocks
from boruvka.errors import BoruvkaError
from boruvka.forest.round_log import RoundLog

COMM = MPI.COMM_WORLD


def solve(case):
    """Solve a case by every strategy: indices, and labels of all vertices on the last rank alone."""
    own = np.flatnonzero(case.owners % COMM.size == COMM.rank)
    if case.indices == "by rank":  # in slices, so that the order of ranks is that of edges
        own = np.flatnonzero(np.sort(case.owners % COMM.size) == COMM.rank)
    if case.indices == "any":
        own = own[np.random.default_rng(own.size).permutation(own.size)]
    filter_boruvka.FEW, filter_boruvka.DENSE = case.few, case.dense
    threads.INLINE_BELOW = 2 if case.threads > 1 else 50_000  # so that small graphs are shared too
    graph = case.graph
    found = {}
    for distribute, merge in case.strategies or distributed.STRATEGIES:
        part = distributed.minimum_spanning_forest(
            (graph.u[own], graph.v[own], graph.w[own], graph.n),
            index=None if case.indices == "by rank" else own,
            maximum=case.maximum,
            distribute=distribute,
            merge=merge,
            labels_of=np.arange(graph.n)[::-1] if COMM.rank == COMM.size - 1 else None,
            threads=case.threads,
        )
        assert np.array_equal(own[part.edges], part.index)
        assert np.all(part.edges[1:] > part.edges[:-1])
        assert np.array_equal(part.w, graph.w[part.index])
        assert (part.labels is None) == (COMM.rank < COMM.size - 1)
        labels = None if part.labels is None else part.labels[::-1].tolist()
        found[distribute, merge] = part.index.tolist(), labels, part.weight, part.components
    return found


def solve_all(cases):
    """Solve many cases in one job."""
    return [solve(case) for case in cases]


def solve_file(file):
    """Read a file in parts and solve it by the default."""
    path, distribute = file
    part = distributed.minimum_spanning_forest(distributed.read(path), distribute=distribute)
    return part.index, part.weight


def messages(given):
    """Send what this rank has by every way there is."""
    seed, most = given
    world_of_arrays.LARGE_COUNTS, world_of_arrays.MOST = most is None, most
    world = World(COMM, RoundLog())
    world.round_log.begin("test", 0, 0)
    rng = np.random.default_rng(seed + COMM.rank)
    here, size = COMM.rank, COMM.size
    values = rng.integers(0, 100, 5).astype(np.uint64)
    columns = rng.integers(0, 100, 7).astype(np.uint64), np.arange(7, dtype=np.uint32)
    to = rng.integers(0, size, 7)
    blocks = Blocks(11, size, here)
    questions = rng.integers(0, 11, 6).astype(np.uint32)
    few = np.arange(here, dtype=np.uint16)
    return {
        "values": values,
        "minimum": world.minimum(values.copy()),
        "maximum": world.maximum(values.copy()),
        "total": world.total(values.copy()),
        "union": world.union(values.copy()),
        "any": world.any(here == size - 1),
        "of each": world.of_each(here * here),
        "columns": columns,
        "to": to,
        "gathered": world.gather((few, few.astype(np.float64))),
        "at the first": world.gather((few,), 0),
        "exchanged": world.exchange(columns, to),
        "questions": questions,
        "answers": world.ask(blocks, questions, lambda x: x.astype(np.uint64) * 10 + np.uint64(here)),
        "owners": blocks.owner(questions),
        "sent": world.round_log.rounds[0].sent,
    }


def many(size):
    """Send more elements in one call than a number of 32 bits counts: what arrived at chosen places."""
    world = World(COMM, RoundLog())
    world.round_log.begin("test", 0, 0)
    values = np.zeros(size, np.uint8)
    values[-1 - COMM.rank] = 1 + COMM.rank
    united = world.union(values)[-3:].tolist()
    here = values if COMM.rank == 0 else values[:5]
    counts = np.array([0, here.size] if COMM.rank == 0 else [here.size, 0])  # each sends all to the other
    received = world._deliver(here, counts, world._announce(counts))
    delivered = received.size, received[-3:].tolist()
    del received
    (gathered,) = world.gather((here,))
    return united, delivered, (gathered.size, gathered[size - 3 : size + 2].tolist())


def read(files):
    """Read files in parts."""
    graphs = [distributed.read(**how) for how in files]
    return [(graph.n, graph.u, graph.v, graph.w) for graph in graphs]


def generate(arguments):
    """Generate a graph in parts."""
    graph = distributed.kronecker(*arguments)
    return graph.n, graph.u, graph.v, graph.w


def rounds(strategy):
    """Solve a generated graph by a strategy: what happened in each round."""
    filter_boruvka.FEW = 0
    graph = distributed.kronecker(8, 8, dtype=strategy[2])
    part = distributed.minimum_spanning_forest(graph, distribute=strategy[0], merge=strategy[1], threads=1)
    return part.rounds


def refuse(cases):
    """Pass what is wrong on one rank: what is said on each."""
    said = []
    for rank, edges, options in cases:
        wrong = COMM.rank == rank
        try:
            distributed.minimum_spanning_forest(
                edges if wrong else ([0], [1], [2]), **(options if wrong else {})
            )
            said.append(None)
        except BoruvkaError as error:
            said.append((type(error).__name__, str(error)))
    return said


def overlap(shares):
    """Pass slices that have edges in common: what is said."""
    edges, index = shares[COMM.rank]
    try:
        distributed.minimum_spanning_forest(edges, index=index)
    except BoruvkaError as error:
        return str(error)


def fail(how):
    """Let the last rank fail in mid-run while the others wait for it."""
    grow = filter_boruvka.grow

    def fail_at_last(*arguments):
        if COMM.rank == COMM.size - 1:
            if how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            raise MemoryError("too large")
        grow(*arguments)

    filter_boruvka.grow = fail_at_last
    distributed.minimum_spanning_forest(([0], [1], [2]))


def wait(folder):
    """Say that this rank is there; the first is busy, and the others wait for it."""
    (Path(folder) / f"{os.getpid()}.pid").touch()
    if COMM.rank == 0:
        filter_boruvka.grow = lambda *arguments: time.sleep(300)
    distributed.minimum_spanning_forest(([0], [1], [2]))


def main(job, given, returned):
    """Run a job on this rank, and let the first write what all returned."""
    results = COMM.gather(globals()[job](pickle.loads(Path(given).read_bytes())))
    if COMM.rank == 0:
        Path(returned).write_bytes(pickle.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
