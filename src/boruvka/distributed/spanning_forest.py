"""The entry point on ranks: agree on the graph, choose a strategy, return each rank's part of the forest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.algorithms.run import rounds_reporter
from boruvka.backends import Backend, get_backend
from boruvka.distributed.collective_errors import abort_on_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.local_edges import LocalEdges, prepare_local_edges
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.distributed.strategies import AUTO, Strategy, strategy_for
from boruvka.errors import GraphError, OptionError
from boruvka.graph.connected_components import label_components
from boruvka.graph.exact import combine_sums, partial_sum
from boruvka.runtime.arguments import flag, one_of
from boruvka.runtime.processors import processors, thread_count
from boruvka.runtime.progress import Listener, is_listening, listening, report
from boruvka.runtime.round_log import Round


def minimum_spanning_forest(
    local_edges: Any,
    comm: Any = None,
    *,
    index: ArrayLike | None = None,
    maximum: bool = False,
    partition_by: str = AUTO,
    method: str = AUTO,
    label_vertices: ArrayLike | None = None,
    backend: str = AUTO,
    threads: int | None = None,
    progress: bool | Listener = False,
) -> ForestPart:
    """Find the minimum spanning forest of a graph whose edges are distributed among ranks.

    All ranks must call it, each with its own edges, in any split; a rank may have none. Edges are ordered by
    (weight, index in the whole graph), so the forest is the same as
    `boruvka.minimum_spanning_forest` finds on one machine, for every number of ranks and every strategy.

    The default solves the light edges of all ranks first, and then the heavy edges that join two of their
    components (see `boruvka.distributed.filter_boruvka`). On up to 16 ranks and with up to 2**28 vertices,
    every rank knows all components. With n vertices a rank then sends about 41 n bytes in total and never
    more than 96 n, in 6 log2(P) messages a round; neither depends on the number of edges. Otherwise the
    vertices are partitioned among ranks. With c vertices at the ends of its own light edges, a rank then
    sends about 28 (c + n / P) bytes in each of the first two rounds, far less in the others, and n / 4
    between them, in about 11 P messages a round. 64-bit weights that use all their bits take 16 (8) bytes
    more for each 24 (28); 64-bit vertices take half as many again.

    Parameters
    ----------
    local_edges : Graph, (u, v, w), (u, v, w, n), SciPy sparse array or matrix, or 2-D array
        The edges of this rank, between vertices of the whole graph. The number of vertices is the largest of
        any rank. Weights have one type on all ranks, of at most 64 bits.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default ``MPI.COMM_WORLD``.
    index : int or (k,) array_like of integers, optional
        The index in the whole graph of this rank's first edge, or of each edge, all different. By default
        edges are numbered in the order of ranks.
    maximum : bool
        Find a maximum spanning forest instead; of equal weights, the smaller index still comes first.
    partition_by : str
        Data that is partitioned among ranks: "edges" (every rank stores all components), "vertices" (every
        rank owns a block of vertices), or "auto". Edges stay on their rank, except with the vertex strategies
        of Anzalone et al.
    method : str
        "auto" or "filter-boruvka"; or a strategy of Anzalone et al. (ETH Zürich): for edges "union-find",
        "union-find-reduced", "pointer-jumping"; for vertices "union-find", "iterative", "pointer-jumping",
        "supervertex".
    label_vertices : (k,) array_like of integers, optional
        Vertices whose component labels this rank gets. By default labels are not computed, unless another
        rank asks for some.
    backend : str
        "auto", "threads", or "interpreted" (slow, for debugging). Ranks do not use GPUs.
    threads : int, optional
        Number of threads of each rank; by default the cores of a machine divided by its ranks.
    progress : bool or callable
        As for `boruvka.minimum_spanning_forest`, on the ranks that pass it: usually one. An exception of a
        callable aborts all ranks.

    Returns
    -------
    ForestPart

    Notes
    -----
    ``method`` stands for ``algorithm`` and ``options`` of `boruvka.minimum_spanning_forest`: algorithms for
    one machine do not run on ranks. A rank finds the forest of its own edges by the one that suits them.

    Raises
    ------
    GraphError, GraphTypeError, OptionError
        As `boruvka.minimum_spanning_forest`, on all ranks if one rank fails. Any other error on one rank is
        printed and aborts all ranks, because the others would wait for ever; an interrupt ends them at once.

    Examples
    --------
    A program that was not started by ``mpiexec`` has one rank:

    >>> from boruvka import distributed
    >>> edges = [0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]
    >>> part = distributed.minimum_spanning_forest(edges, label_vertices=[3])
    >>> part.local_indices.tolist(), part.weight, part.labels.tolist()
    ([1, 2, 3], 9, [0])
    """
    with abort_on_error(Communicator(comm, "agree")) as communicator, listening(progress):
        comm, round_log = communicator.comm, communicator.round_log
        ranks_here = communicator.ranks_on_this_machine()

        def validate() -> tuple[Backend, bool]:
            name = one_of("backend", backend, (AUTO, "threads", "interpreted"))
            name = "threads" if name == AUTO else name
            return get_backend(name, threads_of_rank(threads, ranks_here)), flag("maximum", maximum)

        runs_on, is_maximum = run_locally(communicator, validate)
        local = prepare_local_edges(communicator, runs_on, local_edges, index, is_maximum)
        strategy, vertices = run_locally(
            communicator,
            lambda: (
                strategy_for(partition_by, method, local.n, communicator.size),
                _validate_vertices(label_vertices, local.n),
            ),
        )
        any_labels = communicator.any(vertices is not None)
        round_log.rounds.clear()
        round_log.on_round = rounds_reporter(local.n) if is_listening() else None
        comm.Barrier()
        begin = time.perf_counter()
        components = strategy.run(local)
        comm.Barrier()
        seconds = time.perf_counter() - begin

        positions = runs_on.flatnonzero(local.in_forest)
        round_log.begin("end", local.n, positions.size)
        labels = _labels(local, positions, components, vertices) if any_labels else None
        report("solve", local.n, local.n, "components", 0)
        return _part(local, positions, labels, strategy, seconds)


def threads_of_rank(threads: int | None, ranks_here: int) -> int:
    """Return the number of threads of a rank: by default an equal share of the machine's processors."""
    return max(processors() // ranks_here, 1) if threads is None else thread_count(threads)


def _validate_vertices(label_vertices: Any, n: int) -> NDArray[np.uint64] | None:
    if label_vertices is None:
        return None
    vertices = np.asarray(label_vertices)
    if not vertices.size:
        return np.empty(0, np.uint64)
    if vertices.dtype.kind not in "iu" or vertices.ndim != 1:
        raise OptionError("label_vertices must be a list of vertices")
    if int(vertices.min()) < 0 or int(vertices.max()) >= n:
        raise GraphError(f"label_vertices must hold vertices, from 0 to {n - 1}")
    return vertices.astype(np.uint64)


def _labels(
    local: LocalEdges,
    positions: NDArray[np.int64],
    components: PartitionedComponents | None,
    vertices: NDArray[np.uint64] | None,
) -> NDArray[np.int64] | None:
    """Label the vertices that this rank asks for; collective, although only some ranks may ask."""
    asked = np.empty(0, np.uint64) if vertices is None else vertices
    if components is None:
        u, v, _ = local.graph.take(positions)
        labels = label_components(local.n, *local.communicator.gather((u, v)))[asked]
    else:
        labels = components.owners.query_values(asked, components.labels())
    return None if vertices is None else labels


def _part(
    local: LocalEdges, positions: NDArray[np.int64], labels: Any, strategy: Strategy, seconds: float
) -> ForestPart:
    communicator, comm = local.communicator, local.communicator.comm
    nothing_sent = {"bytes": 0, "messages": 0}
    rounds = communicator.round_log.rounds[:-1]  # without "end", the current one
    rounds = [each._replace(sent=nothing_sent | each.sent) for each in rounds]
    edges = positions
    if local.input_position is not None:
        edges = local.input_position[positions]
        ascending = np.argsort(edges)
        edges, positions = edges[ascending], positions[ascending]
    weights = local.graph.w[positions]
    return ForestPart(
        n=local.n,
        m=local.m,
        forest_size=communicator.sum_of(positions.size),
        local_indices=edges,
        global_indices=local.indices(positions).astype(np.int64),
        weight=combine_sums(comm.allgather(partial_sum(weights)), weights.dtype),
        graph=local.graph,
        positions=positions,
        labels=labels,
        maximum=local.maximum,
        partition_by=strategy.partition_by,
        method=strategy.method,
        ranks=communicator.size,
        threads=local.backend.threads,
        rounds=tuple(comm.allreduce(rounds, _combined)),
        seconds=comm.allreduce(seconds, max),
    )


def _combined(rounds: Sequence[Round], others: Sequence[Round]) -> list[Round]:
    """Combine the rounds of two ranks: sums of edges; maxima of components, times, bytes and messages."""
    return [
        one._replace(
            n_components=max(one.n_components, other.n_components),
            edges=one.edges + other.edges,
            seconds=_maxima(one.seconds, other.seconds),
            sent=_maxima(one.sent, other.sent),
        )
        for one, other in zip(rounds, others, strict=True)
    ]


def _maxima(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the larger value of each name."""
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in one | other}
