"""Import of mpi4py, which initialises MPI."""

from __future__ import annotations

from boruvka.errors import MissingExtraError
from boruvka.runtime.libraries import require

__all__ = ["MPI"]

require("mpi4py", "mpi")
try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:  # mpi4py is installed, but finds no MPI library
    raise MissingExtraError(
        f'mpi4py finds no MPI ({error}); install one with: pip install "boruvka[mpi]"', name="mpi4py"
    ) from error
