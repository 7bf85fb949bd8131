"""What goes wrong on one rank goes wrong on all: none is left waiting for it."""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from boruvka.distributed.communicator import World
from boruvka.errors import BoruvkaError

__all__ = ["ending_all", "shared", "together"]

T = TypeVar("T")


def together(world: World, do: Callable[[], T]) -> T:
    """Do something on every rank that needs no other; what goes wrong on one goes wrong on all.

    Raises
    ------
    BoruvkaError
        That of the first rank that has one, in its words and with its number.
    """
    result: Any = None
    failed: tuple[type[BoruvkaError], str] | None = None
    try:
        result = do()
    except BoruvkaError as error:
        failed = type(error), str(error)
    except Exception as error:
        failed = BoruvkaError, "not enough memory" if isinstance(error, MemoryError) else repr(error)
    for rank, failure in enumerate(world.comm.allgather(failed)):
        if failure is not None:
            kind, message = failure
            raise shared(kind(message if world.size == 1 else f"rank {rank}: {message}"))
    return result


def shared(error: BoruvkaError) -> BoruvkaError:
    """Mark an error that all ranks raise alike, so that none need be ended for it."""
    error.shared = True  # type: ignore[attr-defined]
    return error


@contextmanager
def ending_all(world: World, *, at_once: bool = True) -> Iterator[None]:
    """End all ranks, with its error, if this one fails alone: they would wait for it for ever.

    An interrupt ends a rank at once, for one that waits in MPI would not hear it; or raises as it does
    elsewhere, where something is to be cleared away.
    """
    dies = at_once and world.size > 1 and threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_DFL) if dies else None
    try:
        yield
    except BaseException as error:
        if world.size > 1 and not getattr(error, "shared", False):
            sys.stderr.write(f"error: rank {world.rank} failed, and ends all\n{traceback.format_exc()}")
            sys.stderr.flush()
            world.comm.Abort(1)
        raise
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
