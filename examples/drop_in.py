"""Functions of SciPy and NetworkX, computed here."""

import networkx as nx
from scipy.sparse import coo_array

from boruvka.csgraph import minimum_spanning_tree

roads = coo_array(([0, 97, 300, 205], ([0, 0, 1, 2], [1, 2, 2, 1])), shape=(3, 3))
tree = minimum_spanning_tree(roads)
print(tree.nnz, tree.sum())  # 2 97: the road of length 0 is kept, and parallel roads are not summed

G = nx.gnm_random_graph(1000, 5000, seed=1)
print(nx.minimum_spanning_tree(G, backend="boruvka"))

nx.config.warnings_to_ignore.add("cache")  # G is converted already: no need to say so
with nx.config(backend_priority=["boruvka"]):  # or set nx.config.backend_priority for the whole program
    print(nx.maximum_spanning_tree(G))
