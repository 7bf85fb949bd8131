"""Parts of files, of streamed files and of generated graphs on ranks."""

import json

import numpy as np
import pytest

import boruvka
import boruvka.formats
from boruvka.cli.main import main
from tests.stream.helpers import bits, random_graph, write_parquet, write_text

from ..oracles import kruskal
from .mpiexec import start
from .strategies import DTYPES


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(2)
    return boruvka.Graph(70, *rng.integers(0, 70, (2, 300)), rng.integers(0, 9, 300))


def test_parts_of_files(on_ranks, graph, tmp_path):
    """One that announces its size, one that implies it, and one that every rank reads as a whole."""
    paths = [tmp_path / f"graph.{ending}" for ending in ["npz", "csv", "gr.gz"]]
    for path in paths:
        boruvka.write(graph, path)
        boruvka.read(path)  # compile once, rather than on every rank
    for parts in zip(*on_ranks(3, "read", paths), strict=True):
        assert {n for n, *_ in parts} == {70}
        for k, whole in enumerate((graph.u, graph.v, graph.w), 1):
            assert np.array_equal(np.concatenate([part[k] for part in parts]), whole)
        assert max(part[1].size for part in parts) < 150


def test_weights_of_parts_get_a_common_type(on_ranks, tmp_path):
    path = tmp_path / "graph.el"
    path.write_text("0 1 5\n" * 50 + "1 2 0.5\n" + f"2 3 {2**63}\n")
    parts = [part for (part,) in on_ranks(2, "read", [path])]
    assert [w.dtype for *_, w in parts] == [np.float64, np.float64]
    assert np.concatenate([w for *_, w in parts])[-3:].tolist() == [5.0, 0.5, 2.0**63]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_ranks_leave_out_rows_and_say_so_once(on_ranks, tmp_path, ending):
    rows = [(i % 7, (3 * i) % 11, i if i % 5 else None) for i in range(60)]
    rows[8] = (None, 1, 2)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(rows, schema=["u", "v", "w"], orient="row")
    path = tmp_path / f"graph.{ending}"
    frame.write_parquet(path, row_group_size=9) if ending == "parquet" else frame.write_csv(path)
    with pytest.warns(boruvka.errors.GraphWarning) as warned:
        graph = boruvka.read(path, missing="drop")
    forest = boruvka.minimum_spanning_forest(graph)
    read, streamed, said = zip(*on_ranks(3, "gaps", (path, {"missing": "drop"})), strict=True)
    for k, whole in enumerate((graph.u, graph.v, graph.w), 1):
        assert np.array_equal(np.concatenate([part[k] for part in read]), whole)
    assert {n for n, *_ in read} == {n for n, *_ in streamed} == {graph.n}
    assert {m for _, m, _ in streamed} == {graph.m}
    assert set(forest.edges.tolist()) <= set(np.concatenate([kept for *_, kept in streamed]).tolist())
    assert said == ([str(warned[0].message)] * 2, [], [])


def test_a_generated_graph_does_not_depend_on_the_number_of_ranks(on_ranks):
    whole = boruvka.generators.kronecker(6, 5)
    parts = on_ranks(3, "generate", (6, 5))
    assert np.array_equal(np.concatenate([u for _, u, _, _ in parts]), whole.u)
    assert np.array_equal(np.concatenate([w for *_, w in parts]), whole.w)


# Files larger than the memory of the ranks


def check(on_ranks, ranks, path, graph, maximum=False, **options):
    """Compare what all ranks keep and find with Kruskal's algorithm on the whole graph."""
    returned = on_ranks(ranks, "stream", (path, maximum, options))
    expected = np.array(kruskal(graph.n, graph.u, graph.v, graph.w, maximum))
    assert {(n, m) for n, m, *_ in returned} == {(graph.n, graph.m)}
    assert all(kept < graph.n for _, _, kept, _ in returned)
    for k in range(2):
        index, u, v, w = (np.concatenate([parts[k][c] for *_, parts in returned]) for c in range(4))
        order = np.argsort(index)
        assert index[order].tolist() == expected.tolist()
        assert u[order].tolist() == graph.u[expected].tolist()
        assert v[order].tolist() == graph.v[expected].tolist()
        assert bits(w[order]) == bits(graph.w[expected])


