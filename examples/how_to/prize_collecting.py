"""Choose the customers that are worth their pipes."""

import numpy as np

import boruvka

streets = boruvka.generators.grid(40, 40, weights="integers_1000", seed=1, dtype="int64")
rng = np.random.default_rng(2)
customers = rng.choice(streets.n, 60, replace=False)
prizes = dict(zip(customers.tolist(), rng.integers(100, 4000, 60).tolist(), strict=True))

tree = boruvka.prize_collecting_tree(streets, prizes, root=820)
print(len(tree.terminals), "vertices, cost", tree.weight, "and missed", tree.missed)
print(f"total {tree.total}; the best is {tree.lower_bound} or more, a gap of {tree.gap:.0%}")

better = boruvka.prize_collecting_tree(streets, prizes, root=820, improve=True)
print(f"total {better.total}, a gap of {better.gap:.1%}")

ax = tree.plot(by="component", graph_edges=True)
ax.figure.savefig("prizes.png", dpi=150)
