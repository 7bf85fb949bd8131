"""Allelic profiles: distances by the rules of GrapeTree, equal profiles as one vertex, and their tables."""

import io
import itertools
import random
import re
import warnings
from contextlib import nullcontext
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import (
    FormatError,
    Graph,
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    minimum_spanning_forest,
    read,
)
from boruvka.formats.points import read_profiles
from boruvka.graph.profiles import allele
from tests.marks import long_but
from tests.oracles import kruskal
from tests.strategies import graphs

pl = pytest.importorskip("polars")

tables = hnp.arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=st.integers(0, 3))


def grapetree(a, b, missing):
    """Compare two profiles as GrapeTree's symmetric distances do; 0 is a missing allele."""
    if missing == "differ":  # --missing 2
        return int((a != b).sum())
    both = (a > 0) & (b > 0)
    count = int(((a != b) & both).sum())
    if missing == "ignore":  # --missing 3
        return count
    if not both.any():
        return a.size
    # --missing 0 rounds (count + 0.01) * loci / (both + 0.01), so that a half becomes the larger number
    return int(np.round((count + 1e-6) * a.size / (both.sum() + 1e-6)))


@pytest.mark.filterwarnings("ignore:.*lack an allele|no locus has")
@pytest.mark.parametrize(
    "missing",
    long_but(["ignore", "scale", "differ"], "ignore"),
)
@given(table=tables)
def test_distances_are_those_of_grapetree(missing, table):
    graph = Graph.from_profiles(table, missing=missing)
    expected = [
        grapetree(table[i], table[j], missing) for i, j in itertools.combinations(range(len(table)), 2)
    ]
    assert graph.w.tolist() == expected
    edges = minimum_spanning_forest(graph).edges.tolist()
    assert edges == kruskal(graph.n, graph.u, graph.v, graph.w)


@pytest.mark.filterwarnings("ignore:.*lack an allele|no locus has")
@given(table=tables)
def test_texts_are_alleles_as_numbers_are(table):
    texts = np.where(
        table > 0, np.char.add("a", table.astype(str)), np.array(["", "-", "?", "NA"])[table % 4]
    )
    for profiles in texts.tolist(), pd.DataFrame(texts), pl.DataFrame(texts.tolist(), orient="row"):
        graph = Graph.from_profiles(profiles, missing="ignore")
        assert graph.w.tolist() == Graph.from_profiles(table, missing="ignore").w.tolist()


NO_ALLELES = [
    "-1",
    "-",
    "?",
    "",
    "0",
    "0.0",
    "-7.5",
    "0.5",
    "N",
    "LNF",
    "niph",
    "NIPHEM",
    "PLOT5",
    " NA ",
    "nan",
]
FORMS = ["{}", " {} ", "{}.0", "0{}", "INF-{}", "*{}", "INF-*{}", "+{}"]


def texts_of(table, draw):
    """Write alleles as texts of any form; 0 and less are none."""
    return [
        [draw(FORMS).format(x) if x > 0 else draw(NO_ALLELES) for x in row]  #
        for row in table.tolist()
    ]


@given(
    table=hnp.arrays(np.int64, st.tuples(st.integers(2, 7), st.integers(1, 5)), elements=st.integers(-1, 3))
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_table_has_the_same_forest(tmp_path, table):
    """A file, a frame of numbers, of texts, of both, and arrays of any type: all give the same graph."""
    draw = random.Random(0).choice
    names = [f"L{k}" for k in range(table.shape[1])]
    texts = texts_of(table, draw)
    floats = np.where(table > 0, table, np.nan)
    strings = np.array(texts)
    mixed = [
        [x if draw([True, False]) else text for x, text in zip(*rows, strict=True)]
        for rows in zip(table.tolist(), texts, strict=True)
    ]
    nullable = pd.DataFrame(table, columns=names).astype("Int64").where(table > 0)
    frames = [
        pd.DataFrame(table, columns=names),
        pd.DataFrame(floats, columns=names),
        pd.DataFrame(texts, columns=names),
        pd.DataFrame(texts, columns=names).astype("category"),
        pd.DataFrame(mixed, columns=names),
        nullable,
        nullable.astype("string"),
        pl.DataFrame(table, schema=names),
        pl.DataFrame(strings, schema=names),
        pl.DataFrame(strings, schema=names).lazy(),
        pa.table({name: table[:, k] for k, name in enumerate(names)}),
        pa.table({name: strings[:, k] for k, name in enumerate(names)}),
    ]
    arrays = [
        table,
        table.astype(np.int8),
        np.maximum(table, 0).astype(np.uint8),
        table.astype(np.float32),
        table.astype(np.longdouble),
        table.astype(object),
        floats,
        strings,
        strings.astype(object),
        strings.astype("S"),
        np.array(mixed, object),
        table.tolist(),
        texts,
        mixed,
        [[Decimal(x) for x in row] for row in table.tolist()],
    ]
    expected = Graph.from_profiles(np.maximum(table, 0), missing="differ").w.tolist()
    for profiles in frames + arrays:
        assert Graph.from_profiles(profiles, missing="differ").w.tolist() == expected
    for name, content in ("t.csv", ",".join), ("t.tsv", "\t".join), ("t.profile", "\t".join):
        path = tmp_path / name
        path.write_text("\n".join([content(names), *map(content, texts)]) + "\n")
        assert Graph.from_profiles(read_profiles(path).profiles, missing="differ").w.tolist() == expected
    pl.DataFrame(table, schema=names).write_parquet(tmp_path / "t.parquet")
    np.save(tmp_path / "t.npy", table)
    pl.DataFrame(table, schema=names).write_ipc(tmp_path / "t.arrow")
    for name in "t.parquet", "t.arrow", "t.npy":
        assert (
            Graph.from_profiles(read_profiles(tmp_path / name).profiles, missing="differ").w.tolist()
            == expected
        )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 1.0, "1", " 1.0 ", "01", "INF-1", "*1", b"1", np.float32(1), Decimal(1), "+1"], 1),
        (
            [0, -1, 0.5, "-1", "0.0", "0.5", "-0", "NaN", None, np.nan, pd.NA, np.inf, "inf", "INF-", "*"],
            None,
        ),
        (["LNF", "PLNF", "NIPH", "NIPHEM", "ASM", "ALM", "PLOT3", "PLOT5", "LOTSC", "PAMA", "-", "?"], None),
        ([".", r"\N", "#N/A", "n/a", "<NA>", "NULL", "none", "N", "LOT", ""], None),
        ([2**63 + 1, "9223372036854775809"], 2**63 + 1),
        ([1.5, "1.5", "1.50", Decimal("1.5")], "1.5"),
        (["? (not found)", "? (failed)", "?1", b"?", "missing"], None),
        (["abc", " abc", b"abc"], "abc"),
        (["1e5"], "1e5"),  # part of a hash, not a number
        ([True, "True", np.True_], "True"),
    ],
)
def test_alleles(values, expected):
    assert [allele(value) for value in values] == [expected] * len(values)


