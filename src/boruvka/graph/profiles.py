"""Allelic profiles: tables of alleles become tables of codes, which distances between profiles compare."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from decimal import Decimal
from itertools import compress
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, some_of, warn, without_warnings
from boruvka.graph import distances, labels
from boruvka.graph.columns import is_number, list_column, listed, read_column, read_only
from boruvka.graph.names import name_array, number_of_name, strain_name
from boruvka.graph.no_values import is_missing, is_none, warn_of_alike_names
from boruvka.graph.sequences import read_sequences
from boruvka.graph.text_dates import readings
from boruvka.runtime.arguments import argument, flag, hint, is_command_running, one_of, real
from boruvka.runtime.libraries import pl

METRICS = {
    "error": distances.hamming,
    "ignore": distances.hamming_of_present,
    "scale": distances.scaled_hamming,
    "differ": distances.hamming,
}
"""The distance for each choice of ``missing``; 0 is the code of a missing allele."""
NEW_ALLELE = re.compile(r"^(?i:INF-|\*)+")
"""Prefix that chewBBACA writes before the number of an allele that is new, or not yet known to its server."""
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_WORDS_OF_DESCRIPTIONS = """
age bed birth case cc city clade clinic clinical cluster code collected collection comment comments complex
contact contigs count country coverage ct date day department depth district facility floor gender genus good
group hc host hospital household id institution isolated isolation lab laboratory length lineage location
method month mlst name note notes number organism outbreak patient perc percent percentage pango place
postcode province qc quality received region remarks resistance room sampled sampling sender serotype serovar
sex site size source species specimen st state status submitted submitter substitutions targets time total
travel type unit ward week year zip
"""
_WORDS = frozenset(_WORDS_OF_DESCRIPTIONS.split())
"""Words in names of columns that describe a strain, as ``date_sampled``, where loci are called otherwise."""
_DESCRIPTIONS = """
aliases cgst clonalcomplex collectiondate continent indexlevel0 lat latitude lincode lon longitude n50
patientid row sequencetype serogroup stid submitter zipcode
"""
NO_LOCI = labels.NAMES | _WORDS | frozenset(_DESCRIPTIONS.split())
"""Columns that describe a strain, in the form of `boruvka.graph.labels.plain`.

