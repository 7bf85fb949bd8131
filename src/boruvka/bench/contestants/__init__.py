"""The contestants: our algorithms, installed libraries, and programs described in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boruvka.algorithms.registry import EDGE_LIST_ALGORITHMS
from boruvka.bench.contestants.contestant import Contestant, Outcome, Timing, named
from boruvka.bench.contestants.conversions import conversions_of
from boruvka.bench.contestants.external import External
from boruvka.bench.contestants.libraries import LIBRARIES
from boruvka.bench.contestants.ours import Ours
from boruvka.bench.contestants.probes import PROBES
from boruvka.bench.contestants.program import Program
from boruvka.errors import OptionError

__all__ = ["OTHERS", "Contestant", "External", "Ours", "Outcome", "Timing", "chosen", "conversions_of"]

OTHERS: dict[str, type[Contestant]] = {library.name: library for library in LIBRARIES}
"""The libraries by name; they need not be installed."""


def chosen(
    algorithms: Sequence[str],
    names: Sequence[str] | None = None,
    external: Mapping[str, Program] | None = None,
) -> list[Contestant]:
    """List the contestants that take part.

    Parameters
    ----------
    algorithms : sequence of str
        Ours; "auto" is the default algorithm for each graph, "all" is "auto" and every algorithm.
    names : sequence of str, optional
        The others; by default all installed libraries and all external programs.
    external : dict of str to Program, optional
        External programs by name.

    Returns
    -------
    list of Contestant

    Raises
    ------
    OptionError
        There is no such algorithm or contestant, or two have the same name.
    MissingExtraError
        A named library is not installed.
    """
    every = ("auto", *EDGE_LIST_ALGORITHMS)
    ours: list[str] = []
    for name in algorithms:
        if name not in (*every, "all"):
            raise OptionError(
                f"unknown algorithm {name!r}; there are {', '.join(EDGE_LIST_ALGORITHMS)}, auto and all"
            )
        ours += every if name == "all" else (name,)
    others: dict[str, Contestant] = {name: library() for name, library in OTHERS.items()}
    for name, program in (external or {}).items():
        if name in others or name.partition(":")[0] in ("boruvka", *(probe.name for probe in PROBES)):
            raise OptionError(f"an external program must not be called {name!r}: that is taken")
        others[name] = External(name, program)
    return [*map(Ours, dict.fromkeys(ours)), *named(others, names)]
