import pytest

from boruvka import backends


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("algorithms", "prim                        comparison; a heap, one tree at a time; O(m log"),
        ("formats", "dimacs         .gr; DIMACS shortest path: p sp n m, then a u v w"),
    ],
)
def test_lists(command, line, run):
    result = run(command)
    assert result.code == 0
    assert line in result.out.splitlines()


def test_backends(run, monkeypatch):
    monkeypatch.setattr(backends, "why_not", lambda name: "there is no GPU" if name == "cuda" else None)
    assert [line.split(maxsplit=1) for line in run("backends").out.splitlines()] == [
        ["threads", "available"],
        ["cuda", "there is no GPU"],
        ["interpreted", "available"],
        ["mpi", "available"],
    ]
