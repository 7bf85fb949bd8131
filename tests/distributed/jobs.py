"""What tests run on ranks, by `mpiexec.Ranks`: ``python -m tests.distributed.jobs FOLDER PROCESS``.

Unless a job is about compiled kernels, ranks run the interpreted backend and do not import Numba.
"""

import os
import pickle
import signal
import sys
import threading
import time
import warnings
from contextlib import ExitStack, contextmanager
from itertools import count, product
from pathlib import Path
from unittest.mock import patch

import numpy as np
from mpi4py import MPI

from boruvka import Graph, backends, distributed
from boruvka.backends import get_backend
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from boruvka.distributed import communicator as communicator_module
from boruvka.distributed import filter_boruvka, spanning_forest
from boruvka.distributed.communicator import Communicator, VertexOwners
from boruvka.distributed.vertices import VertexPartition
from boruvka.errors import BoruvkaError
from boruvka.graph import connected_components, validation
from boruvka.kernels.kernel import Kernel

COMM = MPI.COMM_WORLD


@contextmanager
def interpreted(tuning=None):
    """Run operators and the kernel of component labels as Python functions."""
    with ExitStack() as patches:
        backend = Backend()
        patches.enter_context(patch.object(Backend, "tuning", tuning or Backend.tuning))
        patches.enter_context(patch.object(spanning_forest, "get_backend", lambda name, threads: backend))
        kernel = connected_components._label.__wrapped__
        patches.enter_context(patch.object(connected_components, "_label", kernel))
        yield


def small_tuning(replicated_up_to, degree=1, vertices_at_edge=64, two_steps=False):
    """Return tuning constants that send small graphs through the filter and through rounds on ranks.

    Exchanges take one step, or two on however few ranks.
    """
    return Tuning(
        replicated_up_to=replicated_up_to,
        filter_pays_from=0,
        filter_pays_at_degree=degree,
        vertices_at_edge=vertices_at_edge,
        pivot_sample=64,
        two_steps_from=2 if two_steps else 1 << 8,
    )


def solve(case):
    """Solve a case by every strategy: indices, and labels of all vertices on the last rank alone."""
    owners = case.owners % COMM.size
    own = np.flatnonzero(owners == COMM.rank)
    if case.indices == "by rank":  # in slices, so that the order of ranks is that of edges
        own = np.flatnonzero(np.sort(owners) == COMM.rank)
    if case.indices == "any":
        own = own[np.random.default_rng(own.size).permutation(own.size)]
    graph, found = case.graph, {}
    for partition_by, method in case.strategies or distributed.STRATEGIES:
        limits = case.replicated_up_to, case.degree, case.vertices_at_edge
        with interpreted(small_tuning(*limits, case.two_steps)):
            part = distributed.minimum_spanning_forest(
                (graph.u[own], graph.v[own], graph.w[own], graph.n),
                index=None if case.indices == "by rank" else own,
                maximum=case.maximum,
                partition_by=partition_by,
                method=method,
                label_vertices=np.arange(graph.n)[::-1] if COMM.rank == COMM.size - 1 else None,
            )
        assert np.array_equal(own[part.local_indices], part.global_indices)
        assert np.all(part.local_indices[1:] > part.local_indices[:-1])
        assert np.array_equal(part.w, graph.w[part.global_indices])
        assert (part.labels is None) == (COMM.rank < COMM.size - 1)
        labels = None if part.labels is None else part.labels[::-1].tolist()
        found[partition_by, method] = part.global_indices.tolist(), labels, part.weight, part.n_components
    return found


