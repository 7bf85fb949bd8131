"""Aligned sequences are profiles."""

import gzip
import io
import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import FormatError, Graph, GraphError, GraphTypeError, OptionError, minimum_spanning_forest
from boruvka.formats.points import read_profiles

MISSING = {"ignore", "differ", "scale"}
NONE = "-?.X"


def distance(a, b, missing, none):
    """Count the sites that differ, as `Graph.from_profiles` says."""
    pairs = [(x if x not in none else "", y if y not in none else "") for x, y in zip(a, b, strict=True)]
    if missing == "differ":
        return sum(x != y for x, y in pairs)
    shared = [(x, y) for x, y in pairs if x and y]
    count = sum(x != y for x, y in shared)
    if missing == "ignore":
        return count
    return math.floor(Fraction(count * len(a), len(shared)) + Fraction(1, 2)) if shared else len(a)


@pytest.mark.filterwarnings("ignore:.*lack an allele")
@given(
    st.integers(1, 8).flatmap(
        lambda size: st.lists(
            st.text("ACGTACGTACGTacgtNn-?.xXRyKmu", min_size=size, max_size=size), min_size=1, max_size=6
        )
    ),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(sorted(MISSING)),
    st.integers(1, 4),
)
def test_distances(tmp_path_factory, sequences, is_protein, newline, missing, width):
    path = tmp_path_factory.getbasetemp() / "a.fasta"
    if is_protein:  # N is asparagine
        sequences = [f"{each}E" for each in sequences]
    else:  # most letters are nucleotides
        sequences = [f"{each}{'A' * len(each)}" for each in sequences]
    lines = []
    for k, each in enumerate(sequences):
        lines += [f">s{k} a>b", *(each[i : i + width] for i in range(0, len(each), width)), ""]
    path.write_bytes(newline.join(lines).encode())
    found = read_profiles(path)
    assert found.names.tolist() == [f"s{k}" for k in range(len(sequences))]
    graph = Graph.from_profiles(found.profiles, names=found.names, missing=missing)
    none = NONE if is_protein else set(map(chr, range(128))) - set("ACGTU")
    upper = [each.upper() for each in sequences]
    expected = [distance(a, b, missing, none) for a, b in combinations(upper, 2)]
    assert graph.w.tolist() == expected


@pytest.mark.parametrize("ending", ["fasta", "fa", "fna", "aln", "afa", "FASTA", "fasta.gz"])
def test_endings(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    content = b">s1\nAGTC\nAGTC\n\n>s2\nAGGCAGTC\n>s3\nAGTGAGTA\n>s4\nTGTTAGAC"
    path.write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    found = read_profiles(path)
    assert found.names.tolist() == ["s1", "s2", "s3", "s4"]
    assert minimum_spanning_forest(Graph.from_profiles(found.profiles)).weight == 1 + 2 + 3
    path.rename(tmp_path / "a.txt")
    for how in ({"format": "fasta"}, {}):
        assert read_profiles(tmp_path / "a.txt", **how).profiles.tolist() == found.profiles.tolist()


def test_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.fasta"
    path.write_text(">a\nACGT\n>b\nACGA\n", encoding="utf-8-sig")
    assert read_profiles(path).names.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("ACGT\n>a\nACGT\n", "expected FASTA"),
        (">a\nACGT\n>b\nACG\n", "the sequence 'b' has 3 sites, and 'a' has 4: align"),
        (">a\n>b\n", "the sequence 'a' has 0 sites"),
    ],
)
def test_malformed_files(tmp_path, content, message):
    path = tmp_path / "a.fasta"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        read_profiles(path)


SEQUENCES = {"s1": "AGTCAGTC", "s2": "AGGCAGTC", "s3": "AGTGAGTA", "s4": "TGTTAGAC"}


@pytest.mark.parametrize("ending", ["txt", "fas", "mfa", "msa", "", "stream"])
@pytest.mark.parametrize("before", ["", "\n \n", "\ufeff"])
def test_fasta_by_its_content(tmp_path, ending, before):
    text = before + "".join(f">{name} x\n{each[:4]}\n{each[4:]}\n" for name, each in SEQUENCES.items())
    path = tmp_path / f"a.{ending}".rstrip(".")
    path.write_bytes(text.encode())
    found = read_profiles(io.BytesIO(text.encode()) if ending == "stream" else path)
    assert found.names.tolist() == list(SEQUENCES)
    assert minimum_spanning_forest(Graph.from_profiles(found.profiles)).weight == 1 + 2 + 3


