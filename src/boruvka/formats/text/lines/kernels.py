"""Compiled loops that parse lines of numbers into arrays.

This module imports Numba; import it inside the functions that read text, so that nothing else waits for it.

Numbers are stored as the 64 bits of an int64, uint64 or float64, so that one compiled loop serves all three.
A loop stops at the first line that it cannot parse and returns why; the caller makes the error.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.kernel import kernel
from boruvka.formats.text.lines.decimals import double_bits

INT64, UINT64, FLOAT64 = 0, 1, 2
"""How a number is stored in its 64 bits."""

DONE, LETTER, SYNTAX, ID, NEEDS_UNSIGNED, NEEDS_FLOATS, OVERFLOW, NAN = range(8)
"""Why a loop stopped: at its end, at a line that begins with another letter, at a malformed line, at an id
out of range, at a number that needs uint64 or float64, at one that fits neither, or at NaN."""

DEFERRED = 0x7FF8 << 48
"""The bits of a NaN. With a text offset in the lower bits it stands for a number that the caller parses."""

_NOTHING, _INTEGER, _DECIMAL, _LONG_DECIMAL, _INFINITE, _NOT_A_NUMBER, _LONG_INTEGER = range(7)
"""What the characters of a number are; the long ones have too many digits for 64 bits."""

_TAB, _NEWLINE, _RETURN, _SPACE, _QUOTE = 9, 10, 13, 32, 34
_PLUS, _MINUS, _POINT, _SMALL_A, _SMALL_E, _TO_SMALL = 43, 45, 46, 97, 101, 32
_ZERO, _ONE, _NINE, _TEN = np.uint64(0), np.uint64(1), np.uint64(9), np.uint64(10)
_DIGIT_ZERO, _DIGIT_ONE = np.uint64(48), np.uint64(49)
_SIGN_BIT = np.uint64(1 << 63)
_DEFERRED = np.uint64(DEFERRED)
_INFINITY_BITS = np.uint64(0x7FF << 52)
_EXACT_UP_TO = np.uint64(1 << 53)
_TEN_TO_19 = np.uint64(10**19)
_INF, _INITY, _NAN = (np.frombuffer(word, np.uint8) for word in (b"inf", b"inity", b"nan"))


class LayoutCodes(NamedTuple):
    """A `LineLayout` as integers: positions of fields, and characters, 0 for none."""

    fields: int
    u: int
    v: int
    w: int
    lower_letter: int
    upper_letter: int
    comment: int
    other_comment: int
    delimiter: int


class IdRange(NamedTuple):
    """The smallest and the largest id in the text; the smallest is stored as 0."""

    first: Any
    last: Any


class Columns(NamedTuple):
    """Where edges are stored: the ends as unsigned integers, the weights as 64 bits."""

    u: Any
    v: Any
    w: Any


def _skip_blanks(text, i, end, delimiter):
    while i < end:
        c = text[i]
        if c != _SPACE and c != _RETURN and (c != _TAB or delimiter == _TAB):
            break
        i += _ONE
    return i


def _skip_line(text, i, end):
    while i < end and text[i] != _NEWLINE:
        i += _ONE
    return i


def _skip_zeros(text, i, end):
    while i < end and text[i] == _DIGIT_ZERO:
        i += _ONE
    return i


def _parse_digits(text, i, end, value):
    """Append digits to a value, modulo 2**64; return the offset after them and the value."""
    while i < end:
        digit = np.uint64(text[i]) - _DIGIT_ZERO
        if digit > _NINE:
            break
        value = value * _TEN + digit
        i += _ONE
    return i, value


def _skip_sign(text, i, end):
    """Return the offset after a sign, if there is one, and whether it is a minus."""
    if i < end and (text[i] == _MINUS or text[i] == _PLUS):
        return i + _ONE, text[i] == _MINUS
    return i, False


def _skip_word(text, i, end, word):
    """Return the offset after a word in lower or upper case; the same offset if there is another word."""
    if end - i < np.uint64(word.size):
        return i
    for k in range(word.size):
        if text[i + np.uint64(k)] | _TO_SMALL != word[k]:
            return i
    return i + np.uint64(word.size)


def _parse_word(text, i, end):
    """Parse ``inf``, ``infinity`` or ``nan``: the offset after it and its form."""
    after = _skip_word(text, i, end, _INF)
    if after > i:
        return _skip_word(text, after, end, _INITY), _INFINITE
    after = _skip_word(text, i, end, _NAN)
    if after > i:
        return after, _NOT_A_NUMBER
    return i, _NOTHING


def _parse_exponent(text, i, end):
    """Parse what follows the letter of an exponent: the offset after it, its form, its value."""
    i, downward = _skip_sign(text, i, end)
    start = i
    i = _skip_zeros(text, i, end)
    first = i
    i, power = _parse_digits(text, i, end, _ZERO)
    if i == start:
        return i, _NOTHING, np.int64(0)
    if i - first > 9:
        return i, _LONG_DECIMAL, np.int64(0)
    return i, _DECIMAL, -np.int64(power) if downward else np.int64(power)


def _parse_number(text, i, end):
    """Parse a number: the offset after it, its form, whether it is negative, its digits and power of ten."""
    exponent = np.int64(0)
    i, negative = _skip_sign(text, i, end)
    start = i
    first = _skip_zeros(text, i, end)
    i, digits = _parse_digits(text, first, end, _ZERO)
    length, all_digits = i - first, i - start  # without and with leading zeros
    if i == end or (text[i] != _POINT and text[i] | _TO_SMALL < _SMALL_A):
        if all_digits == 0:
            return i, _NOTHING, negative, digits, exponent
        if length < 20 or (length == 20 and text[first] == _DIGIT_ONE and digits >= _TEN_TO_19):
            return i, _INTEGER, negative, digits, exponent
        return i, _LONG_INTEGER, negative, digits, exponent

    if text[i] == _POINT:
        i += _ONE
        point = i
        if length == 0:
            i = _skip_zeros(text, i, end)
        first = i
        i, digits = _parse_digits(text, i, end, digits)
        length += i - first
        all_digits += i - point
        exponent = -np.int64(i - point)
    if all_digits == 0:
        i, form = _parse_word(text, i, end)
        return i, form, negative, digits, exponent
    if i < end and text[i] | _TO_SMALL == _SMALL_E:
        i, form, power = _parse_exponent(text, i + _ONE, end)
        if form != _DECIMAL:
            return i, form, negative, digits, exponent
        exponent += power
    return i, _DECIMAL if length < 20 else _LONG_DECIMAL, negative, digits, exponent


def _parse_weight(text, i, end, storage):
    """Parse a weight: the offset after it, DONE or why not, its 64 bits."""
    start = i
    i, form, negative, digits, exponent = _parse_number(text, i, end)
    if form == _NOTHING:
        return i, SYNTAX, digits
    if form == _NOT_A_NUMBER:
        return i, NAN, digits
    if storage != FLOAT64:
        if form == _LONG_INTEGER:
            return i, OVERFLOW, digits
        if form != _INTEGER:
            return i, NEEDS_FLOATS, digits
        if storage == INT64:
            if negative:
                return i, OVERFLOW if digits > _SIGN_BIT else DONE, _ZERO - digits
            return i, NEEDS_UNSIGNED if digits >= _SIGN_BIT else DONE, digits
        return i, OVERFLOW if negative and digits > _ZERO else DONE, digits
    bits, exact = _INFINITY_BITS, True
    if form in (_LONG_DECIMAL, _LONG_INTEGER) or (form == _INTEGER and digits > _EXACT_UP_TO):
        exact = False
    elif form != _INFINITE:
        bits, exact = double_bits(digits, exponent)
    if not exact:
        return i, DONE, _DEFERRED | start
    return i, DONE, bits | _SIGN_BIT if negative else bits


def _skip_field(text, i, end, delimiter):
    """Return the offset after a field that is not read; past the end if a quote is not closed."""
    if delimiter and i < end and text[i] == _QUOTE:
        i += _ONE
        while True:
            while i < end and text[i] != _QUOTE and text[i] != _NEWLINE:
                i += _ONE
            if i >= end or text[i] == _NEWLINE:
                return end + _ONE
            i += _ONE
            if i >= end or text[i] != _QUOTE:
                return i
            i += _ONE
    while i < end and text[i] != _NEWLINE and text[i] != delimiter:
        if delimiter == 0 and (text[i] == _SPACE or text[i] == _TAB):
            break
        i += _ONE
    return i


def _skip_separator(text, i, end, delimiter):
    """Return the offset after a delimiter and the blanks around it, and whether there is one."""
    after = i
    i = _skip_blanks(text, i, end, delimiter)
    if not delimiter:
        return i, i > after
    if i == end or text[i] != delimiter:
        return i, False
    return _skip_blanks(text, i + _ONE, end, delimiter), True


@kernel
def parse_edges(text, begin, end, layout, ids, storage, columns, k):
    """Parse lines that hold an edge each, and store the edges from position k on.

    Parameters
    ----------
    text : uint8 array
    begin, end : uint64
        Where to parse: offsets of starts of lines, or the end of the text.
    layout : LayoutCodes
    ids : IdRange
        Of uint64.
    storage : int
        How weights are stored.
    columns : Columns
    k : uint64
        The first free position.

    Returns
    -------
    int
        One more than the position of the last edge.
    int
        Why the loop stopped.
    int
        The start of the line where it stopped.
    """
    fields, u_field, v_field, w_field, lower, upper, comment, other_comment, delimiter = layout
    u, v, w = columns
    first, last = ids
    i = begin
    while i < end:
        start = i
        i = _skip_blanks(text, i, end, delimiter)
        if i == end:
            break
        c = text[i]
        if c == _NEWLINE:
            i += _ONE
            continue
        if c in (comment, other_comment):
            i = _skip_line(text, i, end) + _ONE
            continue
        if lower:
            if c != lower and c != upper:
                return k, LETTER, start
            after = i + _ONE
            i = _skip_blanks(text, after, end, delimiter)
            if i == after:
                return k, LETTER, start
        for field in range(fields):
            if field in (u_field, v_field):
                digit = i
                i, x = _parse_digits(text, i, end, _ZERO)
                if i == digit:
                    return k, SYNTAX, start
                if x < first or x > last or i - digit > 19:
                    return k, ID, start
                if field == u_field:
                    u[k] = x - first
                else:
                    v[k] = x - first
            elif field == w_field:
                i, stop, x = _parse_weight(text, i, end, storage)
                if stop != DONE:
                    return k, stop, start
                w[k] = x
            else:
                i = _skip_field(text, i, end, delimiter)
                if i > end:
                    return k, SYNTAX, start
            if field + 1 < fields:
                i, found = _skip_separator(text, i, end, delimiter)
                if not found:
                    return k, SYNTAX, start
        i = _skip_blanks(text, i, end, delimiter)
        if i < end:
            if text[i] != _NEWLINE:
                return k, SYNTAX, start
            i += _ONE
        k += _ONE
    return k, DONE, i


@kernel
def parse_rows(text, begin, end, comment, storage, values, starts, ends):
    """Parse lines of any number of numbers; blank lines are rows without numbers, comments are not rows.

    Parameters
    ----------
    text : uint8 array
    begin, end : uint64
        Where to parse.
    comment : int
        The byte that begins a comment line.
    storage : int
        How numbers are stored.
    values : uint64 array
        Receives the numbers.
    starts, ends : int64 arrays
        Receive the offset in the text at which each row begins, and one more than the index in ``values``
        of its last number.

    Returns
    -------
    int
        How many rows.
    int
        Why the loop stopped.
    uint64
        The start of the line where it stopped.
    """
    i, k, row = begin, 0, 0
    while i < end:
        start = i
        i = _skip_blanks(text, i, end, 0)
        if i < end and text[i] == comment:
            i = _skip_line(text, i, end) + _ONE
            continue
        while i < end and text[i] != _NEWLINE:
            i, stop, x = _parse_weight(text, i, end, storage)
            if stop != DONE:
                return row, stop, start
            values[k] = x
            k += 1
            after = i
            i = _skip_blanks(text, i, end, 0)
            if i == after and i < end and text[i] != _NEWLINE:
                return row, SYNTAX, start
        i += _ONE
        starts[row] = start
        ends[row] = k
        row += 1
    return row, DONE, i
