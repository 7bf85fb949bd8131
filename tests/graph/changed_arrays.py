"""Call public functions of graphs whose arrays have changed: the process of `test_changed_arrays`.

Each line that is printed is a call that neither gave a result nor raised an error of this package.
"""

import faulthandler
import sys
import warnings
from pathlib import Path

import numpy as np

import boruvka
import boruvka.stream
from boruvka.algorithms.registry import ALGORITHMS

M = 300
N = M // 4


def edge_list(rng):
    """Return a graph and its arrays, which it does not copy."""
    u, v = (rng.integers(0, N, M, dtype=np.uint32) for _ in "uv")
    w = rng.random(M)
    return boruvka.Graph(N, u, v, w), (u, v, w)


def updated(rng):
    _, arrays = edge_list(rng)
    half = [array[: M // 2] for array in arrays], [array[M // 2 :] for array in arrays]
    forest = boruvka.minimum_spanning_forest((*half[0], N))
    return forest.update(tuple(half[1])).graph, arrays


def matrix(rng):
    a = rng.random((40, 40))
    a += a.T
    a[a < 0.7] = 0
    return boruvka.Graph.from_dense(a), (a,)


def points(rng):
    x = rng.random((40, 2))
    return boruvka.Graph.from_points(x), (x,)


GRAPHS = {function.__name__: function for function in (edge_list, updated, matrix, points)}


def make_invalid(rng, arrays):
    for array in arrays:
        array[:] = 4_000_000_000 if array.dtype.kind == "u" else np.nan


def change_one(rng, arrays):
    arrays[-2 if len(arrays) > 1 else 0][M // 10] = N


def clear(rng, arrays):
    for array in arrays:
        array[:] = 0


def shuffle(rng, arrays):
    for array in arrays:
        array[:] = rng.permutation(array.ravel()).reshape(array.shape)


CHANGES = make_invalid, change_one, clear, shuffle


def calls(graph, forest, folder):
    """Return functions of a graph and of its forest, by name."""
    solve = boruvka.minimum_spanning_forest
    return {
        **{name: lambda name=name: solve(graph, algorithm=name).weight for name in ALGORITHMS},
        "interpreted": lambda: solve(graph, backend="interpreted").labels,
        "required": lambda: solve(graph, required=[0]),
        "excluded": lambda: solve(graph, excluded=[0]),
        "verify": lambda: boruvka.verify(graph, forest),
        "verify edges": lambda: boruvka.verify(graph, forest.edges),
        "edge_disjoint_forests": lambda: boruvka.edge_disjoint_forests(graph, 2),
        "minimum_spanning_forests": lambda: boruvka.minimum_spanning_forests([graph, graph]),
        "uniform": lambda: boruvka.random_spanning_tree(graph),
        "weighted": lambda: boruvka.random_spanning_tree(graph, method="weighted"),
        "prize_collecting_tree": lambda: boruvka.prize_collecting_tree(graph, np.ones(graph.n)),
        "steiner_tree": lambda: boruvka.steiner_tree(graph, [0, 1, 2]),
        "arborescence": lambda: boruvka.minimum_spanning_arborescence(graph, 0),
        "reachability": lambda: boruvka.Graph.from_mutual_reachability(graph, 2),
        "stream": lambda: boruvka.stream.minimum_spanning_forest([graph]),
        "named": lambda: solve(graph.with_names(range(graph.n))),
        "write graph": lambda: boruvka.write(graph, folder / "graph.npz"),
        "write forest": lambda: boruvka.write(forest, folder / "forest.csv"),
        "labels": lambda: forest.labels,
        "weight": lambda: forest.weight,
        "rounds": lambda: forest.edge_rounds,
        "to_scipy": forest.to_scipy,
        "to_networkx": forest.to_networkx,
        "to_polars": forest.to_polars,
        "to_newick": forest.to_newick,
        "path": lambda: forest.path(0, 1),
        "bottleneck": lambda: forest.bottleneck(0, 1),
        "rooted": lambda: forest.rooted(0).depths,
        "linkage": forest.linkage,
        "cut": lambda: forest.cut(2),
        "cut_at": lambda: forest.cut_at(0.5),
        "regions": lambda: forest.regions(2, np.ones(graph.n)),
        "sensitivity": forest.sensitivity,
        "update": lambda: forest.update(([0], [1], [0.1])).labels,
        "removed": lambda: forest.update(removed=forest.edges[:3]).labels,
        "nodes": forest.to_nodes,
        "repr": lambda: (repr(forest), forest._repr_html_(), repr(graph)),
    }


def main(kind, folder):
    """Call each function after each change, with a forest that has been read before, and one that has not."""
    graph, _ = GRAPHS[kind](np.random.default_rng(0))
    names = calls(graph, boruvka.minimum_spanning_forest(graph), folder)
    for change in CHANGES:
        for name in names:
            for is_read in False, True:
                rng = np.random.default_rng(1)
                graph, arrays = GRAPHS[kind](rng)
                forest = boruvka.minimum_spanning_forest(graph)
                if is_read:
                    forest.path(0, 1), forest.labels, forest.rooted(), forest.bottleneck(0, 1)
                change(rng, arrays)
                what = kind, change.__name__, name
                print(*what, is_read, file=sys.stderr, flush=True)  # the last one, after a crash
                try:
                    calls(graph, forest, folder)[name]()
                except boruvka.BoruvkaError:
                    pass
                except Exception as error:
                    print(*what, type(error).__name__, error)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for kind in GRAPHS:
        faulthandler.dump_traceback_later(60, exit=True)
        main(kind, Path(sys.argv[1]))
