"""Connect some vertices of a network by a light tree."""

import numpy as np

import boruvka

streets = boruvka.generators.grid(40, 40, weights="uniform", seed=1)
customers = np.random.default_rng(2).choice(streets.n, 25, replace=False)

tree = boruvka.steiner_tree(streets, customers)
print(tree.edges.size, "streets of length", round(tree.weight, 2))

better = boruvka.steiner_tree(streets, customers, improve=True)
print(f"{1 - better.weight / tree.weight:.1%} shorter")

ax = better.plot(by="component", graph_edges=True)
ax.figure.savefig("steiner.png", dpi=150)
