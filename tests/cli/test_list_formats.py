def test_formats(run):
    result = run("formats")
    assert result.code == 0
    assert "dimacs" in result.out