def test_columns_that_are_no_loci():
    frame = pd.DataFrame(
        {"#Name": list("abc"), "ST": [7, 8, 9], "#year": [1, 2, 3], "L1": [1, 1, 2], "L2": [1, 2, 2]}
    )
    for table in frame, frame.rename(columns={"ST": "st_id"}), frame.rename(columns={"ST": "ST_id"}):
        for profiles in table, pl.from_pandas(table), pa.Table.from_pandas(table):
            with pytest.warns(
                GraphWarning,
                match="'#Name' holds the names.* left out: '(ST|ST_id|st_id)', '#year'; name the loci with",
            ) as caught:
                graph = Graph.from_profiles(profiles)
            assert caught[0].filename == __file__
            assert graph.w.tolist() == [1, 2, 1]
            assert graph.names.tolist() == ["a", "b", "c"]
    with pytest.warns(GraphWarning, match="left out: '#Name', 'ST', '#year'"):
        assert Graph.from_profiles(frame, names="xyz").names.tolist() == ["x", "y", "z"]
    with pytest.warns(GraphWarning, match="left out: 'ST', '#year'"):
        assert Graph.from_profiles(frame.set_index("#Name")).names.tolist() == ["a", "b", "c"]
    graph = Graph.from_profiles(frame, loci=["ST", "L1"])
    assert graph.w.tolist() == [1, 2, 2]
    assert graph.names.tolist() == ["a", "b", "c"]
    assert Graph.from_profiles(frame, loci=["#Name", "L1"]).names is None
    with pytest.raises(OptionError, match=r"there is no column 'L9'; .* the columns are '#Name', 'ST'"):
        Graph.from_profiles(frame, loci=["L9"])
    with pytest.raises(OptionError, match="loci names columns of a frame"):
        Graph.from_profiles([[1, 2]], loci=["a"])


@given(table=tables)
def test_equal_profiles_are_one_vertex(table):
    """The forest of the distinct profiles is lighter by nothing: edges between equal ones weigh 0."""
    graph = Graph.from_profiles(table, missing="differ", collapse=True)
    rows = list(map(tuple, table.tolist()))
    distinct = list(dict.fromkeys(rows))
    assert graph.n == len(distinct)
    assert [distinct[vertex] for vertex in graph.profiles.vertex_of] == rows
    assert graph.profiles.sizes.tolist() == [rows.count(row) for row in distinct]
    assert [rows[first] for first in graph.profiles.first_rows] == distinct
    assert graph.names is None or graph.names.tolist() == graph.profiles.first_rows.tolist()
    whole = Graph.from_profiles(table, missing="differ")
    assert minimum_spanning_forest(graph).weight == minimum_spanning_forest(whole).weight


NAMES_OF_STRAINS = """
,Unnamed: 0,strain_name,Strain Name,Sample ID,Isolate ID,isolate_id,Genome,Key,Assembly barcode,Uberstrain,
accession,Name,#Strain,FILE,id,sample.name
""".replace("\n", "").split(",")
DESCRIPTIONS = """
isolate|aliases|country|year|Date|source|host|species|region|continent|city|serotype|serogroup|lineage|
ST (MLST)|clonal_complex (MLST)|sequence_type|LINcode|cc|ST|Clonal Complex|Collection date
""".replace("\n", "").split("|")


