"""NetworkX's own tests, run with this backend."""

import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from boruvka.networkx_backend.info import FUNCTIONS


@pytest.mark.long
def test_the_tests_of_networkx_pass(tmp_path):
    log = tmp_path / "log"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]
    packages = ["networkx.algorithms.tree", "networkx.algorithms.components"]
    packages += ["networkx.algorithms.approximation.tests.test_steinertree"]
    options = [f"--log-file={log}", "--log-file-level=DEBUG"]
    chosen = {"NETWORKX_TEST_BACKEND": "boruvka", "NETWORKX_FALLBACK_TO_NX": "True"}
    run = subprocess.run(
        [*command, *packages, *options], cwd=tmp_path, env=os.environ | chosen, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout[-5000:]
    calls = Counter(re.findall(r"Using backend 'boruvka' for call to '(\w+)'", log.read_text()))
    assert calls.keys() >= FUNCTIONS.keys() - {"prim_mst_edges", "boruvka_mst_edges"}  # called by name only
    assert calls["minimum_spanning_edges"] > 20
    assert calls["partition_spanning_tree"] > 100
