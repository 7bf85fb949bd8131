"""The library of MPI: importing it starts it."""

from __future__ import annotations

from boruvka.bridges.extras import need
from boruvka.errors import MissingExtraError

__all__ = ["MPI"]

need("mpi4py", "mpi")
try:
    from mpi4py import MPI
except (ImportError, RuntimeError) as error:  # mpi4py is there, but finds no library
    raise MissingExtraError(
        f'mpi4py finds no MPI ({error}); install one with: pip install "boruvka[mpi]"', name="mpi4py"
    ) from error
