"""Weights are compared exactly, and ties are broken by the index."""

import numpy as np
from scipy.sparse import csgraph, csr_array

import boruvka

big = 2**53
u, v, w = [0, 1, 0], [1, 2, 2], np.array([big, big, big + 1])
print(boruvka.minimum_spanning_forest((u, v, w), maximum=True).edges)

as_floats = w.astype(np.float64)
print(as_floats[0] == as_floats[2])

forest = boruvka.minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 3, 3], [5, 5, 5, 5]))
print(forest.edges)

small = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1e16, 1.0, -1e16]))
print(small.weight, sum(small.w))

zero = csr_array(([0.0, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
print(csgraph.minimum_spanning_tree(zero).nnz, boruvka.minimum_spanning_forest(zero).edges)
