"""The race: our algorithms against other libraries and programs on the same graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.errors import OptionError
from lab.contestants.external import External, read_programs
from lab.contestants.libraries import LIBRARIES
from lab.contestants.ours import Ours
from lab.harness.command import FILE, check_output, finish, output_option, show, split_names, threads_option
from lab.harness.contestant import Contestant, named
from lab.harness.graphs import FAMILIES, graph_of, is_specification, title_of
from lab.harness.results import GraphResult, Record, Tables, remarks_of, times_of
from lab.harness.schemes import KBest
from lab.harness.tables import ratio
from lab.harness.turns import Plan, race

GRID = "grid:rows=2000,cols=2000,drop_probability=0.1,seed=1"
SUITES = {
    "quick": (
        "random:n=30000,m=250000,seed=1",
        "kronecker:scale=14,seed=1",
        "grid:rows=300,cols=300,shuffle=true,seed=1",
    ),
    "small": (
        "random:n=100,m=500,seed=1",
        "random:n=1000,m=5000,seed=1",
        "random:n=10000,m=50000,seed=1",
        "grid:rows=100,cols=100,seed=1",
    ),
    "race": (
        "random:n=1000000,m=9000000,seed=1",
        "random:n=5000000,m=30000000,seed=1",
        "kronecker:scale=19,seed=1",
        "kronecker:scale=20,seed=1",
        "kronecker:scale=22,seed=1",
        "rmat:scale=20,m=15700000,a=0.57,b=0.19,c=0.19,d=0.05,permute=true,seed=1",
        f"{GRID},shuffle=true",
        GRID,
        "grid:rows=5000,cols=5000,seed=1",
        "geometric:n=1000000,degree=16,seed=1,dtype=float32",
        "complete:n=3000,seed=1",
        "star:n=1000000,seed=1",
        "path:n=1000000,seed=1",
    ),
    "weights": tuple(
        f"{graph},dtype={dtype},weights={kind}"
        for graph in ("random:n=1000000,m=9000000,seed=1", GRID, "kronecker:scale=18,seed=1")
        for dtype in ("float32", "float64", "int32", "int64")
        for kind in ("distinct", "integers_8", "equal")
    ),
    "curve": tuple(f"random:n={2**k // 8},m={2**k},seed=1" for k in range(16, 28)),
}
"""Named sets of graphs; "quick" takes some seconds to measure."""


def contestants_of(
    algorithms: Sequence[str], names: Sequence[str] | None = None, external: Path | None = None
) -> list[Contestant]:
    """List the contestants that take part.

    Parameters
    ----------
    algorithms : sequence of str
        Ours; "auto" is the default algorithm for each graph, "all" is "auto" and every algorithm.
    names : sequence of str, optional
        The others; by default all installed libraries and all external programs.
    external : Path, optional
        A TOML file of external programs.

    Raises
    ------
    OptionError
        There is no such algorithm or contestant, or two have the same name.
    MissingExtraError
        A named library is not installed.
    """
    every = ("auto", *edge_list_algorithms())
    ours = chosen(algorithms, every)
    others: dict[str, Contestant] = {name: library() for name, library in LIBRARIES.items()}
    for name, program in (read_programs(external) if external is not None else {}).items():
        if name in others or name.partition(":")[0] == "boruvka":
            raise OptionError(f"{external}: a program must not be called {name!r}: that is taken")
        others[name] = External(name, program)
    return [*map(Ours, ours), *named(others, names)]


def chosen(algorithms: Sequence[str], every: Sequence[str]) -> list[str]:
    """List algorithms, each once; "all" is every one.

    Raises
    ------
    OptionError
        There is no such algorithm.
    """
    for name in algorithms:
        if name not in (*every, "all"):
            raise OptionError(f"unknown algorithm {name!r}; there are {', '.join(every)} and all")
    return list(dict.fromkeys(x for name in algorithms for x in (every if name == "all" else (name,))))


def tables_of(graphs: Sequence[GraphResult], ours: str = "boruvka") -> Tables:
    """List all times, as multiples of ours on as many threads (else on the fewest) too."""
    rows = times_of(graphs)
    for row in rows:
        mine = [x for x in rows if (x["graph"], x["contestant"]) == (row["graph"], ours)]
        other = min(mine, key=lambda x: (x["threads"] != row["threads"], x["threads"]), default={"ms": None})
        row["times ours"] = ratio(row["ms"], other["ms"])
    return {"times": rows}


@click.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@click.option("--suite", type=click.Choice(list(SUITES)), help="Add a named set of graphs.")
@click.option(
    "--algorithms", callback=split_names, default="auto", show_default=True, help="Ours, with commas, or all."
)
@click.option(
    "--contestants", callback=split_names, help="Others, with commas; by default all that are installed."
)
@click.option("--external", type=FILE, help="A TOML file that describes programs to run as contestants.")
@click.option("--time-limit", type=float, default=300.0, show_default=True, help="Seconds of one run.")
@threads_option
@output_option
def command(
    graphs: tuple[str, ...],
    suite: str | None,
    algorithms: tuple[str, ...],
    contestants: tuple[str, ...] | None,
    external: Path | None,
    time_limit: float,
    threads: tuple[int, ...],
    output: Path | None,
) -> None:
    """Measure our algorithms against the other libraries that are installed.

    A GRAPH is a file, or a family of `boruvka generate` with its arguments, such as
    kronecker:scale=20,dtype=float64. The default is the suite quick. After Ctrl-C, the file has the graphs
    that were finished.
    """
    check_output(output)
    names = (*graphs, *SUITES[suite or "quick"]) if suite or not graphs else graphs
    for name in names:
        is_specification(name, FAMILIES)
    plan = Plan(
        contestants_of(algorithms, contestants, external),
        threads=threads,
        scheme=KBest(),
        named=contestants or (),
        time_limit=time_limit,
    )
    found: list[GraphResult] = []
    for name in names:
        found.append(race(title_of(name), graph_of(name), plan, show))
        record = Record("race", tables_of(found), {"scheme": "k-best"}, remarks_of(found))
        if output is not None:
            record.write(output)
    finish(record, output)
