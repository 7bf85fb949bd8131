"""NetworkX's own tests, run with this backend."""

import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from boruvka.networkx_backend.info import FUNCTIONS

WITH_TIES = [
    f"tests/test_branchings.py::{name}"
    for name in (
        "test_arborescence_iterator_max",
        "test_arborescence_iterator_min",
        "test_branchings_with_default_weights",
        "test_mixed_nodetypes",
        "test_mst",
        "test_partition_spanning_arborescence",
    )
]
"""Tests in which several arborescences are best: NetworkX compares results with its own arcs."""


def run_tests(folder, packages, environment, *options):
    """Run tests of NetworkX; return how often each function of the backend was called."""
    log = folder / "log"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "--pyargs"]
    run = subprocess.run(
        [*command, *packages, f"--log-file={log}", "--log-file-level=DEBUG"],
        cwd=folder,
        env=os.environ | environment | {"NETWORKX_FALLBACK_TO_NX": "True"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-5000:]
    return Counter(re.findall(r"sing backend 'boruvka' for call to '(\w+)'", log.read_text()))


@pytest.mark.long
def test_the_tests_of_networkx_pass(tmp_path):
    packages = ["networkx.algorithms.tree", "networkx.algorithms.components"]
    packages += ["networkx.algorithms.approximation.tests.test_steinertree"]
    deselected = [f"--deselect={name}" for name in WITH_TIES]
    calls = run_tests(tmp_path, packages, {"NETWORKX_TEST_BACKEND": "boruvka"}, *deselected)
    assert calls.keys() >= FUNCTIONS.keys() - {"prim_mst_edges", "boruvka_mst_edges"}  # called by name only
    assert calls["minimum_spanning_edges"] > 20
    assert calls["partition_spanning_tree"] > 100


@pytest.mark.long
def test_its_tests_of_branchings_pass_without_its_comparison(tmp_path):
    priority = {"NETWORKX_BACKEND_PRIORITY_GENERATORS": "boruvka"}
    calls = run_tests(tmp_path, ["networkx.algorithms.tree.tests.test_branchings"], priority)
    assert calls["maximum_branching"] > 1000
