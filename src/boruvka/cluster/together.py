"""What goes wrong on one rank goes wrong on all: none is left waiting for it."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from boruvka.cluster.world import World
from boruvka.errors import BoruvkaError

__all__ = ["ending_all", "together"]

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
            raise kind(message if world.size == 1 else f"rank {rank}: {message}")
    return result


@contextmanager
def ending_all(world: World) -> Iterator[None]:
    """End all ranks, with its error, if this one fails where the others would wait for it for ever."""
    try:
        yield
    except BaseException:
        if world.size > 1:
            sys.stderr.write(f"error: rank {world.rank} failed, and ends all\n{traceback.format_exc()}")
            sys.stderr.flush()
            world.comm.Abort(1)
        raise
