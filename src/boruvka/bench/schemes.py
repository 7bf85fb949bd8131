"""Two schemes from the literature that decide when enough runs have been made and which time to report.

A scheme gets the seconds of the runs so far. Both stop, unconverged, at a maximum number of runs or a time.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from boruvka.errors import OptionError

__all__ = ["SCHEMES", "Confidence", "Estimate", "KBest", "scheme_named"]


@dataclass(frozen=True)
class Estimate:
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
class KBest:
    """The fastest run, once the fastest few are close to one another.

    Source: C. da Silva Sousa, A. Mariano, A. Proença, PDP 2015, section on measurement: 5 runs, the best 3
    within 5 %, the best of them reported. If the best 3 of 5 are not that close, more runs are made.

    Parameters
    ----------
    runs : int
        The least number of runs.
    best : int
        How many of the fastest must be close.
    within : float
        How close, as a fraction of the fastest.
    most : int
        The largest number of runs.
    seconds : float
        No further run is begun after this many seconds of runs.
    """

    name: ClassVar[str] = "k-best"
    runs: int = 5
    best: int = 3
    within: float = 0.05
    most: int = 40
    seconds: float = 60.0

    def estimate(self, samples: Sequence[float]) -> Estimate:
        """Return the result of the runs so far; there must be one."""
        best = sorted(samples)[: self.best]
        spread = (best[-1] - best[0]) / best[0] if len(best) == self.best else None
        converged = len(samples) >= self.runs and spread is not None and spread <= self.within
        return Estimate(best[0], spread, converged)

    def enough(self, samples: Sequence[float]) -> bool:
        """Return whether to stop."""
        return bool(samples) and (
            self.estimate(samples).converged or len(samples) >= self.most or sum(samples) >= self.seconds
        )


@dataclass(frozen=True)
class Confidence:
    """The mean, once its confidence interval is narrow.

    Source: Anzalone et al. (ETH Zürich), section 4.2: runs are repeated until the 90 % confidence interval
    is within 5 % of the mean; theirs are 10, of which the first warms up. The interval is Student's.

    Parameters
    ----------
    level : float
        The level of confidence.
    within : float
        Half the width of the interval, as a fraction of the mean.
    runs : int
        The least number of runs: as every run is followed by a check, fewer could stop too early by chance.
    most, seconds
        As for `KBest`.
    """

    name: ClassVar[str] = "confidence"
    level: float = 0.90
    within: float = 0.05
    runs: int = 9
    most: int = 60
    seconds: float = 60.0

    def estimate(self, samples: Sequence[float]) -> Estimate:
        """Return the result of the runs so far; there must be one."""
        from scipy.special import stdtrit

        mean, count = statistics.fmean(samples), len(samples)
        if count < 2:
            return Estimate(mean, None, False)
        t = float(stdtrit(count - 1, (1 + self.level) / 2))
        spread = t * statistics.stdev(samples) / math.sqrt(count) / mean
        return Estimate(mean, spread, count >= self.runs and spread <= self.within)

    def enough(self, samples: Sequence[float]) -> bool:
        """Return whether to stop."""
        if not samples or (len(samples) < self.runs and sum(samples) < self.seconds):
            return False
        return self.estimate(samples).converged or len(samples) >= self.most or sum(samples) >= self.seconds


Scheme = KBest | Confidence
SCHEMES: dict[str, type[KBest] | type[Confidence]] = {scheme.name: scheme for scheme in (KBest, Confidence)}


def scheme_named(name: str) -> Scheme:
    """Return the scheme of a name; raise an `OptionError` if there is none."""
    try:
        return SCHEMES[name]()
    except KeyError:
        raise OptionError(f"unknown scheme {name!r}; there are {', '.join(SCHEMES)}") from None
