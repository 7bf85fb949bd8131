"""Operators on an NVIDIA GPU. GPU packages are imported in this folder only.

CuPy owns the arrays (``arrays``) and numba.cuda compiles the loops (``kernels``), some of them over operators
made of other operators (``adapters``). ``backend`` puts these together.
"""

from __future__ import annotations

from importlib.util import find_spec


def has_gpu() -> bool:
    """Return whether there is a GPU; nothing large is imported where CuPy is not installed."""
    if find_spec("cupy") is None:
        return False
    try:
        from boruvka.backends.cuda.arrays import IS_SIMULATED, why_not
    except ImportError:  # no numba-cuda
        return False
    return not IS_SIMULATED and why_not() is None
