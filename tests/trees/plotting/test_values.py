"""The choice between scales and categories."""

import datetime
import io

import numpy as np
import pandas as pd
import pytest

import boruvka
from boruvka import GraphWarning
from boruvka.trees.plotting.values import numbered_categories, scale_or_texts, shown_values

MANY = list(range(30))


@pytest.mark.parametrize(
    ("values", "name", "kind"),
    [
        (MANY, "ST", "category"),
        (MANY, "MLST ST", "category"),
        (MANY, "st_id", "category"),
        (MANY, "cluster_0_95", "category"),
        (MANY, "HC5", "category"),
        (MANY, "year", "number"),
        (MANY, "status", "number"),
        (MANY, None, "number"),
        (MANY, "host", "number"),
        ([1, 2, 1] * 2, "host", "category"),
        ([1, 2, 1], "host", "number"),
        ([1, 2, 1] * 2, None, "number"),
        ([2001, 2002, 2001] * 9, "year", "number"),
        ([2001, 2002, 2001] * 9, "collectionYear", "number"),
        ([1.0, 2.5], "ST", "number"),
        ([1.0, np.nan, 131.0], "ST", "category"),
        ([np.nan, np.nan], "ST", "category"),
        ([np.inf, 1.0, 1, 1], "x", "category"),
        ([None, 3, 3, 3, 10**15, 3, 3], "x", "category"),
        ([None, 0.5], "x", "number"),
        ([True, False], "x", "category"),
        (["1", "2"], "x", "category"),
        (["2021-03-04", None], "x", "date"),
        (["2021-03-04", "unknown", "n/a", "", "2021-03-05"], "x", "date"),
        (["unknown", "NA"], "x", "category"),
        (["2021-03-04 12:30", "2020-01-01T00:00:00+02:00"], "x", "date"),
        (["2021-03-04", "2021-03"], "x", "date"),
        (["2021-02-30"], "x", "category"),
        ([datetime.date(2021, 3, 4), None, datetime.datetime(2021, 1, 1)], "x", "date"),
        ([pd.Timestamp("2021-01-01", tz="Europe/Prague"), pd.NaT], "x", "date"),
        ([None, None], "x", "category"),
        ([], "x", "category"),
    ],
)
def test_kinds(values, name, kind):
    is_text = any(x is None or not isinstance(x, int | float) for x in values) or not values
    array = np.array(values, object if is_text else None)
    found = shown_values(array, name)
    assert found.kind == kind
    assert found.values.shape == array.shape


def test_numbers_of_texts_of_a_file():
    """Against pandas with decimal=","; codes, and numbers that may be read in two ways, stay texts."""
    text = (
        "size;large;doubtful;version;ST;none\n12,5;1.234,5;1,234;1,5;008;\n;6;2,345;x;?;\n6,4;7,25;;1,6;17;\n"
    )
    expected = pd.read_csv(io.StringIO(text), sep=";", decimal=",", thousands=".")
    table = pd.read_csv(io.StringIO(text), sep=";", dtype=str, keep_default_na=False).replace("", None)
    with pytest.warns(boruvka.GraphWarning) as said:
        found = {name: scale_or_texts(name, table[name]) for name in table}
    for name in "size", "large":
        np.testing.assert_array_equal(found[name], expected[name])
    assert found["doubtful"].tolist() == ["1,234", "2,345", None]
    assert found["version"].tolist() == ["1,5", "x", "1,6"]
    assert found["ST"].tolist() == ["008", None, "17"]
    assert found["none"].tolist() == [None] * 3
    texts = [str(warning.message) for warning in said]
    assert texts[0] == "column 'size': numbers have a decimal comma: 12,5 is read as 12.5"
    assert texts[2].startswith("it is read as texts: column 'doubtful': '1,234' may be 1234 or 1.234")
    assert len(texts) == 3


@pytest.mark.parametrize("name", ["cluster_5", "hdbscan", "label", None, "charge"])
@pytest.mark.parametrize("texts", [["-1", "0", "0", "-3", "-2"], ["-1.0", "0.0", "0.0", "-3.0", None]])
def test_noise_of_files(texts, name):
    """Labels -1, -2 and -3 of clusters are named in columns of texts, too, but not those of charges."""
    names = {"-1": "noise", "-2": "infinite coordinate", "-3": "missing coordinate"}
    kept = [x and (x if name == "charge" else names.get(x.split(".")[0], x)) for x in texts]
    found = [shown_values(np.array(texts, object), name).values.tolist()]
    if name and name != "charge":
        found += [shown_values(scale_or_texts(name, texts), name).values.tolist()]
    assert found == [kept] * len(found)


