"""Start ranks with ``mpiexec``, more than there are cores, and run the jobs of `jobs.py` on them."""

import os
import pickle
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
MPIEXEC = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or "mpiexec"
# Ranks that share a core must yield while they wait; these are settings of MPICH.
YIELD = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_POSIX_POLL_FREQUENCY": "1"}
ENVIRONMENT = {**os.environ, **YIELD}


class JobError(Exception):
    """The ranks ended before a job did; what they wrote to stderr."""


def start(ranks, *arguments, timeout=60):
    """Run Python with these arguments on ranks, and wait for the end."""
    return subprocess.run(
        [MPIEXEC, "-n", str(ranks), sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        env=ENVIRONMENT,
        cwd=ROOT,
    )


class Ranks:
    """Ranks that run one job after the other: starting them takes longer than most jobs.

    A job is a file in a folder that all ranks watch. While they have none, they sleep; they end with this
    process at the latest.
    """

    def __init__(self, ranks, folder):
        self.folder, self.jobs = folder, 0
        self.errors = folder / "stderr"
        jobs = [sys.executable, "-m", "tests.distributed.jobs", str(folder), str(os.getpid())]
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [MPIEXEC, "-n", str(ranks), *jobs],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=ENVIRONMENT,
                cwd=ROOT,
                start_new_session=True,
            )

    def begin(self, job, argument=None):
        """Begin a job; return the file that will hold what it returns."""
        given, returned = (self.folder / f"{self.jobs}.{what}" for what in ("given", "returned"))
        self.jobs += 1
        partial = given.with_suffix(".partial")
        partial.write_bytes(pickle.dumps((job, argument)))
        partial.rename(given)
        return returned

    def run(self, job, argument=None, timeout=120):
        """Run a job; return what it returned on each rank. A job that hangs fails the test."""
        returned = self.begin(job, argument)
        deadline = time.monotonic() + timeout
        while not returned.exists():
            if self.process.poll() is not None:
                raise JobError(self.errors.read_text())
            if time.monotonic() > deadline:
                self.close()
                raise TimeoutError(f"{job} takes more than {timeout} s")
            time.sleep(0.001)
        return pickle.loads(returned.read_bytes())

    def close(self):
        """End the ranks."""
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
