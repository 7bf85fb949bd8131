"""What changes for a program that uses scipy.sparse.csgraph and scipy.cluster.hierarchy."""

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import coo_array, csgraph, csr_array
from scipy.spatial.distance import pdist

import boruvka.csgraph

matrix = csr_array([[0, 8, 0, 3], [0, 0, 2, 5], [0, 0, 0, 6], [0, 0, 0, 0]])
theirs = csgraph.minimum_spanning_tree(matrix)
ours = boruvka.csgraph.minimum_spanning_tree(matrix)
print(type(ours) is type(theirs), (ours != theirs).nnz, "differences")
print(ours.toarray().tolist())

order, before = csgraph.breadth_first_order(ours, 0, directed=False)
print(order)

lengths = csr_array(([4, 0, 7, 9], ([0, 1, 2, 0], [1, 2, 3, 3])), shape=(4, 4))
theirs = csgraph.minimum_spanning_tree(lengths)
ours = boruvka.csgraph.minimum_spanning_tree(lengths)
print("SciPy:", theirs.nnz, "edges of type", theirs.dtype)
print("here:", ours.nnz, "edges of type", ours.dtype)

roads = coo_array(([5, 3], ([0, 0], [1, 1])), shape=(2, 2))  # two, side by side
print("SciPy:", csgraph.minimum_spanning_tree(roads).sum())
print("here:", boruvka.csgraph.minimum_spanning_tree(roads).sum())

count, labels = boruvka.csgraph.connected_components(matrix, directed=False)
print(count, labels)

forest = boruvka.minimum_spanning_forest(matrix)
print(forest.edges, forest.weight, forest.n_components)
print(forest.u, forest.v, forest.w)

tree = forest.to_scipy()  # a CSR array, as above
heaviest = boruvka.minimum_spanning_forest(matrix, maximum=True)
print(heaviest.edges, heaviest.weight)

points = np.random.default_rng(0).random((300, 3))
theirs = linkage(pdist(points), method="single")
ours = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points)).linkage()
print(np.allclose(theirs[:, 2], ours[:, 2]))

clusters = fcluster(ours, 5, "maxclust")
print(np.bincount(clusters)[1:])
