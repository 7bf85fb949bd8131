"""Solve on MPI ranks, each with a part of the edges: ``mpiexec -n 4 python examples/ranks.py``."""

from mpi4py import MPI

from boruvka import distributed

comm = MPI.COMM_WORLD
graph = distributed.kronecker(scale=12, edge_factor=16, comm=comm)  # the same graph on any number of ranks
part = distributed.minimum_spanning_forest(graph, comm, label_vertices=[0, 1] if comm.rank == 0 else None)
print(f"rank {comm.rank}: {len(part)} of its {graph.m} edges are in the forest")
if comm.rank == 0:
    print(f"the forest has {part.forest_size} edges of total weight {part.weight}")
    print("vertices 0 and 1 are in the components", part.labels.tolist())
