import pytest

from boruvka.bench.results import write_results

from ..bench.fake_contestants import sample_results


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "r.json"
    write_results(sample_results(sizes=[1000]), path)
    return path


def test_tables(results, run):
    result = run("report", results)
    assert (result.code, result.err) == (0, "")
    for words in ("random:n=125,m=1000,seed=1", "scipy", "/ boruvka", "/ streaming"):
        assert words in result.out
    assert "GB/s" not in result.out
    result = run("report", results, "--steps", "--baseline", "scipy")
    for words in ("/ scipy", "steps of the fastest run", "GB/s"):
        assert words in result.out


def test_page(results, tmp_path, run):
    page = tmp_path / "r.md"
    assert run("report", results, "--baseline", "scipy", "-o", page) == (0, f"{page}\n", "")
    assert "/ scipy" in page.read_text()


def test_figures(results, tmp_path, run, monkeypatch):
    calls = []

    def write_figures(*arguments):
        calls.append(arguments)
        return [tmp_path / "a.png", tmp_path / "b.png"]

    monkeypatch.setattr("boruvka.bench.report.write_figures", write_figures)
    result = run("report", results, results, "--figures", tmp_path, "--figure-format", "png")
    assert result == (0, f"{tmp_path / 'a.png'}\n{tmp_path / 'b.png'}\n", "")
    assert calls == [([sample_results(sizes=[1000])] * 2, tmp_path, "png")]


@pytest.mark.long
def test_page_and_figures(results, tmp_path, run):
    page, figures = tmp_path / "r.html", tmp_path / "figures"
    result = run("report", results, "-o", page, "--figures", figures)
    assert (result.code, result.err) == (0, "")
    assert set(result.out.splitlines()) == {str(page), *map(str, figures.glob("*.svg"))}
    assert len(list(figures.iterdir())) > 1


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("Missing argument", []),
        ("missing.json: No such file", ["missing.json"]),
        ("there is no contestant 'boost'", ["{results}", "--baseline", "boost"]),
        ("a report ends in .html or .md", ["{results}", "-o", "r.pdf"]),
        ("--figure-format", ["{results}", "--figure-format", "gif"]),
    ],
)
def test_bad_input_and_usage(message, arguments, results, refuse):
    refuse(message, "report", *(a.format(results=results) for a in arguments))
