"""A graph distributed over MPI ranks: ``mpiexec -n 4 python examples/ranks.py``."""

from mpi4py import MPI

from boruvka import distributed

comm = MPI.COMM_WORLD
graph = distributed.kronecker(scale=12, edge_factor=16, comm=comm)  # each rank generates a part
part = distributed.minimum_spanning_forest(graph, comm, labels_of=[0, 1] if comm.rank == 0 else None)
print(f"rank {comm.rank}: {len(part)} of its {graph.m} edges; {part.size} in all, of weight {part.weight}")
if comm.rank == 0:
    print("components of vertices 0 and 1:", part.labels.tolist())
