"""Exact numbers: conversions that round nothing, or name what they would round; and exact sums of weights.

Sums of integers are Python integers, and sums of floats are rounded once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import detached
from boruvka.errors import GraphError, GraphTypeError
from boruvka.kernels.kernel import kernel

if TYPE_CHECKING:
    from fractions import Fraction

EXACT_UP_TO = 2**53
"""Every smaller integer is a float64."""
RANGE = 1 << 20
"""Weights of one kernel call: no sum of half mantissas overflows."""
SCALE = 1074
"""Every float64 is a multiple of 2**-SCALE."""
EXPONENTS = 1 << 11
MANTISSA_BITS, HALF = np.uint64(52), np.uint64(26)


def inexact(values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[np.bool_] | None:
    """Return a mask of the numbers that a type does not hold exactly, or None if it holds all."""
    is_float, to_float = values.dtype.kind == "f", dtype.kind == "f"
    if not values.size or (is_float >= to_float and np.can_cast(values.dtype, dtype)):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        if is_float and to_float:
            wrong = (values.astype(dtype).astype(values.dtype) != values) & ~np.isnan(values)
        elif to_float:
            limit = 2 ** (np.finfo(dtype).nmant + 1)
            if max(-int(values.min()), int(values.max())) <= limit:
                return None
            rounded = values.astype(dtype).astype(np.float64)
            cannot_be_cast = np.isinf(rounded) | (rounded >= float(np.iinfo(values.dtype).max))
            wrong = cannot_be_cast | (rounded.astype(values.dtype) != values)
        else:
            low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
            if is_float:
                is_whole = np.isfinite(values) & (values == np.trunc(values))
                wrong = ~(is_whole & (values >= float(low)) & (values < float(high + 1)))
            else:
                wrong = (values < low) | (values > high)
    return wrong if wrong.any() else None


def float_below(x: NDArray[Any]) -> NDArray[np.float64]:
    """Return numbers of 0 or more as float64, rounded down."""
    rounded = x.astype(np.float64)
    if x.dtype.itemsize < 8 or x.dtype == np.float64:
        return rounded
    return np.where((rounded < 2.0**53) & (x.dtype.kind != "f"), rounded, np.nextafter(rounded, 0))


def convert_exactly(w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Convert weights to another type.

    Raises
    ------
    GraphError
        The type does not hold one of them exactly.
    """
    if w.dtype == dtype:
        return w
    if (wrong := inexact(w, dtype)) is not None:
        value = w[np.argmax(wrong)]
        if dtype == np.uint64 and value < 0:
            raise GraphError("no 64-bit integer type holds both negative weights and weights above 2**63 - 1")
        raise GraphError(
            f"the weight {value} has no exact {dtype}, the type of other weights: convert all weights to one "
            "type, or round this one"
        )
    return w.astype(dtype)


def common_type(one: Any, other: Any) -> np.dtype[Any]:
    """Return the weight type of a file, given the types of two of its chunks.

    A chunk of a text may hold only integers. int64 and uint64 give uint64.
    """
    if one == other:
        return np.dtype(one)
    if {np.dtype(one).str[1:], np.dtype(other).str[1:]} == {"i8", "u8"}:
        return np.dtype(np.uint64)
    return np.promote_types(one, other)


def check_float_types(weights: Iterable[tuple[Any, str]], error: type[Exception] = GraphError) -> None:
    """Raise an error if weights have two types of floats, in which 0.9 is not the same number.

    An item has an array, or a type of NumPy or polars alone, and the name of what has it. An array may be
    wider than another if its numbers are of the other type, too.
    """
    named = ((str(getattr(w, "dtype", w)).lower(), (w, name)) for w, name in weights if getattr(w, "size", 1))
    floats = {dtype: found for dtype, found in named if dtype.startswith("float")}
    if len(floats) > 1:
        (narrow, (_, first)), (wide, (w, second)), *_ = sorted(floats.items(), key=lambda x: int(x[0][5:]))
        if not isinstance(w, np.ndarray) or inexact(w, np.dtype(narrow)) is not None:
            raise error(
                f"{first}: weights are {narrow}, but in {second} {wide}, where 0.9 is another number: cast "
                f"all to {narrow}, or write all anew as {wide} (a cast to {wide} alone leaves them different)"
            )


