"""Algorithms: the default three, `dense`, and the registry, which chooses one for a graph."""
