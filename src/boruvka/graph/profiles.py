"""Allelic profiles: tables of alleles become tables of codes, which distances between profiles compare."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph import distances
from boruvka.graph.columns import (
    is_number,
    list_column,
    listed,
    read_column,
    read_only,
)
from boruvka.graph.labels import NAMES, in_memory, is_called, is_index, names_of_rows, row_names
from boruvka.graph.names import name_array
from boruvka.graph.no_values import is_missing, is_none
from boruvka.graph.sequences import read_sequences
from boruvka.runtime.arguments import argument, flag, hint, is_command_running, one_of

METRICS = {
    "error": distances.hamming,
    "ignore": distances.hamming_of_present,
    "scale": distances.scaled_hamming,
    "differ": distances.hamming,
}
"""The distance for each choice of ``missing``; 0 is the code of a missing allele."""
NEW_ALLELE = re.compile(r"^(?:INF-|\*)+")
"""Prefix that chewBBACA writes before the number of an allele that is new, or not yet known to its server."""
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DESCRIPTIONS = """
age aliases cc cgst city clonalcomplex collectiondate comments contigs continent country coverage date gender
host lat latitude lincode lineage location lon longitude mlst month n50 patient patientid postcode province
region sequencetype serogroup serotype serovar sex source species st state stid submitter ward year zipcode
"""
NO_LOCI = NAMES | frozenset(_DESCRIPTIONS.split())
"""Columns that describe a strain, in the form of `boruvka.graph.labels.plain`.

