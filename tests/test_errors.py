"""Messages of errors."""

from boruvka.errors import BoruvkaError


def test_messages_are_one_printable_line():
    error = BoruvkaError("there is no column '\x1b[31mred\x07'\nof a library:\n\n  what\tit says \ud800")
    text = str(error)
    assert text.isprintable()
    assert "\\x1b[31mred\\x07" in text
    assert text.endswith("of a library:; what\\tit says \\ud800")