@pytest.mark.filterwarnings("ignore:.*lack an allele|no locus has")
@given(
    table=tables,
    of_names=st.sampled_from(NAMES_OF_STRAINS),
    descriptions=st.lists(st.sampled_from(DESCRIPTIONS), unique=True, max_size=4),
    are_numbers=st.booleans(),
    seed=st.randoms(use_true_random=False),
)
def test_columns_that_describe_strains(table, of_names, descriptions, are_numbers, seed):
    """Files and frames with any of these columns give the same graph as the loci alone."""
    strains = [str(7 * k) if are_numbers else f"s{k}" for k in range(len(table))]
    columns = [(f"L{k}", [str(x) for x in column]) for k, column in enumerate(table.T)]
    for name in descriptions:
        values = [seed.choice(["", "1", "2001", "UK", "ST-11 complex"]) for _ in strains]
        columns.insert(seed.randint(0, len(columns)), (name, values))
    columns.insert(0, (of_names, strains))
    lines = ["\t".join(name for name, _ in columns)]
    lines += ["\t".join(row) for row in zip(*(values for _, values in columns), strict=True)]
    file = read_profiles(io.BytesIO("\n".join(lines).encode()), format="tsv")
    expected = Graph.from_profiles(table, missing="ignore").w.tolist()
    for frame in file.profiles, pd.DataFrame(dict(columns)), pl.DataFrame(dict(columns)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graph = Graph.from_profiles(frame, missing="ignore")
        assert graph.w.tolist() == expected
        assert graph.names.tolist() == strains
        assert all(repr(name) in str(caught[0].message) for name in descriptions)


@pytest.mark.parametrize("header", ["what_is_it,L1,L2,L3\n", ""])
@pytest.mark.parametrize("alleles", ["1,1,1 1,1,2 1,2,2 3,2,2", "a,a,a a,a,ff a,ff,ff b1,ff,ff"])
def test_names_by_their_values(header, alleles):
    """Different texts, which no other column has, are names."""
    if not header and "a" in alleles:
        return  # the first line would be a header
    names = ["s1", "x", "Ulm 7", "s-2"]
    text = header + "".join(f"{name},{row}\n" for name, row in zip(names, alleles.split(), strict=True))
    frame = read_profiles(io.BytesIO(text.encode()), format="csv").profiles
    with pytest.warns(GraphWarning, match="the column '(what_is_it|0)' holds the names of strains"):
        graph = Graph.from_profiles(frame)
    assert (graph.names.tolist(), minimum_spanning_forest(graph).weight) == (names, 3)


@pytest.mark.parametrize(
    ("columns", "left_out"),
    [
        ({"L1": [1, 2, 1], "hospital": ["UKE", "Charité", "UKE"], "L2": [1, 1, 2]}, ["hospital"]),
        ({"L1": [1, 2, 1], "L2": ["1", "1", "3"], "ward": ["W 12", None, "ICU"]}, ["ward"]),
        ({"arcC": [1, 2, 1], "spa": ["t008", "t24", None], "pta": [1, 1, 2]}, ["spa"]),
        (
            {"A": [1, 2, 1], "B": [1, 1, 2], "C": [1, 2, 1], "D": [1, "a", "b"], "spa": ["t8", "t2", "t8"]},
            ["spa"],
        ),
        ({"L1": [1, 2, 1], "address": ["1.1.1", "1.1.2", "3.1.1"], "L2": [1, 1, 2]}, ["address"]),
        ({"L1": [1, 2, 1], "L2": ["a", "b", "a"], "L3": [1, 1, 1]}, []),
        ({"L1": [1, 2, 1], "L2": ["F1-5", "F5-1", "1"], "L3": ["ab", "cd", "ab"]}, []),
        ({"L1": ["ab", "cd", "ab"], "L2": ["ab", "ab", "ab"], "L3": [1, 2, 3]}, []),
        ({"L1": ["3ade68b1", "12345678", "x"], "L2": ["ab", "12", "ab"]}, []),
    ],
)
def test_free_text_is_no_locus(columns, left_out):
    """Columns of words among numbers describe the strains; alleles that are texts are kept."""
    loci = {name: values for name, values in columns.items() if name not in left_out}
    expected = Graph.from_profiles(pd.DataFrame(loci), missing="ignore", loci=list(loci)).w.tolist()
    for frame in pd.DataFrame(columns), pl.DataFrame(columns, strict=False):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert Graph.from_profiles(frame, missing="ignore").w.tolist() == expected
        assert [str(each.message) for each in caught] == [
            f"1 column is no locus, and left out: {name!r}; name the loci with loci=, or others with "
            "not_loci="
            for name in left_out
        ]


DATES = ["2026-01", "2026-01-05", "05/01/2026", "5. 1. 2026", "Jan 5, 2026", "2026-01-05 10:00"]
GENES = ["adk", "fumC", "gyrB", "icd", "mdh", "purA", "recA"]
MLVA = ["MIRU02", "MIRU04", "MIRU10", "Mtub04", "Mtub21", "QUB11b", "ETRA", "ETRC", "VNTR424"]
OTHER_COLUMNS = {
    **{f"x{k}": [date, date, "2026-03-01", None] for k, date in enumerate(DATES)},
    "when": pd.to_datetime(["2026-01-05", "2026-01-06", "2026-01-05", None]),
    "quality (%)": ["98,5", "100", "95,9", "97,1"],
    "purity": [98.5, 100, 95.9, 97.1],
    "date_sampled": [2026, 2025, 2025, 2026],
    "dateSampled": [1, 2, 3, 4],
    "sampling date": [20260105, 20260106, 20260105, 20260106],
    "Complex Type": [118, 120, 118, 118],
    "CT": [118, 120, 118, 118],
    "Perc. Good Targets": [98, 99, 98, 97],
    "Bed": [3, 4, 3, 4],
    "Room no.": [3, 4, 3, 4],
    "Pasteur_ST": [147, 147, 15, 15],
}


@pytest.mark.parametrize("loci", [GENES, MLVA, ["l1", "l2", "l3"], ["group_1", "group_22", "group_3"]])
@pytest.mark.parametrize("name", OTHER_COLUMNS)
@pytest.mark.parametrize("is_first", [True, False])
def test_columns_of_dates_decimals_and_descriptions(loci, name, is_first):
    """They are left out of any scheme, at either end, with a notice; and no locus is."""
    table = np.random.default_rng(1).integers(1, 4, (4, len(loci)))
    frame = pd.DataFrame(table, columns=loci)
    frame.insert(0 if is_first else len(loci), name, OTHER_COLUMNS[name])
    frame.insert(0, "isolate", list("ABCD"))
    with pytest.warns(
        GraphWarning, match=re.escape(f"1 column is no locus, and left out: {name!r}")
    ) as caught:
        graph = Graph.from_profiles(frame)
    differ = (table[:, None] != table).sum(axis=2)
    assert len(caught) == 1
    assert graph.w.tolist() == differ[np.triu_indices(4, 1)].tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Graph.from_profiles(frame.drop(columns=name)).w.tolist() == graph.w.tolist()
        assert Graph.from_profiles(frame, not_loci=[name]).w.tolist() == graph.w.tolist()
        assert Graph.from_profiles(frame, loci=loci).w.tolist() == graph.w.tolist()


@pytest.mark.parametrize("others", [["Box"], ["PFGE"], ["Order no"], ["Alter", "Box", "PFGE"]])
def test_columns_called_otherwise_than_genes(others):
    frame = pd.DataFrame({name: [1, 2, 1] for name in [*GENES, *others]})
    with pytest.warns(
        GraphWarning, match=rf"^{', '.join(map(repr, others))}: not called as other loci, .* 'adk'"
    ):
        assert Graph.from_profiles(frame).w.tolist()[0] == len(GENES) + len(others)
    with pytest.warns(GraphWarning, match="^'box': not called as other loci, such as 'snp1'"):
        Graph.from_profiles(pd.DataFrame({name: [1, 2, 1] for name in ["snp1", "snp2", "snp3", "box"]}))


def test_columns_called_otherwise_than_loci():
    frame = pd.DataFrame({"l1": [1, 2, 1], "l2": [1, 2, 2], "l3": [3, 3, 4], "Box": [3, 4, 3]})
    with pytest.warns(GraphWarning, match=r"^'Box': not called as .* such as 'l1', .* not_loci=\('Box',\)$"):
        assert Graph.from_profiles(frame).w.tolist() == [3, 2, 3]
    for how in {"not_loci": "B*"}, {"not_loci": ["Box"]}, {"loci": "l*"}, {"loci": "**", "not_loci": "Box"}:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert Graph.from_profiles(frame, **how).w.tolist() == [2, 2, 2]
    with pytest.warns(GraphWarning, match="left out: 'Box'"):  # words among numbers, although one has a digit
        assert Graph.from_profiles(frame.assign(Box=["ICU", "7", "B"])).w.tolist() == [2, 2, 2]
    with pytest.raises(OptionError, match=r"not_loci: there is no column 'q\*'; .*, 'Box'$"):
        Graph.from_profiles(frame, not_loci=["Box", "q*"])
    with pytest.raises(OptionError, match="not_loci names columns of a frame"):
        Graph.from_profiles([[1, 2]], not_loci="a")


@pytest.mark.parametrize("mark", [";", ",", "_", "/", "|", " "])
def test_several_alleles_of_a_locus(mark):
    frame = pd.DataFrame({"adk": ["1", f"12{mark}13", "12", "12"], "icd": [1, 2, 2, 2]})
    pattern = re.escape(f"at loci of numbers: '12{mark}13'") + r".* no_allele=\('\*" + re.escape(mark)
    with pytest.warns(GraphWarning, match=pattern):
        assert Graph.from_profiles(frame).w.tolist() == [2, 2, 2, 1, 1, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = Graph.from_profiles(frame, missing="ignore", no_allele=f"*{mark}*")
    assert found.w.tolist() == [1, 2, 2, 0, 0, 0]


def test_alleles_that_are_not_certain():
    """Marks make other alleles, with a warning whose patterns leave out no other allele."""
    frame = pd.DataFrame(
        {"adk": ["1", "1?", "1", "2"], "icd": ["4", "42", "4*", "4"], "mdh": ["3", "3", "~3", "3"]}
    )
    pattern = r"'1\?' \(1\), '4\*' \(1\), '~3' \(1\): .*no_allele=\('\*\?', '\*\[\*\]', '~\*'\); if a mark"
    with pytest.warns(GraphWarning, match=pattern):
        assert Graph.from_profiles(frame).w.tolist() == [2, 2, 1, 3, 2, 3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = Graph.from_profiles(frame, missing="ignore", no_allele=("*?", "*[*]", "~*"))
    assert found.w.tolist() == [1, 0, 1, 0, 1, 1]


@pytest.mark.filterwarnings("ignore:.*lack an allele|no locus has")
def test_fractions_are_no_alleles():
    """Measurements among loci are refused by name, unless they are chosen as loci; 1.0 is an allele."""
    loci = {"L1": [1.0, 2.0, np.nan, 1.0], "L2": ["1", "1.0", "-", "2"]}
    columns = loci | {"purity": [52.5, 3, 1, 2], "ratio": ["1.25", "7", "-", "3"]}
    for frame in pd.DataFrame(columns), pl.DataFrame(columns, strict=False):
        with pytest.raises(GraphError, match=r"^'purity', 'ratio': .* 'purity' has 52\.5: .*with loci=$"):
            Graph.from_profiles(frame, missing="ignore")
        chosen = Graph.from_profiles(frame, missing="ignore", loci=["L1", "L2", "purity"])
        assert chosen.w.tolist()[0] == 2
    expected = Graph.from_profiles(pd.DataFrame(loci), missing="ignore").w.tolist()
    described = pd.DataFrame(loci | {"Latitude": [52.5, 50.1, 49, 1], "N50": [1, 2, 3, 4]})
    with pytest.warns(GraphWarning, match="left out: 'Latitude', 'N50'"):
        assert Graph.from_profiles(described, missing="ignore").w.tolist() == expected


def test_columns_in_which_all_strains_differ(recwarn):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(1, 5, (40, 8)), columns=[f"L{k}" for k in range(8)])
    Graph.from_profiles(frame)
    assert not recwarn  # none differ
    Graph.from_profiles(frame.assign(assay=range(100, 140)))
    assert "'assay': not called as other loci, such as 'L0', but counted" in str(recwarn.pop().message)
    assert "nearly every strain has another value in 'assay', unlike" in str(recwarn.pop().message)
    Graph.from_profiles(pd.DataFrame({f"L{k}": rng.permutation(40) + 1 for k in range(8)}))
    Graph.from_profiles(frame.assign(assay=range(100, 140)), loci=[*frame, "assay"])
    assert not recwarn  # all differ, or they are chosen


def test_missing_alleles_are_an_error():
    frame = pd.DataFrame({"arcC": [1, 2, 3], "aroE": [1, np.nan, 4], "glpF": ["a", "-", "?"]})
    with pytest.raises(
        GraphError,
        match="profile 1 has no allele at 'aroE'; 3 are missing, in 2 profiles; missing='ignore' compares",
    ):
        Graph.from_profiles(frame)
    with pytest.raises(OptionError, match="missing must be one of error, ignore, scale, differ; got 'drop'"):
        Graph.from_profiles(frame, missing="drop")
    with pytest.raises(GraphError, match="a row per strain"):
        Graph.from_profiles([[1, 2], [1]])
    with pytest.raises(GraphTypeError, match="profiles cannot be iterated over"):
        Graph.from_profiles(5)
    with pytest.raises(GraphTypeError, match="an allele of 'locus 1' is no number and no text"):
        Graph.from_profiles([[1, {}], [2, 3]])


def test_names():
    frame = pd.DataFrame({"a": [1, 1, 2], "b": [5, 5, 5]}, index=["x", "y", "z"])
    assert Graph.from_profiles(frame).names.tolist() == ["x", "y", "z"]
    assert Graph.from_profiles(frame, collapse=True).names.tolist() == ["x", "z"]
    assert Graph.from_profiles(frame.to_numpy()).names is None
    assert Graph.from_profiles(frame.to_numpy(), names="xyz").names.tolist() == ["x", "y", "z"]
    with pytest.raises(GraphError, match="one name for each of the 3 profiles, got 2"):
        Graph.from_profiles(frame, names="xy")


@pytest.mark.filterwarnings("ignore:.*column")
def test_names_where_no_column_is_called_so(tmp_path):
    """A first column ST names a table of types; an index of pandas in Parquet is no locus."""
    types = pd.DataFrame({"ST": [5, 8, 22], "arcC": [1, 1, 7], "aroE": [4, 5, 4]}, index=[3, 7, 9])
    types.to_parquet(tmp_path / "p.parquet")
    of_file = read(tmp_path / "p.parquet", profiles=True)
    assert (of_file.names.tolist(), of_file.w.tolist()) == ([5, 8, 22], [1, 1, 2])
    types = types.reset_index(drop=True)
    assert Graph.from_profiles(types).names.tolist() == [5, 8, 22]
    assert Graph.from_profiles(types.assign(ST=[5, 5, 22])).names is None
    assert Graph.from_profiles(types.assign(isolate=list("aba"))).names is None
    with pytest.warns(GraphWarning, match="the column 'isolate' holds the names of strains"):
        assert Graph.from_profiles(types.assign(isolate=list("abc"))).names.tolist() == list("abc")
    assert Graph.from_profiles(types, names=list("abc")).names.tolist() == list("abc")


@pytest.mark.parametrize("place", [0, 2], ids=["first", "last"])
@pytest.mark.parametrize("called", ["FILE", "Strain"])
def test_row_numbers_are_no_names_beside_a_column_of_names(place, called):
    """Sorting leaves an index of integers; it has the names without such a column, or if it has a name."""
    frame = pd.DataFrame({"l1": [2, 1, 2, 1], "l2": [3, 3, 1, 1]})
    frame.insert(place, called, list("dbca"))
    for rows in frame.sort_values("l1", kind="stable"), frame[1:], pd.concat([frame[:2], frame[2:]])[::-1]:
        warned = pytest.warns(GraphWarning, match="holds the names of strains") if place else nullcontext()
        with warned:
            assert Graph.from_profiles(rows).names.tolist() == rows[called].tolist()
        assert Graph.from_profiles(rows.drop(columns=called)).names.tolist() == rows.index.tolist()
    rows = frame[1:].rename_axis("number")
    with pytest.warns(GraphWarning, match="left out"):
        assert Graph.from_profiles(rows).names.tolist() == [1, 2, 3]


def test_profiles_that_are_dropped():
    frame = pd.DataFrame({"l1": [1, 0], "l2": [0, 2], "l3": [1, 2]}, index=["22-1.fasta", "x"])
    with pytest.warns(GraphWarning, match="'22-1' with '22-1.fasta'"):
        assert Graph.from_profiles(frame, missing="ignore", drop="22-1").names.tolist() == ["x"]
    with (
        pytest.warns(GraphWarning),
        pytest.raises(GraphError, match="no profile is left: write a larger max_mis"),
    ):
        Graph.from_profiles(frame, max_missing=0)


@pytest.mark.filterwarnings("ignore:read as a matrix")
@pytest.mark.parametrize("collapse", [True, False])
def test_a_name_that_is_there_twice(collapse, tmp_path):
    """It would be in two clusters if its profiles differ; errors name the lines of a file."""
    frame = pd.DataFrame({"id": list("abcb"), "l1": [1, 1, 2, 2], "l2": [1, 1, 2, 2], "l3": [1, 1, 2, 2]})
    with pytest.raises(
        GraphError, match="profiles 1 and 3 have the same name 'b': leave one of them out, or"
    ):
        Graph.from_profiles(frame, collapse=collapse)
    frame.to_csv(tmp_path / "p.csv", index=False)
    frame.to_parquet(tmp_path / "p.parquet")
    for file, message in (
        ("csv", "5: 'b' is in line 3, too: keep one"),
        ("parquet", " row 3: 'b' is in row 1, too"),
    ):
        with pytest.raises(FormatError, match=f"p.{file}:{message}"):
            read(tmp_path / f"p.{file}", profiles=True, collapse=collapse)
    (tmp_path / "m.csv").write_text(",a,b,b\na,0,2,1\nb,2,0,1\nb,1,1,0\n")
    with pytest.raises(FormatError, match=r"m\.csv: vertices 1 and 2 have the same name 'b'"):
        read(tmp_path / "m.csv", zero_is_no_edge=False, collapse=collapse)


@pytest.mark.filterwarnings("ignore:the column")
def test_a_matrix_of_distances_is_no_table_of_profiles(tmp_path):
    matrix = pd.DataFrame([[0, 2, 3], [2, 0, 4], [3, 4, 0]], index=list("abc"), columns=list("abc"))
    for profiles in matrix, matrix.reset_index(names="snp-dists 0.8"), pl.from_pandas(matrix.reset_index()):
        with pytest.raises(GraphError, match="columns are called as the profiles: if they are a matrix of"):
            Graph.from_profiles(profiles)
    matrix.to_csv(tmp_path / "snp_dists.tsv", sep="\t")
    with pytest.raises(GraphError, match="columns are called as the profiles"):
        read(tmp_path / "snp_dists.tsv", profiles=True)


def test_nodes_and_newick():
    graph = Graph.from_profiles(
        [[1, 2, 3], [1, 2, 3], [1, 0, 7], [4, 5, 6]],
        missing="ignore",
        collapse=True,
        names=["a b", "b", "c'", "d"],
    )
    forest = minimum_spanning_forest(graph)
    nodes = forest.to_nodes({"year": [2001, 2002, 2003, 2004], "size": list("wxyz")})
    assert nodes.to_dict("list") == {
        "vertex": ["a b", "c'", "d"],
        "component": [0, 0, 0],
        "degree": [1, 2, 1],
        "size": [2, 1, 1],
        "year": ["2001; 2002", "2003", "2004"],
        "size_given": ["w; x", "y", "z"],
    }
    assert forest.to_newick() == "(((b:0)'a b':1)'c''':2)d;\n"
    with pytest.raises(
        GraphError, match="metadata must have a value for each of the 3 vertices, or of the 4 profiles, got 2"
    ):
        forest.to_nodes({"year": [1, 2]})


def edges_of_newick(text):
    """Read trees whose labels are numbers: the set of (vertices, length) of edges, and all vertices."""
    edges, vertices, levels, previous = set(), [], [[]], ""
    for token in re.findall(r"[(),;]|[^(),;\s]+", text):
        if token == "(":
            levels.append([])
        elif token not in "),;":
            label, _, length = token.partition(":")
            vertices.append(int(label))
            if previous == ")":
                edges |= {(frozenset((int(label), child)), weight) for child, weight in levels.pop()}
            levels[-1].append((int(label), length))
        previous = token
    return edges, sorted(vertices)


@given(graph=graphs(max_vertices=9, max_edges=20, dtypes=[np.dtype(np.int64)]))
def test_newick_holds_all_edges(graph):
    forest = minimum_spanning_forest(graph)
    ends = zip(forest.u.tolist(), forest.v.tolist(), forest.w.tolist(), strict=True)
    expected = {(frozenset((u, v)), str(w)) for u, v, w in ends}
    assert edges_of_newick(forest.to_newick()) == (expected, list(range(graph.n)))
    assert forest.to_newick().count(";\n") == forest.n_components
    assert forest.to_nodes()["component"].tolist() == forest.labels.tolist()


def test_newick_of_a_long_path():
    n = 50_000
    forest = minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.ones(n - 1, int)))
    text = forest.to_newick()
    assert text.count("(") == text.count(")")
    assert text.count(":1") == n - 1


