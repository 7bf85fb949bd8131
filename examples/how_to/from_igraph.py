"""What changes for a program that uses igraph."""

import igraph

import boruvka

matrix = [[0, 4, 0, 9], [4, 0, 2, 0], [0, 2, 0, 7], [9, 0, 7, 0]]
g = igraph.Graph.Weighted_Adjacency(matrix, mode="undirected")
theirs = g.spanning_tree(weights="weight")
print(sorted(theirs.es["weight"]))

forest = boruvka.minimum_spanning_forest(g)
print(forest.edges, forest.weight)

tree = forest.to_igraph()
print(sorted(tree.es["weight"]))

g.vs["name"] = ["a", "b", "c", "d"]
forest = boruvka.minimum_spanning_forest(g)
print(forest.to_pandas())
print(forest.path("a", "d"))
