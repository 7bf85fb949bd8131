"""Plain functions that kernels call, and that a compiler replaces by bodies of its own.

The interpreter runs the bodies here. They are also compiled as they are where a backend has no better one.
An operator is *bound* to a backend: `bound` copies it, and the copy calls compiled functions and the atomics
of the machine.
"""

import functools
from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

import numpy as np

# Atomic operations on one element of an array that threads share. The bodies here run where no other thread
# writes the array: in the interpreter, on one thread, and on per-thread arrays. Elsewhere a backend replaces
# them by atomic instructions. Compiled, they have no branch: an unconditional store of a minimum takes a
# third of the time of a branch that is mispredicted half the time.


def atomic_min(a, i, x):
    """Replace a[i] by the smaller of a[i] and x."""
    a[i] = min(a[i], x)


def atomic_add(a, i, x):
    """Add x to a[i], and return the previous value."""
    before = a[i]
    a[i] = before + x
    return before


def atomic_swap_if(a, i, expected, x):
    """Replace a[i] by x if it has the expected value; return whether it had (compare and swap)."""
    if a[i] != expected:
        return False
    a[i] = x
    return True


ATOMICS = frozenset({atomic_min, atomic_add, atomic_swap_if})

# Words of eight bytes at an address, for the threads of a team (`team_loops`). These are only compiled.


def load_word_at(address):
    """Read a word, before everything that follows."""


def store_word_at(address, x):
    """Write a word, after everything before."""


def fetch_add_word(address, x):
    """Add to a word, and return its previous value."""


def exchange_word(address, x):
    """Write a word, and return its previous value."""


def pause():
    """Tell the processor that this is a loop that waits."""


def call_kernel(entry, results, words):
    """Call a kernel by its address; return 0 unless it raised an exception."""


def call_c(function, a, b, c, d):
    """Call a function of the C library by its address, with two more arguments of 0."""


# Hints for the compiler, which change no result


def prefetch(array, i):
    """Fetch an element into the cache."""


def unvectorised(x):
    """Return an integer, and keep the loop around it from being vectorised.

    Vectorised reads at random addresses are gather instructions, which take three times as long as single
    reads.
    """
    return x


# Vectors

LANES = 8
"""Points that `lanes_within` compares at once: a vector of 512 bits."""
SUM_OF_SQUARES, SUM, LARGEST = 0, 1, 2
"""Combinations of the differences of coordinates: the ``norm`` of `lanes_within`."""
PERIODIC = 4
"""Added to a norm: differences are those to the nearest image in a periodic box."""


def lanes_within(coordinates, row, first, bound, box, dimensions, norm):
    """Compare the distances from one point to `LANES` others with a bound.

    Parameters
    ----------
    coordinates : (dimensions, n + LANES) array of float64
        A row for each coordinate of all points.
    row : int
        The point.
    first : int
        The first of the others.
    bound : float
    box : (boxes, 2 * dimensions) array of float64
        The first row has the corners of the periodic box; it is not read otherwise.
    dimensions : int
        Number of coordinates.
    norm : int
        A constant: how their differences are combined.

    Returns
    -------
    uint64
        A bit for each of the others, set if its distance is below the bound.
    """
    bits = 0
    for k in range(LANES):
        total = 0.0
        for q in range(dimensions):
            t = abs(coordinates[q, row] - coordinates[q, first + k])
            if norm & PERIODIC:
                t = min(t, box[0, dimensions + q] - t)
            total = _add_difference(total, t, norm)
        bits |= int(total < bound) << k
    return np.uint64(bits)


