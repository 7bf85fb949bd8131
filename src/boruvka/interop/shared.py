"""Weights of other libraries, which lack some types or hold them in an attribute of each edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError, shown
from boruvka.interop.rows import columns_of


def at_most_64_bits(w: NDArray[Any]) -> NDArray[Any]:
    """Round ``longdouble`` to float64, infinite beyond its range; return any other type as it is."""
    if w.dtype.char != "g":
        return w
    with np.errstate(over="ignore"):
        return w.astype(np.float64)


def python_weights(w: NDArray[Any]) -> list[Any]:
    """Convert weights to a list of Python ints or floats."""
    return at_most_64_bits(w).tolist()


def attribute_name(name: Any) -> Any:
    """Check that the name of an attribute can be one: a key of a dict."""
    try:
        hash(name)
    except (TypeError, ValueError):  # the latter of a memoryview that can be written to
        raise OptionError(f"weight must be the name of an attribute, got {shown(name)}") from None
    return name


def attribute_weights(
    values: list[Any], weight: str, default: float | None, directed: bool, ends: Callable[[int], str]
) -> Any:
    """Return the weights of edges from an attribute; a missing one is None, which the default replaces.

    Parameters
    ----------
    values : list
        The attribute of each edge.
    weight : str
        Its name, for errors.
    default : number, optional
        The weight of edges without the attribute.
    directed : bool
        Whether the graph is taken with its directions, for errors.
    ends : callable
        It returns the ends of the edge with an index, for errors.

    Raises
    ------
    GraphError
        An edge has no weight, and there is no default.
    """
    if columns := columns_of(values):
        return columns[0]
    missing = [i for i, value in enumerate(values) if value is None]
    if missing and default is None:
        i, graph = missing[0], "g, directed=True" if directed else "g"
        raise GraphError(
            f"edge {i} {ends(i)} has no attribute {shown(weight)}; boruvka.as_graph({graph}, weight=...) "
            "names another, default= gives a weight to such edges"
        )
    for i in missing:
        values[i] = default
    return values
