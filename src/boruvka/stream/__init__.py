"""Graphs larger than memory: the forest of streamed edges, from files, queries and iterators.

A name is imported when it is first used: each `boruvka solve` asks `memory` whether a file fits the memory.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boruvka.stream.checkpoint import remove_checkpoint
    from boruvka.stream.one_pass import minimum_spanning_forest
    from boruvka.stream.verification import verify

__all__ = ["minimum_spanning_forest", "remove_checkpoint", "verify"]

_MODULES = {
    "minimum_spanning_forest": "one_pass",
    "remove_checkpoint": "checkpoint",
    "verify": "verification",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
