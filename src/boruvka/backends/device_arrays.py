"""Whether an array is on the host or on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

CUDA, CUDA_MANAGED = 2, 13
"""The device types of DLPack for memory of a GPU."""


def detached(array: Any) -> Any:
    """Return a tensor of PyTorch without its gradient, in a type that NumPy has; any other array as it is.

    The types of 8 and 16 bits that NumPy lacks are converted to float32, which holds them exactly.
    """
    if not (hasattr(array, "detach") and hasattr(array, "dtype")):  # a text file has a method of this name
        return array
    tensor = array.detach()
    return tensor.float() if str(tensor.dtype).startswith(("torch.bfloat", "torch.float8")) else tensor


def is_on_device(array: Any) -> bool:
    """Return whether an array of CuPy, PyTorch or another library with a usual interface is on a GPU."""
    if isinstance(array, np.ndarray | list | tuple):
        return False
    array = detached(array)
    if hasattr(array, "__cuda_array_interface__"):
        return True
    if hasattr(array, "__arrow_c_array__"):  # of Arrow; before pyarrow 26 strings raise an error below
        return False
    return hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] in (CUDA, CUDA_MANAGED)


def on_host(array: Any) -> NDArray[Any]:
    """Copy an array of NumPy or CuPy to the host, unless it is there."""
    return array if isinstance(array, np.ndarray) else array.get()