One is the index of pandas in a file of Parquet. Columns that begin with # are not loci either.
"""
_WORD_OF_NAME = re.compile("[A-Z]*[a-z]+|[A-Z]+")
_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_][0-9]")
"""Several letters in a row, or a letter before a digit, as in the type ``t008`` of spa."""
_GENE = re.compile(rf"^(?!({'|'.join(_WORDS)})$)[a-z]{{3,4}}[A-Z]{{0,2}}[0-9]*_?$")
"""Name of a gene of bacteria, as ``arcC``, by which loci of MLST are called."""
_DIGITS = re.compile("[0-9]+")
_DECIMAL = re.compile(r"[+-]?[0-9]+(?:,[0-9]+|(?:\.[0-9]+)+)")
"""A number such as 98.5 or 98,5, or an address of clusters, as 1.1.2."""
_HIERARCHICAL = re.compile(r"HC[0-9]+\b")
"""Column of a hierarchical cluster of EnteroBase, as ``HC5 (cgST)``."""
_CLASSES = frozenset(["ASM", "INF", "LNF", "NIPH"])
"""Columns of the table of chewBBACA that counts the classes of alleles, which has no loci."""
_MARKED = re.compile(r"\W*[0-9]+(?:[^0-9A-Za-z.]+[0-9]+)*\W*")
"""An allele that is not certain, as ``4*``, ``1?`` and ``~1``, or several, as ``12;13``."""
_LOCI = frozenset(["gene", "loci", "locus", "locusid", "locusname", "locustag", "marker"])
"""First columns, and indices, that hold the names of loci."""
_OF_LOCI = "genomeposition", "product", "sequencelength"
"""Columns of Genome Comparator of BIGSdb that describe loci."""
_TYPES = frozenset(["cgst", "sequencetype", "st", "stid"])
"""First columns that hold the names, as of types, if all values differ and no other column has names."""
_SEEN = 20
"""Number of alleles of a column that show whether it may hold texts."""
_MOSTLY, _FEW = 0.9, 0.1
"""Minimum share of strains with different values in a column that a warning names, and maximum share of such
columns."""
_MOST = 0.5
"""Minimum share of the different values of a column that are dates or decimals, if it is no locus."""
_SCHEME = 3
"""Minimum number of columns whose names differ only in digits, if these show how loci are called."""
_SHOWN_COLUMNS = 10
"""Number of columns that advice in a warning names."""
_SHOWN_TEXTS = 5
"""Number of texts at loci of numbers that a warning shows."""
_LACKING, _MANY_LOCI = 0.25, 20
"""Share of loci without an allele above which a warning names a profile, and minimum number of loci."""
_NEARLY_ALL = 0.9
"""This share where there are fewer loci."""
WORST = 5
"""Number of loci with most missing alleles that are known."""
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
    missing: NDArray[np.int64] | None = None
    """(rows,) array: the number of loci at which each profile has no allele; None for a matrix."""
    n_loci: int = 0
    most_missing_loci: Mapping[str, int] = MappingProxyType({})
    """Number of profiles without an allele at each of the loci with most, up to `WORST`."""

    def __repr__(self) -> str:
        rows, n = self.vertex_of.size, self.sizes.size
        return f"Profiles(rows={rows}, vertices={n}, loci={self.n_loci})"


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
    left_out: list[Any]
    """Names of profiles that were left out."""


def read_profiles(
    profiles: Any,
    missing: str,
    names: Iterable[Hashable] | None,
    collapse: bool,
    loci: Iterable[Hashable] | None,
    no_allele: str | Iterable[str] = (),
    not_loci: Iterable[Hashable] | None = None,
    max_missing: float | None = None,
    max_missing_loci: float | None = None,
    drop: Iterable[Hashable] = (),
) -> ProfileTable:
    """Read allelic profiles, as `boruvka.Graph.from_profiles` takes them."""
    one_of("missing", missing, tuple(METRICS))
    if isinstance(profiles, str | os.PathLike):
        file = os.fspath(profiles)
        raise GraphTypeError(
            f"profiles are a table, not the name of a file: write "
            f"boruvka.read({file!r}, {argument('profiles', True)})"
        )
    profiles, given_as = labels.in_memory(profiles, keeps_name=True), names
    if labels.INDEX in getattr(profiles, "columns", ()) and profiles[labels.INDEX].dtype.is_integer():
        profiles = profiles.drop(labels.INDEX)  # numbers of rows
    if (sequences := read_sequences(profiles)) is not None:
        profiles, known = sequences
        names = known if names is None else names
    profiles = with_rows_of_strains(profiles) if names is None else profiles
    names = labels.names_of_rows("profiles", profiles, names)
    words = [no_allele] if isinstance(no_allele, str) else listed("no_allele", no_allele)
    if wrong := [word for word in words if not isinstance(word, str)]:
        raise OptionError(f"{argument('no_allele')} must be texts, got {shown(wrong[0])}")
    no_allele_pattern = _pattern(word.strip().lower() for word in words)
    chosen, columns, found, of_names = _columns(profiles, names, loci, no_allele_pattern, not_loci)
    columns_called = {*map(str, getattr(profiles, "columns", ()))}
    if found is not None and len(found) > 1 and columns_called.issuperset(map(str, found)):
        way = "leave out --profiles" if is_command_running() else "write boruvka.Graph.from_distances(frame)"
        raise GraphError(f"columns are called as the profiles: if they are a matrix of distances, {way}")
    if names is None:
        given_as = getattr(profiles, "index", None) if of_names is None else profiles[of_names]
    if not chosen and len(profiles):
        raise GraphError("profiles have no column that is a locus")
    is_chosen = loci is not None or not hasattr(profiles, "columns")
    table = profiles if _are_codes(profiles) else _table_of_codes(chosen, columns, is_chosen)
    if found is not None and len(found) != len(table):
        raise GraphError(f"there must be one name for each of the {len(table)} profiles, got {len(found)}")
    all_names = list(range(len(table))) if found is None else found
    number_of_name(name_array(all_names, len(table)), "profiles")  # or one would be in two clusters
    for row in (k for k, name in enumerate(all_names) if is_missing(name) or name == ""):
        raise GraphError(f"profile {row} has no name: write one, or leave out the row")
    if missing == "ignore" and len(table) > 1 and table.max(initial=0) == 1 and not table.all():
        way = hint(": {missing} compares presence", missing="differ")
        warn(f"no locus has two different alleles, so that all distances are 0{way}")
    wanted = [drop] if isinstance(drop, str) else list(map(str, listed("drop", drop)))
    is_left_out = labels.are_named(argument("drop"), wanted, list(map(str, all_names)))
    if max_missing_loci is not None:
        share = real("max_missing_loci", max_missing_loci, 0, 1)
        kept_rows, what = table[~is_left_out], "loci have no allele in more than {} of the profiles"
        absent = np.count_nonzero(kept_rows == 0, axis=0)
        is_kept = ~_warn_of_missing_alleles(absent, len(kept_rows), chosen, share, what, "they are left out")
        table, chosen = table[:, is_kept], list(compress(chosen, is_kept))
        if not chosen and is_kept.size:
            raise GraphError(f"no locus is left: write a larger {argument('max_missing_loci')}")
    lacking, n_loci = np.count_nonzero(table == 0, axis=1), table.shape[1]
    lacks = "profiles lack an allele at more than {} of the loci"
    if max_missing is not None:
        share = real("max_missing", max_missing, 0, 1)
        is_left_out |= _warn_of_missing_alleles(lacking, n_loci, found, share, lacks, "they are left out")
    if missing == "error" and not (table.all(axis=1) | is_left_out).all():
        raise _missing_error(np.where(is_left_out[:, None], 1, table), chosen, all_names)
    left_out: list[Any] = []
    if is_left_out.size and is_left_out.all():
        raise GraphError(f"no profile is left: write a larger {argument('max_missing')}, or leave out less")
    if is_left_out.any():
        kept = np.flatnonzero(~is_left_out).tolist()
        found, left_out = list(compress(all_names, ~is_left_out)), list(compress(all_names, is_left_out))
        table, lacking = table[kept], lacking[kept]
    warn_of_alike_names(None if found is None else name_array(found, len(table)), strain_name)
    rows = np.arange(len(table))
    profiles_of_rows = Profiles(rows, np.ones_like(rows), rows)
    if n_loci >= _MANY_LOCI or (missing == "ignore" and len(table) > 1):
        share = _LACKING if n_loci >= _MANY_LOCI else _NEARLY_ALL
        way = hint(": {max_missing} leaves them out", max_missing=share)
        uncertain = f"their distances are not certain{way}"
        _warn_of_missing_alleles(lacking, n_loci, found, share, lacks, uncertain)
    absent = np.count_nonzero(table == 0, axis=0)
    worst = {chosen[k]: int(absent[k]) for k in np.argsort(-absent, kind="stable")[:WORST] if absent[k]}
    if flag("collapse", collapse):
        profiles_of_rows, found = _grouped(table, found)
    profiles_of_rows = profiles_of_rows._replace(missing=lacking, n_loci=n_loci, most_missing_loci=worst)
    table = table[profiles_of_rows.first_rows]
    if missing != "scale" and table.size:  # which divides by the number of loci
        table = table[:, (table != table[0]).any(axis=0) | (np.arange(table.shape[1]) == 0)]
    return ProfileTable(
        np.ascontiguousarray(table), METRICS[missing], found, given_as, read_only(profiles_of_rows), left_out
    )


def groups_of_equal(table: Any, loci: list[str], no_allele: list[str]) -> NDArray[np.int64]:
    """Number the groups of rows whose alleles are equal, or missing in all."""
    with without_warnings():
        return read_profiles(table, "differ", range(-len(table), 0), True, loci, no_allele).profiles.vertex_of


def names_loci(column: Any) -> bool:
    """Return whether a first column, or an index, is called as one of loci, so that each row is a locus."""
    return labels.is_called(str(column).strip().lstrip("#"), _LOCI)


def with_rows_of_strains(frame: Any) -> Any:
    """Transpose a frame of loci, as its index or its first column says, without columns about loci."""
    known, index = listed("profiles", getattr(frame, "columns", ())), getattr(frame, "index", frame)
    of_index = names_loci(getattr(index, "name", None))
    if not of_index and not any(map(names_loci, known[:1])):
        return frame
    first, rows = (index.name, index) if of_index else (known[0], frame[known[0]])
    loci = list(map(str, list_column(read_column(str(first), rows))))
    number_of_name(np.array(loci, object), "loci")
    others = list(enumerate(map(str, known)))[not of_index :]
    left_out = [name for _, name in others if labels.plain(name) in _OF_LOCI]
    strains = [k for k, name in others if name not in left_out]
    more = f"; X and I are no alleles; left out: {some_of(left_out)}" if left_out else ""
    says = f"the {'index' if of_index else 'column'} {shown(first)} says"
    warn(f"each row is a locus, as {says}, and each other column a strain{more}")
    if labels.is_pandas(frame):
        frame = frame.mask(frame.isin(["X", "I"])) if left_out else frame
        return frame.iloc[:, strains].set_axis(loci).T
    frame = frame.with_columns(pl.col(pl.String).replace({"X": None, "I": None})) if left_out else frame
    return frame[:, strains].transpose(include_header=True, header_name="strain", column_names=loci)


def _grouped(table: NDArray[Any], names: list[Any] | None) -> tuple[Profiles, list[Any] | None]:
    """Group equal rows; groups have the order of their first rows, and the names of these.

    If rows have no names and some are equal, their positions are names.
    """
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
    if names is not None:
        number_of_name(name_array(names, len(table)))
    groups, names = _grouped(table, names)
    return matrix[np.ix_(groups.first_rows, groups.first_rows)], names, read_only(groups)


def _columns(
    profiles: Any,
    names: Any,
    loci: Iterable[Hashable] | None,
    no_allele: re.Pattern[str],
    not_loci: Iterable[Hashable] | None,
) -> tuple[list[str], list[Any], list[Any] | None, Any]:
    """Return the names of the loci, their columns as `read_column` does, and the names of the profiles.

    The last is the column that holds these names; None if no column does.
    """
    if not hasattr(profiles, "columns"):
        for name, value in (("loci", loci), ("not_loci", not_loci)):
            if value is not None:
                raise OptionError(f"{argument(name)} names columns of a frame, and these profiles have none")
        rows = profiles if isinstance(profiles, np.ndarray) else _rows(listed("profiles", profiles))
        if rows.ndim != 2:
            raise GraphError(f"profiles have a row per strain and a column per locus, not {rows.shape}")
        found = [f"locus {k}" for k in range(rows.shape[1])]
        columns = [_read(name, column, no_allele) for name, column in zip(found, rows.T, strict=True)]
        return found, columns, None if names is None else listed("names", names), None

    def items_of(column: Any) -> list[Any]:
        return list_column(read_column(str(column), profiles[column]))

    known = listed("profiles", profiles.columns)
    is_bare = labels.has_bare_index(profiles)
    names = labels.row_names(profiles) if names is None and not is_bare else names
    chosen = None if loci is None else named_columns("loci", known, loci)
    unwanted = [] if not_loci is None else named_columns("not_loci", known, not_loci)
    first = known[0] if names is None and known and known[0] not in (chosen or ()) else None
    of_names = first if labels.is_index(first) or labels.is_called(first, labels.NAMES) else None
    if first is not None and of_names is None:
        called = [x for x in known if labels.is_called(x, labels.NAMES) and x not in (chosen or ())]
        of_names = called[0] if len(called) == 1 and labels.are_ids(items_of(called[0])) else None
    if chosen is None:
        rest = [name for name in known if name != of_names and name not in unwanted]
        if _CLASSES.issubset(map(str, known)):
            raise GraphError("columns count classes of alleles: read results_alleles.tsv instead")
        is_other = _HIERARCHICAL.match
        chosen = [name for name in rest if not (labels.is_called(name, NO_LOCI) or is_other(str(name)))]
        columns = [_read(str(name), profiles[name], no_allele) for name in chosen]
        if first is not None and of_names is None and first in chosen and _begin_with_names(columns):
            of_names, chosen, columns = first, chosen[1:], columns[1:]
        others_are_names = any(labels.is_called(name, labels.NAMES) for name in known[1:])
        if of_names is None and labels.is_called(first, _TYPES) and not others_are_names:
            of_names = first if labels.are_ids(items_of(first)) else None
        are_loci = _are_loci(chosen, columns)
        chosen, columns = list(compress(chosen, are_loci)), list(compress(columns, are_loci))
        loci_found = {*chosen}
        _warn_of_columns(first, of_names, [x for x in rest if x != of_names and x not in loci_found])
    else:
        chosen = [name for name in chosen if name not in unwanted]
        columns = [_read(str(name), profiles[name], no_allele) for name in chosen]
    if of_names is not None:
        names = items_of(of_names)
    elif names is None and is_bare:
        names = labels.row_names(profiles)
    return list(map(str, chosen)), columns, None if names is None else listed("names", names), of_names


def named_columns(name: str, known: list[Any], wanted: Any) -> list[Any]:
    """Return the columns that an argument names: by their names, or patterns such as ``KP1_*``.

    Raises
    ------
    OptionError
        There is no such column, or several have the name.
    """
    found: dict[Any, None] = {}
    for each in [wanted] if isinstance(wanted, str) else listed(name, wanted):
        is_one = isinstance(each, Hashable) and not isinstance(each, np.void) and known.count(each) == 1
        matches: list[Any] = [each] if is_one else []
        if not matches and isinstance(each, str) and "*" in each:
            pattern = _pattern([each])
            matches = [x for x in known if isinstance(x, str) and pattern.fullmatch(x)]
        if not matches:
            raise OptionError(
                f"{argument(name)}: there is no column {shown(each)}; name columns, or write * for "
                f"any text in a name; the columns are {some_of(list(map(shown, known)))}"
            )
        found |= dict.fromkeys(matches)
    return list(found)


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return the regular expression for these texts, in which * is any text, if it is not alone or in []."""
    known = {"*": ".*", "[*]": r"\*"}
    parts = (re.split(r"(\[\*\]|\*)", "[*]" if word == "*" else word) for word in words)
    return re.compile("|".join("".join(known.get(x, re.escape(x)) for x in part) for part in parts))