def lanes_near_box(coordinates, first, box, b, bounds, at, dimensions, norm):
    """Compare the distances from `LANES` points to a box with a bound for each.

    Parameters
    ----------
    coordinates : (dimensions, n + LANES) array of float64
        A row for each coordinate of all points.
    first : int
        The first of the points.
    box : (boxes, 2 * dimensions) array of float64
        The lower and the upper corner of each box; the first is the periodic box, if there is one.
    b : int
        The box.
    bounds : array of float64
        The bounds, starting at position ``at``.
    dimensions : int
        Number of coordinates.
    norm : int
        A constant: how their differences are combined.

    Returns
    -------
    uint64
        A bit for each of the points, set if its distance is below its bound.
    """
    bits = 0
    for k in range(LANES):
        total = 0.0
        for q in range(dimensions):
            x = coordinates[q, first + k]
            low, high = box[b, q], box[b, dimensions + q]
            t = max(low - x, x - high, 0.0)
            if norm & PERIODIC:
                t = min(t, box[0, dimensions + q] - max(x - low, high - x))
            total = _add_difference(total, t, norm)
        bits |= int(total < bounds[at + k]) << k
    return np.uint64(bits)


def _add_difference(total, t, norm):
    t, norm = abs(t), norm & ~PERIODIC
    return max(total, t) if norm == LARGEST else total + (t * t if norm == SUM_OF_SQUARES else t)


def insert_in_lanes(keys, values, first, key, value):
    """Insert a key and its value into a part of a sorted list: `LANES` elements, starting at ``first``.

    Elements that are not larger stay, the others move up by one, and the last one is lost; the element before
    ``first`` moves in if it is larger too. In a longer list, the last part is first.
    """
    for k in reversed(range(int(first), int(first) + LANES)):
        if keys[k] > key:
            moves = keys[k - 1] > key
            keys[k] = keys[k - 1] if moves else key
            values[k] = values[k - 1] if moves else value


def load_word(array, i):
    """Return eight bytes of an array of bytes as one number, the first byte lowest."""
    return int.from_bytes(array[i : i + 8].tobytes(), "little")


def leading_zeros(bits):
    """Count the zeros above the highest set bit of 64."""
    return 64 - int(bits).bit_length()


def trailing_zeros(bits):
    """Count the zeros below the lowest set bit."""
    return (int(bits) & -int(bits)).bit_length() - 1


# Tuples


@functools.cache
def store_columns(skipped: int, columns: int) -> Callable[..., Any]:
    """Make the function that stores the values of a tuple, except the first ones, in columns.

    Compiled code indexes a tuple of different types by constants only, so a function for each column calls
    that for the columns before it.
    """
    if not columns:
        return store_nothing
    store_before, column, position = store_columns(skipped, columns - 1), columns - 1, skipped + columns - 1

    def store(into, slot, values):
        store_before(into, slot, values)
        into[column][slot] = values[position]

    return store


def store_nothing(into, slot, values):
    """Store no value: there is no column."""


# Binding


def bound(function: FunctionType, bind: Callable[[FunctionType], Any], suffix: str) -> FunctionType:
    """Copy a function, and replace the functions that it calls or that its closure holds.

    Parameters
    ----------
    function : function
        An operator, or a function that one calls.
    bind : callable
        Returns the replacement of a function.
    suffix : str
        Appended to the qualified name of the copy.

    Returns
    -------
    function
    """
    known = function.__globals__
    replaced = {name: bind(known[name]) for name in names_of_callees(function)}
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    closure = tuple(CellType(bind(x) if isinstance(x, FunctionType) else x) for x in cells)
    namespace = {**known, **replaced}
    copy = FunctionType(function.__code__, namespace, function.__name__, None, closure)
    copy.__module__, copy.__qualname__ = function.__module__, f"{function.__qualname__}_{suffix}"
    return copy


def calls_atomics(function: FunctionType) -> bool:
    """Return whether a function calls an atomic, itself or through others."""
    seen: set[FunctionType] = set()
    todo = [function]
    while todo:
        new = set(callees_of(todo.pop())) - seen
        seen |= new
        todo += new
    return not ATOMICS.isdisjoint(seen)


def callees_of(function: FunctionType) -> Iterator[FunctionType]:
    """List the functions that a function calls or that its closure holds."""
    for name in names_of_callees(function):
        yield function.__globals__[name]
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, FunctionType):
            yield cell.cell_contents


def names_of_callees(function: FunctionType) -> Iterator[str]:
    """List the globals that are functions and that a function calls.

    A name may also be an attribute: ``numpy.linalg.norm`` in a function ``norm``, which does not call itself.
    """
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value is not function:
            yield name
