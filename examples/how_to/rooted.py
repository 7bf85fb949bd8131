"""Orient the normals of a point cloud along its minimum spanning tree."""

import numpy as np
from scipy.spatial import KDTree

import boruvka

angle = np.random.default_rng(1).uniform(0, 2 * np.pi, 3000)
radius = 1 + 0.3 * np.sin(3 * angle)
points = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
near = points[KDTree(points).query(points, 9)[1]]
near = near - near.mean(axis=1, keepdims=True)
normals = np.linalg.svd(near)[2][:, -1]

forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
tree = forest.rooted(int(points[:, 0].argmax()))
agrees = np.sign(np.einsum("ij,ij->i", normals, normals[tree.parent]))
agrees[tree.roots] = np.sign(normals[tree.roots, 0])
normals *= tree.from_root(agrees, "product")[:, None]
outward = np.einsum("ij,ij->i", normals, points) > 0
print(f"{outward.mean():.1%} of the normals point outward")

sizes = tree.subtree(np.ones(forest.n, int))
length, ends = tree.diameter()
print(tree.depths.max(), "edges deep,", tree.leaves.size, "leaves, largest part:", np.sort(sizes)[-2])
print("the longest path has length", round(length, 2))

ax = forest.plot(colors=tree.depths)
ax.figure.savefig("depths.png", dpi=150)
