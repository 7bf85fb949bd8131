"""An error on one rank ends all of them."""

import signal
import subprocess
import time

import numpy as np
import pytest

from .mpiexec import JobError, Ranks


def test_an_error_on_one_rank_is_raised_on_all(on_ranks):
    cases = [
        (1, ([0], [1], [np.nan]), {}, "edge 0 (0, 1) has the weight NaN"),
        (1, ([0], [-1], [1]), {}, "v[0] = -1 is not a vertex"),
        (0, ([0], [1], [1]), {"threads": 0}, "threads must be an integer from 1 to 1024, got 0"),
        (1, ([0], [1], [1]), {"maximum": "no"}, "maximum must be True or False, got 'no'"),
        (0, ([0], [1], [1]), {"backend": "cuda"}, "backend must be one of auto, threads, interpreted"),
        (1, ([0], [1], [1]), {"label_vertices": [3]}, "label_vertices must hold vertices, from 0 to 1"),
        (1, ([0, 1], [1, 0], [1, 2]), {"index": [4, 4]}, "the index 4 occurs twice"),
        (1, ([0], [1], [1]), {"index": [4, 5]}, "there are 1 edges, but 2 indices"),
    ]
    for errors in on_ranks(2, "refuse", [case[:3] for case in cases]):
        for (rank, _, _, expected), (_, message) in zip(cases, errors, strict=True):
            assert message.startswith(f"rank {rank}: ")
            assert expected in message


@pytest.mark.parametrize("how", ["raised", pytest.param("killed", marks=pytest.mark.long)])
def test_an_unexpected_error_aborts_all_ranks(how, tmp_path):
    ranks = Ranks(3, tmp_path)
    try:
        with pytest.raises(JobError) as failure:
            ranks.run("fail", how, timeout=60)
        assert ranks.process.returncode != 0
    finally:
        ranks.close()
    if how == "raised":
        assert "rank 2 failed" in str(failure.value)
        assert "MemoryError: too large" in str(failure.value)


def test_an_interrupt_ends_all_ranks(tmp_path):
    job = Ranks(3, tmp_path)
    try:
        job.begin("wait", str(tmp_path))
        while len(list(tmp_path.glob("*.pid"))) < 3:
            assert job.process.poll() is None
            time.sleep(0.05)
        time.sleep(0.2)  # until the others wait in MPI
        job.process.send_signal(signal.SIGINT)
        assert job.process.wait(timeout=30) != 0
    finally:
        job.close()
    ranks = {path.stem for path in tmp_path.glob("*.pid")}
    deadline = time.monotonic() + 10
    while running := {pid for pid in ranks if is_running(pid)}:
        assert time.monotonic() < deadline, running
        time.sleep(0.05)


def is_running(pid):
    """Return whether a process exists and is no zombie."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True)
    return done.returncode == 0 and not done.stdout.startswith("Z")
