"""The library in ten lines."""

import numpy as np

import boruvka

graph = boruvka.Graph.from_edges(u=[0, 1, 2, 0, 3], v=[1, 2, 0, 3, 3], w=[5, 0, 2, 7, 1])
forest = boruvka.minimum_spanning_forest(graph)
print(forest.edges)  # [1 2 3]: indices into the input
print(forest.weight)  # 9: exact, an int for integer weights
print(forest.components, forest.labels)  # 1 [0 0 0 0]
assert boruvka.verify(graph, forest)  # shares no code with the solvers

points = np.random.default_rng(0).random((500, 2))
complete = boruvka.Graph.from_points(points)  # all pairs, weighted by distances that are not stored
tree = boruvka.minimum_spanning_forest(complete)  # also of NumPy and SciPy matrices, and of (u, v, w)
clusters = tree.cut(5)  # single-linkage clustering: a label for each point
print(np.bincount(clusters))
