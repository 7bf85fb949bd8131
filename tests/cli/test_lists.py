import pytest


@pytest.mark.parametrize(("command", "name"), [("algorithms", "filter-boruvka"), ("formats", "dimacs")])
def test_lists(command, name, run):
    result = run(command)
    assert result.code == 0
    assert name in result.out
