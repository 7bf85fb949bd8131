"""The arguments of kernels as words of 64 bits, and their types.

A number is one word. An array is the address of its elements, its lengths and, if it is not contiguous, its
strides. A tuple is its elements. A `Constant` is part of the type, and has no word.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Kinds = tuple[Any, ...]
"""The types of arguments: a string for an array (see `kind_of_array`), a number or a constant (``=3``); for a
tuple its length, or its class if its fields have names, followed by the types of its elements."""

NUMBERS: dict[type, tuple[str, str]] = {
    int: ("int64", "q"),
    np.longlong: ("int64", "q"),  # the C types are other classes where long has 64 bits, too
    np.ulonglong: ("uint64", "Q"),
    np.uint64: ("uint64", "Q"),
    np.int64: ("int64", "q"),
    np.float64: ("float64", "d"),
    float: ("float64", "d"),
    bool: ("boolean", "Q"),
    np.uint32: ("uint32", "Q"),
    np.int32: ("int32", "q"),
    np.float32: ("float32", "d"),
    np.uint16: ("uint16", "Q"),
    np.int16: ("int16", "q"),
    np.uint8: ("uint8", "Q"),
    np.int8: ("int8", "q"),
}
"""The type that a number is compiled as, and how `struct` packs it."""
PACKED_AS = dict(NUMBERS.values())
RESULTS = {**PACKED_AS, "float32": "d", "boolean": "?7x" if sys.byteorder == "little" else "7x?"}
"""Format characters with which `struct` unpacks results."""
LARGEST_INT = 2**63 - 1
CONSTANT = "="
"""First character of the type of a `Constant`."""
addressof, first_byte = ctypes.addressof, ctypes.c_char.from_buffer


class Constant(int):
    """An integer that is part of the code: there is machine code for each of its values."""


def constants_in(kinds: Kinds) -> tuple[int, ...]:
    """List the constants among the types of arguments."""
    return tuple(int(kind[1:]) for kind in kinds if isinstance(kind, str) and kind[0] == CONSTANT)


class Packed:
    """An argument with its types and words, made once for many calls: its arrays are not replaced.

    Parameters
    ----------
    value : tuple
        The argument.
    """

    def __init__(self, value: tuple[Any, ...]):
        self.value = value
        self.kinds: list[Any] = []
        self.words: list[Any] = []
        pack((value,), self.kinds, self.words)


def unpacked(x: Any) -> Any:
    """Return an argument as it was before it was packed."""
    if type(x) is tuple:
        return tuple(map(unpacked, x))
    return x.value if type(x) is Packed else x


def pack(arguments: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    """Append the types and the words of arguments."""
    for x in arguments:
        if (number := NUMBERS.get(type(x))) is not None:
            kinds.append(number[0] if type(x) is not int or x <= LARGEST_INT else "uint64")
            words.append(x)
        elif isinstance(x, np.ndarray):
            kind, its_words = _describe(x)
            kinds.append(kind)
            words += its_words
        elif type(x) is Packed:
            kinds += x.kinds
            words += x.words
        elif isinstance(x, tuple):
            kinds.append(type(x) if hasattr(x, "_fields") else len(x))
            pack(x, kinds, words)
        elif isinstance(x, np.bool_):
            kinds.append("boolean")
            words.append(int(x))
        elif type(x) is Constant:
            kinds.append(f"{CONSTANT}{x}")
        else:
            raise TypeError(f"a kernel takes arrays, numbers and tuples of them, not {type(x)}")


def _describe(x: NDArray[Any]) -> tuple[str, tuple[int, ...]]:
    """Return the type and the words of an array."""
    flags = x.flags
    contiguous, shape = flags.c_contiguous, x.shape
    key = x.dtype, len(shape), contiguous, flags.aligned
    kind = _kinds.get(key)
    if kind is None:
        kind = _kinds[key] = kind_of_array(*key)
    if not contiguous:
        return kind, (x.ctypes.data, *shape, *x.strides)
    if not flags.writeable:
        x = x.view()
        try:
            x.flags.writeable = True
        except ValueError:  # its owner is read-only
            return kind, (x.ctypes.data, *shape)
    return kind, (address_of(x), *shape)


def address_of(x: NDArray[Any]) -> int:
    """Return the address of a contiguous and writable array."""
    try:  # in a third of the time of the other way
        return addressof(first_byte(x))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # it is empty
        return x.ctypes.data


_kinds: dict[Any, str] = {}


def kind_of_array(dtype: np.dtype[Any], dimensions: int, contiguous: bool, aligned: bool) -> str:
    """Describe the type of an array in a word: its elements, dimensions, and whether it is contiguous."""
    return f"{dtype.str},{dimensions},{'C' if contiguous else 'A'}{'' if aligned else ',packed'}"


def struct_of(kinds: Kinds) -> str:
    """Describe to `struct` how the words of arguments are packed."""
    packed = []
    for kind in kinds:
        if isinstance(kind, str) and kind[0] != CONSTANT:
            _, dimensions, layout = (*kind.split(","), "", "")[:3]
            words = 1 + int(dimensions or 0) * (2 if layout == "A" else 1)
            packed.append("Q" + "q" * (words - 1) if dimensions else PACKED_AS[kind])
    return "".join(packed)


def kinds_in_words(kinds: Kinds) -> tuple[Any, ...]:
    """Describe types by strings and numbers, which are the same in every process."""
    return tuple(
        (kind.__module__, kind.__qualname__, kind._fields) if hasattr(kind, "_fields") else kind
        for kind in kinds
    )
