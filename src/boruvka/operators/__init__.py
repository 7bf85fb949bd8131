"""Operators, which backends run: plain functions of one edge or component, index first, then arrays.

An operator has no decorator and imports no backend. Where it is the same for several kinds of edges, it is
made by a function of a reader (`boruvka.operators.edges`).
"""

from collections.abc import Callable
from typing import Any

Operator = Callable[..., Any]
"""A plain function of one element: its index first, then arrays and scalars, or named tuples of these."""
