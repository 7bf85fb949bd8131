"""Operators compiled by Numba for an NVIDIA GPU; CuPy has the arrays, and scans and sorts them.

Each thread of the GPU takes every so-many-th element, so that neighbours read neighbouring memory. What
keeps elements in order (`emit`, `sift`, `number`, `members`) goes over them twice. First, every element that
stays is marked by a bit, and each tile of elements counts its own; a scan of the counts, the only thing that
the host waits for, says where tiles begin. Then those that are marked are visited, and each finds its slot by
counting the bits before it.

Without a GPU, Numba's simulator (``NUMBA_ENABLE_CUDASIM=1``) interprets the kernels: one Python thread for
each thread of the GPU, so blocks are tiny there, and NumPy stands in for CuPy, whose interface it has. What
no simulator shows has been compiled, and not yet run on a GPU: speed, `_vote`, how kernels are loaded and
started (`_Kernel`), and what a cache that is not coherent does to the operators that halve paths.
"""

from __future__ import annotations

import functools
import hashlib
import math
import os
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numba import config, cuda, typeof, types
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from boruvka.backends.binding import bound
from boruvka.backends.device_arrays import is_on_device
from boruvka.backends.kernel_cache import cache_folder
from boruvka.backends.protocol import Operator, Segments, WorkList
from boruvka.errors import BackendError
from boruvka.operators import atomics
from boruvka.runtime.extras import require

IS_SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]

THREADS = 2 if IS_SIMULATED else 256
"""Threads of a block."""
ROWS = 4 if IS_SIMULATED else 8
"""Elements of a tile for each thread of its block: rows of as many elements as there are threads."""
WARP = 1 if IS_SIMULATED else 32
"""Threads that vote together."""
MOST_BLOCKS = 2 if IS_SIMULATED else 4096
"""Blocks of a loop; more elements than threads take turns."""
LANES = 3 if IS_SIMULATED else 1024
"""Blocks of vertices that are worked on at once, one thread each."""
PART = 3 if IS_SIMULATED else 16
"""Elements that one thread scans in a row."""

SIMULATED_BYTES = 1 << 30

