"""What changes for a program that uses scipy.sparse.csgraph and scipy.cluster.hierarchy."""

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_array, csgraph
from scipy.spatial.distance import pdist

import boruvka.csgraph

rows, columns = [0, 1, 2, 0], [1, 2, 3, 3]
matrix = coo_array(([4, 0, 7, 9], (rows, columns)), shape=(4, 4)).tocsr()

theirs = csgraph.minimum_spanning_tree(matrix)
ours = boruvka.csgraph.minimum_spanning_tree(matrix)
print("SciPy:", theirs.nnz, "edges of type", theirs.dtype)
print("here:", ours.nnz, "edges of type", ours.dtype)

roads = coo_array(([5, 3], ([0, 0], [1, 1])), shape=(2, 2))  # two, side by side
print("SciPy:", csgraph.minimum_spanning_tree(roads.tocsr()).sum())
print("here:", boruvka.csgraph.minimum_spanning_tree(roads).sum())

count, labels = boruvka.csgraph.connected_components(matrix)
print(count, labels)

forest = boruvka.minimum_spanning_forest(matrix)
print(forest.edges, forest.weight, forest.components)
print(forest.to_scipy().toarray().tolist())

heaviest = boruvka.minimum_spanning_forest(matrix, maximum=True)
print(heaviest.edges, heaviest.weight)

points = np.random.default_rng(0).random((300, 3))
before = linkage(pdist(points), method="single")
after = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points)).linkage()
print(np.allclose(before[:, 2], after[:, 2]))
