"""Compiled loops over the bytes of text: lines of numbers into arrays.

This module imports Numba; import it where text is read, not before.
Weights are stored as the 64 bits of an int64, uint64 or float64, so that one loop serves all three.
A loop stops at the first line that it cannot take and says why; the caller has the words.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from boruvka.backends.compiler import kernel
from boruvka.formats.text.decimals import double_bits

INTEGERS, UNSIGNED, FLOATS = 0, 1, 2
"""How weights are stored."""

DONE, LETTER, SYNTAX, ID, NEEDS_UNSIGNED, NEEDS_FLOATS, OVERFLOW, NAN = range(8)
"""Why a loop stopped: at its end, at a line that begins otherwise, ..."""

HARD = 0x7FF8 << 48
"""The bits of a NaN; with an offset into the text below, a weight that the loop leaves to the caller."""

_NOTHING, _INTEGER, _DECIMAL, _LONG, _INFINITE, _NOT_A_NUMBER, _HUGE = range(7)

_TAB, _NEWLINE, _RETURN, _SPACE, _QUOTE = 9, 10, 13, 32, 34
_PLUS, _MINUS, _POINT = 43, 45, 46
_ZERO, _ONE, _NINE, _TEN, _CODE = np.uint64(0), np.uint64(1), np.uint64(9), np.uint64(10), np.uint64(48)
_SIGN = np.uint64(1 << 63)
_HARD = np.uint64(HARD)
_INFINITY = np.uint64(0x7FF << 52)
_EXACT = np.uint64(1 << 53)
_TEN_TO_19 = np.uint64(10**19)
_INF, _INITY, _NAN = (np.frombuffer(word, np.uint8) for word in (b"inf", b"inity", b"nan"))


@register_jitable
def _skip_blanks(text, i, end, delimiter):
    while i < end:
        c = text[i]
        if c != _SPACE and c != _RETURN and (c != _TAB or delimiter == _TAB):
            break
        i += _ONE
    return i


@register_jitable
def _skip_line(text, i, end):
    while i < end and text[i] != _NEWLINE:
        i += _ONE
    return i


@register_jitable
def _digits(text, i, end, value):
    """Append digits to a value, modulo 2**64."""
    while i < end:
        digit = np.uint64(text[i]) - _CODE
        if digit > _NINE:
            break
        value = value * _TEN + digit
        i += _ONE
    return i, value


@register_jitable
def _skip_zeros(text, i, end):
    while i < end and text[i] == _CODE:
        i += _ONE
    return i


@register_jitable
def _word(text, i, end, word):
    """Behind a word, in capitals or not; unmoved where it is another."""
    if end - i < np.uint64(word.size):
        return i
    for k in range(word.size):
        if text[i + np.uint64(k)] | 32 != word[k]:
            return i
    return i + np.uint64(word.size)


@register_jitable
def _number(text, i, end):
    """Read a number: the offset behind it, its form, whether it is negative, its digits and power of ten."""
    negative, digits, exponent = False, _ZERO, np.int64(0)
    if i < end and (text[i] == _MINUS or text[i] == _PLUS):
        negative = text[i] == _MINUS
        i += _ONE
    start = i
    first = _skip_zeros(text, i, end)
    i, digits = _digits(text, first, end, digits)
    length, places = i - first, i - start
    if i == end or (text[i] != _POINT and text[i] | 32 < 97):
        if places == 0:
            return i, _NOTHING, negative, digits, exponent
        if length < 20 or (length == 20 and text[first] == 49 and digits >= _TEN_TO_19):
            return i, _INTEGER, negative, digits, exponent
        return i, _HUGE, negative, digits, exponent

    if text[i] == _POINT:
        i += _ONE
        point = i
        if length == 0:
            i = _skip_zeros(text, i, end)
        first = i
        i, digits = _digits(text, i, end, digits)
        length += i - first
        places += i - point
        exponent = -np.int64(i - point)
    if places == 0:
        behind = _word(text, i, end, _INF)
        if behind > i:
            return _word(text, behind, end, _INITY), _INFINITE, negative, digits, exponent
        behind = _word(text, i, end, _NAN)
        if behind > i:
            return behind, _NOT_A_NUMBER, negative, digits, exponent
        return i, _NOTHING, negative, digits, exponent
    if i < end and text[i] | 32 == 101:
        i += _ONE
        downward = False
        if i < end and (text[i] == _MINUS or text[i] == _PLUS):
            downward = text[i] == _MINUS
            i += _ONE
        start = i
        i = _skip_zeros(text, i, end)
        first = i
        i, power = _digits(text, i, end, _ZERO)
        if i == start:
            return i, _NOTHING, negative, digits, exponent
        if i - first > 9:
            return i, _LONG, negative, digits, exponent
        exponent += -np.int64(power) if downward else np.int64(power)
    return i, _DECIMAL if length < 20 else _LONG, negative, digits, exponent


@register_jitable
def _weight(text, i, end, kind):
    """Read a weight: the offset behind it, DONE or why not, its bits."""
    start = i
    i, form, negative, digits, exponent = _number(text, i, end)
    if form == _NOTHING:
        return i, SYNTAX, digits
    if form == _NOT_A_NUMBER:
        return i, NAN, digits
    if kind != FLOATS:
        if form == _HUGE:
            return i, OVERFLOW, digits
        if form != _INTEGER:
            return i, NEEDS_FLOATS, digits
        if kind == INTEGERS:
            if negative:
                return i, OVERFLOW if digits > _SIGN else DONE, _ZERO - digits
            return i, NEEDS_UNSIGNED if digits >= _SIGN else DONE, digits
        return i, OVERFLOW if negative and digits > _ZERO else DONE, digits
    bits, sure = _INFINITY, True
    if form in (_LONG, _HUGE) or (form == _INTEGER and digits > _EXACT):
        sure = False
    elif form != _INFINITE:
        bits, sure = double_bits(digits, exponent)
    if not sure:
        return i, DONE, _HARD | start
    return i, DONE, bits | _SIGN if negative else bits


@register_jitable
def _skip_field(text, i, end, delimiter):
    """Behind a field that nobody asked for; beyond the end where a quote is left open."""
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


@kernel
def fill_entries(text, begin, end, line, kind, first, last, u, v, w, k):
    """Read lines of numbers, an edge a line, into u, v and w from k on.

    Parameters
    ----------
    text : uint8 array
    begin, end : uint64
        Where to read; begin and end are the beginnings of lines, or the end of the text.
    line : tuple of 9 ints
        The number of fields; the fields that hold u, v and w (-1: no weight); the letter that begins
        a line, in both cases (0: none); the two bytes that begin a comment (0: none); the byte
        between fields (0: blanks).
    kind : int
        How weights are stored.
    first, last : uint64
        The smallest and the greatest id. The smallest becomes 0.
    u, v : unsigned integer arrays
    w : uint64 array
    k : uint64
        The first free place.

    Returns
    -------
    int
        The place behind the last edge.
    int
        Why it stopped.
    int
        The beginning of the line where it stopped.
    """
    fields, u_field, v_field, w_field, letter, capital, comment, remark, delimiter = line
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
        if c in (comment, remark):
            i = _skip_line(text, i, end) + _ONE
            continue
        if letter:
            if c != letter and c != capital:
                return k, LETTER, start
            behind = i + _ONE
            i = _skip_blanks(text, behind, end, delimiter)
            if i == behind:
                return k, LETTER, start
        for field in range(fields):
            if field in (u_field, v_field):
                digit = i
                i, x = _digits(text, i, end, _ZERO)
                if i == digit:
                    return k, SYNTAX, start
                if x < first or x > last or i - digit > 19:
                    return k, ID, start
                if field == u_field:
                    u[k] = x - first
                else:
                    v[k] = x - first
            elif field == w_field:
                i, stop, x = _weight(text, i, end, kind)
                if stop != DONE:
                    return k, stop, start
                w[k] = x
            else:
                i = _skip_field(text, i, end, delimiter)
                if i > end:
                    return k, SYNTAX, start
            behind = i
            i = _skip_blanks(text, i, end, delimiter)
            if field + 1 < fields:
                if delimiter:
                    if i == end or text[i] != delimiter:
                        return k, SYNTAX, start
                    i = _skip_blanks(text, i + _ONE, end, delimiter)
                elif i == behind:
                    return k, SYNTAX, start
        if i < end:
            if text[i] != _NEWLINE:
                return k, SYNTAX, start
            i += _ONE
        k += _ONE
    return k, DONE, i


@kernel
def fill_rows(text, begin, end, comment, kind, values, starts, ends):
    """Read lines of any number of numbers; blank lines are rows without numbers, comments are no rows.

    Parameters
    ----------
    text : uint8 array
    begin, end : uint64
        Where to read.
    comment : int
        The byte that begins a comment.
    kind : int
        How numbers are stored.
    values : uint64 array
        For the numbers.
    starts, ends : int64 arrays
        For the offset in the text at which each row begins, and for the place behind its last number.

    Returns
    -------
    int
        How many rows.
    int
        Why it stopped.
    uint64
        The beginning of the line where it stopped.
    """
    i, k, row = begin, 0, 0
    while i < end:
        start = i
        i = _skip_blanks(text, i, end, 0)
        if i < end and text[i] == comment:
            i = _skip_line(text, i, end) + _ONE
            continue
        while i < end and text[i] != _NEWLINE:
            i, stop, x = _weight(text, i, end, kind)
            if stop != DONE:
                return row, stop, start
            values[k] = x
            k += 1
            behind = i
            i = _skip_blanks(text, i, end, 0)
            if i == behind and i < end and text[i] != _NEWLINE:
                return row, SYNTAX, start
        i += _ONE
        starts[row] = start
        ends[row] = k
        row += 1
    return row, DONE, i
