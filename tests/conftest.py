"""What the tests share: the real graphs, and small limits that send small graphs down every path."""

import os

os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")  # before Numba is imported; 0 tests on a GPU

import gc
import hashlib
import importlib
import shutil
import signal
import sys
import tempfile
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from boruvka.errors import MissingExtraError
from boruvka.kernels.library import RECORD_VARIABLE
from boruvka.kernels.make import kernel_list

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    max_examples=10,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", settings.get_profile("default"), max_examples=30)
settings.register_profile("random", settings.get_profile("default"), derandomize=False, max_examples=100)


def pytest_configure(config):
    """Draw more examples in the long tests, or what the command line says, and let processes be interrupted.

    A shell starts a job in the background with interrupts ignored, and children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config.option, "maxworkerrestart"):
        config.option.maxworkerrestart = 0  # a crash fails: with another worker, and whole files, xdist hangs
    usual = "long" if config.option.markexpr == "long" else "default"
    settings.load_profile(config.option.hypothesis_profile or usual)
    if RECORD_VARIABLE not in os.environ:  # else this is a worker
        os.environ[RECORD_VARIABLE] = config.recorded_kernels = tempfile.mkdtemp(prefix="boruvka-kernels-")


def pytest_addoption(parser):
    parser.addoption(
        "--list-kernels", action="store_true", help="add the kernels that the tests call to kernels.txt"
    )


def pytest_sessionfinish(session):
    """Fail if a kernel of the package was called that is not in the list of those that a wheel holds.

    The long tests do not fail: their random graphs have rare types as well, for which Numba is needed.
    """
    folder = getattr(session.config, "recorded_kernels", None)
    if folder is None:
        return
    lines = (line for path in Path(folder).iterdir() for line in path.read_text().splitlines())
    called = set(lines)
    shutil.rmtree(folder)
    listed = set(kernel_list.definitions())
    if session.config.option.list_kernels:
        kernel_list.write(called | listed)
    elif (missing := called - listed) and session.config.option.markexpr != "long":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.missing_kernels = sorted(missing)


def pytest_terminal_summary(terminalreporter, config):
    """Show the kernels that are missing in the list."""
    for definition in getattr(config, "missing_kernels", ()):
        terminalreporter.line(f"FAILED not in kernels.txt, run pytest --list-kernels: {definition}", red=True)


LONGEST = (
    *("test_solve.py", "test_examples.py", "backends/test_cuda.py", "kernels/test_kernel_cache.py"),
    *(
        "kernels/test_every_kernel.py",
        "kernels/test_library.py",
        "fuzz/test_inputs.py",
        "fuzz/test_files.py",
        "lab/harness/test_turns.py",
    ),
    *("stream/test_same_as_read.py", "cli/test_stream.py", "test_real_graphs.py"),
)


VALUES = 3
"""Of how many values of its parameters a test is run by default."""


def pytest_collection_modifyitems(config, items):
    """Skip what cannot run here, and begin with what takes longest: no worker waits for it at the end.

    They also compile most of the kernels, and two workers seldom want the same one at once. Where all tests
    are run, some values of parameters are for the long tests; a file that is named is run with all.
    """
    if [Path(arg).resolve() for arg in config.args] == [Path(__file__).parent]:
        _leave_values_to_long_tests(items)
    for item in items:
        for marker in item.iter_markers("needs"):
            if find_spec(marker.args[0]) is None:
                item.add_marker(pytest.mark.skip(reason=f"needs {marker.args[0]}"))
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


def _leave_values_to_long_tests(items):
    """Mark all but a few values of the parameters of each test as long tests.

    A digest of their names chooses: values of several parameters at once then differ in each of them.
    """
    values = {}
    for item in items:
        if item.get_closest_marker("long") is None:
            values.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for of_test in values.values():
        of_test.sort(key=lambda item: hashlib.blake2b(item.nodeid.encode()).digest())
        for item in of_test[VALUES:]:
            item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """Skip a test that meets what needs polars, where this is not installed.

    ``formats/test_without_polars.py`` tests what must not need it.
    """
    try:
        return (yield)
    except MissingExtraError as error:
        if error.name != "polars" or find_spec("polars") is not None:
            raise
        pytest.skip("needs polars")


pytest_runtest_setup = pytest_runtest_call
"""Fixtures meet what needs polars, too."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give a worker whole files, or folders whose tests share what takes long to make: ranks, quick runs.

    Otherwise each worker would import, compile and make what the tests of a file share.
    """
    from xdist.scheduler import LoadScopeScheduling

    class WholeFiles(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            path = Path(nodeid.partition("::")[0])
            return str(path.parent if path.parent.name in ("distributed", "literature") else path)

    config.option.loadscopereorder = False  # the longest come first already
    return WholeFiles(config, log)


def pytest_collection_finish():
    """Search for garbage less often, and not in what is imported now: it takes a tenth of the time else."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(autouse=True)
