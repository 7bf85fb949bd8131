"""Two schemes from the literature that decide when enough runs have been made and which time to report.

A scheme gets the seconds of the runs so far. Both stop, unconverged, at a maximum number of runs or a time.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Estimate(NamedTuple):
    """The result of some runs.

    Attributes
    ----------
    seconds : float
        The time to report.
    spread : float or None
        Uncertainty of ``seconds``, as a fraction of it; None with too few runs.
    converged : bool
        Whether the runs meet the condition of the scheme.
    """

    seconds: float
    spread: float | None
    converged: bool


@dataclass(frozen=True)
class Scheme:
    """When enough runs have been made.

    Parameters
    ----------
    runs, most : int
        The least and the largest number of runs.
    within : float
        The largest difference of the runs, as a fraction of the time that is reported.
    seconds : float
        No further run is begun after this many seconds of runs.
    """

    runs: int = 5
    most: int = 40
    within: float = 0.05
    seconds: float = 60.0

    def estimate(self, samples: Sequence[float]) -> Estimate:
        """Return the result of the runs so far; there must be one."""
        raise NotImplementedError

    def enough(self, samples: Sequence[float]) -> bool:
        """Return whether to stop."""
        if not samples:
            return False
        if len(samples) >= self.most or sum(samples) >= self.seconds:
            return True
        return len(samples) >= self.runs and self.estimate(samples).converged


class KBest(Scheme):
    """The fastest run, once the fastest three are close to one another.

    Source: C. da Silva Sousa, A. Mariano, A. Proença, PDP 2015, section on measurement: 5 runs, the best 3
    within 5 %, the best of them reported. If the best 3 of 5 are not that close, more runs are made.
    """

    best = 3

    def estimate(self, samples: Sequence[float]) -> Estimate:
        """Return the fastest run, and how far the third is from it."""
        best = sorted(samples)[: self.best]
        spread = (best[-1] - best[0]) / best[0] if len(best) == self.best else None
        return Estimate(best[0], spread, spread is not None and spread <= self.within)


@dataclass(frozen=True)
class Confidence(Scheme):
    """The mean, once its 90 % confidence interval is narrow; with nine runs or more.

    Source: Anzalone et al. (ETH Zürich), section 4.2: runs are repeated until the 90 % confidence interval
    is within 5 % of the mean; theirs are 10, of which the first warms up. The interval is Student's.
    """

    runs: int = 9
    most: int = 60

    def estimate(self, samples: Sequence[float]) -> Estimate:
        """Return the mean, and half the width of its interval."""
        from scipy.special import stdtrit

        mean, count = statistics.fmean(samples), len(samples)
        if count < 2:
            return Estimate(mean, None, False)
        t = float(stdtrit(count - 1, (1 + 0.90) / 2))
        spread = t * statistics.stdev(samples) / math.sqrt(count) / mean
        return Estimate(mean, spread, spread <= self.within)


SCHEMES = {"k-best": KBest, "confidence": Confidence}
