"""Decimal commas are named in errors, in every kind of text, and in any line."""

import pytest

from boruvka import FormatError, read
from boruvka.formats.points import read_points


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "Source;Target;Weight\nUlm;Bonn;440,5\nBonn;Kiel;550\n"),
        ("a.csv", "Source;Target;Weight\nUlm;Bonn;550\nBonn;Kiel;-1.440,5\n"),
        ("a.csv", "u;v;w\n0;1;2\n0;1;2,5\n"),
        ("a.csv", "0;1;2,5\n0;1;2\n"),
        ("a.csv", 'u,v,w\na,b,"2,5"\n'),
        ("a.tsv", "u\tv\tw\na\tb\t2,5\n"),
        ("a.tsv", "u\tv\tw\n0\t1\t2\n0\t1\t,5\n"),
        ("a.txt", "a b 2\nb c 2,5\n"),
        ("a.el", "0 1 2\n0 1 2,5\n"),
        ("a.csv.gz", "u;v;w\na;b;2,5\n"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"missing": "drop"}])
def test_edges(file, name, content, options):
    with pytest.raises(FormatError, match=r"decimal comma.* by a point"):
        read(file(name, content), **options)


@pytest.mark.parametrize("content", ["x;y\n1,5;2\n", "x;y\n1;2\n1;2,5\n"])
def test_points(file, content):
    with pytest.raises(FormatError, match="decimal comma"):
        read_points(file("a.csv", content))