def solve_compiled(argument):
    """Solve a graph by some strategies with compiled kernels; return indices.

    Two threads have minima of their own, and eight share them. The ids of vertices have a type as of a larger
    graph.
    """
    graph, step, strategies, ids, tuning = argument
    own, found = np.array_split(np.arange(graph.m), COMM.size)[COMM.rank], []
    with (
        patch.object(validation, "vertex_dtype", lambda n: ids if n == graph.n else np.uint32),
        patch.object(Backend, "tuning", Backend.tuning._replace(**tuning)),
    ):
        edges = Graph(graph.n, *graph.take(own))
        for (partition_by, method), threads in product(strategies, (1, 2, 8)):
            part = distributed.minimum_spanning_forest(
                edges,
                index=own * step if step > 1 else None,
                partition_by=partition_by,
                method=method,
                threads=threads,
                label_vertices=[0],
            )
            found.append(part.global_indices // step)
    return found


def solve_file(argument):
    """Read a file in parts and solve it by the default strategy, with compiled kernels."""
    path, partition_by = argument
    part = distributed.minimum_spanning_forest(distributed.read(path), partition_by=partition_by)
    return part.global_indices, part.weight


def stream(argument):
    """Stream a file in tiny pieces, and solve what the ranks keep by both defaults."""
    from tests.graph.conftest import run_as_python
    from tests.stream.limits import TINY_LIMITS

    path, maximum, options = argument
    with interpreted(), ExitStack() as patches:
        for module, name, value in TINY_LIMITS:
            patches.enter_context(patch.object(module, name, value))
        patches.enter_context(patch.object(backends, "get_backend", spanning_forest.get_backend))
        patches.enter_context(patch.object(Kernel, "__call__", run_as_python))
        graph, indices, m = distributed.stream(path, maximum=maximum, **options)
        parts = [
            distributed.minimum_spanning_forest(
                graph, index=indices, maximum=maximum, partition_by=partition_by
            )
            for partition_by in ("edges", "vertices")
        ]
    return graph.n, m, graph.m, [(part.global_indices, part.u, part.v, part.w) for part in parts]


def send(argument):
    """Send random arrays by every method of a communicator."""
    seed, max_count, two_steps = argument
    limits = {"has_large_counts": lambda: max_count is None, "MAX_COUNT": max_count}
    with patch.multiple(communicator_module, **limits):
        return collectives(COMM, seed, Tuning(two_steps_from=2 if two_steps else 1 << 8))


def collectives(comm, seed, tuning=None):
    """Send random arrays by every method of a communicator on ranks that need not be of MPI."""
    communicator = Communicator(comm, "test", tuning)
    rng = np.random.default_rng(seed + comm.rank)
    rank, size = comm.rank, comm.size
    values = rng.integers(0, 100, 5).astype(np.uint64)
    columns = rng.integers(0, 100, 7).astype(np.uint64), np.arange(7, dtype=np.uint32)
    destination = rng.integers(0, size, 7)
    partition = VertexPartition(11, size, rank)
    owners = VertexOwners(communicator, get_backend("interpreted", 1), partition)
    questions = rng.integers(0, 11, 6).astype(np.uint32)
    few = np.arange(rank, dtype=np.uint16)
    return {
        "values": values,
        "minimum": communicator.all_reduce_min(values.copy()),
        "maximum": communicator.all_reduce_max(values.copy()),
        "sum": communicator.all_reduce_sum(values.copy()),
        "sum of": communicator.sum_of(rank),
        "max of": communicator.max_of(rank),
        "any": communicator.any(rank == size - 1),
        "numbers": communicator.all_gather_number(rank * rank),
        "columns": columns,
        "destination": destination,
        "all gathered": communicator.gather((few, few.astype(np.float64))),
        "gathered": communicator.gather((few,), 0),
        "exchanged": communicator.exchange(columns, destination),
        "questions": questions,
        "answers": owners.query(questions, lambda x: x.astype(np.uint64) * 10 + np.uint64(rank)),
        "owners": partition.owner(questions),
        "sent": communicator.round_log.rounds[0].sent,
    }


def send_many(size):
    """Send more elements in one call than 32 bits count; return some of what arrived."""
    communicator = Communicator(COMM, "test")
    values = np.zeros(size, np.uint8)
    values[-1 - COMM.rank] = 1 + COMM.rank
    reduced = communicator.all_reduce_max(values)[-3:].tolist()
    local = values if COMM.rank == 0 else values[:5]
    counts = np.array([0, local.size] if COMM.rank == 0 else [local.size, 0])  # all to the other rank
    received = communicator._all_to_all(local, counts, communicator._exchange_counts(counts))
    exchanged = received.size, received[-3:].tolist()
    del received
    (gathered,) = communicator.gather((local,))
    return reduced, exchanged, (gathered.size, gathered[size - 3 : size + 2].tolist())


def read(files):
    """Read files in parts."""
    graphs = [distributed.read(path) for path in files]
    return [(graph.n, graph.u, graph.v, graph.w) for graph in graphs]


def gaps(arguments):
    """Read and stream a file with gaps; return edges, and the warnings of this rank."""
    path, options = arguments
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = distributed.read(path, **options)
        part = distributed.stream(path, **options)
    said = [str(each.message) for each in caught if each.category.__name__ == "GraphWarning"]
    return (graph.n, graph.u, graph.v, graph.w), (part.graph.n, part.m, part.indices), said


def generate(arguments):
    """Generate a graph in parts."""
    graph = distributed.kronecker(*arguments)
    return graph.n, graph.u, graph.v, graph.w


def rounds(argument):
    """Solve random edges of this rank by a strategy; return the rounds."""
    partition_by, method, n, m, dtype = argument
    rng = np.random.default_rng(COMM.rank)
    graph = Graph(n, rng.integers(0, n, m), rng.integers(0, n, m), rng.random(m).astype(dtype))
    with interpreted(small_tuning(0, 4)):
        return distributed.minimum_spanning_forest(graph, partition_by=partition_by, method=method).rounds


def listen(ranks):
    """Solve random edges, with a listener on some ranks; return what it heard."""
    heard = []
    rng = np.random.default_rng(COMM.rank)
    graph = Graph(99, *rng.integers(0, 99, (2, 200)), rng.random(200))
    progress = heard.append if COMM.rank in ranks else False
    distributed.minimum_spanning_forest(graph, backend="interpreted", progress=progress)
    return [(event.phase, event.done, event.total, event.unit) for event in heard]


def refuse(cases):
    """Solve what is invalid on one rank; return the errors on each."""
    errors = []
    for rank, edges, options in cases:
        invalid = COMM.rank == rank
        with interpreted():
            try:
                distributed.minimum_spanning_forest(
                    edges if invalid else ([0], [1], [2]), **(options if invalid else {})
                )
                errors.append(None)
            except BoruvkaError as error:
                errors.append((type(error).__name__, str(error)))
    return errors


def overlap(shares):
    """Solve parts that have edges in common; return the error."""
    edges, index = shares[COMM.rank]
    try:
        distributed.minimum_spanning_forest(edges, index=index)
    except BoruvkaError as error:
        return str(error)


def fail(how):
    """Let the last rank fail while the others wait for it."""
    solve_worklist = filter_boruvka.solve_worklist

    def fail_at_last(*arguments):
        if COMM.rank == COMM.size - 1:
            if how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            raise MemoryError("too large")
        solve_worklist(*arguments)

    with interpreted(), patch.object(filter_boruvka, "solve_worklist", fail_at_last):
        try:
            distributed.minimum_spanning_forest(([0], [1], [2]))
        except MemoryError:
            time.sleep(300)  # the rank was not aborted


def wait(folder):
    """Leave a file for this process during a solve; the first rank sleeps, and the others wait for it."""
    solve_worklist = filter_boruvka.solve_worklist

    def wait_for_first(*arguments):
        (Path(folder) / f"{os.getpid()}.pid").touch()
        if COMM.rank == 0:
            time.sleep(300)
        solve_worklist(*arguments)

    with interpreted(), patch.object(filter_boruvka, "solve_worklist", wait_for_first):
        distributed.minimum_spanning_forest(([0], [1], [2]))


def end_with(process):
    """End this rank when a process is gone, whatever job it runs."""
    while True:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            os._exit(1)
        time.sleep(1)


def main(folder, process):
    """Run jobs as they come; the first rank writes what all return. An error aborts all ranks."""
    threading.Thread(target=end_with, args=(int(process),), daemon=True).start()
    for k in count():
        given, returned = (Path(folder) / f"{k}.{what}" for what in ("given", "returned"))
        pause = 0.002
        while not given.exists():
            time.sleep(pause)
            pause = min(1.2 * pause, 0.1)  # ranks that wait long leave the cores to other tests
        job, argument = pickle.loads(given.read_bytes())
        results = COMM.gather(globals()[job](argument))
        if COMM.rank == 0:
            partial = returned.with_suffix(".partial")
            partial.write_bytes(pickle.dumps(results))
            partial.rename(returned)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BaseException:
        sys.excepthook(*sys.exc_info())
        COMM.Abort(1)