U32, U64 = np.uint32, np.uint64
ONE, PART64, ROW, TILE = U64(1), U64(PART), U64(THREADS), U64(THREADS * ROWS)
LANE, WARPS = U64(WARP), U64(THREADS // WARP)
COUNTS = THREADS // WARP * ROWS
EVERYONE = 0xFFFFFFFF

if IS_SIMULATED:
    xp: Any = np
else:
    require("numba_cuda", "cuda")  # Numba's own kernels for GPUs are kept no more
    xp = require("cupy", "cuda")


def why_not() -> str | None:
    """Say why there is no GPU to run on, if so; the simulator counts as one for who asks for it."""
    if IS_SIMULATED or cuda.is_available():
        return None
    return "there is no NVIDIA GPU here, or no driver for it"


def free_bytes() -> int:
    """Find how much memory of the GPU is free, what CuPy keeps for the next arrays included."""
    if IS_SIMULATED:
        return SIMULATED_BYTES
    return xp.cuda.Device().mem_info[0] + xp.get_default_memory_pool().free_bytes()


def as_array(array: Any) -> Any:
    """Give an array of any library as a contiguous one of the GPU; it is copied only where it must be."""
    if not is_on_device(array) or hasattr(array, "__cuda_array_interface__"):
        return xp.ascontiguousarray(xp.asarray(array))
    return xp.ascontiguousarray(xp.from_dlpack(array))


class Cuda:
    """Numba kernels on the GPU that is current when they are called."""

    name = "cuda"
    has_caches = False
    threads = 1
    """Threads of the host."""

    def __init__(self, threads: int = 1):
        if problem := why_not():
            raise BackendError(f"the backend cuda cannot run: {problem}")

    def to_device(self, array: Any) -> Any:
        return as_array(array)

    def to_host(self, array: Any) -> NDArray[Any]:
        return np.asarray(array) if IS_SIMULATED else xp.asnumpy(array)

    def empty(self, size: int, dtype: Any) -> Any:
        return xp.empty(size, dtype)

    def zeros(self, size: int, dtype: Any) -> Any:
        return xp.zeros(size, dtype)

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> WorkList:
        return [xp.empty(0, dtype) for dtype in dtypes]  # `emit` knows how much it needs

    def split(self, size: int) -> Segments:
        return [(U64(0), U64(size))]

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        for first, last in self.split(where) if isinstance(where, int) else where:
            _each(operator).over(int(last - first), first, last, arrays)

    def for_each_row(self, operator: Operator, begins: Any, *arrays: Any) -> None:
        # A thread takes whole rows, so that one walks all arcs of the largest hub, however many wait for it.
        self.for_each(operator, begins.size - 1, begins, *arrays)

    def for_each_block(
        self, operator: Operator, blocks: int, local: Sequence[tuple[int, Any]], *arrays: Any
    ) -> None:
        lanes = min(blocks, LANES)
        own = tuple(xp.empty((lanes, size), dtype) for size, dtype in local)
        kernel = _each_block(operator, len(own))
        kernel.start(-(-lanes // THREADS), THREADS, U64(lanes), U64(blocks), own, arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        _each(operator).start(1, 1, U64(0), U64(size), arrays)

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        return self._collect(_keeps(operator), (arrays,), operator, segments, into, arrays)

    def filter_emit(
        self,
        member: Operator,
        of: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        return self._collect(_both(member, operator), (of, arrays), operator, segments, into, arrays)

    def _collect(
        self,
        member: Operator,
        of: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        arrays: tuple[Any, ...],
    ) -> Segments:
        """Collect members in new arrays, for the operator may read the old ones."""
        marked = _Marked(member, segments, of)
        fresh = tuple(xp.empty(marked.total, array.dtype) for array in into)
        marked.visit(_stores(operator, 1, len(fresh)), fresh, arrays)
        into[:] = fresh
        return self.split(marked.total)

    def scatter_min(self, operator: Operator, segments: Segments, into: Any, size: int, *arrays: Any) -> None:
        into = into[:size]
        into.fill(~into.dtype.type(0))
        self.for_each(operator, segments, *arrays, into)

    def emit_grouped(self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any) -> Any:
        marked = _Marked(_keeps(operator), self.split(size), (arrays,))
        index = xp.empty(marked.total, np.min_scalar_type(max(size, 1)))
        group = xp.empty(marked.total, np.min_scalar_type(max(groups - 1, 1)))
        marked.visit(_notes_group(operator), index, group, arrays)
        if groups > 1:
            order = xp.argsort(group, kind="stable")
            index, group = index[order], group[order]
        into[:] = [xp.empty(marked.total, array.dtype) for array in into]
        self.for_each(_gathers(operator, len(into)), marked.total, index, tuple(into), arrays)
        begins = xp.empty(groups + 1, np.uint64)
        begins[:-1] = xp.searchsorted(group, xp.arange(groups, dtype=group.dtype))
        begins[-1:] = marked.total
        return begins

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        total = xp.zeros(1, np.uint64)
        _count(member).over(size, U64(size), total, arrays)
        return int(total[0])

    def exclusive_sum(self, values: Any) -> int:
        sums = xp.cumsum(values, dtype=values.dtype)
        values[1:] = sums[:-1]
        values[:1] = 0
        return int(sums[-1]) if sums.size else 0

    def segmented_scan(self, combine: Operator, values: Any, starts: Any, *arrays: Any) -> None:
        """Scan parts alone, then the last values of parts in the same way, and carry these on."""
        parts = -(-values.size // PART)
        lasts, begun = xp.empty(parts, values.dtype), xp.empty(parts, bool)
        self.for_each(_scans_part(combine), parts, values, starts, lasts, begun, arrays)
        if parts > 1:
            self.segmented_scan(combine, lasts, begun, *arrays)
            self.for_each(_carries(combine), parts - 1, values, starts, lasts, arrays)

    def number(self, member: Operator, size: int, number: Any, begin: int, *arrays: Any) -> int:
        marked = _Marked(_unpacks(member), self.split(size), (arrays,))
        marked.visit(_note_number, number, U64(begin))
        return marked.total

    def flatnonzero(self, flags: Any) -> Any:
        marked = _Marked(_is_set, self.split(flags.size), (flags,))
        found = xp.empty(marked.total, np.int64)
        marked.visit(_note_index, found)
        return found


class _Marked:
    """Members among the elements of segments: a bit for each, and where the members of a tile begin."""

    def __init__(self, member: Operator, segments: Segments, of: tuple[Any, ...]):
        sizes = [int(last - first) for first, last in segments]
        tiles = [-(-size // (THREADS * ROWS)) for size in sizes]
        self._parts: list[tuple[Any, Any, Any, slice]] = []
        counts, begin = xp.empty(sum(tiles), np.uint64), 0
        for (first, last), many in zip(segments, tiles, strict=True):
            if many:
                here, bits = slice(begin, begin + many), xp.empty(many * THREADS, np.uint32)
                _mark(member).start(many, THREADS, first, last, bits, counts[here], of)
                self._parts.append((first, last, bits, here))
                begin += many
        self._ends = xp.cumsum(counts, dtype=np.uint64)
        self._begins = self._ends - counts

    @functools.cached_property
    def total(self) -> int:
        """Number of members: the host waits for it."""
        return int(self._ends[-1]) if self._parts else 0

    def visit(self, action: Operator, *arguments: Any) -> None:
        """Run ``action(i, slot, *arguments)`` for the members, numbered by slots in ascending order."""
        for first, last, bits, here in self._parts:
            tiles, begins = bits.size // THREADS, self._begins[here]
            _visit(action).start(tiles, THREADS, first, last, bits, begins, arguments)


class _Kernel:
    """A kernel, compiled for the types of its arguments when it first meets them.

    Numba compiles it, and CuPy starts it, because Numba would look at every array at every start. What was
    compiled is kept (see `boruvka.backends.kernel_cache`).

    Parameters
    ----------
    run : function
        The kernel.
    *made_of : function
        What it was made of, and is told from others by.
    """

    def __init__(self, run: Any, *made_of: Any):
        self._run, self._name = run, "-".join((run.__qualname__.split(".")[0][1:], *map(_name_of, made_of)))
        self._identity = repr((run.__qualname__, *map(_identity, made_of)))
        self._simulated = cuda.jit(run) if IS_SIMULATED else None
        self._built: dict[Any, Any] = {}

    def over(self, size: int, *arguments: Any) -> None:
        """Start it on so many elements, which its threads take in turns."""
        if size:
            self.start(min(-(-size // THREADS), MOST_BLOCKS), THREADS, *arguments)

    def start(self, blocks: int, threads: int, *arguments: Any) -> None:
        """Start it."""
        if self._simulated is not None:
            self._simulated[blocks, threads](*arguments)
            return
        words: list[Any] = []
        kinds: list[Any] = [xp.cuda.runtime.getDevice()]
        for x in arguments:
            _pack(x, words, kinds)
        key = tuple(kinds)
        if key not in self._built:
            self._built[key] = self._build(arguments, kinds[1:])
        self._built[key]((blocks,), (threads,), tuple(words))

    def _build(self, arguments: tuple[Any, ...], kinds: list[Any]) -> Any:
        """Compile it, or find it in the cache, and load it."""
        capability = xp.cuda.Device().compute_capability
        made_by = version("numba-cuda"), version("cuda-core"), capability
        digest = hashlib.sha256(repr((self._identity, kinds, made_by)).encode()).hexdigest()[:24]
        folder = cache_folder()
        path = None if folder is None else folder / f"cuda.{self._name}-{digest}.cubin"
        try:
            entry, _, code = path.read_bytes().partition(b"\n")  # type: ignore[union-attr]
        except (AttributeError, OSError):
            name, ptx = self.compile(tuple(map(_type_of, arguments)), capability)
            entry, code = name.encode(), link(ptx, capability)
            if path is not None:
                _keep(path, entry + b"\n" + code)
        module = xp.cuda.function.Module()
        module.load(code)
        return module.get_function(entry.decode())

    def compile(self, types: tuple[Any, ...], capability: str) -> tuple[str, str]:
        """Compile it for types and a compute capability, "90" for 9.0; give its name, and PTX."""
        cc = int(capability[:-1]), int(capability[-1])
        ptx, _ = cuda.compile(self._run, types, device=False, abi="numba", cc=cc)
        return ptx.partition(".visible .entry ")[2].partition("(")[0], ptx


def link(ptx: str, capability: str) -> bytes:
    """Make code for the GPU of PTX.

    NVIDIA's linker does it, not the driver, which knows no PTX of compilers newer than itself.
    """
    from cuda.core import Program, ProgramOptions

    return bytes(Program(ptx, "ptx", ProgramOptions(arch=f"sm_{capability}")).compile("cubin").code)


def _pack(x: Any, words: list[Any], kinds: list[Any]) -> None:
    """Flatten an argument into the words that Numba's kernels take for it; note what kind it is."""
    if isinstance(x, xp.ndarray):
        words += _words_of(_pointer(x), x.shape, x.itemsize)
        kinds.append((x.dtype.str, x.ndim))
    elif isinstance(x, tuple | list):
        kinds.append((type(x).__name__, len(x)))
        for y in x:
            _pack(y, words, kinds)
    else:
        word = x if isinstance(x, np.generic) else np.asarray(x)[()]
        words.append(word)
        kinds.append(word.dtype.str)


def _pointer(x: Any) -> int:
    return x.data.ptr


@functools.lru_cache(1 << 12)
def _words_of(pointer: int, shape: tuple[int, ...], itemsize: int) -> tuple[Any, ...]:
    """Describe a contiguous array: two pointers not used, elements, bytes of one, data, shape, strides."""
    strides = [itemsize * math.prod(shape[k + 1 :]) for k in range(len(shape))]
    return tuple(np.uint64(x) for x in (0, 0, math.prod(shape), itemsize, pointer, *shape, *strides))


def _type_of(x: Any) -> Any:
    """Find Numba's type of an argument."""
    if isinstance(x, xp.ndarray):
        return types.Array(from_dtype(x.dtype), x.ndim, "C")
    if isinstance(x, tuple | list) and not hasattr(x, "_fields"):
        return types.BaseTuple.from_types(tuple(map(_type_of, x)))
    return typeof(x)


def _name_of(function: FunctionType) -> str:
    """Name a function and the operators that it was made of, for people."""
    held = (cell.cell_contents for cell in function.__closure__ or ())
    operators = (x for x in held if isinstance(x, FunctionType) and x.__module__ != __name__)
    return "-".join((function.__name__.strip("_"), *map(_name_of, operators)))


def _identity(function: FunctionType) -> Any:
    """Tell a function from others in a cache that the package's sources name."""
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    made_of = [_identity(x) if isinstance(x, FunctionType) else repr(x) for x in held]
    return function.__module__, function.__qualname__, function.__code__.co_code, made_of


def _keep(path: Path, content: bytes) -> None:
    """Write a file at once, or not at all: others may read it meanwhile."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        os.replace(file.name, path)
    except OSError:
        return


# The atomics of a GPU


def _atomic_min(a, i, x):
    if x < a[i]:  # most offers lose, and a look costs less than the instruction
        cuda.atomic.min(a, i, x)


def _atomic_add(a, i, x):
    return cuda.atomic.add(a, i, x)


def _atomic_swap_if(a, i, expected, x):
    if cuda.atomic.cas(a, i, expected, x) == expected:
        return True
    cuda.threadfence()  # so that what others wrote is read anew, not from this processor's own cache
    return False


_ATOMICS: dict[Any, Any] = {
    atomics.atomic_min: _atomic_min,
    atomics.atomic_add: _atomic_add,
    atomics.atomic_swap_if: _atomic_swap_if,
}


def _device(function: Any) -> Any:
    """Compile a function that kernels call; the simulator calls it as it is."""
    return function if IS_SIMULATED else cuda.jit(device=True)(function)


@functools.cache
def _compiled(function: FunctionType) -> Any:
    """Make a function that kernels can call, bound to the atomics above."""
    if function in _ATOMICS:
        return _device(_ATOMICS[function])
    return _device(bound(function, _compiled, "cuda"))


# Votes: which threads of a warp say yes, one bit each


def _vote_of_one(flag):
    return U32(flag)


def _before_one():
    return U32(0)


def _vote_of_warp(flag):
    return cuda.ballot_sync(EVERYONE, flag)


def _before_in_warp():
    return cuda.lanemask_lt()


_vote = _device(_vote_of_one if IS_SIMULATED else _vote_of_warp)
_threads_before = _device(_before_one if IS_SIMULATED else _before_in_warp)


# Kernels. Indices stay unsigned.


@functools.cache
def _each(operator: Operator) -> _Kernel:
    work = _compiled(operator)

    def run(first, last, arrays):
        i, step = first + U64(cuda.grid(1)), U64(cuda.gridsize(1))
        while i < last:
            work(i, *arrays)
            i += step

    return _Kernel(run, operator)


@functools.cache
def _each_block(operator: Operator, local: int) -> _Kernel:
    work, rows = _compiled(operator), _compiled(_rows(local))

    def run(lanes, blocks, local, arrays):
        lane = U64(cuda.grid(1))
        b = lane
        while lane < lanes and b < blocks:
            work(b, *(rows(local, lane) + arrays))
            b += lanes

    return _Kernel(run, operator)


@functools.cache
def _count(member: Operator) -> _Kernel:
    is_member = _compiled(member)

    def run(size, total, arrays):
        here = cuda.shared.array(1, U64)
        if cuda.threadIdx.x == 0:
            here[0] = 0
        cuda.syncthreads()
        i, step, k = U64(cuda.grid(1)), U64(cuda.gridsize(1)), U64(0)
        while i < size:
            k += U64(is_member(i, *arrays))
            i += step
        cuda.atomic.add(here, 0, k)
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(total, 0, here[0])

    return _Kernel(run, member)


@functools.cache
def _mark(member: Operator) -> _Kernel:
    """Mark members: bit r of a thread's word is for its element of row r of the tile."""
    is_member = _compiled(member)

    def run(first, last, bits, counts, of):
        count = cuda.shared.array(1, U32)
        thread, tile = U64(cuda.threadIdx.x), U64(cuda.blockIdx.x)
        if thread == 0:
            count[0] = 0
        cuda.syncthreads()
        i, word = first + tile * TILE + thread, U32(0)
        for row in range(ROWS):
            if i < last and is_member(i, *of):
                word |= U32(1) << U32(row)
            i += ROW
        bits[tile * ROW + thread] = word
        cuda.atomic.add(count, 0, U32(cuda.popc(word)))
        cuda.syncthreads()
        if thread == 0:
            counts[tile] = count[0]

    return _Kernel(run, member)


@functools.cache
def _visit(action: Operator) -> _Kernel:
    """Visit members in order of rows, then of threads: a warp counts at once what precedes each of it."""
    act = _compiled(action)

    def run(first, last, bits, begins, arguments):
        counts = cuda.shared.array(COUNTS, U32)
        thread, tile = U64(cuda.threadIdx.x), U64(cuda.blockIdx.x)
        warp, is_first = thread // LANE, thread % LANE == 0
        word = bits[tile * ROW + thread]
        for row in range(ROWS):
            votes = _vote((word >> U32(row)) & U32(1))
            if is_first:
                counts[U64(row) * WARPS + warp] = cuda.popc(votes)
        cuda.syncthreads()
        if thread == 0:
            sum_before = U32(0)
            for k in range(COUNTS):
                count = counts[k]
                counts[k] = sum_before
                sum_before += count
        cuda.syncthreads()
        i = first + tile * TILE + thread
        for row in range(ROWS):
            vote = (word >> U32(row)) & U32(1)
            ahead = cuda.popc(_vote(vote) & _threads_before())
            if vote:
                before = counts[U64(row) * WARPS + warp]
                act(i, begins[tile] + U64(before) + U64(ahead), *arguments)
            i += ROW

    return _Kernel(run, action)


# What kernels call: made of operators, as plain as these


@functools.cache
def _keeps(operator: Operator) -> Operator:
    """Make an operator that says whether another keeps an element."""

    def keeps(i, arrays):
        return operator(i, *arrays)[0]

    return keeps


@functools.cache
def _both(member: Operator, operator: Operator) -> Operator:
    """Make an operator that says whether an element is a member, and is kept."""

    def keeps(i, of, arrays):
        return bool(member(i, *of)) and bool(operator(i, *arrays)[0])

    return keeps


@functools.cache
def _unpacks(operator: Operator) -> Operator:
    """Make an operator that takes arrays as one tuple."""

    def unpacks(i, arrays):
        return operator(i, *arrays)

    return unpacks


@functools.cache
def _stores(operator: Operator, skipped: int, arrays: int) -> Operator:
    """Make an operator that stores what another emits, after so many first values, in so many arrays."""
    store = _store(skipped, arrays)

    def stores(i, slot, into, given):
        store(slot, into, operator(i, *given))

    return stores


@functools.cache
def _store(skipped: int, arrays: int) -> Operator:
    if not arrays:
        return _nothing
    store, k, last = _store(skipped, arrays - 1), arrays - 1, skipped + arrays - 1

    def store_all(slot, into, values):
        store(slot, into, values)
        into[k][slot] = values[last]

    return store_all


def _nothing(slot, into, values):
    pass


@functools.cache
def _rows(arrays: int) -> Operator:
    """Make a function that takes a row of each of so many matrices."""
    if not arrays:
        return _no_rows
    rows, k = _rows(arrays - 1), arrays - 1

    def all_rows(matrices, row):
        return (*rows(matrices, row), matrices[k][row])

    return all_rows


def _no_rows(matrices, row):
    return ()


@functools.cache
def _notes_group(operator: Operator) -> Operator:
    """Make an operator that notes which element is in a slot, and its group."""

    def notes(i, slot, index, group, arrays):
        index[slot], group[slot] = i, operator(i, *arrays)[1]

    return notes


@functools.cache
def _gathers(operator: Operator, arrays: int) -> Operator:
    """Make an operator that stores in a slot what another emits of the element that belongs there."""
    store = _store(2, arrays)

    def gathers(slot, index, into, given):
        store(slot, into, operator(U64(index[slot]), *given))

    return gathers


@functools.cache
def _scans_part(combine: Operator) -> Operator:
    """Make an operator that scans a part, and notes its last value, and whether a segment starts in it."""

    def scans(part, values, starts, lasts, begun, arrays):
        begin = U64(part) * PART64
        end = min(begin + PART64, U64(values.size))
        value, has_start = values[begin], bool(starts[begin])
        i = begin + ONE
        while i < end:
            if starts[i]:
                value, has_start = values[i], True
            else:
                value = combine(value, values[i], *arrays)
                values[i] = value
            i += ONE
        lasts[part], begun[part] = value, has_start

    return scans


@functools.cache
def _carries(combine: Operator) -> Operator:
    """Make an operator that carries the scan of all before a part into it, up to the first start."""

    def carries(before, values, starts, lasts, arrays):
        i = (U64(before) + ONE) * PART64
        end = min(i + PART64, U64(values.size))
        while i < end and not starts[i]:
            values[i] = combine(lasts[before], values[i], *arrays)
            i += ONE

    return carries


def _is_set(i, flags):
    return flags[i]


def _note_index(i, slot, found):
    found[slot] = i


def _note_number(i, slot, number, begin):
    number[i] = begin + slot
