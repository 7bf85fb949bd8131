"""Other trees than the forest, against libraries that have them."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csgraph

import boruvka
from boruvka import Graph, generators
from boruvka.errors import BoruvkaError
from boruvka.runtime.libraries import require
from lab.harness.command import FILE, check_output, finish, output_option
from lab.harness.comparison import OTHER, OURS, Call, compare
from lab.harness.contestant import Timing
from lab.harness.results import Record
from lab.harness.schemes import KBest, Scheme

AM_TREE = r"""
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include "am_tree_lazy.h"
int main(int, char **words) {
  const int n = atoi(words[1]), m = atoi(words[2]);
  std::vector<int> edges(3 * size_t(m));
  FILE *file = fopen(words[3], "rb");
  if (fread(edges.data(), sizeof(int), edges.size(), file) != edges.size()) return 1;
  AMTreeLazy<AMTreeMode::Perch> tree(n);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < m; i++) tree.Insert(edges[i], edges[m + i], edges[2 * size_t(m) + i]);
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
  printf("%.3f ms, last path %d\n", passed.count(), tree.PathMax(0, 1).value_or(0));
}
"""
"""A program that inserts edges into the anti-monopoly tree of its authors, with their headers."""


def random_graph(n: int, m: int) -> Graph:
    """Generate a random graph with integer weights; the same in each call."""
    return generators.random(n, m, seed=1, weights="integers_1000", dtype="int64")


def random_grid(side: int) -> Graph:
    """Generate a grid with integer weights, like streets."""
    return generators.grid(side, side, seed=1, weights="integers_1000", dtype="int64")


def connected_graph(n: int, m: int) -> Graph:
    """Generate a random graph without the few edges outside its largest component: NetworkX needs that."""
    graph = random_graph(n, m)
    labels = boruvka.minimum_spanning_forest(graph).labels
    inside = labels[graph.u] == np.bincount(labels).argmax()
    return Graph(n, graph.u[inside], graph.v[inside], graph.w[inside])


def some_ends(graph: Graph, count: int) -> NDArray[np.int64]:
    """Choose vertices that have edges."""
    return np.random.default_rng(2).choice(np.union1d(graph.u, graph.v), count, replace=False)


def steiner(what: str, graph: Graph, terminals: int, scheme: Scheme) -> dict[str, Any]:
    """Compare Steiner trees with the trees of NetworkX, by the same method of Mehlhorn."""
    nx = require("networkx", "networkx")
    chosen = some_ends(graph, terminals)
    other = nx.Graph()
    order = np.argsort(-graph.w, kind="stable")  # of parallel edges, the lightest is added last
    other.add_weighted_edges_from(
        zip(graph.u[order].tolist(), graph.v[order].tolist(), graph.w[order].tolist(), strict=True)
    )
    best = boruvka.steiner_tree(graph, chosen, improve=True).weight

    def is_light(weight: float) -> bool:
        return best <= weight <= 2 * best

    return compare(
        f"Steiner tree of {terminals:,} terminals, {what}",
        "NetworkX",
        graph,
        scheme,
        Call(OURS, lambda: boruvka.steiner_tree(graph, chosen), lambda tree: is_light(tree.weight)),
        Call(
            OTHER,
            lambda: nx.approximation.steiner_tree(other, chosen.tolist(), method="mehlhorn"),
            lambda tree: is_light(tree.size(weight="weight")),
        ),
    )


def shortest_paths(n: int, m: int, terminals: int, scheme: Scheme) -> dict[str, Any]:
    """Compare a large Steiner tree with the search of its shortest paths alone, by SciPy."""
    graph = connected_graph(n, m)
    chosen = some_ends(graph, terminals)
    matrix = coo_array((graph.w.astype(np.float64), (graph.u, graph.v)), shape=(n, n)).tocsr()

    def search() -> Any:
        return csgraph.dijkstra(matrix, directed=False, indices=chosen, min_only=True)

    return compare(
        f"Steiner tree of {terminals:,} terminals, {n:,} vertices, {m:,} edges",
        "SciPy, shortest paths alone",
        graph,
        scheme,
        Call(OURS, lambda: boruvka.steiner_tree(graph, chosen), lambda tree: tree.n_components == 1),
        Call(OTHER, search, lambda distances: not distances[chosen].any()),
    )


def arborescence(n: int, m: int, scheme: Scheme) -> dict[str, Any]:
    """Compare minimum spanning arborescences with the arborescences of NetworkX."""
    nx = require("networkx", "networkx")
    graph = random_graph(n, m)
    other = nx.MultiDiGraph()
    other.add_nodes_from(range(n))
    other.add_weighted_edges_from(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    found = boruvka.minimum_spanning_arborescence(graph)
    if not found.verify():
        raise BoruvkaError("wrong: the arborescence is not optimal")
    return compare(
        f"arborescence, {n:,} vertices, {m:,} arcs",
        "NetworkX",
        graph,
        scheme,
        Call(
            OURS,
            lambda: boruvka.minimum_spanning_arborescence(graph),
            lambda tree: tree.weight == found.weight,
        ),
        Call(
            OTHER,
            lambda: nx.minimum_spanning_arborescence(other),
            lambda tree: tree.size(weight="weight") == found.weight,
        ),
    )


def batch(count: int, n: int, m: int, scheme: Scheme) -> dict[str, Any]:
    """Compare the forests of many small graphs with SciPy's, one by one."""
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, n, (2, count * m))
    w = rng.random(count * m) + 1
    offsets = np.arange(count + 1) * m
    parts = [slice(begin, begin + m) for begin in offsets[:-1].tolist()]
    matrices = [coo_array((w[part], (u[part], v[part])), shape=(n, n)).tocsr() for part in parts]
    shift = np.repeat(np.arange(count), m) * n
    whole = Graph(count * n, u + shift, v + shift, w)
    forest = boruvka.minimum_spanning_forest(whole)

    def one_by_one() -> list[Any]:
        return [csgraph.minimum_spanning_tree(matrix) for matrix in matrices]

    return compare(
        f"{count:,} graphs of {m} edges",
        "SciPy, one by one",
        whole,
        scheme,
        Call(
            OURS,
            lambda: boruvka.minimum_spanning_forests((u, v, w), offsets),
            lambda found: np.isclose(found.weight.sum(), forest.weight, rtol=1e-12),
        ),
        Call(OTHER, one_by_one, lambda found: sum(tree.nnz for tree in found) == len(forest)),
    )


