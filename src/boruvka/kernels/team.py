"""A team: helper threads that wait inside machine code; to launch a kernel is one native call.

Helpers are started once, and never leave their native call: between launches they spin for a while, and then
sleep. Nothing here needs the lock of the interpreter (GIL), and the machine code is in
`boruvka.kernels.team_loops`.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import mmap
import os
import platform
import struct
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels import team_loops as loops
from boruvka.kernels.kernel import Kernel, KernelError, Launch, MachineCode
from boruvka.kernels.kernel_arguments import address_of
from boruvka.runtime.processors import processors

FUTEX = {"x86_64": 202, "aarch64": 98, "riscv64": 98, "ppc64le": 221}
"""The number of the system call on Linux, on machines whose first byte is the lowest."""
SPINS = 3000
"""Steps for which a thread waits before it sleeps, about 75 microseconds."""
SPIN_VARIABLE = "BORUVKA_SPIN"
"""Environment variable: 0 switches spinning off."""
RANGES_OF_A_THREAD, PARTS_AT_ONCE = 4, 8
"""Ranges of `map_ranges` for each thread, and parts between two results of `map_in_order`."""
UNFINISHED, NONE = int(loops.UNFINISHED), int(loops.NONE)
MOST_WORDS = int(loops.OWN_WORDS) - 1
ALL_PARTS = 1 << 31
WORDS_OF_RANGE, WORDS_OF_ARRAY = 2, 2
"""Words of a call: a range is its first and last index, and an array its address and length."""
HEADER = 5
"""Words of a launch's buffer before the post: the result, and the words of the call."""
POST = 8 * HEADER
LAUNCH = int(loops.LAUNCH)
WHOLE = POST + int(loops.WHOLE)
TOTAL, FAILED = HEADER + int(loops.TOTAL) // 8, HEADER + int(loops.FAILED) // 8
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64))


class Callback(NamedTuple):
    """A Python function that stands for a kernel."""

    entry: int
    format: str