def distances_of(profiles, **how):
    graph = Graph.from_profiles(profiles, missing="ignore", **how)
    return graph.weights_at(*np.triu_indices(graph.n, 1)).tolist()


TEXTS = [[1, 2, "err"], [1, "ERR ", 3], ["novel", 2, 4], [1, 2, 4]]


@pytest.mark.parametrize("make", [list, lambda rows: pd.DataFrame(rows, columns=list("abc"))])
def test_texts_that_mean_no_allele(make):
    profiles = make(TEXTS)
    words = r"no_allele=\('novel', 'ERR', 'err'\)"
    with pytest.warns(GraphWarning, match=r"'novel' \(1\), 'ERR' \(1\), 'err' \(1\): if .* " + words):
        distances_of(profiles)
    with pytest.warns(GraphWarning, match=r"'novel' \(1\): if .* no_allele=\('novel',\)"):
        found = distances_of(profiles, no_allele="Err")
    with_zeros = make([[0 if str(x).strip() in ("err", "ERR") else x for x in row] for row in TEXTS])
    with pytest.warns(GraphWarning, match="'novel'"):
        assert found == distances_of(with_zeros)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        distances_of(profiles, no_allele=["err", " novel"])


@pytest.mark.parametrize(
    "rows",
    [
        [["A", "C"], ["A", "T"], ["G", "T"]],  # nucleotides
        [[1, "ND"], [2, "NT"], [3, 5], [4, "failed"], [4, "lnf"]],  # no alleles
        [["x", 1], ["y", 2]],
    ],
)
def test_texts_without_a_warning(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        distances_of(rows)


@pytest.mark.parametrize(
    ("words", "error"), [([1], "no_allele must be texts, got 1"), (3, "no_allele cannot be iterated over")]
)
def test_wrong_texts_that_mean_no_allele(words, error):
    with pytest.raises((OptionError, GraphTypeError), match=error):
        Graph.from_profiles(TEXTS, no_allele=words)


def test_profiles_that_lack_many_alleles():
    rng = np.random.default_rng(1)
    table = rng.integers(1, 4, (20, 24))
    table[rng.random(table.shape) < 0.05] = 0
    table[3, :10] = table[7, :8] = table[9, :5] = 0
    lacking = (table == 0).sum(axis=1)
    names = [f"s{k}" for k in range(20)]
    frame = pd.DataFrame(table, index=names, columns=[f"l{k}" for k in range(24)])
    for collapse in False, True:
        with pytest.warns(GraphWarning) as caught:
            graph = Graph.from_profiles(frame, missing="ignore", collapse=collapse)
        assert graph.profiles.missing.tolist() == lacking.tolist()
        assert graph.profiles.n_loci == 24
        message = str(caught[0].message)
        found = dict(re.findall(r"'(s\d+)' \((\d+)%\)", message))
        assert found == {names[k]: f"{100 * lacking[k] / 24:.0f}" for k in range(20) if lacking[k] > 6}
        assert message.startswith(
            f"{len(found)} of 20 profiles lack an allele at more than 25% of the loci: 's3'"
        )
        assert message.endswith("; their distances are not certain: max_missing=0.25 leaves them out")
        with pytest.warns(GraphWarning, match="loci: 's3' .*, 's7' .*, 's9' .*; they are left out"):
            left = Graph.from_profiles(
                frame, missing="ignore", collapse=collapse, max_missing=0.2, drop=["s0", "s5"]
            )
        rows = [k for k in range(1, 20) if k != 5 and lacking[k] / 24 <= 0.2]
        expected = Graph.from_profiles(frame.iloc[rows], missing="ignore", collapse=collapse)
        assert left.names.tolist() == expected.names.tolist()
        assert left.profiles.missing.tolist() == lacking[rows].tolist()
        np.testing.assert_array_equal(left.w, expected.w)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Graph.from_profiles(frame.drop(list(found)), missing="ignore")
    with pytest.warns(GraphWarning, match="lack an allele at more than 0%"):
        found = Graph.from_profiles(frame, max_missing=0).names.tolist()
    assert found == [names[k] for k in range(20) if not lacking[k]]
    with pytest.warns(GraphWarning, match=r"loci: 1 \(50%\); they are left out"):  # rows are names
        found = Graph.from_profiles([[1, 2], [1, 0], [3, 2]], max_missing=0.3)
    assert found.names.tolist() == [0, 2]
    with pytest.raises(GraphError, match=r"drop\[0\] = 's99' is the name of no vertex"):
        Graph.from_profiles(frame, drop="s99")
    with pytest.raises(OptionError, match=r"a number from 0 to 1, got 10: write 0\.1 for 10%"):
        Graph.from_profiles(frame, max_missing=10)


def test_loci_are_columns_in_both_functions(tmp_path):
    frame = pd.DataFrame({"id": ["a", "b"], "x": [1, 2], "y": [1, 1], "z": [1, 3]})
    frame.to_csv(tmp_path / "p.csv", index=False)
    assert Graph.from_profiles(frame, columns=["x", "y"]).w.tolist() == [1]
    assert Graph.from_profiles(frame, loci=["x", "z"]).w.tolist() == [2]
    assert read(tmp_path / "p.csv", profiles=True, loci=["x", "z"]).w.tolist() == [2]
    with pytest.raises(OptionError, match="loci is for profiles: write profiles=True too"):
        read(tmp_path / "p.csv", loci=["x"])


@pytest.mark.filterwarnings("ignore:.*lack an allele|no locus has")
@pytest.mark.parametrize("share", [0, 0.1, 0.25, 0.6])
@pytest.mark.parametrize("how", [{}, {"drop": ["s1", "s2"]}, {"max_missing": 0.3}], ids=str)
def test_loci_without_alleles_are_left_out_first(share, how):
    """As if the columns were dropped by pandas, without the strains that are dropped by name."""
    rng = np.random.default_rng(8)
    table = rng.integers(1, 5, (20, 12)) * (rng.random((20, 12)) > np.linspace(0, 0.6, 12))
    frame = pd.DataFrame(table, [f"s{k}" for k in range(20)], [f"l{k}" for k in range(12)])
    of_strains = (frame.drop(how.get("drop", [])) == 0).mean()
    kept = frame.loc[:, of_strains <= share]
    with pytest.warns(GraphWarning, match=rf"of 12 loci have no allele in more than {100 * share:g}%"):
        found = Graph.from_profiles(frame, missing="ignore", max_missing_loci=share, **how)
    expected = Graph.from_profiles(kept, missing="ignore", **how)
    assert found.names.tolist() == expected.names.tolist()
    np.testing.assert_array_equal(found.w, expected.w)
    missing = (kept.loc[found.names.tolist()] == 0).sum().sort_values(ascending=False, kind="stable")
    assert found.profiles.most_missing_loci == missing[missing > 0].head(5).to_dict()


def test_no_locus_is_left():
    said = pytest.warns(GraphWarning, match=r"2 of 2 loci have no allele .*: 'a' \(50%\), 'b' \(50%\)")
    with pytest.raises(GraphError, match="no locus is left: write a larger max_missing_loci"), said:
        Graph.from_profiles(pd.DataFrame({"a": [0, 1], "b": [0, 2]}), max_missing_loci=0.1)


@pytest.mark.parametrize("first", ["locus", "#Locus", "loci"])
def test_loci_in_rows(tmp_path, first):
    """They are transposed, in files and in frames."""
    polars = pytest.importorskip("polars")
    frame = pd.DataFrame({"Product": ["a, b", "c"], "Genome position": [3, 9], "s1": [1, 2], "s2": [1, "X"]})
    frame["s3"], frame.index = [4, 4], pd.Index(["adk", "abcZ"], name=first)
    frame.to_csv(tmp_path / "rows.tsv", sep="\t")
    said = (
        f"each row is a locus, as the column '{first}' says, .* X and I are no .*: Product, Genome position"
    )
    with pytest.warns(GraphWarning, match=said):
        graph = read(tmp_path / "rows.tsv", profiles=True, missing="ignore")
    strains, rows = frame[["s1", "s2", "s3"]].T, frame.reset_index().astype(str)
    expected = Graph.from_profiles(strains, missing="ignore", no_allele="X")
    assert graph.names.tolist() == strains.index.tolist()
    assert graph.w.tolist() == expected.w.tolist() == [0, 2, 1]
    for table in frame, frame.reset_index(), frame.reset_index()[::-1], polars.from_pandas(rows):
        what = "index" if table is frame else "column"
        with pytest.warns(GraphWarning, match=said.replace("column", what)):
            found = Graph.from_profiles(table, missing="ignore")
        assert (found.names.tolist(), found.w.tolist()) == (list(strains.index), [0, 2, 1])
    (tmp_path / "rows.tsv").write_text("locus\ts1\ts2\nadk\t1\t2\nadk\t3\t4\n")
    with pytest.raises(FormatError, match=r"rows.tsv:3: 'adk' is in line 2, too"):
        read(tmp_path / "rows.tsv", profiles=True)
    for head in "locus\ts1\ts1", "strain\tl1\tl1":
        (tmp_path / "rows.tsv").write_text(f"{head}\na\t1\t2\n")
        with pytest.raises(FormatError, match=r"the column '[sl]1' is there twice"):
            read(tmp_path / "rows.tsv", profiles=True)


@pytest.mark.parametrize("header", ["FILE\ta\tb", "\ta\tb", "#Strain\t1\t2"])
def test_a_header_that_is_repeated(tmp_path, header):
    """As after cat of two files; numbers may be names of loci and their alleles."""
    path = tmp_path / "two.tsv"
    path.write_text(f"{header}\nA\t1\t2\nB\t1\t2\n{header}\nC\t1\t3\n")
    with pytest.raises(FormatError, match=r"two.tsv:4: .* is the header of its column: leave the line out"):
        read(path, profiles=True, header=True)
    path.write_text("\t1\t2\nA\t1\t2\nB\t1\t2\n")
    assert read(path, profiles=True, header=True).w.tolist() == [0]


FIRST, SECOND = "FILE\tl1\tl2\tl3\nA\t1\t2\t3\nB\tINF-1\t5\t3\n", "FILE\tl3\tl1\tl2\nC\t4\t1\t5\nB\t3\t1\t5\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write texts to files in a folder of its own, and return their names."""
    monkeypatch.chdir(tmp_path)

    def write(*texts):
        names = [f"w{k}.tsv" for k in range(1, len(texts) + 1)]
        for name, text in zip(names, texts, strict=True):
            Path(name).write_text(text)
        return names

    return write


def test_profiles_of_several_files(files):
    """Loci are matched by names, and a strain of two files counts once, as in a frame of pandas."""
    names = files(FIRST, SECOND)
    with pytest.warns(GraphWarning, match="several files have, with equal values, count once: 'B'$"):
        graph = read(names, profiles=True)
    parts = [pd.read_csv(name, sep="\t", index_col="FILE", dtype=str) for name in names]
    whole = pd.concat([parts[0], parts[1].drop(index="B")])
    assert graph.names.tolist() == list("ABC")
    assert graph.w.tolist() == Graph.from_profiles(whole).w.tolist() == [1, 2, 1]


def test_loci_that_one_file_lacks(files):
    names = files(FIRST, "FILE\tl1\tl4\nC\t2\t7\n")
    with pytest.warns(GraphWarning) as said:
        graph = read(names, profiles=True, missing="ignore")
    assert graph.w.tolist() == [1, 1, 1]
    lacks = "lacks columns of the other files: its strains have no allele at"
    expected = [f"w1.tsv {lacks} 'l4'", f"w2.tsv {lacks} 'l2', 'l3'"]
    assert [str(each.message) for each in said] == expected


@pytest.mark.parametrize(
    ("first", "second", "no_allele"),
    [("B\t7\t5\tLNF", "B.fasta\tINF-7\t5\tNIPH", ()), ("runs/B.fa\t7\tx\t3", "B\t7\ti\t3", ("x", "I"))],
)
def test_rows_of_a_strain_in_several_files(files, first, second, no_allele):
    """Spellings of names of files, and of alleles that are missing, do not matter, unless alleles differ."""
    head = "FILE\tl1\tl2\tl3\n"
    names = files(f"{head}A\t1\t2\t3\n{first}\n", f"{head}C\t4\t1\t5\n{second}\n")
    rules = {"profiles": True, "missing": "ignore", "no_allele": no_allele}
    with pytest.warns(GraphWarning, match=f"count once: '{second.partition(chr(9))[0]}'$"):
        graph = read(names, **rules | {"no_allele": iter(no_allele)})
    rows = [[1, 2, 3], [None if x in ("LNF", "x") else int(x) for x in first.split("\t")[1:]], [4, 1, 5]]
    assert graph.names.tolist() == ["A", first.partition("\t")[0], "C"]
    assert graph.w.tolist() == Graph.from_profiles(rows, missing="ignore").w.tolist()
    name, *alleles = first.split("\t")
    Path(names[1]).write_text(f"{head}C\t4\t1\t5\n{name}\t9\t{alleles[1]}\t{alleles[2]}\n")
    said = r"other values of 'l1': keep one row of it, or leave it out with drop='(runs/B.fa|B)'$"
    with pytest.raises(FormatError, match=said):
        read(names, **rules)
    assert read(names, drop=iter([name]), **rules).names.tolist() == ["A", "C"]
    Path(names[1]).write_text(f"{head}C\t4\t1\t5\nb\t9\t5\t3\n")
    said = r"'(runs/B.fa|B)' and 'b' are two vertices, but differ by blanks, endings .* \(1 such pair\)"
    with pytest.warns(GraphWarning, match=said + ": if they are one, drop='b' leaves it out"):
        assert read(names, **rules).n == 4


def test_messages_of_files_name_the_arguments_of_read(files):
    with pytest.warns(GraphWarning, match="ST'; name the loci with loci=, or others with not_loci="):
        read(files("FILE\tST\tl1\nA\t1\t1\nB\t2\t2\n")[0], profiles=True)


def test_two_names_of_a_strain():
    table = [[1, 2], [1, 2], [3, 4]]
    with pytest.warns(GraphWarning, match="'a' and 'A.fasta' are two vertices, but differ by blanks"):
        Graph.from_profiles(table, names=["a", "A.fasta", "101"])
    Graph.from_profiles(table, names=["a", "A.fasta", "0101"], drop="a")


def test_hashes_and_words_that_are_no_alleles():
    hashes = pd.DataFrame({"l1": ["19d282e9", "12345678", "incomplete", "98765432"], "l2": [1, 1, 2, 3]})
    assert Graph.from_profiles(hashes, missing="ignore", loci=["l1", "l2"]).w.tolist() == [1, 1, 2, 1, 2, 1]


@pytest.mark.filterwarnings("ignore:each row is a locus")
@pytest.mark.filterwarnings("ignore:strains that several files")
def test_files_of_bigsdb_and_new_alleles_that_are_missing(files):
    names = files("Locus\tA\tB\nx\t1\t2\ny\t3\t3\n", "Locus\tB\tC\ny\t3\t4\nx\t2\t2\n")
    assert read(names, profiles=True).w.tolist() == [1, 2, 1]
    graph = read(files(FIRST, SECOND), profiles=True, missing="ignore", no_allele="INF-*")
    assert graph.profiles.missing.tolist() == [0, 1, 0]  # the text is kept


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (SECOND.replace("B\t3", "B\t9"), r"'B' is in w1.tsv and w2.tsv, with other values of 'l3': keep one"),
        (SECOND.replace("FILE", "Strain"), "w2.tsv: the first column is 'Strain', and 'FILE' in w1.tsv"),
        (SECOND + "C\t4\t1\t6\n", "w2.tsv: the first column is 'FILE', and has a value twice"),
        (SECOND.replace("\tl", "\tL"), "w2.tsv: no locus is called as in w1.tsv"),
        ("C\t1\t2\t3\nD\t1\t2\t3\n", "w2.tsv: several files are joined by the names of loci, and this"),
        (">C\nACGT\n", "w2.tsv: several files are joined by the names of loci, and this has none"),
    ],
)
def test_files_that_cannot_be_joined(files, other, message):
    names = files(FIRST, other)
    with pytest.raises(FormatError, match=message):
        read(names, profiles=True)
    with pytest.raises(OptionError, match="several files are joined for profiles only"):
        read(names)


