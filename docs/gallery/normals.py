"""
Normals of a point cloud
========================

For everyone who scans surfaces. A normal that is fitted to a point and its neighbours may point to either
side. Along the minimum spanning tree of the neighbours, where an edge weighs little if both normals are
nearly parallel, each takes the side of its parent (Hoppe et al., SIGGRAPH 1992).
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial import KDTree

import boruvka

SIZE = 40_000  # tests: 2000

rng = np.random.default_rng(7)
points = rng.normal(size=(SIZE, 3))
points /= np.linalg.norm(points, axis=1, keepdims=True)
angle = np.arctan2(points[:, 1], points[:, 0])
points *= (1 + 0.25 * np.sin(5 * angle) * (1 - points[:, 2] ** 2) ** 2)[:, None]

# %%
# The normal of a point is the direction in which its neighbours vary least.

distance, near = KDTree(points).query(points, 10, workers=-1)
offsets = points[near] - points[near].mean(axis=1, keepdims=True)
normals = np.linalg.eigh(np.einsum("nki,nkj->nij", offsets, offsets))[1][:, :, 0]

# %%
# The edges are the pairs of neighbours. From the highest point of each tree down, the side of a normal is a
# product of signs.

u, v = np.repeat(np.arange(SIZE), 9), near[:, 1:].ravel()
w = 1 - np.abs(np.einsum("ij,ij->i", normals[u], normals[v]))
forest = boruvka.minimum_spanning_forest((u, v, w, SIZE))
order = np.lexsort([points[:, 2], forest.labels])
highest = order[np.diff(forest.labels[order], append=-1) != 0]  # of each component
tree = forest.rooted(highest)
sides = np.sign(np.einsum("ij,ij->i", normals, normals[tree.parent]))
sides[tree.roots] = np.sign(normals[tree.roots, 2])
oriented = normals * tree.from_root(sides, "product")[:, None]
print(f"{np.mean(np.einsum('ij,ij->i', oriented, points) > 0):.2%} of the normals point outward")

# %%
# Light from above, on the points in front: where normals disagree, the surface is torn.

figure, axes = plt.subplots(1, 2, figsize=(9, 4.6), layout="compressed")
front = np.flatnonzero(points[:, 1] < 0)
light = np.array([0.4, -0.6, 0.7])
for ax, name, shown in [(axes[0], "fitted", normals), (axes[1], "oriented", oriented)]:
    ax.scatter(*points[front][:, [0, 2]].T, c=shown[front] @ light, cmap="gray", s=2, vmin=-1, vmax=1)
    ax.set_title(name)
    ax.set_aspect("equal")
    ax.axis("off")

# %%
# Ten million points of this surface, with ninety million edges, take 8 s for the forest and 10 s for the
# sides, on 2 cores and in 6.2 GB; to find the neighbours and to fit the normals takes 70 s before.
