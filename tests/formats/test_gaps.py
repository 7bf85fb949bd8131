"""Files with gaps are read as the same files without these rows, or with the weights that are filled in."""

import gzip
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka import BoruvkaError, FormatError, Graph, GraphWarning, OptionError, read, write

NO_NUMBERS = ["", "NA", "nan", "-NaN", "null", "None", "n/a"]
NUMBERS = ["0", "1", "2", "07", "+3", "9007199254740993", "18446744073709551615", "-1", "0.5", "1e400", "1e3"]
IDS = ["0", "1", "2", "3", "07", "4294967296", "-1", "2.0", "a", "b", "NA", "nan", " a", "a ", "\u00e9", '5" pipe']
DEFAULTS = [7, 0, -1, 0.5, 2.0, 2**53 + 1, 2**62 + 1, 0.1]
texts = {
    "u": st.sampled_from([*IDS, "", "", " "]),
    "v": st.sampled_from([*IDS, ""]),
    "w": st.sampled_from([*NUMBERS, *NO_NUMBERS, " ", "heavy", " 4 "]),
    "note": st.sampled_from(["", "x", "NA", '"quoted, here"', '""', "#", '5"']),
}
common = st.lists(st.sampled_from(["0", "1", "2", "3"]), min_size=2, max_size=2)
usual_rows = st.builds(
    lambda ends, w, note: [*ends, w, note],
    common,
    st.sampled_from(["1", "2", "", "NA", "0.5"]),
    st.sampled_from(["", "x"]),
)
odd_rows = st.tuples(*texts.values()).map(list)
quoted = st.lists(st.booleans(), min_size=3, max_size=3)


def outcome(path, options):
    """Return all that a graph holds, or what the error says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        try:
            graph = read(path, **options)
        except BoruvkaError as error:
            return type(error), str(error).split("found ")[0].replace("missing='drop'", "")
    names = None if graph.names is None else (graph.names.dtype.kind, graph.names.tolist())
    return graph.n, graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), graph.w.dtype, names


def without_gaps(rows, default, drop, weights=True):
    """Return rows, None for those that are left out; an empty string stands for no end or no weight."""
    found = []
    for u, v, w, note in rows:
        has_weight = not weights or w.strip(" ").lower().lstrip("+-") not in (x.lower() for x in NO_NUMBERS)
        if not has_weight and default is not None:
            w, has_weight = repr(int(default) if default == int(default) else default), True
        has_ends = bool(u.strip(" ") and v.strip(" "))
        found.append([u, v, w, note] if has_ends and has_weight else None)
    return found if drop or None not in found else None


options = st.fixed_dictionaries(
    {},
    optional={
        "names": st.booleans(),
        "one_based": st.booleans(),
        "n": st.sampled_from([3, 5]),
        "unweighted": st.just(True),
    },
)


@settings(max_examples=400)
@given(
    st.lists(usual_rows | odd_rows, max_size=6),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
    st.sampled_from(["", "# boruvka n=9\n", "# boruvka names=strings\n", "\ufeff"]),
    st.sampled_from(["\n", "\r\n"]),
    options,
    st.none() | st.sampled_from(DEFAULTS),
    st.booleans(),
    st.booleans(),
)
def test_tables(
    tmp_path_factory, rows, delimiter, has_header, first, newline, how, default, drop, is_compressed
):
    folder = tmp_path_factory.getbasetemp()
    wanted = without_gaps(rows, default, drop, "unweighted" not in how)
    if wanted is None:
        return
    outcomes = []
    for given_rows, gaps in (rows, {"missing": "drop" if drop else "error", "default": default}), (wanted, {}):
        header = [delimiter.join(["u", "v", "w", "note"])] if has_header else []
        lines = ["" if row is None else delimiter.join(row) for row in given_rows]
        content = (first + newline.join([*header, *lines, ""])).encode()
        path = folder / f"gaps.{'tsv' if delimiter == chr(9) else 'csv'}{'.gz' if is_compressed else ''}"
        path.write_bytes(gzip.compress(content) if is_compressed else content)
        columns = {} if has_header else {"columns": (0, 1) if "unweighted" in how else (0, 1, 2)}
        outcomes.append(outcome(path, how | gaps | columns | {"header": has_header}))
    assert outcomes[0] == outcomes[1]
