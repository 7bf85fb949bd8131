"""Persistent homology in dimension 0: births and deaths of components, from a spanning tree."""

import numpy as np
from matplotlib import pyplot

import boruvka

rng = np.random.default_rng(5)
centres = np.array([[0, 0], [6, 0], [3, 5]])
points = centres[rng.integers(0, 3, 150)] + rng.normal(size=(150, 2))
tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
deaths = np.append(np.sort(tree.w), [np.inf] * tree.n_components)
diagram = np.column_stack([np.zeros(tree.n), deaths])
print(len(diagram), "components are born at 0; the last die at", deaths[-4:].round(2))

signal = np.sin(np.arange(200) / 12) * np.linspace(1, 2, 200) + rng.normal(0, 0.05, 200)
u, v = np.arange(199), np.arange(1, 200)
forest = boruvka.minimum_spanning_forest((u, v, np.maximum(signal[u], signal[v])))


def elder_rule(forest, birth):
    """Pair the birth of each component with its death: of two that merge, the younger dies."""
    oldest = {x: x for x in range(forest.n)}  # the oldest vertex of a component is its root
    pairs = []
    for place in np.argsort(forest.w, kind="stable"):
        a, b = int(forest.u[place]), int(forest.v[place])
        while oldest[a] != a:
            a = oldest[a]
        while oldest[b] != b:
            b = oldest[b]
        young, old = (a, b) if birth[a] > birth[b] else (b, a)
        oldest[young] = old
        pairs.append((birth[young], forest.w[place]))
    pairs += [(birth[x], np.inf) for x in oldest if oldest[x] == x]
    return np.array(pairs)


pairs = elder_rule(forest, signal)
persistent = pairs[pairs[:, 1] - pairs[:, 0] > 0.5]
print(len(persistent), "minima are deeper than 0.5:", np.sort(persistent[:, 0]).round(2))

figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.hlines(range(30), 0, np.append(deaths[-30:-1], 1.15 * deaths[-2]), color="tab:blue")
left.set(xlabel="distance", ylabel="component", title="Barcode of the points")
right.plot(signal, color="black", linewidth=1)
minima = np.flatnonzero(np.isin(signal, persistent[:, 0]))
right.plot(minima, signal[minima], "o", color="tab:red")
right.set(xlabel="time", title="Minima that persist")
figure.savefig("persistence.png", dpi=100)
