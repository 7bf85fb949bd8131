"""Errors on several ranks: all ranks raise the same error, or all are aborted. No rank waits for ever."""

from __future__ import annotations

import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from boruvka.distributed.communicator import Communicator
from boruvka.errors import BoruvkaError

T = TypeVar("T")
FORWARDING_TAKES = 0.5
"""Seconds that ``mpiexec`` is given to forward what a rank wrote: it may drop the rest when ranks end."""


def run_locally(communicator: Communicator, function: Callable[[], T]) -> T:
    """Call a function that needs no communication on every rank; if one rank fails, all raise.

    Raises
    ------
    BoruvkaError
        The error of the first rank that fails, with its type, its message and the number of the rank.
        An error of another type becomes a `BoruvkaError`.
    """
    result: Any = None
    failure: tuple[type[BoruvkaError], str] | None = None
    try:
        result = function()
    except BoruvkaError as error:
        failure = type(error), str(error)
    except Exception as error:
        failure = BoruvkaError, "not enough memory" if isinstance(error, MemoryError) else repr(error)
    for rank, failed in enumerate(communicator.comm.allgather(failure)):
        if failed is not None:
            kind, message = failed
            raise collective_error(kind(message if communicator.size == 1 else f"rank {rank}: {message}"))
    return result


def collective_error(error: BoruvkaError) -> BoruvkaError:
    """Mark an error that all ranks raise, so that `abort_on_error` does not abort them."""
    error.collective = True  # type: ignore[attr-defined]
    return error


@contextmanager
def abort_on_error(communicator: Communicator, *, on_interrupt: bool = True) -> Iterator[Communicator]:
    """Print the error and abort all ranks if this rank alone fails: the others would wait for it for ever.

    With ``on_interrupt``, SIGINT terminates the process at once, because Python runs no signal handler
    while a rank waits in MPI. Without it, SIGINT raises `KeyboardInterrupt` as usual, so that files can be
    cleaned up. The context manager returns the communicator.
    """
    terminate = on_interrupt and communicator.size > 1
    terminate = terminate and threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL) if terminate else None
    try:
        yield communicator
    except BaseException as error:
        if communicator.size > 1 and not getattr(error, "collective", False):
            message = f"error: rank {communicator.rank} failed; all ranks are aborted"
            sys.stderr.write(f"{message}\n{traceback.format_exc()}")
            sys.stderr.flush()
            time.sleep(FORWARDING_TAKES)
            communicator.comm.Abort(1)
        raise
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
