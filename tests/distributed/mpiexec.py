"""Start ranks, more than there are cores, and get back what each of them returns."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MPIEXEC = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or "mpiexec"
# Ranks that share a core must give it up while they wait; these are settings of MPICH.
YIELD = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_POSIX_POLL_FREQUENCY": "1"}


def start(ranks, *arguments, timeout=300):
    """Run Python with these arguments on ranks; a job that hangs fails the test."""
    return subprocess.run(
        [MPIEXEC, "-n", str(ranks), sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **YIELD},
        cwd=ROOT,
    )


def on_ranks(ranks, job, argument, folder):
    """Run a job of `jobs.py` on ranks: what it returned on each."""
    given, returned = folder / "given.pickle", folder / "returned.pickle"
    given.write_bytes(pickle.dumps(argument))
    done = start(ranks, "-m", "tests.distributed.jobs", job, given, returned)
    assert done.returncode == 0, done.stderr
    return pickle.loads(returned.read_bytes())
