"""Missing values and costs of closed directions in streams and parts: as where a file is read whole."""

import gzip
import random
import warnings

import pandas as pd
import pyarrow as pa
import pytest

import boruvka
from boruvka import stream
from boruvka.errors import BoruvkaError, GraphWarning, OptionError
from boruvka.formats import read_chunk
from boruvka.formats.edge_file import FileChunk
from tests.stream.helpers import assert_equal

pl = pytest.importorskip("polars")

CLOSED = "of 60 rows with costs of both directions, 6 have a negative 'cost', and the weight 'reverse_cost'"


def random_rows(seed, size=60):
    """Draw rows with gaps; ends are numbers, or names."""
    rng = random.Random(seed)
    ids = rng.choice((range(12), [f"v{i}" for i in range(12)]))
    weight = rng.choice((lambda: rng.randrange(9), lambda: rng.choice((0.5, 2.25, -3.0, 7.0))))
    rows = []
    for _ in range(size):
        row = [rng.choice(ids), rng.choice(ids), weight()]
        if rng.random() < 0.3:
            row[rng.choice((0, 1, 2, 2))] = None
        rows.append(row)
    return rows, rng


def save(rows, path):
    """Write rows as text or as Parquet in small row groups."""
    frame = pl.DataFrame(rows, schema=["u", "v", "w"], orient="row", infer_schema_length=None)
    if path.name.endswith("parquet"):
        frame.write_parquet(path, row_group_size=7)
    else:
        content = frame.write_csv(separator="\t" if ".tsv" in path.name else ",").encode()
        path.write_bytes(gzip.compress(content) if path.name.endswith("gz") else content)
    return frame


def outcome(use):
    """Return a result and its warnings, or the class of the error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", GraphWarning)
        try:
            result = use()
        except BoruvkaError as error:
            return type(error), []
    return result, [str(each.message) for each in caught if each.category is GraphWarning]


@pytest.fixture
def small_pieces(tiny_limits, monkeypatch):
    monkeypatch.setattr("boruvka.stream.sources.files.BATCH_BYTES", 48)
    monkeypatch.setattr("boruvka.stream.sources.files.CHUNK_BYTES", 64)
    monkeypatch.setattr("boruvka.stream.sources.parquet.ROWS_AT_ONCE", 5)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.tsv", "a.parquet"])
@pytest.mark.parametrize("seeds", [8, pytest.param(40, marks=pytest.mark.long)])
def test_a_stream_and_parts_leave_out_and_fill_in_the_same_rows(tmp_path, small_pieces, name, seeds):
    path = tmp_path / name
    solved = 0
    for seed in range(seeds):
        rows, rng = random_rows(seed)
        frame = save(rows, path)
        how = rng.choice(({"missing": "drop"}, {"missing": "drop", "default": 4}, {"default": 2.5}))
        graph, expected = outcome(lambda how=how: boruvka.read(path, **how))
        found, said = outcome(lambda how=how: stream.minimum_spanning_forest(path, **how))
        of_frame, of_table = outcome(lambda f=frame, how=how: stream.minimum_spanning_forest(f, **how))
        parts = outcome(lambda how=how: [read_chunk(path, FileChunk(k, 3), **how) for k in range(3)])[0]
        if isinstance(graph, type):
            assert found is graph
            continue
        solved += 1
        forest = boruvka.minimum_spanning_forest(graph)
        assert_equal(found, forest)
        assert said == of_table == expected
        assert len(said) == ("missing" in how)
        assert of_frame.edges.tolist() == forest.edges.tolist()
        assert found.graph.n == graph.n
        for column in "uvw":
            joined = [x for part in parts for x in getattr(part, column).tolist()]
            assert joined == getattr(graph, column).tolist()
        assert sum(part.row_counts.left_out for part in parts) == len(rows) - graph.m
    assert solved > seeds / 4


@pytest.mark.filterwarnings("ignore:.*left out")
@pytest.mark.parametrize("is_number", [False, True])
@pytest.mark.parametrize("gap", [",y,7", "x,,7", "x,y,", "x,y,NA"])
@pytest.mark.parametrize("bad", ["", "x\n", "x,y,1z\n"])
def test_gaps_and_malformed_rows_before_commas_between_thousands(tmp_path, gap, bad, is_number):
    """The line of the first such number is found below rows that are left out."""
    path, names = tmp_path / "a.csv", str.maketrans("abcxy", "01234" if is_number else "abcxy")
    text = f'a,b,3.5\n{bad}{gap}\nb,c,"1,234.5"\n'.translate(names)
    path.write_text(f"source,target,weight\n{text}")
    for read in boruvka.read, lambda *x, **how: stream.minimum_spanning_forest(*x, **how, memory="4G"):
        with pytest.warns(GraphWarning, match="1,234.5 is read as 1234.5"):
            found = read(path, missing="drop", bad_rows="skip")
        assert found.w.tolist() == [3.5, 1234.5]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables(make):
    columns = {"u": [0, None, 2, 1], "v": [1, 2, 0, 2], "w": [5.0, 6.0, None, 1.5]}
    with pytest.warns(GraphWarning, match="2 of 4 rows are left out: 1 row has no end and 1 row has"):
        forest = stream.minimum_spanning_forest(make(columns), missing="drop")
    assert (forest.edges.tolist(), forest.weight) == ([0, 1], 6.5)
    with pytest.raises(OptionError, match="is for tables"):
        stream.minimum_spanning_forest(iter([([0], [1], [2])]), missing="drop")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_negative_costs_are_counted(tmp_path, small_pieces, name):
    rows = [(i, i + 1, -1.0 if i % 10 == 0 else 2.0, 1.0) for i in range(60)]
    frame = pl.DataFrame(rows, schema=["source", "target", "cost", "reverse_cost"], orient="row")
    path = tmp_path / name
    if name.endswith("parquet"):
        frame.write_parquet(path, row_group_size=7)
    else:
        content = frame.write_csv().encode()
        path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    for maximum in False, True:
        for use in (
            lambda m=maximum: boruvka.minimum_spanning_forest(boruvka.read(path), maximum=m),
            lambda m=maximum: stream.minimum_spanning_forest(path, maximum=m),
            lambda m=maximum: stream.minimum_spanning_forest(frame, maximum=m),
        ):
            with pytest.warns(GraphWarning, match=f"^{CLOSED}; 54 have another"):
                assert use().weight == 6 * 1 + 54 * 2
