"""Messages of errors."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka.errors import BoruvkaError, first_true, shown


@given(st.lists(st.booleans()))
def test_the_first_true_of_a_mask(values):
    assert first_true(np.array(values, bool)) == (values.index(True) if any(values) else None)


def test_scalars_of_numpy_are_shown_as_those_of_python():
    values = [np.int64(1005), np.float32(0.1), np.str_("a"), np.bool_(True), (np.float64(3),)]
    assert shown(values) == "[1005, 0.1, 'a', True, (3.0,)]"
    assert shown(np.int64(7)) == "7"


def test_messages_are_one_printable_line():
    error = BoruvkaError("there is no column '\x1b[31mred\x07'\nof a library:\n\n  what\tit says \ud800")
    text = str(error)
    assert text.isprintable()
    assert "\\x1b[31mred\\x07" in text
    assert text.endswith("of a library:; what\\tit says \\ud800")
