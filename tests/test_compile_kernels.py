import re
import subprocess
import sys

import pytest

from boruvka.cli.main import main
from boruvka.compile_kernels import tasks_of


def test_no_folder_is_an_error(monkeypatch, capsys):
    monkeypatch.setattr("boruvka.compile_kernels.cache_folder", lambda: None)
    assert main(["warmup"]) == 2
    assert "set BORUVKA_CACHE_DIR to a folder that only you can write" in capsys.readouterr().err


def test_tasks(tmp_path):
    usual, everything = ([name for name, _ in tasks_of(all_, tmp_path)] for all_ in (False, True))
    assert "default algorithms, float32" in usual
    assert {"prim, int8", "format metis", "distance hamming"} <= set(everything) - set(usual)


@pytest.mark.long
def test_a_task_of_each_kind_runs(tmp_path):
    kinds = {}
    for name, task in tasks_of(True, tmp_path):
        kinds.setdefault(re.split("[ ,]", name)[0], []).append(task)
    assert len(kinds) > 10
    for tasks in kinds.values():
        tasks[-1]()
    assert all(len(kinds[kind]) > 1 for kind in ("default", "streamed", "format", "tree", "distance"))


def kernels_of(code, record):
    """Run code in a new process; return the names of the kernels that it looks up."""
    recording = (
        "from pathlib import Path\n"
        "from boruvka.kernels import kernel_cache\n"
        f"record, read = Path({str(record)!r}).open('w'), kernel_cache.read\n"
        "kernel_cache.read = lambda path: print(path.name, file=record) or read(path)\n"
    )
    subprocess.run([sys.executable, "-c", recording + code], check=True, stdout=subprocess.DEVNULL)
    return set(record.read_text().split())


@pytest.mark.long
def test_a_later_process_compiles_nothing(tmp_path):
    made = kernels_of("import boruvka\nboruvka.warmup()", tmp_path / "made")
    used = kernels_of(
        "import sys, numpy as np, boruvka\n"
        "u, v = np.random.default_rng(0).integers(0, 50_000, (2, 400_000))\n"
        "for w in np.random.default_rng(1).random(400_000), np.arange(400_000):\n"
        "    graph = boruvka.Graph.from_edges(u, v, w)\n"
        "    assert boruvka.verify(graph, boruvka.minimum_spanning_forest(graph))\n"
        "from boruvka.sklearn import HDBSCAN\n"
        "for n in 500, 30_000:\n"
        "    HDBSCAN(min_cluster_size=9).fit(np.random.default_rng(n).random((n, 2))).predict([[0, 0]])\n"
        "assert 'numba' not in sys.modules",
        tmp_path / "used",
    )
    assert used
    assert used <= made
