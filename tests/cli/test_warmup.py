import os
import subprocess
import sys

import pytest

from boruvka.backends import kernel_cache
from boruvka.cli.main import main
from boruvka.cli.warmup import tasks_of


def test_no_folder_is_an_error(monkeypatch, capsys):
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: None)
    assert main(["warmup"]) == 2
    assert "set BORUVKA_CACHE_DIR to a folder that only you can write" in capsys.readouterr().err


def test_tasks(tmp_path):
    usual, everything = ([name for name, _ in tasks_of(all_, tmp_path)] for all_ in (False, True))
    assert "default algorithms, float32" in usual
    assert {"prim, int8", "format metis", "distance hamming"} <= set(everything) - set(usual)


@pytest.mark.long
def test_all_tasks_run(tmp_path):
    for _, task in tasks_of(True, tmp_path):
        task()
    assert len(list(tmp_path.iterdir())) > 10


@pytest.mark.long
def test_a_later_process_compiles_nothing(tmp_path):
    environment = {**os.environ, "BORUVKA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "boruvka", "warmup"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(tmp_path) in done.stdout
    code = (
        "import sys, numpy as np, boruvka\n"
        "u, v = np.random.default_rng(0).integers(0, 50_000, (2, 400_000))\n"
        "for w in np.random.default_rng(1).random(400_000), np.arange(400_000):\n"
        "    graph = boruvka.Graph.from_edges(u, v, w)\n"
        "    assert boruvka.verify(graph, boruvka.minimum_spanning_forest(graph))\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
