"""The choice of the columns of edges, and what their names mean."""

import warnings

import pytest

from boruvka import GraphWarning, as_graph, read

pl = pytest.importorskip("polars")

ROADS = pl.DataFrame(
    {
        "id": [1, 2, 3, 4, 5],
        "source": [5, 6, 10, 5, 6],
        "target": [6, 10, 15, 10, 15],
        "cost": [1, -1, 2, 4, -1],
        "reverse_cost": [1, 3, -1, 4, -1],
    }
)
SAYS = "2 rows have a negative 'cost' beside the column 'reverse_cost', which in pgRouting closes the road"
FRAMES = {
    "polars": lambda frame: frame,
    "polars, lazy": pl.DataFrame.lazy,
    "pandas": pl.DataFrame.to_pandas,
    "arrow": pl.DataFrame.to_arrow,
    "duckdb": lambda frame: pytest.importorskip("duckdb").from_arrow(frame.to_arrow()),
}
FILES = {
    "csv": pl.DataFrame.write_csv,
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "parquet": pl.DataFrame.write_parquet,
    "arrow": pl.DataFrame.write_ipc,
}


def check(load, frame, **options):
    """Check that a warning about a frame or file of pgRouting comes, and points at this file."""
    with pytest.warns(GraphWarning, match=SAYS) as seen:
        graph = load(frame, **options)
    assert [warning.filename for warning in seen] == [__file__]
    assert graph.w.tolist() == [1, -1, 2, 4, -1]


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float32])
def test_negative_costs_of_frames(library, dtype):
    check(as_graph, FRAMES[library](ROADS.cast({"cost": dtype})))
    check(as_graph, FRAMES[library](ROADS), weight="cost")
    named = ROADS.with_columns(pl.col("source", "target").cast(pl.String))
    check(as_graph, FRAMES[library](named), missing="drop")


@pytest.mark.parametrize("ending", FILES)
def test_negative_costs_of_files(ending, tmp_path):
    path = tmp_path / f"roads.{ending}"
    FILES[ending](ROADS, path)
    check(read, path)
    check(read, path, missing="drop")
    check(read, path, columns=("source", "target", "cost"), names=True)


@pytest.mark.parametrize(
    "frame",
    [
        ROADS.drop("reverse_cost"),
        ROADS.with_columns(pl.col("cost").abs()),
        ROADS.rename({"cost": "weight"}),
        ROADS.with_columns(pl.col("cost").abs().cast(pl.UInt8)),
    ],
)
def test_other_tables_are_silent(frame, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        as_graph(frame)
        frame.write_csv(tmp_path / "roads.csv")
        read(tmp_path / "roads.csv")


def test_either_column_may_be_the_weight():
    with pytest.warns(GraphWarning, match="2 rows have a negative 'reverse_cost' beside the column 'cost'"):
        as_graph(ROADS, weight="reverse_cost")
