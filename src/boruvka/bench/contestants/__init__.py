"""Who takes part: our algorithms, the libraries that are installed, programs that a file describes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from boruvka.algorithms.registry import ALGORITHMS
from boruvka.bench.contestants.contestant import Contestant, Outcome, Run
from boruvka.bench.contestants.external import External
from boruvka.bench.contestants.graph_tool import GraphTool
from boruvka.bench.contestants.igraph import Igraph
from boruvka.bench.contestants.kruskal import ArgsortKruskal
from boruvka.bench.contestants.networkit import NetworKit
from boruvka.bench.contestants.networkx import NetworkX
from boruvka.bench.contestants.ours import Ours
from boruvka.bench.contestants.program import Program
from boruvka.bench.contestants.rustworkx import Rustworkx
from boruvka.bench.contestants.scipy import SciPy
from boruvka.errors import OptionError

__all__ = ["OTHERS", "Contestant", "External", "Ours", "Outcome", "Run", "chosen"]

OTHERS: dict[str, type[Contestant]] = {
    contestant.name: contestant
    for contestant in (ArgsortKruskal, SciPy, Rustworkx, NetworKit, Igraph, GraphTool, NetworkX)
}
"""The others, by name; libraries need not be installed."""


def chosen(
    algorithms: Sequence[str],
    names: Sequence[str] | None = None,
    external: Mapping[str, Program] | None = None,
) -> list[Contestant]:
    """List who takes part.

    Parameters
    ----------
    algorithms : sequence of str
        Ours; "auto" is the one that suits a graph, "all" is this and every one.
    names : sequence of str, optional
        The others; by default all that are installed, and the external ones.
    external : dict of str to Program, optional
        Programs that may be named too.

    Returns
    -------
    list of Contestant

    Raises
    ------
    OptionError
        There is no such algorithm or contestant, or two of one name.
    MissingExtraError
        One that is named is not installed.
    """
    every = ("auto", *ALGORITHMS)
    for name in algorithms:
        if name not in (*every, "all"):
            raise OptionError(f"unknown algorithm {name!r}; there are {', '.join(ALGORITHMS)}, auto and all")
    others: dict[str, Contestant] = {name: contestant() for name, contestant in OTHERS.items()}
    for name, program in (external or {}).items():
        if name in others or name.partition(":")[0] in (
            "boruvka",
            "streaming",
            "random-access",
        ):
            raise OptionError(f"an external program must not be called {name!r}: that is taken")
        others[name] = External(name, program)
    if names is None:
        taking_part = [contestant for contestant in others.values() if contestant.installed]
    else:
        for name in names:
            if name not in others:
                raise OptionError(f"unknown contestant {name!r}; there are {', '.join(others)}")
            others[name].require()
        taking_part = [others[name] for name in dict.fromkeys(names)]
    ours = itertools.chain.from_iterable(every if name == "all" else (name,) for name in algorithms)
    return [*(Ours(name) for name in dict.fromkeys(ours)), *taking_part]
