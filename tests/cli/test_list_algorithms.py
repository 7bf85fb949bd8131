def test_algorithms(run):
    result = run("algorithms")
    assert result.code == 0
    assert "filter-boruvka" in result.out
