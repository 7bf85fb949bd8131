"""Compiled loops that parse lines of numbers into arrays.

Numbers are stored as the 64 bits of an int64, uint64 or float64, so that one compiled loop serves all three.
A loop stops at the first line that it cannot parse and returns the reason; the caller makes the error.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.formats.text.lines.decimals import double_bits
from boruvka.kernels.kernel import Kernel, kernel
from boruvka.kernels.kernel_functions import load_word, prefetch, trailing_zeros
from boruvka.operators.counter_rng import GOLDEN, mix

INT64, UINT64, FLOAT64 = 0, 1, 2
"""The type of a number in its 64 bits."""

DONE, LETTER, SYNTAX, ID, NEEDS_UNSIGNED, NEEDS_FLOATS, OVERFLOW, NAN, UNUSUAL = range(9)
"""Reasons for which a loop stops.

It stops at its end, at a line that begins with another letter, at a malformed line, at an id out of range, at
NaN, or at a line that only `parse_edges` can parse. The others are numbers that need uint64 or float64, or
that fit neither.
"""

DEFERRED = 0x7FF8 << 48
"""The bits of a NaN. With a text offset in the lower bits it stands for a number that the caller parses."""

_NOTHING, _INTEGER, _DECIMAL, _LONG_DECIMAL, _INFINITE, _NOT_A_NUMBER, _LONG_INTEGER = range(7)
"""The forms of a number; the long ones have too many digits for 64 bits."""

_TAB, _NEWLINE, _RETURN, _SPACE, _QUOTE = 9, 10, 13, 32, 34
_PLUS, _MINUS, _POINT, _SMALL_A, _SMALL_E, _SMALL_Z, _TO_SMALL = 43, 45, 46, 97, 101, 122, 32
SPAN_SHIFT, SPAN_MASK = np.uint64(16), np.uint64(0xFFFF)
"""A span is an offset in the text, and a number of bytes in the lowest 16 bits."""
_ZERO, _ONE, _TWO, _THREE, _EIGHT, _NINE, _TEN = map(np.uint64, (0, 1, 2, 3, 8, 9, 10))
_MOST_DIGITS = np.uint64(19)
"""Any number of this many digits fits in 64 bits."""
_DIGITS_ZERO = np.uint64(0x3030303030303030)
_ONES, _BLANKS = np.uint64(0x0101010101010101), np.uint64(0x2020202020202020)
_BEYOND_NINE, _HIGH_BITS = np.uint64(0x7676767676767676), np.uint64(0x8080808080808080)
_HIGHEST, _HALF = np.uint64(63), np.uint64(32)
_POWERS = 10 ** np.arange(9, dtype=np.uint64)
BYTES_BEYOND = 64
"""Bytes that may be read from the beginning of a usual line: more than three numbers of 16 digits take."""
_DIGIT_ZERO, _DIGIT_ONE = np.uint64(48), np.uint64(49)
_SIGN_BIT = np.uint64(1 << 63)
_DEFERRED = np.uint64(DEFERRED)
_INFINITY_BITS = np.uint64(0x7FF << 52)
_EXACT_UP_TO = np.uint64(1 << 53)
_TEN_TO_19 = np.uint64(10**19)
_AHEAD = 16
"""Number of spans by which names are fetched into the cache ahead."""
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
    has_names: int


class IdRange(NamedTuple):
    """The smallest and the largest id in the text; the smallest is stored as 0."""

    first: Any
    last: Any


class EdgeArrays(NamedTuple):
    """Arrays for edges: the ends as unsigned integers, the weights as 64 bits."""

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


def _parse_digits(text, i, end, value):
    """Append digits to a value, modulo 2**64; return the offset after them and the value."""
    while i + _EIGHT <= np.uint64(text.size):
        length, digits = _parse_word_of_digits(text, i)
        i += length
        value = value * _POWERS[length] + digits
        if length < _EIGHT:
            return i, value
    while i < end:
        digit = np.uint64(text[i]) - _DIGIT_ZERO
        if digit > _NINE:
            break
        value = value * _TEN + digit
        i += _ONE
    return i, value


def _parse_word_of_digits(text, i):
    """Parse up to eight digits at once; return how many there are, and their value. Eight bytes are read.

    Source: D. Lemire, "Number parsing at a gigabyte per second", section 3.
    """
    word = load_word(text, i) ^ _DIGITS_ZERO  # bytes up to 9 are digits
    others = ((word + _BEYOND_NINE) | word) & _HIGH_BITS  # the lowest bit is of the first non-digit
    length = _EIGHT
    if others != _ZERO:
        bits = np.uint64(trailing_zeros(others))
        length = bits >> _THREE
        word = word << (_HIGHEST - bits) << _EIGHT  # zeros before the digits, nothing behind them
    word = (word * np.uint64(10 * 2**8 + 1)) >> _EIGHT & np.uint64(0x00FF00FF00FF00FF)
    word = (word * np.uint64(100 * 2**16 + 1)) >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF)
    return length, (word * np.uint64(10000 * 2**32 + 1)) >> np.uint64(32)


def _parse_short(text, i):
    """Parse up to 16 digits; return the offset after them and their value. 16 bytes are read."""
    length, value = _parse_word_of_digits(text, i)
    if length < _EIGHT:
        return i + length, value
    length, digits = _parse_word_of_digits(text, i + _EIGHT)
    return i + _EIGHT + length, value * _POWERS[length] + digits


def _count_significant(text, i, end):
    """Count the digits from the first that is not 0; there may be a point."""
    count = _ZERO
    while i < end:
        if text[i] != _POINT and (count > _ZERO or text[i] != _DIGIT_ZERO):
            count += _ONE
        i += _ONE
    return count


def _skip_sign(text, i, end):
    """Return the offset after a sign, if there is one, and whether it is a minus."""
    if i < end and (text[i] == _MINUS or text[i] == _PLUS):
        return i + _ONE, text[i] == _MINUS
    return i, False


def _skip_word(text, i, end, word):
    """Return the offset after a word in lower or upper case; the offset unchanged if it is not there."""
    if end - i < np.uint64(word.size):
        return i
    for k in range(word.size):
        if text[i + np.uint64(k)] | _TO_SMALL != word[k]:
            return i
    return i + np.uint64(word.size)


def _parse_word(text, i, end):
    """Parse ``inf``, ``infinity`` or ``nan``; return the offset after it and its form."""
    after = _skip_word(text, i, end, _INF)
    if after > i:
        return _skip_word(text, after, end, _INITY), _INFINITE
    after = _skip_word(text, i, end, _NAN)
    if after > i:
        return after, _NOT_A_NUMBER
    return i, _NOTHING


def _parse_exponent(text, i, end):
    """Parse an exponent after its letter; return the offset after it, its form and its value."""
    i, downward = _skip_sign(text, i, end)
    start = i
    i, power = _parse_digits(text, i, end, _ZERO)
    if i == start:
        return i, _NOTHING, np.int64(0)
    if i - start > 9 and _count_significant(text, start, i) > 9:
        return i, _LONG_DECIMAL, np.int64(0)
    return i, _DECIMAL, -np.int64(power) if downward else np.int64(power)


def _parse_number(text, i, end):
    """Parse a number; return the offset after it, its form, its sign, its digits and its power of ten."""
    exponent = np.int64(0)
    i, negative = _skip_sign(text, i, end)
    start = i
    i, digits = _parse_digits(text, i, end, _ZERO)
    length = i - start
    if i == end or (text[i] != _POINT and not _SMALL_A <= text[i] | _TO_SMALL <= _SMALL_Z):
        form = _INTEGER if length > _ZERO else _NOTHING
        if length > _MOST_DIGITS:
            length = _count_significant(text, start, i)
            fits = length == 20 and text[i - length] == _DIGIT_ONE and digits >= _TEN_TO_19
            form = _INTEGER if length <= _MOST_DIGITS or fits else _LONG_INTEGER
        return i, form, negative, digits, exponent

    if text[i] == _POINT:
        point = i + _ONE
        i, digits = _parse_digits(text, point, end, digits)
        length += i - point
        exponent = -np.int64(i - point)
    if length == _ZERO:
        i, form = _parse_word(text, i, end)
        return i, form, negative, digits, exponent
    if length > _MOST_DIGITS:
        length = _count_significant(text, start, i)
    if i < end and text[i] | _TO_SMALL == _SMALL_E:
        i, form, power = _parse_exponent(text, i + _ONE, end)
        if form != _DECIMAL:
            return i, form, negative, digits, exponent
        exponent += power
    return i, _DECIMAL if length <= _MOST_DIGITS else _LONG_DECIMAL, negative, digits, exponent


def _parse_weight(text, i, end, storage):
    """Parse a weight; return the offset after it, DONE or why it could not be parsed, and its 64 bits."""
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


def _finish_integer(text, start, i, digits, negative):
    """Finish an integer of up to 16 digits; return the offset after it, DONE or NEEDS_FLOATS, its bits."""
    return i, NEEDS_FLOATS if text[i] == _POINT else DONE, _ZERO - digits if negative else digits


def _finish_float(text, start, i, digits, negative):
    """Parse what follows at most 16 digits; return the offset after it, DONE or UNUSUAL, and the 64 bits."""
    size, exponent, fits = np.uint64(text.size), np.int64(0), digits <= _EXACT_UP_TO
    if text[i] == _POINT:
        point = i + _ONE
        i, digits = _parse_digits(text, point, size, digits)
        exponent = np.int64(point) - np.int64(i)
        fits = i - start <= _MOST_DIGITS or _count_significant(text, start, i) <= _MOST_DIGITS
        fits = fits and i < size
    bits, exact = double_bits(digits, exponent)
    return i, DONE if fits and exact else UNUSUAL, bits | _SIGN_BIT if negative else bits


def _usual_lines(finish):
    """Make a loop that parses usual lines, fast: u, v and the weight, with one separator between them.

    ``finish`` parses the rest of a weight. The loop takes the text, where to begin and to end, `LayoutCodes`,
    the `IdRange`, `EdgeArrays`, and the first free position. At least `BYTES_BEYOND` bytes must follow the
    beginning of every line. It returns what `parse_edges` does, or UNUSUAL at the first unusual line.
    """

    def loop(text, begin, end, codes, ids, columns, k):
        _, _, _, _, letter, _, comment, other_comment, delimiter, _ = codes
        separator, other_separator = (delimiter, delimiter) if delimiter else (_SPACE, _TAB)
        u, v, w = columns
        first, last = ids
        i, padded = begin, end
        while i < end:
            start, c = i, text[i]
            if c == _NEWLINE or c == comment or c == other_comment:  # noqa: SIM109  compiles faster
                i = _skip_line(text, i, np.uint64(text.size)) + _ONE
                continue
            if letter:
                if c != letter or text[i + _ONE] != _SPACE:
                    return k, UNUSUAL, start, padded
                i += _TWO
            x = y = z = number = _ZERO
            negative = is_padded = False
            for field in range(3):
                c = text[i]
                if field == 2 and c == _MINUS:
                    negative = True
                    i += _ONE
                number = i
                i, digits = _parse_short(text, i)
                x, y, z = y, z, digits
                c = text[i]
                if i == number or (field < 2 and c != separator and c != other_separator):
                    return k, UNUSUAL, start, padded
                if field < 2:
                    is_padded |= text[number] == _DIGIT_ZERO and i > number + _ONE
                    i += _ONE
            if x < first or x > last or y < first or y > last:
                return k, UNUSUAL, start, padded
            i, stop, bits = finish(text, number, i, z, negative)
            if stop != DONE or text[i] != _NEWLINE:
                return k, NEEDS_FLOATS if stop == NEEDS_FLOATS else UNUSUAL, start, padded
            padded = min(padded, start) if is_padded else padded
            u[k], v[k], w[k] = x - first, y - first, bits
            k += _ONE
            i += _ONE
        return k, DONE, i, padded

    return Kernel(loop)


parse_usual_integers = _usual_lines(_finish_integer)
parse_usual_floats = _usual_lines(_finish_float)


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


def _parse_name(text, i, end, delimiter):
    """Find a name; return the offset after it, DONE or UNUSUAL, and its span.

    Unusual are names with a control character, with a quote inside, with blanks beside quotes or at the end,
    and very long ones.
    """
    mark, other = (delimiter, _QUOTE) if delimiter else (_SPACE, _SPACE)
    quoted = delimiter != 0 and i < end and text[i] == _QUOTE
    if i > _ZERO and (text[i - _ONE] == _RETURN or (quoted and text[i - _ONE] not in (delimiter, _NEWLINE))):
        return i, UNUSUAL, i
    if quoted:
        mark, i = _QUOTE, i + _ONE
    start, found = i, _ZERO
    while i + _EIGHT <= end and found == _ZERO:  # the lowest bit is of the first byte that ends the name
        word = load_word(text, i)
        x, y = word ^ (_ONES * np.uint64(mark)), word ^ (_ONES * np.uint64(other))
        found = (((word - _BLANKS) & ~word) | ((x - _ONES) & ~x) | ((y - _ONES) & ~y)) & _HIGH_BITS
        i += _EIGHT if found == _ZERO else np.uint64(trailing_zeros(found)) >> _THREE
    while i < end and text[i] != mark and text[i] != other and text[i] >= _SPACE:
        i += _ONE
    length = i - start
    is_plain = _ZERO < length <= SPAN_MASK and text[start] != _SPACE and text[i - _ONE] != _SPACE
    if quoted:
        is_plain = is_plain and i < end and text[i] == _QUOTE
        i += _ONE
    if i < end and text[i] == _RETURN:
        is_plain = is_plain and i + _ONE < end and text[i + _ONE] == _NEWLINE
    elif quoted and i < end:
        is_plain = is_plain and text[i] in (delimiter, _NEWLINE)
    return i, DONE if is_plain else UNUSUAL, (start << SPAN_SHIFT) | length


@kernel
def parse_edges(text, begin, end, layout, ids, storage, columns, k):
    """Parse lines of one edge each, with fields in any order, and store the edges, the first at position k.

    A name is stored as its span, and the smallest id is 0 then; the loop stops at an unusual name.

    Parameters
    ----------
    text : uint8 array
    begin, end : uint64
        Where to parse: offsets of starts of lines, or the end of the text.
    layout : LayoutCodes
    ids : IdRange
        Of uint64.
    storage : int
        The type in which weights are stored.
    columns : EdgeArrays
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
    int
        The start of the first line with an id that has leading zeros; ``end`` if there is none.
    """
    fields, u_field, v_field, w_field, lower, upper, comment, other_comment, delimiter, has_names = layout
    u, v, w = columns
    first, last = ids
    i, padded = begin, end
    while i < end:
        start = i
        past = _skip_blanks(text, i, end, 0)  # a line of delimiters that are tabs is blank, too
        if past == end:
            break
        c = text[past]
        if c == _NEWLINE or c in (comment, other_comment):
            i = _skip_line(text, past, end) + _ONE
            continue
        i = _skip_blanks(text, i, end, delimiter)
        if lower:
            if c != lower and c != upper:
                return k, LETTER, start, padded
            after = i + _ONE
            i = _skip_blanks(text, after, end, delimiter)
            if i == after:
                return k, LETTER, start, padded
        for field in range(fields):
            if field in (u_field, v_field):
                if has_names:
                    i, stop, x = _parse_name(text, i, end, delimiter)
                    if stop != DONE:
                        return k, stop, start, padded
                else:
                    digit = i
                    i, x = _parse_digits(text, i, end, _ZERO)
                    if i == digit:
                        return k, SYNTAX, start, padded
                    if x < first or x > last or i - digit > 19:
                        return k, ID, start, padded
                    if text[digit] == _DIGIT_ZERO and i > digit + _ONE:
                        padded = min(padded, start)
                if field == u_field:
                    u[k] = x - first
                else:
                    v[k] = x - first
            elif field == w_field:
                quoted = np.uint64(delimiter != 0 and i < end and text[i] == _QUOTE)
                i, stop, x = _parse_weight(text, i + quoted, end, storage)
                if stop == DONE and quoted and (i == end or text[i] != _QUOTE):
                    stop = SYNTAX
                if stop != DONE:
                    return k, stop, start, padded
                i += quoted
                w[k] = x
            else:
                i = _skip_field(text, i, end, delimiter)
                if i > end:
                    return k, SYNTAX, start, padded
            if field + 1 < fields:
                i, found = _skip_separator(text, i, end, delimiter)
                if not found:
                    return k, SYNTAX, start, padded
        i = _skip_blanks(text, i, end, delimiter)
        if i < end:
            if text[i] != _NEWLINE:
                return k, SYNTAX, start, padded
            i += _ONE
        k += _ONE
    return k, DONE, i, padded


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
        The type in which numbers are stored.
    values : uint64 array
        Receives the numbers.
    starts, ends : int64 arrays
        Receive the offset in the text at which each row begins, and one more than the index in ``values``
        of its last number.

    Returns
    -------
    int
        The number of rows.
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


def _short_word(text, start, end):
    """Return fewer than eight bytes as a number, the first byte lowest."""
    if end >= _EIGHT:
        return load_word(text, end - _EIGHT) >> ((start + _EIGHT - end) << _THREE)
    word = _ZERO
    for i in range(start, end):
        word |= np.uint64(text[i]) << ((i - start) << _THREE)
    return word


@kernel
def make_keys(text, spans, keys):
    """Make keys of names: a hash with the highest bit set, or the bytes of a name that has fewer than eight.

    No byte of a name is 0, so that different short names have different keys.
    """
    for k in range(spans.size):
        start, x = spans[k] >> SPAN_SHIFT, spans[k] & SPAN_MASK
        end = start + x
        if x < _EIGHT:
            keys[k] = _short_word(text, start, end)
            continue
        for i in range(start, end - _EIGHT, 8):
            x = (x ^ load_word(text, i)) * GOLDEN
            x ^= x >> _HALF
        keys[k] = mix(x ^ load_word(text, end - _EIGHT)) | _SIGN_BIT


@kernel
def copy_names(text, spans, names):
    """Copy names to another text, a newline after each, and store the spans of the copies in ``spans``."""
    j = _ZERO
    for k in range(spans.size):
        i, length = spans[k] >> SPAN_SHIFT, spans[k] & SPAN_MASK
        spans[k] = (j << SPAN_SHIFT) | length
        for q in range(_ZERO, length):
            names[j + q] = text[i + q]
        names[j + length] = _NEWLINE
        j += length + _ONE


@kernel
def are_equal(text, spans, numbers, names, distinct):
    """Return whether each span has the same bytes as the distinct span of its number, which is of ``names``.

    Spans of fewer than eight bytes do: their keys are these bytes.
    """
    for k in range(spans.size):
        length = spans[k] & SPAN_MASK
        if length < _EIGHT:
            continue
        if k + _AHEAD < spans.size:
            prefetch(names, distinct[numbers[k + _AHEAD]] >> SPAN_SHIFT)
        other = distinct[numbers[k]]
        if other & SPAN_MASK != length:
            return False
        i, j, last = spans[k] >> SPAN_SHIFT, other >> SPAN_SHIFT, length - _EIGHT
        differ = load_word(text, i + last) ^ load_word(names, j + last)
        for q in range(_ZERO, last, 8):
            differ |= load_word(text, i + q) ^ load_word(names, j + q)
        if differ:
            return False
    return True
