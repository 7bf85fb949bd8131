"""A communicator of one rank, and edges of it: the steps between messages without other ranks."""

import numpy as np
from mpi4py import MPI

from boruvka.backends import get_backend
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.local_edges import LocalEdges
from boruvka.operators.sort_keys import sort_keys_of

BACKEND = get_backend("interpreted", 1)


def communicator_of_one():
    """Return a communicator in a round."""
    return Communicator(MPI.COMM_SELF, "test")


def local_edges_of(graph, first=0, index=None, backend=BACKEND):
    """Return all edges of a graph as those of one rank."""
    sort_keys = sort_keys_of(graph.w, index_bits=10)
    in_forest = np.zeros(graph.m, bool)
    edges = graph, graph.n, graph.m, sort_keys, False, first, index
    return LocalEdges(communicator_of_one(), backend, *edges, in_forest=in_forest)


def columns_of(graph):
    """Return the columns of a worklist of all edges."""
    return local_edges_of(graph).worklist_edges().columns_without_gaps()