Columns that begin with # are not loci either.
"""
_WORD = re.compile(r"[^\W\d_]{2}")
_SEEN = 20
"""Number of alleles of a column that show whether it may hold texts."""
_MOSTLY, _FEW = 0.9, 0.1
"""Minimum share of strains with different values in a column that a warning names, and maximum share of such
columns."""
_SHOWN_TEXTS = 5
"""Number of texts at loci of numbers that a warning shows."""
_MANY_STRAINS = 10
"""Number of strains for which such columns are named."""
_LEAST_STRAINS = 4
"""Number of strains of which a column of different texts holds the names, although loci are texts, too."""


class Profiles(NamedTuple):
    """The allelic profiles that the vertices of a graph were made from; equal ones may be one vertex."""

    vertex_of: NDArray[np.int64]
    """(rows,) array: the vertex of each profile."""
    sizes: NDArray[np.int64]
    """(n,) array: the number of profiles of each vertex."""
    first_rows: NDArray[np.int64]
    """(n,) array: the first profile of each vertex."""
    names: NDArray[Any] | None = None
    """(rows,) array: the name of each profile, else its row; None where each vertex is one profile."""
    is_collapsed: bool = False
    """Whether equal profiles were to be one vertex."""


class ProfileTable(NamedTuple):
    """Distinct profiles as codes of alleles, and what they were made from."""

    codes: NDArray[np.unsignedinteger]
    """(n, loci) array: the number of each allele, 0 where there is none, at the loci that matter."""
    metric: Callable[[Any, Any], Any]
    names: list[Any] | None
    """The name of each vertex: the name of its first profile, or the row if only some are distinct."""
    given_as: Any
    """The column or index that had the names."""
    profiles: Profiles


def read_profiles(
    profiles: Any,
    missing: str,
    names: Iterable[Hashable] | None,
    collapse: bool,
    loci: Iterable[Hashable] | None,
    no_allele: str | Iterable[str] = (),
) -> ProfileTable:
    """Read allelic profiles, as `boruvka.Graph.from_profiles` takes them."""
    one_of("missing", missing, tuple(METRICS))
    if isinstance(profiles, str | os.PathLike):
        file = os.fspath(profiles)
        raise GraphTypeError(
            f"profiles are a table, not the name of a file: write "
            f"boruvka.read({file!r}, {argument('profiles', True)})"
        )
    profiles, given_as = in_memory(profiles), names
    if (sequences := read_sequences(profiles)) is not None:
        profiles, known = sequences
        names = known if names is None else names
    names = names_of_rows("profiles", profiles, names)
    words = [no_allele] if isinstance(no_allele, str) else listed("no_allele", no_allele)
    if wrong := [word for word in words if not isinstance(word, str)]:
        raise OptionError(f"{argument('no_allele')} must be texts, got {shown(wrong[0])}")
    lower = {word.strip().lower() for word in words}
    chosen, columns, found, of_names = _columns(profiles, names, loci, lower)
    if names is None:
        given_as = getattr(profiles, "index", None) if of_names is None else profiles[of_names]
    if not chosen and len(profiles):
        raise GraphError("profiles have no column that is a locus")
    is_chosen = loci is not None or not hasattr(profiles, "columns")
    table = profiles if _are_codes(profiles) else _table_of_codes(chosen, columns, is_chosen)
    rows = np.arange(len(table))
    if missing == "error" and not table.all():
        raise _missing_error(table, chosen)
    if found is not None and len(found) != rows.size:
        raise GraphError(f"there must be one name for each of the {rows.size} profiles, got {len(found)}")
    profiles_of_rows = Profiles(rows, np.ones_like(rows), rows)
    if flag("collapse", collapse):
        profiles_of_rows, found = _grouped(table, found)
    table = table[profiles_of_rows.first_rows]
    if missing != "scale" and table.size:  # which divides by the number of loci
        table = table[:, (table != table[0]).any(axis=0) | (np.arange(table.shape[1]) == 0)]
    return ProfileTable(
        np.ascontiguousarray(table), METRICS[missing], found, given_as, read_only(profiles_of_rows)
    )


def _grouped(table: NDArray[Any], names: list[Any] | None) -> tuple[Profiles, list[Any] | None]:
    """Group equal rows; groups have the order of their first rows, and the names of these.

    If rows have no names and some are equal, their positions are names.
    """
    if not len(table):
        nothing = np.empty(0, np.int64)
        return Profiles(nothing, nothing, nothing, None, True), names
    _, first, group_of, sizes = np.unique(
        table, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    first, sizes, group_of = first[order], sizes[order], np.argsort(order)[group_of.ravel()]
    some_are_equal = first.size < len(table)
    if names is None and some_are_equal:
        names = list(range(len(table)))
    of_rows = name_array(names, len(table)) if some_are_equal and names is not None else None
    return Profiles(group_of, sizes, first, of_rows, True), None if names is None else [
        names[k] for k in first
    ]


def collapsed(
    matrix: NDArray[Any], names: list[Any] | None
) -> tuple[NDArray[Any], list[Any] | None, Profiles]:
    """Keep the first of the points of a symmetric matrix that are at distance 0, and equally far from others.

    Returns
    -------
    (k, k) array
        The distances of the points that are kept.
    list, or None
        Their names.
    Profiles
        The vertex of each point.
    """
    table = np.array(matrix)
    np.fill_diagonal(table, 0)
    groups, names = _grouped(table, names)
    return matrix[np.ix_(groups.first_rows, groups.first_rows)], names, read_only(groups)


def _columns(
    profiles: Any, names: Any, loci: Iterable[Hashable] | None, no_allele: set[str]
) -> tuple[list[str], list[Any], list[Any] | None, Any]:
    """Return the names of the loci, their columns as `read_column` does, and the names of the profiles.

    The last is the column that holds these names; None if no column does.
    """
    if not hasattr(profiles, "columns"):
        if loci is not None:
            raise OptionError(f"{argument('loci')} names columns of a frame, and these profiles have none")
        rows = profiles if isinstance(profiles, np.ndarray) else _rows(listed("profiles", profiles))
        if rows.ndim != 2:
            raise GraphError(
                f"profiles have a row for each strain and a column for each locus, not {rows.shape}"
            )
        found = [f"locus {k}" for k in range(rows.shape[1])]
        columns = [_read(name, column, no_allele) for name, column in zip(found, rows.T, strict=True)]
        return found, columns, None if names is None else listed("names", names), None
    known = listed("profiles", profiles.columns)
    names = row_names(profiles) if names is None else names
    chosen = None if loci is None else [loci] if isinstance(loci, str) else listed("loci", loci)
    if chosen is not None and (wrong := [name for name in chosen if not _is_unique(known, name)]):
        raise OptionError(
            f"there is no single column {shown(wrong[0])}; the columns are {', '.join(map(shown, known))}"
        )
    first = known[0] if names is None and known and known[0] not in (chosen or ()) else None
    of_names = first if is_index(first) or is_called(first, NAMES) else None
    left_out = []
    if chosen is None:
        left_out = [name for name in known if name != of_names and is_called(name, NO_LOCI)]
        chosen = [name for name in known if name != of_names and name not in left_out]
        columns = [_read(str(name), profiles[name], no_allele) for name in chosen]
        if first is not None and of_names is None and first in chosen and _begin_with_names(columns):
            of_names, chosen, columns = first, chosen[1:], columns[1:]
        is_text = _are_free_texts(columns)
        left_out += compress(chosen, is_text)
        chosen, columns = (
            [x for x, skip in zip(each, is_text, strict=True) if not skip] for each in (chosen, columns)
        )
        _warn_of_columns(of_names, left_out)
    else:
        columns = [_read(str(name), profiles[name], no_allele) for name in chosen]
    if of_names is not None:
        names = list_column(read_column(str(of_names), profiles[of_names]))
    return list(map(str, chosen)), columns, None if names is None else listed("names", names), of_names


def _read(name: str, values: Any, no_allele: set[str]) -> Any:
    """Read the column of a locus, with None for these texts, which are in lower case."""
    column = read_column(name, values)
    if not no_allele or (isinstance(column, np.ndarray) and column.dtype.kind in "iuf"):
        return column
    return [None if str(value).strip().lower() in no_allele else value for value in list_column(column)]


def _rows(profiles: list[Any]) -> NDArray[Any]:
    """Make an array of objects of the rows of a list."""
    try:
        return np.array(profiles, object)
    except ValueError as error:
        raise GraphError(f"profiles must have as many loci each: {error}") from None


def _is_unique(columns: list[Any], name: Any) -> bool:
    """Return whether one column has a name, which may be any object."""
    try:
        return Counter(columns)[name] == 1
    except (TypeError, ValueError):  # it has no hash
        return False


def _warn_of_columns(of_names: Any, left_out: list[Any]) -> None:
    """Warn of columns of a frame that are not loci."""
    notices = [] if of_names is None else [f"the column {shown(of_names)} holds the names of strains"]
    if left_out:
        notices.append(f"no loci, and left out: {', '.join(map(shown, left_out))}")
    if notices:
        warn(f"{'; '.join(notices)}; name the loci with {_loci_argument()}")


def _loci_argument() -> str:
    return argument("loci") if is_command_running() else f"{argument('loci')}="


def _begin_with_names(columns: list[Any]) -> bool:
    """Return whether the first column holds the names of strains, by its values.

    It has another text in each row, and no other column has. Loci are numbers, or there are several strains.
    """
    first, *others = columns
    is_sure = len(first) >= _LEAST_STRAINS or any(_kind(column[:_SEEN]) == "number" for column in others)
    return bool(others) and is_sure and _are_names(first) and not any(map(_are_names, others))


def _are_names(column: Any) -> bool:
    """Return whether a column holds another text in each row, and no allele is missing."""
    values = list_column(column[:_SEEN])
    if _kind(values) != "text" or len({*values}) < len(values):
        return False
    values = list_column(column)
    return len({*values}) == len(values) and _kind(values) == "text" and None not in map(allele, values)


def _are_free_texts(columns: list[Any]) -> list[bool]:
    """Return which columns are texts among columns of numbers: these describe the strains.

    There are none if the alleles of a locus may be texts: if a column has both, or as many have texts.
    """
    kinds = [_kind(column[:_SEEN]) for column in columns]
    if "mixed" in kinds or kinds.count("text") >= kinds.count("number"):
        return [False] * len(columns)
    return [kind == "text" and _are_words(column) for kind, column in zip(kinds, columns, strict=True)]


def _are_words(column: Any) -> bool:
    """Return whether alleles are texts with letters, and one has several in a row."""
    return _kind(column) == "text" and any(_WORD.search(str(value)) for value in list_column(column))


def _kind(column: Any) -> str:
    """Return whether alleles are texts with letters, or numbers ("1;2", too): text, number, mixed or none."""
    try:
        found = {allele(value) for value in list_column(column)} - {None}
    except (TypeError, ValueError):  # of an array
        return "mixed"
    kinds = {"text" if isinstance(x, str) and any(map(str.isalpha, x)) else "number" for x in found}
    return "mixed" if len(kinds) > 1 else "".join(kinds) or "none"


def _are_codes(profiles: Any) -> bool:
    """Return whether alleles of an array are numbers as they are: bytes, of which 0 is no allele."""
    return isinstance(profiles, np.ndarray) and profiles.dtype == np.uint8 and profiles.ndim == 2


def _table_of_codes(loci: list[str], columns: list[Any], are_chosen: bool) -> NDArray[np.unsignedinteger]:
    """Number the alleles of each locus; refuse columns with fractions, unless the caller chose the loci."""
    codes, fractions, texts = [], dict[str, str](), Counter[str]()
    for name, column in zip(loci, columns, strict=True):
        code, fraction, texts_of_locus = _codes(name, column)
        codes.append(code)
        texts += texts_of_locus
        if fraction is not None and not are_chosen:
            fractions[name] = fraction
    if fractions:
        name, value = next(iter(fractions.items()))
        raise GraphError(
            f"{', '.join(map(shown, fractions))}: these columns have numbers that cannot be alleles, as "
            f"{shown(name)} has {value}: leave them out of the table, or name the loci with "
            f"{_loci_argument()}"
        )
    if texts:
        some = texts.most_common(_SHOWN_TEXTS)
        found = ", ".join(f"{shown(text)} ({count:,})" for text, count in some)
        passed = hint(
            ": if they mean that there is none, write {no_allele}", no_allele=tuple(text for text, _ in some)
        )
        warn(f"each of these texts counts as an allele, at loci of numbers: {found}{passed}")
    if not are_chosen:
        _warn_of_different_values(loci, codes)
    if len({code.size for code in codes}) > 1:
        raise GraphError("all loci must have as many alleles as there are profiles")
    return np.column_stack(codes) if codes else np.empty((0, 0), np.uint8)


def _warn_of_different_values(loci: list[str], codes: list[NDArray[np.unsignedinteger]]) -> None:
    """Warn of the few columns in which nearly all strains differ, if others do not: these may be no loci."""
    if not codes or len(codes[0]) < _MANY_STRAINS:
        return
    shares = np.array([code.max() / max(np.count_nonzero(code), 1) for code in codes])
    found = [name for name, share in zip(loci, shares, strict=True) if share >= _MOSTLY]
    if found and len(found) <= max(_FEW * len(loci), 1) and np.median(shares) <= 0.5:
        warn(
            f"nearly every strain has another value in {', '.join(map(shown, found))}, unlike in other "
            f"columns: are these loci? If not, leave them out of the table, or name the loci with "
            f"{_loci_argument()}"
        )


def _codes(name: str, column: Any) -> tuple[NDArray[np.unsignedinteger], str | None, Counter[str]]:
    """Number the alleles of a locus from 1, those that are missing 0.

    Also return one that is a fraction, and of a locus of numbers how often each text without a digit occurs.
    """
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        distinct, positions = np.unique(column, return_inverse=True)
        alleles = [allele(value) for value in distinct.tolist()]
    else:
        keys = [(type(value), value) for value in list_column(column)]  # as True equals 1
        try:
            position = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        except (TypeError, ValueError) as error:
            raise GraphTypeError(
                f"an allele of {shown(name)} is neither a number nor a text: {error}"
            ) from None
        positions = np.fromiter(map(position.__getitem__, keys), np.int64, len(keys))
        alleles = [allele(value) for _, value in position]
    numbers: dict[int | str | None, int] = {None: 0}
    codes = np.array([numbers.setdefault(found, len(numbers)) for found in alleles], np.uint32)
    fractions = (found for found in alleles if isinstance(found, str) and NUMBER.fullmatch(found))
    codes = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
    counts = Counter[int | str | None]()
    for found, count in zip(alleles, np.bincount(positions).tolist(), strict=True):
        counts[found] += count
    texts = Counter({x: k for x, k in counts.items() if isinstance(x, str) and not any(map(str.isdigit, x))})
    are_numbers = sum(texts.values()) < sum(k for x, k in counts.items() if isinstance(x, int))
    return codes[positions], next(fractions, None), texts if are_numbers else Counter()


def allele(value: Any) -> int | str | None:
    """Return an allele in one form, whatever type holds it; None if there is none.

    A whole number is an int, also in a text; anything else is a text. Numbers below 1 are not alleles, as in
    cgMLST and GrapeTree.
    """
    if is_missing(value):
        return None
    if is_number(value):
        if not 1 <= value < math.inf:
            return None
        return int(value) if value == int(value) else str(value)
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    text = NEW_ALLELE.sub("", text.strip()).strip()
    if is_none(text, "allele"):
        return None
    if not NUMBER.fullmatch(text):
        return text
    number = Decimal(text)
    if number < 1:
        return None
    return int(number) if number == int(number) else text.lstrip("+0").rstrip("0")


def _missing_error(table: NDArray[Any], loci: list[str]) -> GraphError:
    row, locus = (int(k) for k in np.argwhere(table == 0)[0])
    count, profiles = np.count_nonzero(table == 0), np.count_nonzero(~table.all(axis=1))
    passed = hint("; {missing} compares the loci that both profiles have", missing="ignore")
    return GraphError(
        f"profile {row} has no allele at {shown(loci[locus])}; {count:,} are missing, in {profiles:,} "
        f"profiles{passed}"
    )
