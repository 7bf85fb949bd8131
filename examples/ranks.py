"""Ranks with a part of the edges each: ``mpiexec -n 4 python examples/ranks.py``."""

from mpi4py import MPI

from boruvka import distributed

comm = MPI.COMM_WORLD
graph = distributed.kronecker(scale=12, edge_factor=16, comm=comm)  # the same graph on any number of ranks
part = distributed.minimum_spanning_forest(graph, comm, labels_of=[0, 1] if comm.rank == 0 else None)
print(f"rank {comm.rank}: {len(part)} of my {graph.m} edges are among {part.size} of weight {part.weight}")
if comm.rank == 0:
    print("vertices 0 and 1 lie in the components", part.labels.tolist())
