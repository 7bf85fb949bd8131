"""Queries about a forest, and updates of it."""

import boruvka

graph = boruvka.Graph.from_edges(u=[0, 1, 2, 0, 3], v=[1, 2, 3, 3, 4], w=[5, 2, 7, 9, 1])
forest = boruvka.minimum_spanning_forest(graph)
print(forest.path(0, 4))  # [0 1 2 4]: the edges from vertex 0 to vertex 4
edges, weights = forest.bottleneck(0, [2, 4])  # the heaviest edges of two paths
print(edges, weights)  # [0 2] [5 7]
print(forest.cuts([1, 5]).sizes)  # sizes of the clusters at two heights: 1, 1, 1, 2 and 3, 2
print(forest.regions(2, attributes=[3.0, 3.1, 2.9, 8.0, 8.2]))  # [0 0 0 1 1]: similar neighbours

larger = forest.update([(0, 3, 4), (4, 5, 6)])  # two more edges, 5 and 6, and a new vertex
print(larger.edges)  # [0 1 4 5 6]: edge 5 replaces edge 2, the heaviest one on its cycle