class Team:
    """The calling thread and its helpers, which run one launch at a time.

    Parameters
    ----------
    threads : int
        Number of threads, the calling one included.
    spins : int, optional
        Steps for which a thread waits before it sleeps. By default 0 where threads share processors.
    futex : int, optional
        The number of the system call; 0 where there is none, and helpers wait in Python. By default the one
        of this system.
    """

    def __init__(self, threads: int, spins: int | None = None, futex: int | None = None):
        if spins is None:
            spins = default_spins(threads)
        if futex is None:
            futex = FUTEX.get(platform.machine(), 0) if sys.platform == "linux" else 0
        self.threads, self._code, self._processors = threads, native(), processors()
        words = self._words = _private_memory(int(loops.OWN) // 8 + int(loops.OWN_WORDS) * threads)
        self._mailbox = ctypes.addressof(words)
        if threads > 1:
            _kept_for_ever(words)
        library = ctypes.CDLL(None) if os.name == "posix" else ctypes.cdll.msvcrt
        constants = {loops.FUTEX: futex, loops.FILL: _address(library.memset), loops.SPINS: spins}
        if futex:
            constants[loops.SYSTEM_CALL] = _address(library.syscall)
        for field, value in constants.items():
            words[int(field) // 8] = value
        self._tasks: SimpleQueue[bool] | None = None if futex else SimpleQueue()
        self._start()

    def _start(self) -> None:
        """Start the helpers, or as many as the system starts: a launch needs none."""
        for me in range(1, self.threads):
            helper = threading.Thread(target=self._help, args=(me,), name=f"boruvka_{me}", daemon=True)
            try:
                helper.start()
            except RuntimeError:
                self.threads = me
                break

    def run(self, code: MachineCode, words: list[Any], launch: Launch) -> tuple[NDArray[np.uint64], int]:
        """Run a kernel on all threads.

        Parameters
        ----------
        code : MachineCode
            The kernel.
        words : list
            Its arguments in words; those that a launch replaces may have any value.
        launch : Launch

        Returns
        -------
        (parts, 2) array of uint64
            For a chained kernel the first index of each part and its last result, else 0 and the sum of its
            results. Empty if the kernel returns nothing.
        int
            The sum over parts of their results, for a chained kernel of last minus first.
        """
        results, used = np.empty((launch.parts if code.results else 0, 2), np.uint64), launch.used
        rows: list[int] = []
        for k, array in enumerate(launch.own):
            without = int(used is not None and array is launch.own[-1])  # no row for the calling thread
            assert len(array) + without >= self.threads
            first_row = address_of(array) - without * array.strides[0]
            rows += [WORDS_OF_RANGE + WORDS_OF_ARRAY * k, first_row, array.strides[0]]
        minimum = (address_of(used), rows[-1]) if used is not None else (0, 0)
        addresses = *minimum, address_of(results) if code.results else 0
        third = int(launch.chained) if launch.third is None else address_of(launch.third)
        buffer = self._post(code, words, launch, rows, third, addresses)
        if buffer is None:  # another thread has the team
            return alone().run(code, words, launch)
        if buffer[FAILED]:
            raise KernelError("a compiled function raised an exception; call it uncompiled to see which")
        return results, buffer[TOTAL]

    def map(self, function: Callable[[Any], Any], parts: Iterable[Any]) -> list[Any]:
        """Call a Python function of each part, on all threads; it gains where the function releases the GIL.

        If a call fails, or is interrupted, the parts that have not begun are dropped.
        """
        todo = list(parts)
        done: list[Any] = [_MISSING] * len(todo)
        errors: list[BaseException] = []

        def call(results: int, words: Any) -> int:
            try:
                for k in range(words[0], words[1]):
                    if not errors:
                        done[k] = function(todo[k])
            except BaseException as error:
                errors.append(error)
            return 0

        callback, count = CALLBACK(call), len(todo)
        code = Callback(_address(callback), "QQ")
        if self._post(code, [0, 0], Launch(count, count, most=1)) is None:
            return [function(part) for part in todo]
        if not errors and any(x is _MISSING for x in done):  # Ctrl-C at the very beginning of a call
            raise KeyboardInterrupt
        for error in errors:
            raise error
        return done

    def _post(
        self,
        code: MachineCode | Callback,
        words: list[Any],
        launch: Launch,
        rows: Sequence[int] = (),
        third: int = 0,
        addresses: tuple[int, int, int] = (0, 0, 0),
    ) -> Any:
        """Launch a kernel and wait for its end; return the words of the launch, None if the team is busy."""
        if len(words) > MOST_WORDS:
            raise KernelError(f"a kernel of a team takes at most {MOST_WORDS} words")
        # A Python function may wait for those that other threads run.
        surplus = max(self.threads - self._processors, 0) if isinstance(code, MachineCode) else 0
        size, parts, ranges = launch.size, launch.parts, launch.ranges
        most = ALL_PARTS if launch.most is None else launch.most
        layout = _layout(code.format, len(rows))
        buffer = (ctypes.c_uint64 * (layout.size // 8))()
        call = ctypes.addressof(buffer)
        layout.pack_into(
            buffer, 0, 0, LAUNCH, self._mailbox, call + POST, most if self._tasks is None else 0,
            parts, code.entry, len(words), call + WHOLE if ranges is None else address_of(ranges),
            size if launch.cut else NONE, third, len(rows) // 3, *addresses, 0, 0, surplus, 0, size,
            *words, *rows,
        )  # fmt: skip
        try:
            self._code(call, call + 8)
            if buffer[0] == UNFINISHED:
                self._finish(buffer, most, parts)
        except BaseException:  # Ctrl-C
            while buffer[0] == UNFINISHED:
                with suppress(KeyboardInterrupt):  # another one
                    buffer[1] = int(loops.CANCEL)
                    self._code(call, call + 8)
            raise
        return None if buffer[0] == loops.NOT_BEGUN else buffer

    def _finish(self, buffer: Any, most: int, parts: int) -> None:
        """Go on with a launch, and handle signals in between."""
        buffer[1], buffer[4] = int(loops.FINISH), most
        if self._tasks is not None:
            for _ in range(min(self.threads, parts) - 1):
                self._tasks.put(True)
        call = ctypes.addressof(buffer)
        while buffer[0] == UNFINISHED:
            self._code(call, call + 8)

    def _help(self, me: int) -> None:
        """Wait for launches, and take their parts."""
        buffer = _kept_for_ever((ctypes.c_uint64 * HEADER)(0, int(loops.HELP), self._mailbox, me, ALL_PARTS))
        call = ctypes.addressof(buffer)
        if self._tasks is None:
            self._code(call, call + 8)
            return
        buffer[1] = int(loops.HELP_ONCE)
        while self._tasks.get():
            self._code(call, call + 8)


def default_spins(threads: int) -> int:
    """Return how long threads wait before they sleep: not at all where they share processors."""
    return SPINS if threads <= processors() and os.environ.get(SPIN_VARIABLE) != "0" else 0


@functools.cache
def team_of(threads: int) -> Team:
    """Return the team of so many threads; only if `runs_machine_code`."""
    return Team(threads)


def alone() -> Team:
    """Return the team of the calling thread alone."""
    if not hasattr(_own, "team"):
        _own.team = Team(1)
    return _own.team


def map_parts(function: Callable[[Any], Any], parts: Iterable[Any], threads: int) -> list[Any]:
    """Call a function of each part, on several threads, for work that releases the GIL.

    Parameters
    ----------
    function : callable
        The function. If it fails, or is interrupted, the parts that have not begun are dropped.
    parts : iterable
        Its arguments.
    threads : int
        Number of threads; the calling thread is one of them.

    Returns
    -------
    list
        The results, in the order of the parts.
    """
    parts = list(parts)
    if threads < 2 or len(parts) < 2 or not runs_machine_code():
        return [function(part) for part in parts]
    return team_of(threads).map(function, parts)


def map_in_order(function: Callable[[Any], Any], parts: Iterable[Any], threads: int) -> Iterator[Any]:
    """Yield the results of `map_parts` for some parts at a time, so that a caller can report or stop."""
    rest = iter(parts)
    while some := list(itertools.islice(rest, PARTS_AT_ONCE * threads)):
        yield from map_parts(function, some, threads)


def map_ranges(function: Callable[[slice], Any], size: int) -> list[Any]:
    """Call a function of ranges of elements, on all processors; return the results in order."""
    threads = processors()
    parts = max(1, min(size, RANGES_OF_A_THREAD * threads))
    bounds = [size * part // parts for part in range(parts + 1)]
    return map_parts(function, map(slice, bounds[:-1], bounds[1:]), threads)


def runs_machine_code() -> bool:
    """Return whether there can be teams: else everything runs on the calling thread, started by Numba."""
    return native() is not None


@functools.cache
def native() -> Any:
    """Load the loops of a team: a C function of the addresses of results and words, or None."""
    code, _ = Kernel(loops.team).prepare(*[np.uint64(0)] * 4)
    if not isinstance(code, MachineCode):
        return None
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(_kept_for_ever(code).entry)


@functools.cache
def _layout(words: str, rows: int) -> struct.Struct:
    return struct.Struct(f"{HEADER + int(loops.HEADER) // 8}Q{words}{rows}Q")


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _private_memory(words: int) -> Any:
    """Make words of zero that a forked child does not share."""
    if not hasattr(mmap, "MAP_PRIVATE"):
        return (ctypes.c_uint64 * words)()
    block = mmap.mmap(-1, 8 * words, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return (ctypes.c_uint64 * words).from_buffer(block)


def _kept_for_ever(x: Any) -> Any:
    """Keep an object even after the interpreter has ended: threads may sleep in it."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(x))
    return x


_MISSING = object()
_own = threading.local()
if hasattr(os, "register_at_fork"):  # a forked child has no helpers, and starts its own
    os.register_at_fork(after_in_child=team_of.cache_clear)
