import pytest

from boruvka.bench.tables import check_baseline, markdown, steps_table, three_figures, times_table
from boruvka.errors import OptionError

from .fake_contestants import sample_results

RESULTS = sample_results()


def test_times():
    table = times_table(RESULTS.graphs[0])
    assert table.header[5:] == ("/ boruvka", "/ streaming", "bytes an edge", "error")
    rows = {row[:2]: row[2:] for row in table.rows}
    assert rows["boruvka", "1"] == ("0", "500", "4.0 %", "1.00", "50.0", "8.0", "")
    assert rows["boruvka", "2"] == ("0", "250", "*", "1.00", "25.0", "", "")
    assert rows["scipy", "1"] == ("1,500", "7,500", "1.0 %", "15.0", "750", "0.1", "")
    assert rows["<b>&", "1"] == ("", "", "", "", "", "", "wrong: 3 edges, the forest has 4")
    assert table.remarks[0].startswith("* the runs are not as close")
    assert table.remarks[1] == "networkx left out: more than 200,000 edges"


def test_times_against_another():
    rows = {row[:2]: row[5] for row in times_table(RESULTS.graphs[0], "scipy").rows}
    assert rows["boruvka", "1"] == "0.0667"
    assert rows["boruvka", "2"] == "0.0333"  # SciPy ran on one thread only
    check_baseline([RESULTS], "scipy")
    with pytest.raises(OptionError, match="no contestant 'boost' in the results; there are boruvka, scipy"):
        check_baseline([RESULTS], "boost")


def test_steps():
    rows = steps_table(RESULTS.graphs[0].entries[0]).rows
    assert rows[0] == ("1", "all", "100", "900", "offer", "250.000", "500", "2.0")
    assert rows[1][4:] == ("hook", "125.000", "", "")
    assert rows[-1][4:] == ("outside", "62.500", "", "")


@pytest.mark.parametrize(
    ("x", "text"), [(0, "0"), (0.00001, "0.0000"), (0.1234, "0.123"), (9.996, "10.00"), (12345.6, "12,346")]
)
def test_three_figures(x, text):
    assert three_figures(x) == text


def test_markdown_is_a_table():
    lines = markdown(times_table(RESULTS.graphs[0])).splitlines()
    cells = [line.count("|") for line in lines if line.startswith("|")]
    assert set(cells) == {10}
    assert len(cells) == 2 + 8