@given(
    sequences=st.integers(4, 70).flatmap(
        lambda size: st.lists(st.text("ACGTacgt-?", min_size=size, max_size=size), min_size=1, max_size=6)
    ),
    width=st.sampled_from([10, 30, 60, 99]),
    form=st.sampled_from(["in turn", "in order"]),
    is_padded=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_phylip(sequences, width, form, is_padded, newline):
    """Sequential and interleaved PHYLIP give the profiles of the same sequences in FASTA."""
    names = [f"sample_{k:03d}" if is_padded else f"s{k}" for k in range(len(sequences))]
    sites = len(sequences[0])
    blocks = [[each[i : i + width] for i in range(0, sites, width)] for each in sequences]
    for name, block in zip(names, blocks, strict=True):
        parts = [block[0][i : i + 10] for i in range(0, len(block[0]), 10)]
        block[0] = name.ljust(10) + ("" if is_padded else " ") + " ".join(parts)
    if form == "in turn":
        lines = [line for of_block in zip(*blocks, strict=True) for line in ["", *of_block]]
    else:
        lines = [line for block in blocks for line in block]
    text = newline.join([f" {len(names)} {sites}", *lines, ""])
    fasta = "".join(f">{name}\n{each}\n" for name, each in zip(names, sequences, strict=True))
    found, expected = (read_profiles(io.BytesIO(each.encode())) for each in (text, fasta))
    assert found.names.tolist() == names
    assert found.profiles.tolist() == expected.profiles.tolist()


def test_phylip_that_does_not_fit(tmp_path):
    path = tmp_path / "a.phy"
    for text in "3 8\na ACGTACGT\nb ACGTACGT\n", "2 8\na ACGTACGT\nb ACGTACG\n":
        path.write_text(text)
        with pytest.raises(
            FormatError, match=r"expected PHYLIP: . lines 'name sequence' with 8 sites.*to FASTA"
        ):
            read_profiles(path)


def test_two_numbers_are_not_always_phylip():
    for text in "5 10\n5 3\n", "5 10\ns1 4\n", "2 3\n1 2\n3 4\n":
        found = read_profiles(io.BytesIO(text.encode()), format=None if text[0] == "5" else "edges")
        assert found.profiles.shape == (text.count("\n"), 2)


def test_options_of_tables_are_refused(tmp_path):
    path = tmp_path / "a.fasta"
    path.write_text(">a\nACGT\n")
    for options in {"columns": [0]}, {"header": True}, {"id": 0}:
        with pytest.raises(OptionError, match="an alignment has no columns: leave out"):
            read_profiles(path, **options)


def test_sequences_in_python(tmp_path):
    """A dict or a list of texts has the graph of a file; snp-dists counts the same differences."""
    sequences = {"s1": "ACGTACGTAA", "s2": "acgtacgtat", "s3": "ACGTRCGTNA", "s4": "CC-TACGTAA"}
    path = tmp_path / "a.fasta"
    path.write_text("".join(f">{name}\n{text}\n" for name, text in sequences.items()))
    graph = boruvka.read(path, profiles=True, missing="ignore")
    assert graph.w.tolist() == [1, 0, 1, 1, 2, 1]
    by_name = Graph.from_profiles(sequences, missing="ignore")
    assert by_name.w.tolist() == graph.w.tolist()
    assert by_name.names.tolist() == graph.names.tolist() == list(sequences)
    assert Graph.from_profiles(list(sequences.values()), missing="ignore").w.tolist() == graph.w.tolist()
    with pytest.raises(GraphError, match="sequence 1 has 2 sites, and sequence 0 has 3: align"):
        Graph.from_profiles({"a": "ACG", "b": "AC"})
    with pytest.raises(GraphTypeError, match="sequence 1 is 5: expected nucleotides or amino acids"):
        Graph.from_profiles(["ACG", 5])


def test_proteins_keep_their_letters():
    """R, K, S and so on are amino acids where a letter, or most letters, are of no nucleotide."""
    for a, b in ("MKRE", "MSRE"), ("MKRS", "MSRW"), ("RKND", "RSND"):
        assert Graph.from_profiles([a, b]).w.tolist() == [sum(x != y for x, y in zip(a, b, strict=True))]
    assert Graph.from_profiles(["ACGTR", "ACGTS"], missing="ignore").w.tolist() == [0]


@pytest.mark.filterwarnings("ignore:.*holds the names of strains")
def test_files_of_profiles_are_read_in_one_line(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("strain,L1,L2,L3\na,1,1,1\nb,1,1,1\nc,2,-,1\n")
    graph = boruvka.read(path, profiles=True, missing="ignore", collapse=True)
    assert (graph.names.tolist(), graph.profiles.sizes.tolist(), graph.w.tolist()) == (
        ["a", "c"],
        [2, 1],
        [1],
    )
    chosen = boruvka.read(path, profiles=True, missing="differ", columns=("L2", "L3"))
    assert chosen.w.tolist() == [0, 1, 1]
    with pytest.raises(OptionError, match="n is for edges: leave it out for profiles"):
        boruvka.read(path, profiles=True, n=3)
    with pytest.raises(OptionError, match="ways is for edges: leave it out for profiles"):
        boruvka.read(path, profiles=True, ways="all")
    for name in str(path), path:
        with pytest.raises(GraphTypeError, match=r"write boruvka\.read\('.*p\.csv', profiles=True"):
            Graph.from_profiles(name)


@pytest.mark.parametrize("sites", [9, 70_000])
def test_sequences_are_no_edges(tmp_path, sites):
    path = tmp_path / "a.fasta"
    path.write_text(f">a\n{'A' * sites}\n>b\n{'-' * sites}\n")
    with pytest.raises(
        FormatError, match=r"are not edges; .* boruvka\.read\(file, profiles=True, missing='ignore'\)"
    ):
        boruvka.read(path)


def test_names_that_end_at_a_blank(tmp_path):
    path = tmp_path / "a.fasta"
    path.write_text(">Sample 1\nACGT\n>Sample 2\nACGA\n")
    with pytest.raises(
        FormatError, match="the name 'Sample' is there twice; a name ends at a blank: write Sample_1"
    ):
        read_profiles(path)
