"""Known names of the columns of edges."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["WEIGHTS", "ends_among", "weights_among"]

ENDS = [
    ("u", "v"),
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("from", "to"),
    ("node1", "node2"),
    ("vertex1", "vertex2"),
    ("i", "j"),
    ("row", "col"),
]
WEIGHTS = ["w", "weight", "cost", "distance", "length"]
"""Names that a column of weights may have."""


def ends_among(names: Sequence[str]) -> list[tuple[int, int]]:
    """List the positions of pairs of columns that may hold the ends of edges."""
    lower = [str(name).lower() for name in names]
    return [(lower.index(a), lower.index(b)) for a, b in ENDS if lower.count(a) == lower.count(b) == 1]


def weights_among(names: Sequence[str]) -> list[int]:
    """List the positions of columns that may hold weights."""
    return [i for i, name in enumerate(names) if str(name).lower() in WEIGHTS]
