"""Ranks that are threads: they send what ranks of MPI send, and an error on one ends all.

`tests/distributed/test_communicator.py` compares their collective operations with those of MPI.
"""

import numpy as np
import pytest

pytest.importorskip("mpi4py")
from mpi4py import MPI

from boruvka.bench.contestant_run import Reference
from boruvka.bench.graphs import graph_of
from boruvka.distributed.communicator import Communicator
from boruvka.errors import BoruvkaError, OptionError
from boruvka.forest.round_log import RoundLog
from experiments.common import ranks
from experiments.common.experiment import Setting
from experiments.common.rank_counts import count
from experiments.common.thread_ranks import on_threads

GRAPHS = "kronecker:scale=13,edge_factor=16,seed=1", "grid:rows=300,cols=300,drop=0.2,dtype=int32,seed=1"


@pytest.mark.long
@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("name", GRAPHS)
def test_strategies_send_what_they_send_on_ranks_of_mpi(name, size):
    names = "strategy", "default", "rounds", "messages", "bytes sent"
    reference = Reference.of(name, graph_of(name))  # both find this forest, or raise
    on_mpi = ranks.on_ranks(size, {"job": "count", "graph": name}, reference)
    counted, _ = ranks.count_on_ranks(name, (size,), Setting())
    assert [[row[x] for x in names] for row in counted] == [[row[x] for x in names] for row in on_mpi]


def test_rounds_add_up():
    name = "random:n=300,m=70000,seed=1"
    graph = graph_of(name)
    total, rounds = count(graph, Reference.of(name, graph), 3, ("vertices", "filter-boruvka", False))
    assert [row["phase"] for row in rounds] == ["light", "finish", "heavy", "finish"]
    for what in ("messages", "bytes sent"):
        assert sum(row[what] for row in rounds) == total[what] > 0


def test_a_wrong_forest_is_an_error():
    graph = graph_of("random:n=300,m=1500,seed=1")
    other = Reference.of("other", graph_of("random:n=300,m=1500,seed=2"))
    with pytest.raises(BoruvkaError, match=r"2 ranks, edges, filter-boruvka: wrong: "):
        count(graph, other, 2, ("edges", "filter-boruvka", False))


@pytest.mark.parametrize("others_wait", ["in a collective operation", "for a message"])
def test_an_error_on_one_rank_ends_all(others_wait):
    ended = []

    def job(comm):
        if comm.rank == 2:
            raise OptionError("no")
        try:
            if others_wait == "for a message":
                comm.Probe(2, MPI.Status())
            comm.Barrier()
        finally:
            ended.append(comm.rank)

    with pytest.raises(OptionError, match="no"):
        on_threads(4, job)
    assert sorted(ended) == [0, 1, 3]


def test_messages_of_a_sender_arrive_in_order():
    def job(comm):
        communicator = Communicator(comm, RoundLog())
        communicator.round_log.begin("test", 0, 0)
        others = [rank for rank in range(comm.size) if rank != comm.rank]
        sent = [np.arange(comm.rank, dtype=np.int32), np.full(2, comm.rank, np.int32)]
        return [
            [x.tolist() for x in communicator._send_along([part] * 2, others, others, part.dtype)]
            for part in sent
        ]

    assert on_threads(3, job) == [
        [[[0], [0, 1]], [[1, 1], [2, 2]]],
        [[[], [0, 1]], [[0, 0], [2, 2]]],
        [[[], [0]], [[0, 0], [1, 1]]],
    ]
