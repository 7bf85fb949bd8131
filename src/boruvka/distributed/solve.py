"""The main job on ranks: agree on the graph, pick a strategy, give each rank its part of the forest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends import Backend, get_backend
from boruvka.distributed.collective_errors import ending_all, together
from boruvka.distributed.communicator import World
from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.labels import number_components, replicated_labels
from boruvka.distributed.local_edges import Share, share_of
from boruvka.distributed.mpi import MPI
from boruvka.distributed.partitioned_components import Dealt
from boruvka.distributed.strategies import AUTO, Strategy, strategy_for
from boruvka.errors import GraphError, OptionError
from boruvka.forest.exact_sum import combine_sums, partial_sum
from boruvka.forest.round_log import Round, RoundLog
from boruvka.runtime.processors import processors, thread_count

__all__ = ["minimum_spanning_forest"]

COUNTS = ("bytes", "messages")


def minimum_spanning_forest(
    local_edges: Any,
    comm: Any = None,
    *,
    index: ArrayLike | None = None,
    maximum: bool = False,
    distribute: str = AUTO,
    merge: str = AUTO,
    labels_of: ArrayLike | None = None,
    threads: int | None = None,
) -> ForestPart:
    """Find the minimum spanning forest of a graph whose edges lie on several ranks.

    All ranks of the communicator call it, each with its own share of the edges, in any split; a share may
    be empty. Edges are ordered by (weight, index in the whole graph), so the forest is the one that
    `boruvka.minimum_spanning_forest` finds on one machine, for every number of ranks and every strategy.

    The default filters: the light edges of all ranks first, and of the heavy ones what is left when their
    ends have met (`filter_boruvka`). On up to 16 ranks, and with up to 2**28 vertices, every
    rank knows all components. For n vertices a rank then sends about 41 n bytes in all, and never more than
    96 n, in 6 log2(P) messages a round, whatever the number of edges. Otherwise vertices are dealt to
    ranks. For c vertices at the ends of its own light edges and d at the ends of all, a rank then sends
    about 28 (c + n / P) bytes in each of two first rounds, far less in others, and 8 d between; about 15 P
    messages a round, to those ranks alone that something is for. 64-bit weights that use their bits take 16
    (8) bytes more for each 24 (28), 64-bit vertices half as many again.

    Parameters
    ----------
    local_edges : Graph, (u, v, w), (u, v, w, n), SciPy sparse array or matrix, or 2-D array
        The edges of this rank; their ends are numbered in the whole graph, whose number of vertices is the
        largest of any rank. Weights have one type on all ranks, of at most 64 bits.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default that of all ranks.
    index : int or (k,) array_like of integers, optional
        The index in the whole graph of this rank's first edge, or of each; by default edges are counted
        through in the order of ranks. No two edges may have the same.
    maximum : bool
        Find a maximum spanning forest instead; of equal weights, the smaller index still goes first.
    distribute : str
        What ranks have of the graph while it is solved: "edges" (each knows all vertices), "vertices" (each
        has a block of them; edges stay where they are, but for the strategies of document 5), or "auto".
    merge : str
        "auto" or "filter-boruvka"; or a strategy of document 5: for edges "union-find",
        "union-find-reduced", "pointer-jumping"; for vertices "union-find", "iterative",
        "pointer-jumping", "supervertex".
    labels_of : (k,) array_like of integers, optional
        Vertices whose components this rank wants to know; an empty list for none. If any rank asks, all
        ranks help.
    threads : int, optional
        How many threads each rank may use; by default the cores of a machine divided by its ranks.

    Returns
    -------
    ForestPart

    Raises
    ------
    GraphError, GraphTypeError, OptionError
        As `boruvka.minimum_spanning_forest`, on all ranks if it is so on one. Any other error on one rank
        is printed, and ends all of them, for these would wait for it for ever; an interrupt ends them at
        once.

    Examples
    --------
    The one rank of a program that ``mpiexec`` did not start has all edges:

    >>> from boruvka import distributed
    >>> part = cluster.minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]), labels_of=[3])
    >>> part.edges.tolist(), part.weight, part.labels.tolist()
    ([1, 2, 3], 9, [0])
    """
    comm = MPI.COMM_WORLD if comm is None else comm
    round_log = RoundLog()
    world = World(comm, round_log)
    round_log.begin("agree", 0, 0)
    with ending_all(world):
        beside = _ranks_beside(comm)
        backend = together(world, lambda: get_backend("threads", _threads(threads, beside)))
        share = share_of(world, local_edges, index, maximum)
        strategy = together(world, lambda: strategy_for(distribute, merge, share.n, world.size))
        wanted = together(world, lambda: _vertices(labels_of, share.n))
        follow = world.any(wanted is not None)
        round_log.rounds.clear()
        comm.Barrier()
        begin = time.perf_counter()
        forest = strategy.run(share, world, backend)
        comm.Barrier()
        seconds = time.perf_counter() - begin

        places = backend.flatnonzero(share.in_forest)
        round_log.begin("end", share.n, places.size)
        labels = _labels(world, share, places, forest, wanted) if follow else None
        return _part(world, share, places, labels, strategy, backend, seconds)


def _ranks_beside(comm: Any) -> int:
    """Count the ranks on this machine."""
    beside = comm.Split_type(MPI.COMM_TYPE_SHARED)
    ranks = beside.Get_size()
    beside.Free()
    return ranks


def _threads(threads: int | None, beside: int) -> int:
    """Give each rank its part of a machine's processors, unless a number is asked for."""
    return max(processors() // beside, 1) if threads is None else thread_count(threads)


def _vertices(labels_of: Any, n: int) -> NDArray[np.uint64] | None:
    if labels_of is None:
        return None
    vertices = np.asarray(labels_of)
    if not vertices.size:
        return np.empty(0, np.uint64)
    if vertices.dtype.kind not in "iu" or vertices.ndim != 1:
        raise OptionError("labels_of must be a list of vertices")
    if int(vertices.min()) < 0 or int(vertices.max()) >= n:
        raise GraphError(f"labels_of must hold vertices, from 0 to {n - 1}")
    return vertices.astype(np.uint64)


def _labels(
    world: World,
    share: Share,
    places: NDArray[np.int64],
    forest: Dealt | None,
    wanted: NDArray[np.uint64] | None,
) -> NDArray[np.int64] | None:
    asked = np.empty(0, np.uint64) if wanted is None else wanted
    if forest is None:
        u, v, _ = share.graph.take(places)
        labels = replicated_labels(world, share.n, u, v)[asked]
    else:
        labels = forest.ask(asked, number_components(world, forest.blocks, forest.roots()))
    return None if wanted is None else labels


def _part(
    world: World,
    share: Share,
    places: NDArray[np.int64],
    labels: NDArray[np.int64] | None,
    strategy: Strategy,
    backend: Backend,
    seconds: float,
) -> ForestPart:
    rounds = _of_all_ranks(world)
    edges = places
    if share.sorting is not None:
        edges = share.sorting[places]
        passed = np.argsort(edges)
        edges, places = edges[passed], places[passed]
    weights = share.graph.w[places]
    weight = combine_sums(world.comm.allgather(partial_sum(weights)), weights.dtype)
    return ForestPart(
        n=share.n,
        m=share.m,
        size=world.sum_of(places.size),
        edges=edges,
        index=share.indices(places).astype(np.int64),
        weight=weight,
        labels=labels,
        maximum=share.maximum,
        distribute=strategy.distribute,
        merge=strategy.merge,
        ranks=world.size,
        threads=backend.threads,
        rounds=rounds,
        seconds=float(world.maximum(np.array([seconds]))[0]),
        graph=share.graph,
        places=places,
    )


def _of_all_ranks(world: World) -> tuple[Round, ...]:
    """Put together what the ranks noted: the edges of all, of each time and count the largest."""
    rounds = world.round_log.rounds[:-1]  # but for what is after
    edges = world.total(np.array([round_.edges for round_ in rounds], np.int64))
    steps = _steps(world, rounds)
    seconds = world.maximum(np.array([[r.seconds.get(step, 0.0) for step in steps] for r in rounds]))
    sent = world.maximum(np.array([[r.sent.get(count, 0) for count in COUNTS] for r in rounds], np.int64))
    return tuple(
        Round(
            round_.phase,
            round_.components,
            int(edges[k]),
            {step: time for step, time in zip(steps, seconds[k].tolist(), strict=True) if time},
            round_.notes,
            dict(zip(COUNTS, sent[k].tolist(), strict=True)),
        )
        for k, round_ in enumerate(rounds)
    )


def _steps(world: World, rounds: Sequence[Round]) -> list[str]:
    """List what steps there were on any rank, each where the first rank that has it does."""
    here = dict.fromkeys(step for round_ in rounds for step in round_.seconds)
    return list(dict.fromkeys(chain.from_iterable(world.comm.allgather(list(here)))))