@pytest.mark.needs("polars")
@pytest.mark.parametrize("ranks", [2, 3])
def test_row_groups(on_ranks, tmp_path, ranks):
    graph = random_graph(n=30, m=150)
    check(on_ranks, ranks, write_parquet(tmp_path / "edges.parquet", graph, 20), graph)


@pytest.mark.long
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_all_types(on_ranks, tmp_path, ranks, maximum, dtype):
    graph = random_graph(dtype=dtype)
    check(on_ranks, ranks, write_parquet(tmp_path / "edges.parquet", graph), graph, maximum)


@pytest.mark.long
@pytest.mark.parametrize("ranks", [2, 3])
def test_other_files(on_ranks, tmp_path, ranks):
    """A folder, text in parts, compressed text that one rank reads, and fewer row groups than ranks."""
    graph = random_graph(m=200)
    (tmp_path / "edges").mkdir()
    for k in range(4):
        write_parquet(tmp_path / "edges" / f"{k}.parquet", graph, 30, 50 * k, 50 * k + 50)
    check(on_ranks, ranks, tmp_path / "edges", graph)
    check(on_ranks, ranks, write_text(tmp_path / "edges.el", graph), graph)
    boruvka.write(graph, tmp_path / "edges.gr.gz")
    check(on_ranks, ranks, tmp_path / "edges.gr.gz", graph)
    check(on_ranks, ranks, write_parquet(tmp_path / "one.parquet", graph, 200), graph)


@pytest.mark.long
def test_parts_whose_weights_have_other_types(on_ranks, tmp_path):
    (tmp_path / "edges").mkdir()
    one, other = random_graph(m=100, seed=1), random_graph(m=100, seed=2, dtype=np.float32)
    write_parquet(tmp_path / "edges" / "0.parquet", one)
    write_parquet(tmp_path / "edges" / "1.parquet", other)
    both = boruvka.Graph(
        60, *(np.append(getattr(one, x), getattr(other, x)) for x in "uv"), np.append(one.w, other.w)
    )
    assert both.dtype == np.float64
    check(on_ranks, 2, tmp_path / "edges", both)


@pytest.mark.needs("polars")
def test_the_command(tmp_path):
    """On the one rank that this process is, and then on two."""
    graph = random_graph()
    path, output = write_parquet(tmp_path / "edges.parquet", graph), tmp_path / "forest.csv"
    command = ["solve", str(path), "--backend", "mpi", "--memory", "2G", "--maximum", "--json"]
    assert main([*command, "-o", str(output)]) == 0
    expected = kruskal(graph.n, graph.u, graph.v, graph.w, maximum=True)
    assert boruvka.formats.read_forest(output, graph).tolist() == expected
    output.unlink()
    done = start(2, "-m", "boruvka", *command, "-o", output)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["ranks"], report["edges"], report["weight"]) == (2, graph.m, graph.w[expected].sum())
    assert boruvka.formats.read_forest(output, graph).tolist() == expected


@pytest.mark.long
def test_errors(tmp_path):
    graph = random_graph()
    path = write_parquet(tmp_path / "edges.parquet", graph)
    for options, message in [
        (["--memory", "1M"], "a forest of 60 vertices needs about"),
        (["--memory", "much"], "--memory must be an amount such as 2G or 800M, got 'much'"),
        (["--memory", "2G", "--names"], "vertices have names, which ranks do not number"),
    ]:
        done = start(2, "-m", "boruvka", "solve", path, "--backend", "mpi", *options)
        assert done.returncode == 2
        assert done.stderr.count(message) == 1, done.stderr