def close_figures():
    """Close all figures after a test: pyplot keeps them, and warns of many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def data():
    """Return the folder of real graphs with known answers: ``BORUVKA_DATA``, else the one beside us."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("BORUVKA_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real graphs in {folder}: set BORUVKA_DATA to their folder")
    return folder


@pytest.fixture(params=["shared", "apart"])
def small_limits(monkeypatch, request):
    """Let small graphs go through threads, pieces and groups as large ones do.

    Threads share their minima or have some of their own.
    """
    set_small_limits(monkeypatch, room={"shared": 0, "apart": 100}[request.param])


ALWAYS_SHARED = Tuning(inline_below=2, costly_inline_below=2, smallest_part=1)
"""Threads share even the shortest loops: kernels for one thread need not be compiled."""


def small_tuning(room):
    """Return tuning constants that send small graphs down every path.

    Threads have at most ``room`` minima of their own for each element that proposes.
    """
    return ALWAYS_SHARED._replace(
        largest_part=3, largest_output_part=3, elements_at_once=6, private_minima=room, sort_worklist_below=4,
        fusing_pays_below=0, block_bits=1, tile=3, pairs_of_tiles=12, radix_digit_bits=3,
        filter_kruskal_sorts_up_to=4, filter_pays_from=5, filter_pays_on_gpu_from=5,
        filter_pays_at_degree=1.5,
    )  # fmt: skip


@pytest.fixture
def always_shared(monkeypatch):
    """Give all backends `ALWAYS_SHARED`, for tests that name a backend."""
    monkeypatch.setattr(Backend, "tuning", ALWAYS_SHARED)


@pytest.fixture
def quick_turns(monkeypatch):
    """Let the threads of Numba's CUDA simulator take turns quickly: they wait for each other all the time.

    Where they do, two of them may each make a shared array of their own (numba-cuda 0.30): not here.
    """
    cuda = importlib.import_module("numba.cuda") if find_spec("numba") else None
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    if shared := getattr(getattr(cuda, "simulator", None), "kernelapi", None):
        monkeypatch.setattr(shared.FakeCUDAShared, "array", shared_array)
    yield
    sys.setswitchinterval(before)


making = threading.Lock()


def shared_array(shared, shape, dtype):
    """Find the array of a block that a line of its kernel asks for, or make it."""
    caller = sys._getframe(1)
    with making:
        line = caller.f_code, caller.f_lineno
        return shared._allocations.setdefault(line, np.empty(shape, dtype))


def set_small_limits(monkeypatch, room):
    """Give all backends small tuning constants, for tests that name a backend, and make small kd-trees."""
    from boruvka.graph.points import kd_tree, neighbors

    monkeypatch.setattr(Backend, "tuning", small_tuning(room))
    monkeypatch.setattr(kd_tree, "widest_leaf", lambda d: 3)
    monkeypatch.setattr(kd_tree, "SUBTREE", 8)
    monkeypatch.setattr(neighbors, "LEAVES_OF_A_RANGE", {})
    monkeypatch.setattr(neighbors, "LEAVES_OF_A_RANGE_ELSE", 1)
