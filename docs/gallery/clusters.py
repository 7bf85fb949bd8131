"""
Clusters of points: single linkage and HDBSCAN
==============================================

Groups of any shape, and points that belong to none, for those who analyse measurements. Both methods read
their clusters off a minimum spanning tree: single linkage uses the distances of the points, and
HDBSCAN uses distances in which points of thin regions are moved apart.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import color_sequences
from sklearn.datasets import make_moons

import boruvka
from boruvka.sklearn import HDBSCAN

SIZE = 3_000  # tests: 300

rng = np.random.default_rng(2)
moons, _ = make_moons(SIZE, noise=0.05, random_state=2)
blob = rng.normal((0.5, 1.6), 0.12, size=(SIZE // 3, 2))
noise = rng.uniform((-1.6, -1.1), (2.6, 2.3), size=(SIZE // 10, 2))
points = np.concatenate([moons, blob, noise])

# %%
# Single linkage cuts the heaviest edges of the tree. A few points of noise are enough to join two groups,
# and each stray point is a cluster of its own.

tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
single = tree.cut_at(0.09)
sizes = np.bincount(single)
single = np.where(sizes[single] >= SIZE // 20, single, -1)  # smaller clusters are noise here

# %%
# HDBSCAN keeps the clusters that last over many heights, and calls the rest noise.

dense = HDBSCAN(min_cluster_size=SIZE // 20, min_samples=15).fit_predict(points)

colours = np.array(color_sequences["petroff10"])
figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), layout="compressed", sharex=True, sharey=True)
for ax, name, labels in [(axes[0], "single linkage", single), (axes[1], "HDBSCAN", dense)]:
    found = np.unique(labels[labels >= 0])
    ax.scatter(*points[labels < 0].T, s=5, c="#999999", marker="x", linewidths=0.6, label="noise")
    for k, label in enumerate(found):
        ax.scatter(*points[labels == label].T, s=4, color=colours[k % 10], label=f"cluster {k + 1}")
    ax.set_title(f"{name}: {found.size} clusters")
    ax.set_aspect("equal")
    ax.axis("off")
figure.legend(
    *axes[1].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False, markerscale=3
)
print(f"single linkage {np.unique(single).size - 1} clusters, HDBSCAN {dense.max() + 1}")

# %%
# On the left, a few points between the disc and the upper moon join them to one cluster. On the right, they
# are three clusters, because the bridge is thin.
