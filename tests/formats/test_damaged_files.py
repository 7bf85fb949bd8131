"""Empty, random and damaged files of every format: read, or an error of this package."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import FORMATS, read, write
from tests.formats.helpers import assert_damage_is_an_error


@pytest.mark.parametrize("name", [f.name for f in FORMATS])
def test_an_empty_file_is_an_error(file, name):
    with pytest.raises(FormatError):
        read(file("a", b""), format=name)


@pytest.mark.parametrize("name", [f.name for f in FORMATS])
@pytest.mark.parametrize("seeds", [8, pytest.param(200, marks=pytest.mark.long)])
def test_a_random_file_is_a_format_error(file, name, seeds):
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        if seed % 2:
            content = random.integers(0, 256, 300, np.uint8).tobytes()
            content = content.replace(b"#", b"?")  # comments alone are a graph without vertices
        else:
            content = bytes(random.choice(np.frombuffer(b"0123456789 .-+e\n\n,\taEpsnif", np.uint8), 300))
        with pytest.raises(FormatError):
            read(file("a", content), format=name)


# Polars aborts the process on some damaged Parquet files, which no caller can prevent. Formats that are only
# read are damaged in the tests of their own.
@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.codec.write and f.name != "parquet"])
@pytest.mark.parametrize("damages", [40, pytest.param(500, marks=pytest.mark.long)])
def test_a_damaged_file_is_read_or_a_format_error(tmp_path, name, damages):
    path = tmp_path / "a"
    write(Graph(9, [0, 1, 2, 8, 3], [1, 2, 3, 2, 5], [5, 10**18, 2, 1, 7]), path, format=name)
    assert_damage_is_an_error(path, damages, format=name)
