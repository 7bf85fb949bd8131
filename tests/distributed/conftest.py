"""Ranks that the tests share: they are started once."""

import pytest

from . import jobs
from .mpiexec import Ranks


@pytest.fixture(scope="session")
def on_ranks(tmp_path_factory):
    """Run a job on ranks: what it returns on each. One rank is this process."""
    started = {}

    def run(ranks, job, argument=None):
        if ranks == 1:
            return [getattr(jobs, job)(argument)]
        if ranks not in started:
            started[ranks] = Ranks(ranks, tmp_path_factory.mktemp(f"ranks{ranks}"))
        return started[ranks].run(job, argument)

    yield run
    for ranks in started.values():
        ranks.close()
