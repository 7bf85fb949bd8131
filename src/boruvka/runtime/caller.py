"""Warnings that point at the line of the caller, however deep in this package they arise."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings

from boruvka.errors import GraphWarning

__all__ = ["warn"]

INSIDE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep, contextlib.__file__
"""Files whose calls are not those of a caller; context managers of this package are called by contextlib."""


def warn(message: str, category: type[Warning] = GraphWarning) -> None:
    """Warn about the innermost call from outside of this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(INSIDE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
