import duckdb
import numpy as np
import pandas as pd
import pytest

from boruvka.errors import FormatError, GraphError, OptionError
from boruvka.stream import minimum_spanning_forest
from tests.stream.helpers import assert_same, random_graph, table

pl = pytest.importorskip("polars")

GRAPH = random_graph(30, 200)
ROWS = table(GRAPH)
KINDS = {
    "table": lambda: ROWS,
    "reader": lambda: ROWS.to_reader(7),
    "polars": lambda: pl.from_arrow(ROWS),
    "lazy": lambda: pl.from_arrow(ROWS).lazy(),
    "pandas": lambda: pd.DataFrame({name: getattr(GRAPH, name) for name in "uvw"}),
    "duckdb": lambda: duckdb.from_arrow(ROWS),
    "batches": lambda: iter(ROWS.to_batches(9)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_tables(tiny_limits, no_threads_left, kind):
    assert_same(minimum_spanning_forest(KINDS[kind]()), GRAPH)


def test_columns_of_a_table_and_of_a_file(tmp_path):
    frame = pl.from_arrow(ROWS).rename({"u": "a", "v": "b", "w": "c"})
    frame.write_csv(tmp_path / "rows.csv")
    for source in frame.lazy(), tmp_path / "rows.csv":
        assert_same(minimum_spanning_forest(source, columns=("a", "b", "c"), names=False), GRAPH)
        assert_same(minimum_spanning_forest(source, source="a", target="b", weight="c", names=False), GRAPH)
    with pytest.raises(OptionError, match="there is no option unweigted: did you mean unweighted"):
        minimum_spanning_forest(frame, unweigted=True)
    with pytest.raises(OptionError, match=r"columns 'a', 'b', 'c'; pass columns=\('SOURCE'"):
        minimum_spanning_forest(frame)


def test_errors_name_the_batch(no_threads_left):
    good = [0, 1], [1, 2], [1.0, 2.0]
    for wrong, message in [
        (([0], [1], [float("nan")]), "NaN"),
        (([0], [-1], [1.0]), "-1"),
        (([0], [1, 2], [1.0]), ""),
    ]:
        with pytest.raises(FormatError, match=f"batch 1 of list: .*{message}"):
            minimum_spanning_forest([good, wrong])


def test_batches_have_one_type_of_floats(no_threads_left):
    single, double = ([0], [1], np.array([0.9], np.float32)), ([1], [2], np.array([0.9]))
    assert minimum_spanning_forest([single, ([1], [2], [3]), single]).weight == 3 + single[2][0]
    with pytest.raises(GraphError, match=r"batch 2 of list: weights are float32, but in batch 0 of list fl"):
        minimum_spanning_forest([double, ([1], [2], [3]), single])


def test_errors_of_an_iterator_are_raised(no_threads_left):
    def batches():
        yield [0, 1], [1, 2], [1, 2]
        raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        minimum_spanning_forest(batches())
    with pytest.raises(KeyboardInterrupt):
        minimum_spanning_forest(interrupted())


def interrupted():
    yield [0, 1], [1, 2], [1, 2]
    raise KeyboardInterrupt


def test_a_batch_states_its_number_of_vertices():
    assert minimum_spanning_forest([([0], [1], [1], 7)]).graph.n == 7
