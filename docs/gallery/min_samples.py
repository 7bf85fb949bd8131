"""
HDBSCAN for many values of min_samples
======================================

How labels change with ``min_samples``, for those who choose it by trying. A small value finds small and thin
clusters, and some that are chance. A large value smooths the density, and calls more points noise. One call
fits all values in less time than separate fits, with the same results.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import color_sequences
from matplotlib.colors import ListedColormap
from sklearn.datasets import make_moons

from boruvka.sklearn import HDBSCAN

SIZE = 2_000  # tests: 300

# %%
# The points are two moons, a dense group that touches one of them, a thin group, and noise.

rng = np.random.default_rng(5)
moons, _ = make_moons(SIZE, noise=0.09, random_state=5)
dense = rng.normal((-0.6, 1.3), 0.1, size=(SIZE // 6, 2))
thin = rng.normal((1.8, 1.3), 0.35, size=(SIZE // 6, 2))
noise = rng.uniform((-1.6, -1.1), (2.8, 2.3), size=(SIZE // 8, 2))
points = np.concatenate([moons, dense, thin, noise])

# %%
# One call fits an estimator for each value.

values = [2, 3, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60]
models = HDBSCAN(min_cluster_size=SIZE // 100).fit_many(points, min_samples=values)
labels = np.array([model.labels_ for model in models])
best = max(range(len(values)), key=lambda i: models[i].relative_validity_)
print(f"clusters: {(labels.max(axis=1) + 1).tolist()}; most valid: min_samples={values[best]}")

# %%
# From the largest value down, a cluster has the colour of most of its points before, or a new one if a larger
# cluster has it.

colours = [labels[-1]]
for row in labels[-2::-1]:
    number, taken = np.full(row.size, -1), set()
    for cluster in np.argsort(-np.bincount(row[row >= 0])):
        before = colours[-1][row == cluster]
        found = np.bincount(before[before >= 0], minlength=1).argmax()
        if found in taken or not (before >= 0).any():
            found = max(number.max(), np.max(colours)) + 1
        taken.add(found)
        number[row == cluster] = found
    colours.append(number)
colours = np.array(colours[::-1])

nine = np.delete(color_sequences["petroff10"], 3, axis=0)  # without the grey
palette = np.concatenate([[[0.87] * 3], np.resize(nine, (colours.max() + 1, 3))])
figure = plt.figure(figsize=(8, 6.4), layout="constrained")
grid = figure.add_gridspec(2, 4, height_ratios=(1, 1.7))
for column, k in enumerate((3, 10, 25, 60)):
    row = colours[values.index(k)]
    ax = figure.add_subplot(grid[0, column], aspect="equal")
    ax.scatter(*points.T, s=1, c=palette[row + 1])
    ax.set_title(f"min_samples={k}\n{np.unique(row[row >= 0]).size} clusters", fontsize=10)
    ax.axis("off")
ax = figure.add_subplot(grid[1, :])
order = np.lexsort(colours)
ax.pcolormesh(
    colours[:, order] + 1, cmap=ListedColormap(palette), vmin=0, vmax=len(palette) - 1, rasterized=True
)
ax.set_yticks(np.arange(len(values)) + 0.5, values)
ax.set(
    xlabel="points, by their clusters", ylabel="min_samples", title="The cluster of each point; grey is noise"
)

# %%
# Two and three are too few here: one moon falls into pieces that are chance. From 4 on the same three or four
# clusters remain. Whether the dense group belongs to the moon that it touches is undecided, as labels change
# from row to row; the rest of the picture does not depend on the choice.
