"""The library in ten lines."""

import numpy as np

import boruvka

graph = boruvka.Graph.from_edges(u=[0, 1, 2, 0, 3], v=[1, 2, 0, 3, 3], w=[5, 0, 2, 7, 1])
forest = boruvka.minimum_spanning_forest(graph)  # also takes a NetworkX graph, a data frame, (u, v, w), ...
print(forest.edges, forest.weight)  # [1 2 3] 9: indices of edges, and the exact total
assert boruvka.verify(graph, forest)  # an independent check

points = np.random.default_rng(0).random((500, 2))
complete = boruvka.Graph.from_points(points)  # all pairs, weighted by distance, without a matrix
clusters = boruvka.minimum_spanning_forest(complete).cut(5)  # single linkage: a label for each point
print(np.bincount(clusters))
