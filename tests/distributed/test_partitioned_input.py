"""Parts of files and of generated graphs on ranks."""

import numpy as np
import polars
import pytest

import boruvka


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
