"""What changes for a program that uses igraph."""

import igraph

import boruvka

g = igraph.Graph([(0, 1), (1, 2), (0, 3), (2, 3)])
g.es["weight"] = [4.0, 2.0, 9.0, 7.0]
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
