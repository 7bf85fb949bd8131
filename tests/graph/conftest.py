import pytest

from boruvka import backends


@pytest.fixture
def interpreted(monkeypatch):
    """Let implicit graphs interpret their operators, so that nothing is compiled for a type."""
    interpreted = backends.get_backend("interpreted", 1)
    monkeypatch.setattr(backends, "get_backend", lambda name, threads: interpreted)
