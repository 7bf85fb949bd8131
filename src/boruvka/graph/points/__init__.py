"""Points in few dimensions: a kd-tree of them, and the nearest neighbours of each."""
