"""What verification finds in a right and in a wrong forest."""

import numpy as np

import boruvka

graph = boruvka.generators.random(1000, 5000, seed=1)
forest = boruvka.minimum_spanning_forest(graph)
print(boruvka.verify(graph, forest).message)

edges = forest.edges.copy()
outside = np.setdiff1d(np.arange(graph.m), edges)
edge = outside[0]
path = forest.path(graph.u[edge], graph.v[edge])
swapped = np.sort(np.append(edges[edges != path[0]], edge))

result = boruvka.verify(graph, swapped)
print(bool(result), result.message)