@pytest.mark.filterwarnings("ignore:the column|each row is a locus")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\ufeff"FILE"\tl1\tl2\t\r\nA\t1\t2\t\r\nB\t1\t3.0\t\r\nC\t2\t3\t\r\n', [1, 2, 1]),  # tabs at ends
        ("FILE\tl1\tl2\nA\tinf-3\t1\nB\t3\t2\nC\t*3\t2\n", [1, 1, 0]),
        ("Row;Sample ID;ST;lmo0001;lmo0002;lmo0003\n1;A;1;1;2;3\n2;B;1;1;3;3\n3;C;2;2;3;3\n", [1, 2, 1]),
        ("Gene\tA\tB\tC\nlmo1\t1\t1\t2\nlmo2\t2\t3\t3\n", [1, 2, 1]),
        ("Name\tHC0\tl1\tHC5 (cgST)\tl2\nA\t1\t1\t1\t2\nB\t2\t1\t1\t3\nC\t3\t2\t2\t3\n", [1, 2, 1]),
    ],
)
def test_files_of_other_programs(files, text, expected):
    assert read(*files(text), profiles=True, format="csv").w.tolist() == expected


@pytest.mark.filterwarnings("ignore:the column")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("FILE\tEXC\tINF\tASM\tNIPH\tLNF\nA\t9\t1\t2\t1\t1\n", "classes of alleles: read results_alleles"),
        ("#Name\tHC0\tHC2\tHC5\nA\t1\t1\t1\nB\t2\t1\t1\n", "no column that is a locus"),
        (
            "index\tseqName\tclade\ttotalMissing\tsubstitutions\n0\tA\t20A\t4\tC1T\n",
            "no column that is a locus",
        ),
        ("FILE\tl1\tl2\nA\t1\t2\n\t7\t\n", "profile 1 has no name: write one, or leave out the row"),
    ],
)
def test_files_that_hold_no_profiles(files, text, message):
    with pytest.raises(GraphError, match=message):
        read(*files(text), profiles=True, missing="ignore")


def test_tables_of_presence_and_profiles_without_alleles():
    with pytest.warns(
        GraphWarning, match="^no locus has two different alleles, so that all distances are 0: mis"
    ):
        Graph.from_profiles([[1, 0, 1], [1, 1, 1]], missing="ignore")
    with pytest.warns(GraphWarning, match="1 of 3 profiles lack an allele at more than 90% of the loci: 1"):
        Graph.from_profiles([[1, 2], [0, 0], [2, 2]], missing="ignore")