def _read(name: str, values: Any, no_allele: re.Pattern[str]) -> Any:
    """Read the column of a locus, with None for texts that match a pattern, in lower case."""
    column = read_column(name, values)
    if not no_allele.pattern or (isinstance(column, np.ndarray) and column.dtype.kind in "iuf"):
        return column
    return [
        None if no_allele.fullmatch(str(value).strip().lower()) else value for value in list_column(column)
    ]


def _rows(profiles: list[Any]) -> NDArray[Any]:
    """Make an array of objects of the rows of a list."""
    try:
        return np.array(profiles, object)
    except ValueError as error:
        raise GraphError(f"profiles must have as many loci each: {error}") from None


def _warn_of_columns(first: Any, of_names: Any, left_out: list[Any]) -> None:
    """Warn of columns of a frame that are not loci."""
    is_sure = of_names == first and (labels.is_index(first) or labels.is_called(first, labels.NAMES))
    if (of_names is None or is_sure) and not left_out:
        return
    notices = [] if of_names is None else [f"the column {shown(of_names)} holds the names of strains"]
    if left_out:
        count = "1 column is no locus" if len(left_out) == 1 else f"{len(left_out):,} columns are no loci"
        notices.append(f"{count}, and left out: {some_of(list(map(shown, left_out)))}")
    ways = f"name the loci with {_written('loci')}, or others with {_written('not_loci')}"
    warn("; ".join([*notices, ways]))