def random_tree(n: int, m: int, scheme: Scheme) -> dict[str, Any]:
    """Compare uniform random spanning trees with the trees of NetworkX."""
    nx = require("networkx", "networkx")
    graph = random_graph(n, m)
    other = nx.Graph(zip(graph.u.tolist(), graph.v.tolist(), strict=True))
    other.remove_edges_from(list(nx.selfloop_edges(other)))
    size = n - boruvka.minimum_spanning_forest(graph).n_components
    return compare(
        f"uniform random spanning tree, {n:,} vertices, {m:,} edges",
        "NetworkX",
        graph,
        scheme,
        Call(OURS, lambda: boruvka.random_spanning_tree(graph, seed=1), lambda tree: len(tree) == size),
        Call(OTHER, lambda: nx.random_spanning_tree(other, seed=1), lambda tree: tree.size() == size),
    )


def deletions(n: int, m: int, are_in_forest: bool, scheme: Scheme) -> dict[str, Any]:
    """Compare the update of a forest after 1,000 edges are gone with a solve of the graph."""
    graph = generators.random(n, m, seed=1)
    forest = boruvka.minimum_spanning_forest(graph)
    gone = np.random.default_rng(4).choice(forest.edges if are_in_forest else m, 1000, replace=False)
    expected = boruvka.minimum_spanning_forest(graph, excluded=gone).edges
    of = "of the forest " if are_in_forest else ""
    return compare(
        f"1,000 edges {of}taken away, {n:,} vertices, {m:,} edges",
        "our solve",
        graph,
        scheme,
        Call(
            OURS,
            lambda: forest.update(removed=gone),
            lambda found: np.array_equal(found.edges, expected),
        ),
        Call(
            OTHER,
            lambda: boruvka.minimum_spanning_forest(graph),
            lambda found: np.array_equal(found.edges, forest.edges),
        ),
    )


