"""What each strategy sends, counted on ranks that are threads of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boruvka import distributed
from boruvka.bench.contestant_run import Reference
from boruvka.bench.contestants import Outcome
from boruvka.bench.contestants.contestant import fingerprint
from boruvka.bench.worker_process import Failure
from boruvka.distributed import STRATEGIES, ForestPart, rank_grid
from boruvka.distributed.strategies import strategy_for
from boruvka.errors import BoruvkaError
from boruvka.graph.graph import Graph
from experiments.common.tables import Rows
from experiments.common.thread_ranks import ThreadComm, on_threads

__all__ = ["EVERY", "Way", "count", "counts_of", "edges_of_rank", "name_of", "steps"]

Way = tuple[str, str, bool]
"""A strategy, and whether all of its exchanges take two steps, on however few ranks."""

EVERY: tuple[Way, ...] = (*((*way, False) for way in STRATEGIES), ("vertices", "filter-boruvka", True))


def name_of(way: Way) -> str:
    """Return the name of a way in results."""
    distribute, merge, two_steps = way
    return f"{distribute}, {merge}" + ", two steps" * two_steps


@contextmanager
def steps(two: bool) -> Iterator[None]:
    """Let all exchanges take two steps on however few ranks, in this process."""
    before = rank_grid.TWO_STEPS_FROM, rank_grid.BYTES_OF_MESSAGE
    if two:
        rank_grid.TWO_STEPS_FROM, rank_grid.BYTES_OF_MESSAGE = 2, 1 << 40
    try:
        yield
    finally:
        rank_grid.TWO_STEPS_FROM, rank_grid.BYTES_OF_MESSAGE = before


def edges_of_rank(graph: Graph, rank: int, ranks: int) -> Graph:
    """Copy the edges of one rank: consecutive ones."""
    begin, end = graph.m * rank // ranks, graph.m * (rank + 1) // ranks
    return Graph(graph.n, *(column[begin:end].copy() for column in (graph.u, graph.v, graph.w)))


def count(graph: Graph, reference: Reference, ranks: int, way: Way) -> tuple[dict[str, Any], Rows]:
    """Count rounds, messages and bytes of a strategy; in all, and of each round.

    Raises
    ------
    BoruvkaError
        The forest is wrong.
    """
    distribute, merge, two_steps = way

    def job(comm: ThreadComm) -> ForestPart:
        own = edges_of_rank(graph, comm.rank, comm.size)
        return distributed.minimum_spanning_forest(own, comm, distribute=distribute, merge=merge, threads=1)

    with steps(two_steps):
        parts = on_threads(ranks, job)
    hashed = sum(fingerprint(part.index) for part in parts) % 2**64
    try:
        reference.check(Outcome(parts[0].size, parts[0].weight, hashed), 0.0)
    except Failure as error:
        raise BoruvkaError(f"{ranks} ranks, {name_of(way)}: {error}") from None
    default = strategy_for("auto", "auto", graph.n, ranks)
    is_default = way == (default.distribute, default.merge, False)
    strategy = {"strategy": name_of(way), "default": is_default}
    by_round = [
        {
            **strategy,
            "round": k,
            "phase": round_.phase,
            "components": round_.components,
            "edges": round_.edges,
            "messages": round_.sent["messages"],
            "bytes sent": round_.sent["bytes"],
        }
        for k, round_ in enumerate(parts[0].rounds)
    ]
    return {**strategy, **counts_of(parts[0])}, by_round


def counts_of(part: ForestPart) -> dict[str, int]:
    """Add up the rounds, and the messages and bytes of the rank that sends most in each."""
    return {
        "rounds": sum(round_.phase == "round" for round_ in part.rounds),
        "messages": sum(round_.sent["messages"] for round_ in part.rounds),
        "bytes sent": sum(round_.sent["bytes"] for round_ in part.rounds),
    }