def _written(name: str) -> str:
    return argument(name) if is_command_running() else f"{argument(name)}="


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


def _are_loci(names: list[Any], columns: list[Any]) -> list[bool]:
    """Return which columns are loci, by their names and values.

    Names of loci may follow a scheme: several differ only in digits, or else are called as genes. A warning
    names the few loci that are called otherwise.
    """
    forms = [_DIGITS.sub("0", str(name)) for name in names]
    if max(Counter(forms).values(), default=0) < _SCHEME:
        forms = [_GENE.sub("gene", form) for form in forms]
    scheme, count = max(Counter(forms).items(), key=lambda item: item[1], default=("", 0))
    most = max(_FEW * count, min(count // 2, _SCHEME) if scheme == "gene" else 1)
    in_scheme = [count >= _SCHEME and form == scheme for form in forms]
    are_texts = _are_free_texts(columns)
    are_loci = [
        not (is_text or _are_dates_or_decimals(column))
        and (is_alike or _WORDS.isdisjoint(map(str.lower, _WORD_OF_NAME.findall(str(name)))))
        for name, column, is_text, is_alike in zip(names, columns, are_texts, in_scheme, strict=True)
    ]
    others = [k for k, is_locus in enumerate(are_loci) if is_locus and not in_scheme[k]]
    if not count >= _SCHEME or len(others) > most:
        return are_loci
    are_numbers = sum(_kind(column[:_SEEN]) == "number" for column in columns) > len(columns) / 2
    for k in others:
        are_loci[k] = not (are_numbers and _has_words(columns[k]))
    if odd := [names[k] for k in others if are_loci[k]]:
        warn(
            f"{some_of(list(map(shown, odd)))}: not called as other loci, such as "
            f"{shown(names[in_scheme.index(True)])}, but counted as a locus; if it is none, write "
            f"{argument('not_loci', tuple(odd[:_SHOWN_COLUMNS]))}"
        )
    return are_loci


def _are_dates_or_decimals(column: Any) -> bool:
    """Return whether most of the different values of a column are dates, or most are decimals."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iu":
        return False
    try:
        found = {allele(value) for value in {*list_column(column)}} - {None}
    except (TypeError, ValueError):  # an array is no allele
        return False
    texts = [value for value in found if isinstance(value, str)]
    if len(texts) <= _MOST * len(found):
        return False
    decimals = sum(_DECIMAL.fullmatch(text) is not None for text in texts)
    return max(decimals, sum(bool(readings([text])) for text in texts)) > _MOST * len(found)


def _are_free_texts(columns: list[Any]) -> list[bool]:
    """Return which columns are texts among columns of numbers: these describe the strains.

    There are none if the alleles of loci may be texts: if as many columns have some as have none.
    """
    kinds = [_kind(column[:_SEEN]) for column in columns]
    if kinds.count("text") + kinds.count("mixed") >= kinds.count("number"):
        return [False] * len(columns)
    return [
        kind == "text" == _kind(column) and _has_words(column)
        for kind, column in zip(kinds, columns, strict=True)
    ]


def _has_words(column: Any) -> bool:
    """Return whether an allele has a word, or is a type such as t008."""
    found = (allele(value) for value in list_column(column))
    return any(isinstance(value, str) and _WORD.search(value) for value in found)


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
            f"{_written('loci')}"
        )
    _warn_of_texts(texts)
    if not are_chosen:
        _warn_of_different_values(loci, codes)
    if len({code.size for code in codes}) > 1:
        raise GraphError("all loci must have as many alleles as there are profiles")
    return np.column_stack(codes) if codes else np.empty((0, 0), np.uint8)


def _warn_of_texts(texts: Counter[str]) -> None:
    """Warn of texts at loci of numbers, which are alleles of their own; * is written [*] in a pattern."""
    # Hashes of the sequences of alleles may consist of digits.
    texts = Counter({x: k for x, k in texts.items() if not re.fullmatch("(?i)[0-9a-f]{8,}", x)})
    if some := texts.most_common(_SHOWN_TEXTS):
        found = ", ".join(f"{shown(text)} ({count:,})" for text, count in some)
        marked = [text for text, _ in some if _MARKED.fullmatch(text)]
        patterns = (_DIGITS.sub("\0", text) if text in marked else text for text, _ in some)
        words = dict.fromkeys(text.replace("*", "[*]").replace("\0", "*") for text in patterns)
        passed = hint(": if they mean that there is none, write {no_allele}", no_allele=tuple(words))
        or_same = "; if a mark does not matter, remove it from the table" if marked else ""
        warn(f"each of these texts counts as an allele, at loci of numbers: {found}{passed}{or_same}")


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
            f"{_written('loci')}"
        )


def _codes(name: str, column: Any) -> tuple[NDArray[np.unsignedinteger], str | None, Counter[str]]:
    """Number the alleles of a locus from 1, those that are missing 0.

    Also return one that is a fraction, and of a locus of numbers how often each text occurs.
    """
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        distinct, positions = np.unique(column, return_inverse=True)
        alleles = [allele(value) for value in distinct.tolist()]
    else:
        keys = [(type(value), value) for value in list_column(column)]  # as True equals 1
        try:
            position = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        except (TypeError, ValueError) as error:
            raise GraphTypeError(f"an allele of {shown(name)} is no number and no text: {error}") from None
        positions = np.fromiter(map(position.__getitem__, keys), np.int64, len(keys))
        alleles = [allele(value) for _, value in position]
    numbers: dict[int | str | None, int] = {None: 0}
    codes = np.array([numbers.setdefault(found, len(numbers)) for found in alleles], np.uint32)
    fractions = (found for found in alleles if isinstance(found, str) and NUMBER.fullmatch(found))
    codes = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
    counts = Counter[int | str | None]()
    for found, count in zip(alleles, np.bincount(positions).tolist(), strict=True):
        counts[found] += count
    texts = Counter({x: k for x, k in counts.items() if isinstance(x, str) and not NUMBER.fullmatch(x)})
    words = sum(k for x, k in texts.items() if not _MARKED.fullmatch(x))
    are_numbers = words < counts.total() - counts[None] - words
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


def _warn_of_missing_alleles(
    missing: NDArray[np.int64], total: int, names: list[Any] | None, share: float, what: str, then: str
) -> NDArray[np.bool_]:
    """Return which profiles, or loci, lack more than a share of all alleles, and warn of them.

    Such profiles are near to all others where missing alleles do not count.
    """
    shares = missing / max(total, 1)
    many = np.flatnonzero(shares > share)
    worst = many[np.argsort(-missing[many], kind="stable")].tolist()
    found = some_of([f"{shown(k if names is None else names[k])} ({shares[k]:.0%})" for k in worst])
    if many.size:
        warn(f"{many.size:,} of {missing.size:,} {what.format(f'{100 * share:g}%')}: {found}; {then}")
    return shares > share


def _missing_error(table: NDArray[Any], loci: list[str], names: list[Any]) -> GraphError:
    row, locus = (int(k) for k in np.argwhere(table == 0)[0])
    count, profiles = np.count_nonzero(table == 0), np.count_nonzero(~table.all(axis=1))
    passed = hint("; {missing} compares the loci that both profiles have", missing="ignore")
    return GraphError(
        f"profile {shown(names[row])} has no allele at {shown(loci[locus])}; {count:,} are missing, in "
        f"{profiles:,} profiles{passed}"
    )
