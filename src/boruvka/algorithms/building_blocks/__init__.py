"""Building blocks of several algorithms: components, tie-break, union-find, adjacency, edge keys, sorting."""
