"""The race on points: minimum spanning trees of all pairs, and HDBSCAN from points to labels."""

from __future__ import annotations

import math
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.registry import ALGORITHMS
from boruvka.errors import OptionError
from boruvka.formats.points import read_points
from lab.contestants.points import CLUSTERERS, TREES, OurClusters, OurTree, PointSet, Task
from lab.harness.command import check_output, finish, output_option, show, split_names, threads_option
from lab.harness.contestant import Contestant, named
from lab.harness.graphs import is_specification, made, title_of
from lab.harness.results import GraphResult, Record, remarks_of
from lab.harness.turns import Plan, race
from lab.race import chosen, tables_of


def uniform(n: int = 10_000, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """Draw points uniformly from the unit cube."""
    return np.random.default_rng(seed).random((n, d))


def normal(n: int = 10_000, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """Draw points from the standard normal distribution."""
    return np.random.default_rng(seed).normal(size=(n, d))


def clusters(
    n: int = 10_000, d: int = 3, count: int = 10, spread: float = 0.02, seed: int = 0
) -> NDArray[np.float64]:
    """Draw points around centres in the unit cube, and every tenth point uniformly."""
    random = np.random.default_rng(seed)
    centres = random.random((count, d))
    points = centres[random.integers(0, count, n)] + spread * random.normal(size=(n, d))
    points[::10] = random.random((len(points[::10]), d))
    return points


def far_clusters(n: int = 10_000, d: int = 3, distance: float = 1e3, seed: int = 0) -> NDArray[np.float64]:
    """Draw two clusters of normally distributed points, this many standard deviations from each other."""
    points = normal(n, d, seed)
    points[n // 2 :, 0] += distance
    return points


def lattice(n: int = 10_000, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """List points of a cubic lattice in random order: most distances are equal to others."""
    side = math.ceil(round(n ** (1 / d), 9))
    points = np.stack(np.unravel_index(np.arange(n), (side,) * d), axis=1).astype(np.float64)
    return points[np.random.default_rng(seed).permutation(n)]


def line(n: int = 10_000, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """Draw points uniformly from a diagonal of the unit cube."""
    return np.repeat(uniform(n, 1, seed), d, axis=1)


def equal(n: int = 10_000, d: int = 3, copies: int = 100, seed: int = 0) -> NDArray[np.float64]:
    """Draw fewer points uniformly, and repeat each many times: most distances in the tree are zero."""
    random = np.random.default_rng(seed)
    distinct = random.random((max(1, n // copies), d))
    return distinct[random.integers(0, len(distinct), n)]


FAMILIES = {
    function.__name__: function
    for function in (uniform, normal, clusters, far_clusters, lattice, line, equal)
}
SUITES = {
    "quick": ("uniform:n=3000,d=2,seed=1", "clusters:n=3000,d=3,seed=1", "lattice:n=3000,d=2,seed=1"),
    "dimensions": tuple(
        f"{kind}:n=100000,d={d},seed=1" for kind in ("uniform", "normal") for d in (2, 3, 5, 10)
    ),
    "race": (
        *(f"{kind}:n=1000000,d={d},seed=1" for kind in ("uniform", "normal") for d in (2, 3, 5)),
        *(
            f"{kind}:n=1000000,d=3,seed=1"
            for kind in ("clusters", "far_clusters", "lattice", "line", "equal")
        ),
    ),
    "sizes": tuple(
        f"clusters:n={n},d={d},seed=1"
        for n, d in (
            *((300, 2), (1_000, 2), (1_000, 10), (5_000, 2), (5_000, 10), (50_000, 2), (50_000, 5)),
            *((20_000, 10), (20_000, 20), (5_000, 50), (2_000, 256), (500, 1_536), (20_000, 384)),
        )
    ),
}
"""Named sets of points; "quick" takes some seconds to measure."""


def contestants_of(
    task: Task, algorithms: tuple[str, ...], names: tuple[str, ...] | None = None
) -> list[Contestant]:
    """List the contestants that take part.

    Parameters
    ----------
    task : Task
    algorithms : sequence of str
        Ours that take points; "auto" is the default algorithm, "all" is "auto" and every one of them. For
        labels of HDBSCAN, "auto" or none.
    names : sequence of str, optional
        The others; by default all that are installed.

    Raises
    ------
    OptionError
        There is no such algorithm or contestant.
    MissingExtraError
        A named library is not installed.
    """
    is_tree = task.min_cluster_size is None
    every = (
        ("auto", *(a.name for a in ALGORITHMS.values() if a.needs_implicit_graph)) if is_tree else ("auto",)
    )
    mine = [OurTree(name) if is_tree else OurClusters() for name in chosen(algorithms, every)]
    others = {name: kind() for name, kind in (TREES if is_tree else CLUSTERERS).items()}
    return [*mine, *named(others, names)]


def points_of(name: str, task: Task) -> PointSet:
    """Read or generate points."""
    if is_specification(name, FAMILIES):
        return PointSet(made(name, FAMILIES), task)
    return PointSet(read_points(name).coordinates, task)


@click.command()
@click.argument("points", metavar="[POINTS]...", nargs=-1)
@click.option("--suite", type=click.Choice(list(SUITES)), help="Add a named set of points.")
@click.option(
    "--algorithms", callback=split_names, default="auto", show_default=True, help="Ours, with commas, or all."
)
@click.option(
    "--contestants", callback=split_names, help="Others, with commas; by default all that are installed."
)
@click.option(
    "--min-samples",
    type=click.IntRange(min=1),
    help="Weigh pairs by mutual reachability of so many neighbours, the point itself counted.",
)
@click.option(
    "--hdbscan",
    type=click.IntRange(min=2),
    help="Measure HDBSCAN from points to labels, with this least size of a cluster.",
)
@threads_option
@output_option
def command(
    points: tuple[str, ...],
    suite: str | None,
    algorithms: tuple[str, ...],
    contestants: tuple[str, ...] | None,
    min_samples: int | None,
    hdbscan: int | None,
    threads: tuple[int, ...],
    output: Path | None,
) -> None:
    """Measure on points, from their array to the tree of all pairs, or to clusters.

    POINTS are a file, or a family with its arguments, such as uniform:n=100000,d=3. The default is the suite
    quick.
    """
    check_output(output)
    if hdbscan is not None and min_samples == 1:
        raise OptionError("--min-samples must be at least 2 with --hdbscan: others cannot count 1")
    k = min_samples or hdbscan  # as HDBSCAN does
    task = Task(k, hdbscan)
    plan = Plan(contestants_of(task, algorithms, contestants), threads=threads, named=contestants or ())
    found: list[GraphResult] = []
    for name in (*points, *SUITES[suite or "quick"]) if suite or not points else points:
        point_set = points_of(name, task)
        reference = point_set.reference()
        found.append(race(f"{title_of(name)}{task.description}", point_set, plan, show, reference))
    finish(Record("points", tables_of(found), {"scheme": "k-best"}, remarks_of(found)), output)