class Program(Call):
    """A program that returns the seconds that it measured, and an answer."""

    repeated = False

    def timing(self, answer: Any, seconds: float) -> Timing:
        """Return the time that the program measured."""
        return Timing((answer[0],))


def insertions(n: int, m: int, headers: Path, scheme: Scheme) -> dict[str, Any]:
    """Compare edges that come one by one with the anti-monopoly tree of its authors, in C++."""
    rng = np.random.default_rng(5)
    u, v, w = *rng.integers(0, n, (2, m)), -rng.integers(2, 2**30, m)  # theirs has -1 for no edge
    expected = boruvka.minimum_spanning_forest((u, v, w, n))
    heaviest = int(expected.bottleneck(0, 1).weights)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        np.stack([u, v, w]).astype(np.int32).tofile(folder / "edges")
        (folder / "main.cpp").write_text(AM_TREE, encoding="utf-8")
        compiler = ["g++", "-std=c++20", "-O3", "-march=native", "-include", "vector", "-include", "string"]
        subprocess.run([*compiler, f"-I{headers}", f"{folder}/main.cpp", "-o", f"{folder}/main"], check=True)

        def theirs() -> tuple[float, int]:
            words = [f"{folder}/main", str(n), str(m), f"{folder}/edges"]
            text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            ms, last = re.findall(r"-?[\d.]+", text)
            return float(ms) / 1e3, int(last)

        def ours() -> Any:
            forest = boruvka.IncrementalForest(n, dtype="int64")
            forest.insert(u, v, w)
            return forest

        return compare(
            f"{m:,} edges one by one, {n:,} vertices",
            "AM-tree, C++",
            Graph(n, u, v, w),
            scheme,
            Call(OURS, ours, lambda forest: np.array_equal(forest.edges, expected.edges)),
            Program(OTHER, theirs, lambda found: found[1] == heaviest),
        )


@click.command()
@click.option(
    "--am-tree", type=FILE, help="The folder of am_tree_lazy.h; without it, insertions are left out."
)
@click.option("--quick", is_flag=True, help="Measure small graphs: does it run?")
@output_option
def command(am_tree: Path | None, quick: bool, output: Path | None) -> None:
    """Measure Steiner trees, arborescences, batches, random trees and updates.

    The others are NetworkX, SciPy, the C++ of the anti-monopoly tree, and our own solve.
    """
    check_output(output)
    scheme, f = KBest(seconds=20), 50 if quick else 1
    side = 300 // (7 if quick else 1)
    sizes = (20_000 // f, 100_000 // f, 100), (200_000 // f, 1_000_000 // f, 1000 // f)
    rows = [
        *(
            steiner(f"{n:,} vertices, {m:,} edges", connected_graph(n, m), terminals, scheme)
            for n, m, terminals in sizes
        ),
        steiner(f"grid {side} x {side}", random_grid(side), 100, scheme),
        shortest_paths(1_000_000 // f, 5_000_000 // f, 1000 // f, scheme),
        arborescence(1000 // f + 10, 10_000 // f, scheme),
        batch(10_000 // f, 50, 100, scheme),
        random_tree(100, 1000, scheme),
        *(
            deletions(n // f, 10_000_000 // f, kind, scheme)
            for n in (100_000, 1_000_000)
            for kind in (False, True)
        ),
    ]
    if am_tree is not None:
        insertion_sizes = (100_000, 1_000_000), (1_000_000, 4_000_000)
        rows += [insertions(n // f, m // f, am_tree, scheme) for n, m in insertion_sizes]
    finish(Record("trees", {"medians": rows}), output)
