import threading
import time

import pytest

from boruvka.formats import files
from boruvka.stream import guard, solve
from boruvka.stream.sources import batches, lines, parquet, parts
from tests.graph.conftest import interpreted

__all__ = ["interpreted"]


@pytest.fixture
def tiny_limits(monkeypatch):
    """Let small graphs pass by in many pieces, and be solved and guarded many times."""
    monkeypatch.setattr(solve, "edges_that_may_wait", lambda *_: 4)
    monkeypatch.setattr(parquet, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(batches, "ROWS_AT_ONCE", 3)
    monkeypatch.setattr(lines, "PIECE_BYTES", 24)
    monkeypatch.setattr(files, "_INFLATE_BYTES", 24)
    monkeypatch.setattr(parts, "PART_BYTES", 24)
    monkeypatch.setattr(guard, "LEVELS", 3)
    monkeypatch.setattr(guard, "SAMPLE", 4)


@pytest.fixture
def no_threads_left():
    """Check that all threads that a test starts have ended."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and set(threading.enumerate()) - before:
        time.sleep(0.01)
    assert set(threading.enumerate()) - before == set()