def converted(w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Convert weights to another type, exactly.

    Raises
    ------
    GraphError
        The type does not hold one of them.
    """
    if w.dtype != dtype and dtype.itemsize > 8:
        raise GraphTypeError(f"weights of edges that are read in batches have at most 64 bits, not {dtype}")
    return convert_exactly(w, dtype)


def find_conversion_witnesses(w: NDArray[Any]) -> NDArray[Any]:
    """Return the weights that are hardest to convert: a type that represents these represents all.

    Of 64-bit integers they are the smallest, and the first one that has no exact float64, if any.
    """
    if w.dtype.kind not in "iu" or w.itemsize < 8 or not w.size:
        return w[:0]
    smallest = w.min()
    if w.max() < EXACT_UP_TO and smallest > -EXACT_UP_TO:
        return np.array([smallest])
    rounded = inexact(w, np.dtype(np.float64))
    return np.array([smallest, *([] if rounded is None else w[rounded][:1])], w.dtype)


def first_rounded(array: NDArray[Any], given: Any) -> tuple[int, ...] | None:
    """Find the first integer that became another number in an array of floats, None if there is none."""
    if isinstance(given, np.ndarray) or array.dtype != np.float64 or hasattr(given, "tocoo"):
        return None
    with np.errstate(invalid="ignore"):
        large = np.abs(array) >= EXACT_UP_TO
    if not large.any():
        return None
    exact = _as_objects(given)
    if exact is None or exact.shape != array.shape:
        return None
    for at in np.argwhere(large):
        value = exact[tuple(at)]
        if isinstance(value, Integral) and int(value) != int(array[tuple(at)]):
            return tuple(at.tolist())
    return None


def _as_objects(given: Any) -> NDArray[Any] | None:
    """Return values as Python objects, which are not rounded; None if they cannot be read so."""
    try:  # NumPy reads columns of a frame as floats
        if hasattr(given, "columns") and hasattr(given, "to_numpy"):
            return np.stack([given[name].to_numpy().astype(object) for name in given.columns], axis=1)
        return np.asarray(detached(given), object)
    except Exception:
        return None


def exact_sum(w: NDArray[Any]) -> int | float:
    """Add weights exactly, and round the sum once.

    Parameters
    ----------
    w : (m,) array of integers or floats
        The weights.

    Returns
    -------
    int or float
        The exact sum of integers. For floats the float64 nearest to the exact sum: infinite beyond
        its range, NaN if there are infinities of both signs.
    """
    return combine_sums([partial_sum(w)], w.dtype)


def partial_sum(w: NDArray[Any]) -> int | float | Fraction:
    """Add some of the weights without rounding; `combine_sums` adds such sums.

    Parameters
    ----------
    w : (k,) array of integers or floats
        The weights.

    Returns
    -------
    int, float or Fraction
        An int for integers; for floats a Fraction, or an infinite or NaN float.
    """
    if w.dtype.kind in "iu":
        if w.dtype.itemsize < 8:
            return int(w.sum(dtype=np.int64))
        high, low = w >> w.dtype.type(32), w & w.dtype.type(0xFFFFFFFF)
        return (int(high.sum()) << 32) + int(low.sum())
    if not np.isfinite(w).all():
        positive, negative = np.isposinf(w).any(), np.isneginf(w).any()
        return math.nan if positive and negative else math.inf if positive else -math.inf
    from fractions import Fraction

    if w.dtype.itemsize > 8:
        return sum((Fraction(*x.as_integer_ratio()) for x in w), Fraction())
    return Fraction(_scaled_sum(w), 1 << SCALE)


def combine_sums(sums: Iterable[int | float | Fraction], dtype: np.dtype[Any]) -> int | float:
    """Add partial sums of weights of a type, and round the result as `exact_sum` does."""
    sums = list(sums)
    if dtype.kind in "iu":
        return int(sum(sums))
    infinite = [found for found in sums if isinstance(found, float)]
    if infinite:
        return math.fsum(infinite) if len(set(infinite)) == 1 else math.nan
    exact = sum(sums)
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _scaled_sum(w: NDArray[Any]) -> int:
    """Add finite floats as multiples of 2**-SCALE."""
    high, low = np.zeros(EXPONENTS, np.int64), np.zeros(EXPONENTS, np.int64)
    for first in range(0, w.size, RANGE):
        _add_mantissas(w[first : first + RANGE].astype(np.float64).view(np.uint64), high, low)
    sums = (high.astype(object) << int(HALF)) + low
    return sum(int(sums[k]) << max(k - 1, 0) for k in np.flatnonzero(sums).tolist())


@kernel
def _add_mantissas(bits, high, low):
    """Add the mantissas of floats to one sum per exponent, in two halves to avoid overflow."""
    one = np.uint64(1)
    for i in range(bits.size):
        exponent = (bits[i] >> MANTISSA_BITS) & np.uint64(EXPONENTS - 1)
        mantissa = bits[i] & ((one << MANTISSA_BITS) - one)
        if exponent:
            mantissa |= one << MANTISSA_BITS
        sign = -1 if bits[i] >> np.uint64(63) else 1
        high[exponent] += sign * np.int64(mantissa >> HALF)
        low[exponent] += sign * np.int64(mantissa & ((one << HALF) - one))