def test_codes_are_texts_of_integers():
    assert shown_values(np.array([131.0, np.nan, 7.0]), "ST").values.tolist() == ["131", None, "7"]


def test_integers_that_are_no_floats_are_texts():
    for large in 2**53 + 1, -(2**53) - 1:
        kind, values = shown_values(np.array([large, 3, 5]), "weight")
        assert (kind, values.tolist()) == ("category", [str(large), "3", "5"])
    assert shown_values(np.array([2**53, 3, 5]), "weight").kind == "number"


@pytest.mark.parametrize("unit", ["ns", "s", "D"])
def test_dates_are_those_of_numpy(unit):
    dates = np.array(["2021-03-04", "NaT", "1999-12-31"], f"datetime64[{unit}]")
    for given in dates, np.array(["2021-03-04", None, "1999-12-31"], object):
        np.testing.assert_array_equal(shown_values(given, "x").values, dates.astype("datetime64[ms]"))


def test_times_with_a_zone_are_in_utc():
    times = pd.to_datetime(["2021-07-01T01:00:00+02:00", "2020-01-01T00:00:00+02:00"]).astype(object)
    expected = np.array(["2021-06-30T23", "2019-12-31T22"], "datetime64[ms]")
    np.testing.assert_array_equal(shown_values(np.array(times), "x").values, expected)


@pytest.mark.parametrize(
    "form", ["%d/%m/%Y", "%d.%m.%Y", "%m/%d/%Y", "%d %b %Y", "%B %d, %Y", "%d/%m/%Y %H:%M"]
)
def test_dates_as_texts_are_those_of_pandas(form):
    days = pd.date_range("2025-12-20", periods=30, freq="D")
    found = shown_values(np.array([*days.strftime(form), None], object), "received")
    assert found.kind == "date"
    np.testing.assert_array_equal(found.values[:-1], days.to_numpy().astype("datetime64[ms]"))
    assert np.isnat(found.values[-1])


def test_dates_of_which_the_month_may_be_first():
    with pytest.warns(
        boruvka.GraphWarning, match="'03/04/2026' may have the day or the month first: the day"
    ):
        found = shown_values(np.array(["03/04/2026", "05/01/2026"], object), "x")
    assert found.values.tolist() == [datetime.datetime(2026, 4, 3), datetime.datetime(2026, 1, 5)]
    month = shown_values(np.array(["2026-01", "2025-12"], object), "x")
    assert month.values.tolist() == [datetime.datetime(2026, 1, 1), datetime.datetime(2025, 12, 1)]
    for texts in ["31/02/2026", "30/01/2026"], ["2026Q1", "2026Q2"], ["20260105", "20260106"], ["1234", "5"]:
        assert shown_values(np.array(texts, object), "x").kind == "category"


def test_blanks_around_texts_do_not_count():
    """As in files: nothing is left of some texts."""
    wards = ["ICU", "ICU ", " ICU", "", " ", None, "A\xa0"]
    found = shown_values(np.array(wards, object), "ward").values.tolist()
    assert found == ["ICU", "ICU", "ICU", None, None, None, "A"]
    column = pd.Series(pd.Categorical(wards))
    names, category, _ = numbered_categories(np.array(["ICU", "A"]), None, column)
    assert names[category[:2]].tolist() == ["ICU", "A"]
    graph = boruvka.Graph.from_profiles([[1, 1], [1, 1], [1, 1], [2, 2]], collapse=True, names=list("abcd"))
    nodes = boruvka.minimum_spanning_forest(graph).to_nodes({"ward": ["ICU ", "", "ICU", "B"]})
    assert nodes["ward"].tolist() == ["ICU", "B"]


def test_categories_that_differ_by_case_or_blanks():
    """A warning names two of them; each keeps its color. None is of others."""
    texts = np.array(["Energy", "Tech", "ENERGY", "tech", "1e+5", "01"], object)
    with pytest.warns(
        GraphWarning, match="^'ENERGY' and 'Energy' are two categories, but differ by blanks, c"
    ):
        names = numbered_categories(texts, None, None)[0]
    assert names.tolist() == sorted(texts.tolist())
    assert numbered_categories(texts[[0, 1, 4, 5]], None, None)[0].tolist() == [
        "01",
        "1e+5",
        "Energy",
        "Tech",
    ]
