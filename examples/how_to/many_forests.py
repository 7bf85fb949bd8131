"""Trees of sliding windows, edge-disjoint trees, random trees."""

import numpy as np
from matplotlib import pyplot

import boruvka

rng = np.random.default_rng(1)
market = rng.normal(size=2000) * np.linspace(0.2, 1.5, 2000)
returns = rng.normal(size=(30, 2000)) + np.outer(rng.uniform(0.3, 1.2, 30), market)
windows = np.lib.stride_tricks.sliding_window_view(returns, 250, axis=1)[:, ::50].swapaxes(0, 1)
distances = np.stack([np.sqrt(2 * (1 - np.corrcoef(window).round(12))) for window in windows])

batch = boruvka.minimum_spanning_forests(distances)
print(len(windows), "trees; their weights fall from", *batch.weight[[0, -1]].round(1))

tree = batch[0]
hub = tree.degrees.argmax()  # the vertex with the most edges
print("the hub of the first window is", hub)

figure, ax = pyplot.subplots(layout="constrained")
ax.plot(batch.weight)
ax.set(xlabel="window", ylabel="weight of the tree")
figure.savefig("windows.png", dpi=150)

points = np.concatenate([rng.normal(0, 1, (100, 2)), rng.normal(1, 1, (100, 2))])
sample = np.repeat([0, 1], 100)
trees = boruvka.edge_disjoint_forests(boruvka.Graph.from_points(points), 5)
between = sum(np.count_nonzero(sample[tree.u] != sample[tree.v]) for tree in trees)
print(between, "of", sum(map(len, trees)), "edges are between the samples; half if they were alike")

maze = boruvka.random_spanning_tree(boruvka.generators.grid(20, 20), seed=4)
maze.plot(by="component").figure.savefig("maze.png", dpi=150)
print(len(maze), "passages")
