import numpy as np
import pytest

from boruvka import backends
from boruvka.kernels.kernel import Kernel


@pytest.fixture
def interpreted(monkeypatch):
    """Let implicit graphs and verification run as Python, so that nothing is compiled for a type."""
    interpreted = backends.get_backend("interpreted", 1)
    monkeypatch.setattr(backends, "get_backend", lambda name, threads: interpreted)
    monkeypatch.setattr(Kernel, "__call__", run_as_python)


def run_as_python(kernel, *arguments):
    """Call the function of a kernel: integers wrap around, and numbers are returned as Python's."""
    with np.errstate(over="ignore"):
        found = kernel.function(*arguments)
    match found:
        case tuple() as results:
            return tuple(x.item() if isinstance(x, np.generic) else x for x in results)
        case result:
            return result.item() if isinstance(result, np.generic) else result
