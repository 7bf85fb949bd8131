"""Arrays on the GPU, by CuPy; on Numba's simulator NumPy takes the place of CuPy, whose interface it has."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.cuda.compiler import IS_SIMULATED, has_device
from boruvka.backends.device_arrays import detached, is_on_device
from boruvka.runtime.libraries import require

SIMULATED_BYTES = 1 << 30

xp: Any = np if IS_SIMULATED else require("cupy", "cuda")


def why_not() -> str | None:
    """Return why there is no GPU to run on, or None if there is one or it is simulated."""
    return None if has_device() else "there is no NVIDIA GPU here, or no driver for it"


def free_bytes() -> int:
    """Return how much memory of the GPU is free, including what CuPy keeps for new arrays."""
    if IS_SIMULATED:
        return SIMULATED_BYTES
    return xp.cuda.Device().mem_info[0] + xp.get_default_memory_pool().free_bytes()


def as_array(array: Any) -> Any:
    """Return an array of any library as a contiguous one on the GPU; copy it only where necessary."""
    array = detached(array)
    if not is_on_device(array) or hasattr(array, "__cuda_array_interface__"):
        return xp.ascontiguousarray(xp.asarray(array))
    return xp.ascontiguousarray(xp.from_dlpack(array))


def as_numpy(array: Any) -> NDArray[Any]:
    """Copy an array to the host, unless it is there."""
    return np.asarray(array) if IS_SIMULATED else xp.asnumpy(array)
