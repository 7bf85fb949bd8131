"""Parts of a frame as edges."""

import pytest

from boruvka import FormatError
from boruvka.stream.remote.reading import ColumnNames, Digest, read_edges

pa = pytest.importorskip("pyarrow")


def test_a_blank_text_is_no_end():
    batch = pa.record_batch({"u": ["a", " ", "b"], "v": ["b", "c", ""], "w": [1, 2, 3]})

    def weights(missing):
        columns = ColumnNames("u", "v", "w", missing=missing)
        return [
            x
            for e in read_edges(0, lambda _: [("part 0", batch)], columns, Digest(True))
            for x in e.w.tolist()
        ]

    with pytest.raises(
        FormatError, match=r"^part 0: row 1 has no value in column 'u'; missing='drop' leaves"
    ):
        weights("error")
    assert weights("drop") == [1]


@pytest.mark.parametrize("back", ["reverse_cost", "other"])
def test_a_negative_cost_beside_a_cost_of_the_other_direction_is_an_error(back):
    batch = pa.record_batch({"u": [0, 1], "v": [1, 2], "cost": [1, -1], back: [1, 3]})
    columns = ColumnNames.choose(batch.schema.names, (None, None, None))

    def edges():
        read = read_edges(0, lambda names: [("part 0", batch.select(names))], columns, Digest(True))
        return [w for edges in read for w in edges.w.tolist()]

    if back == "other":
        assert edges() == [1, -1]
        return
    with pytest.raises(
        FormatError, match=r"^part 0: a negative 'cost' beside the column 'reverse_cost' closes"
    ):
        edges()
