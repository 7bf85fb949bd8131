"""Graphs larger than memory: the forest of edges that pass by, from files, queries and iterators."""

from boruvka.stream.solve import minimum_spanning_forest
from boruvka.stream.verify import verify

__all__ = ["minimum_spanning_forest", "verify"]
