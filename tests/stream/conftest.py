import threading
import time

import pytest

from tests.graph.conftest import interpreted
from tests.stream.limits import TINY_LIMITS

__all__ = ["interpreted"]


@pytest.fixture
def tiny_limits(monkeypatch):
    """Let small graphs be streamed in many pieces, and be solved and guarded many times."""
    for module, name, value in TINY_LIMITS:
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def no_threads_left():
    """Check that all threads that a test starts have ended."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and set(threading.enumerate()) - before:
        time.sleep(0.01)
    assert set(threading.enumerate()) - before == set()
