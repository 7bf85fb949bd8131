import numpy as np
import pytest

from boruvka.errors import FormatError, OptionError
from boruvka.formats.metadata import read_metadata

TEXT = """country,#Strain,year,share,sampled,lot,note
CZ,007,2001,0.5,2026-11-30,1,
"DE, west",7,,NA,,a,
NA,x y,2003,1e3,2025-01-02,3,
"""


def test_values_are_those_of_the_file(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text(TEXT)
    found = read_metadata(path, "Strain")
    assert (found.id, found.names) == ("#Strain", ["007", "7", "x y"])
    assert found.columns["country"] == ["CZ", "DE, west", "NA"]  # a country
    assert found.columns["year"] == ["2001", None, "2003"]
    assert found.columns["share"] == ["0.5", "NA", "1e3"]
    assert found.columns["sampled"] == ["2026-11-30", None, "2025-01-02"]
    assert found.columns["lot"] == ["1", "a", "3"]
    assert found.columns["note"] == [None] * 3


def test_comments_above_the_columns(tmp_path):
    (path := tmp_path / "m.tsv").write_text("#\n#  VizieR\n#Name: J/A+A\trows\trows\nrecno\tcz\n1\t5\n2\t\n")
    found = read_metadata(path)
    assert (found.names, found.columns) == (["1", "2"], {"cz": ["5", None]})


@pytest.mark.parametrize(
    ("header", "id"), [("a,b", "a"), ("a,Vertex", "Vertex"), ("name,id", "id"), ("b,strain", "strain")]
)
def test_the_column_of_names(tmp_path, header, id):
    (tmp_path / "m.csv").write_text(f"{header}\n1,2\n")
    assert read_metadata(tmp_path / "m.csv", "#Strain").id == id


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather"])
def test_formats_hold_the_same(tmp_path, ending):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(
        {"id": ["b", "a", "c"], "n": [3, 1, 2], "x": [0.5, None, -1], "text": ["u", None, "w"]}
    )
    path = tmp_path / f"m.{ending}"
    if ending in ("csv", "tsv"):
        frame.to_csv(path, sep="," if ending == "csv" else "\t", index=False)
    else:
        getattr(frame, f"to_{ending}")(path)
    found = read_metadata(path)
    assert found.names == ["b", "a", "c"]
    if ending in ("csv", "tsv"):
        frame = pandas.read_csv(path, dtype=object, sep="," if ending == "csv" else "\t")
    expected = frame.drop(columns="id").astype(object)
    assert found.columns == expected.where(expected.notna(), None).to_dict("list")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.csv: the file is empty"),
        ("1,2\n3,4\n", "m.csv: expected a line that names the columns, as id,country"),
        ("id,c,c\n1,2,3\n", "m.csv: the column 'c' is there twice"),
        ("id,c\na,Korea, Rep.\n", "m.csv:2: expected 2 columns, .*: 3 fields, not 2; quote fields with ','$"),
        ("id,c\na,b\na,Korea, Rep.\n", "m.csv:3: expected 2 columns, .*not 2; quote fields with ','$"),
        ("id,c\n1,2,3\n", "m.csv:2: expected 2 columns"),
    ],
)
def test_wrong_tables(tmp_path, text, message):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_metadata(tmp_path / "m.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "id,c\na,1\nb,2\na,3\n",
            "m.csv:4: 'a' is in line 2, too, with another value in the column 'c': keep",
        ),
        ("c,d,id\n1,,a\n1,,a\n1,x,a\n", "m.csv:4: 'a' is in line 2, too, .* column 'd'"),
        ("id,c\na,1\nb,2\n\na,3\n", "m.csv:5: 'a' is in line 2, too, .* column 'c'"),
        ("who,lab\na,1\nb,2\na,3\n", "m.csv:4: 'a' is in line 2, too, .* column 'lab'"),
        ("id,who,lab\n7,a,1\n8,b,2\n9,a,3\n", "m.csv:4: 'a' is in line 2, too, .* column 'id'"),
        ("who,lab\na.fa,1\nb,2\na.fa,3\n", "m.csv:4: 'a.fa' is in line 2, too"),
    ],
)
@pytest.mark.filterwarnings("ignore:.* rows that repeat another one")
def test_rows_that_differ_for_a_vertex(tmp_path, text, message):
    path = tmp_path / "m.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        read_metadata(path, vertices={"a", "b"})
    assert read_metadata(path, vertices={"b", "q"}).names  # rows of other names do not matter


def test_binary_rows_that_differ(tmp_path):
    np.savez(tmp_path / "m.npz", id=np.array(["a", "b", "a"]), x=np.arange(3))
    with pytest.raises(FormatError, match=r"m.npz: row 2: 'a' is in row 0, too, .* column 'x'"):
        read_metadata(tmp_path / "m.npz", vertices=["a"])


@pytest.mark.parametrize(
    ("text", "called", "expected"),
    [
        ("id,strain\n1,a\n2,b\n3,c\n", "FILE", "strain"),  # called so, but has none
        ("vertex,strain\na,a\na,b\nc,c\n", "FILE", "strain"),  # groups, as tables of clusters have them
        ("vertex,FILE\na,a\na,b\nc,c\n", "FILE", "FILE"),
        ("age,who\na,a\na,b\nb,z\n", "FILE", "who"),  # values that are there twice do not count
        ("who,id\na,a\nb,b\nc,\n", "FILE", "id"),
        ("who,id\na,a\nb,q\nc,r\n", "FILE", "who"),  # three names are more than twice one
        ("name,id\na,a\nb,b\n", "FILE", "id"),  # both are called so: in the order of `ID_COLUMNS`
        ("who,where\np,q\nr,s\n", "FILE", "who"),  # none has a name
        ("kind,id\na,x\na,y\n", "FILE", "id"),
        ("kind,who\na,x\na,y\n", "FILE", "who"),
        ("id,kind,who\n1,x,a\n2,x,b\n3,y,q\n4,y,q\n", "FILE", "who"),
        ("who,file\na,a.fasta\nb,q\n", "FILE", "file"),
    ],
)
def test_which_column_has_the_names(tmp_path, text, called, expected):
    (tmp_path / "m.csv").write_text(text)
    assert read_metadata(tmp_path / "m.csv", called, ["a", "b", "c"]).id == expected


def test_columns_that_may_both_have_the_names(tmp_path):
    (tmp_path / "m.csv").write_text("who,where\na,b\nb,a\n")
    with pytest.raises(OptionError, match="columns 'who' and 'where' may hold the names: write metadata_id"):
        read_metadata(tmp_path / "m.csv", "FILE", ["a", "b"])


def test_columns_of_different_lengths(tmp_path):
    np.savez(tmp_path / "m.npz", id=np.arange(3), x=np.arange(2))
    with pytest.raises(FormatError, match="the columns have different lengths"):
        read_metadata(tmp_path / "m.npz")
