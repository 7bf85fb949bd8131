"""Connect some vertices of a network by a light tree."""

import numpy as np

import boruvka

streets = boruvka.generators.grid(40, 40, weights="uniform", seed=1)
customers = np.random.default_rng(2).choice(streets.n, 25, replace=False)

tree = boruvka.steiner_tree(streets, customers)
print(tree.edges.size, "streets of length", round(tree.weight, 2))

better = boruvka.steiner_tree(streets, customers, improve=True)
print(f"{1 - better.weight / tree.weight:.1%} shorter")

print(f"the lightest weighs {better.lower_bound:.2f} or more, a gap of {better.gap:.1%}")

few = boruvka.steiner_tree(streets, customers[:6], improve=True)
detour = boruvka.steiner_tree(streets, customers[:6], improve=True, excluded=few.edges[1:2])
print(
    f"{few.weight:.2f}, without street {few.edges[1]} {detour.weight:.2f}; both are optimal:", few.is_optimal
)

ends = boruvka.steiner_tree(streets, customers, leaves=True, improve=True)
print(f"{ends.weight:.2f}, a gap of {ends.gap:.1%}")

ax = better.plot(by="component", graph_edges=True)
ax.figure.savefig("steiner.png", dpi=150)
