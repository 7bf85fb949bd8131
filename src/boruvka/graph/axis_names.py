"""Names of columns that hold coordinates: which axis they are, whatever the unit or the epoch in the name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown, warn
from boruvka.graph.no_values import is_missing

X_COLUMNS, Y_COLUMNS = ("x", "lon", "ra"), ("y", "lat", "dec")
"""Axes of coordinates, as `axis_of` returns them; all but the first are degrees, the last of the sky."""
ANGLES = {*X_COLUMNS[1:], *Y_COLUMNS[1:]}
TO_DEGREES = "convert them to degrees, as astropy.coordinates.Angle(texts, 'deg').degree, or drop unit rows"
"""Advice on texts of angles that `degrees_of` does not read."""
SEXAGESIMAL = re.compile(
    r"([+−-]?)\s*(\d{1,3})(?:\s*([hd°:])\s*|\s+)([0-5]?\d(?:\.\d*(?=\s*[m'′]?$))?)"
    r"(?:(?:\s*[m:'′]\s*|\s+)(60(?:\.0*)?|[0-5]?\d(?:\.\d*)?)\s*[s\"″]?|\s*[m'′])?"
)
"""Hours or degrees, minutes, and perhaps seconds; only the last of them has a fraction."""
_OF_TABLE = "(?:s_|(?:(?!err|sig|std|unc|cos|delta|off|diff|rms|var|corr|flag|num|nobs)[a-z0-9]{3,}_)*)"
"""Words before the name of an axis, as in TARGET_RA and gaia_ra, but not in err_ra and pm_ra."""
_EPOCH = "(?:_?(?:j?2000|icrs|mean|gal|fk[45]|[12])|_(?:gaia|[xyab]))?"
"""An epoch or a system after the name, or what tells apart the columns of two tables that were joined."""
_OF_PLACE = (
    "(?:(?:[a-z]+_)*(?:[a-z]*pos(?:itions?)?|coord(?:inate)?s?|cent(?:er|re)(?:_?of_?[a-z]+)?|com|cm)_?)"
)
"""Words before x or 0, y or 1, z or 2, as in pos_x, GroupPos_0 and PosX; of 3 and more, there are others."""
_POINT = "_?(?:c|cen(?:ter|tre|troid)?|com|cm|pos|coord)"
"""Words after x, y and z that name a point of an object, as in x_com and xc."""
_AXIS = re.compile(
    f"(?:(?P<x>x(?:{_POINT})?|{_OF_PLACE}[x0]|rechtswert|ostwert|easting|este?)"
    f"|(?P<y>y(?:{_POINT})?|{_OF_PLACE}[y1]|hochwert|nordwert|northing|norte|nord)"
    rf"|(?P<z>z(?:{_POINT})?|{_OF_PLACE}[z2])|(?P<more>{_OF_PLACE}(?:[3-9]|[1-9]\d+))"
    "|(?P<lon>lon|lng|long|longitude|l(?:ä|ae)ngengrad|longitud(?:ine)?)"
    "|(?P<lat>lat|latitude|breitengrad|latitud(?:ine)?)"
    f"|(?P<ra>{_OF_TABLE}(?:ra|r_a|right_?ascension){_EPOCH}|alpha(?:win)?_j2000|(?:[ge]|gal)_?lon|sgl|lii)"
    f"|(?P<dec>{_OF_TABLE}(?:decl?|declination){_EPOCH}|de{_EPOCH}|delta(?:win)?_j2000|(?:[ge]|gal)_?lat|sgb|bii))"
    "(?:_?deg(?:rees?)?|_rad(?:ians?)?|_h(?:ours?)?|_[kmg]?pc(?:_h)?|_k?m)?"
)
"""Names of columns: an axis, with an epoch in catalogues of the sky, galactic or ecliptic; and a unit."""
_OTHER_POLE = r"(?i)^[lb]$|(?<![a-z])(([ge]|gal)[\W_]?l(on|at)|sg[lb]|[lb]ii)(?![a-z])|gal(_deg|\b)"
"""Names of longitudes and latitudes of the sky that are galactic or ecliptic."""
ONLY_ANGLES = {("l", "b"): "ra dec", ("alpha", "delta"): "ra dec", ("länge", "breite"): "lon lat"}
"""Pairs of names that may mean longitude and latitude, or other quantities, and the axes they may be."""
_PARTS = {"ra": ("RAh", "RAm", "RAs"), "dec": ("DE-", "DEd", "DEm", "DEs")}
"""Columns of an angle in catalogues of the CDS: hours, or a sign and degrees; minutes; perhaps seconds."""


def axis_of(column: Any) -> str:
    """Return which coordinate a column holds by its name: x, y, z, more, lon, lat, ra, dec, or none ("").

    A unit, an epoch and a table do not matter, as in "x [kpc/h]", "R.A. (deg)", RAJ2000 and TARGET_RA.
    """
    name = re.sub(r"[\s_.-]+", "_", re.sub(r"[\[(].*", "", str(column).lower())).strip("_")
    found = _AXIS.fullmatch(name)
    return str(found.lastgroup) if found else ""


def is_equatorial(column: Any) -> bool:
    """Return whether the name of a column is not that of a galactic or ecliptic angle."""
    return re.search(_OTHER_POLE, str(column).strip()) is None


def space_units(columns: Collection[Any]) -> dict[Any, str]:
    """Return the units in names of columns called x, y and z, as kpc/h in "x [kpc/h]" and x_kpc_h.

    Of columns in standard deviations, the unit before does not matter.
    """
    own = [name for name, axis in zip(columns, axes_of(columns), strict=True) if axis in ("x", "y", "z")]
    texts = [re.sub(r"[\W_]+", "_", str(name).lower()).strip("_") for name in own]
    found = [re.sub(f"^(?:{_OF_PLACE}(?=[xyz012]))?[^_]*_?", "", text).replace("_", "/") for text in texts]
    return {name: x for name, x in zip(own, found, strict=True) if re.match("(?!.*standard)[a-z]", x)}


def space_columns(columns: Iterable[Any]) -> list[int]:
    """Return the positions of the columns of x and y, and z, in this order; none if one is there twice."""
    axes = sorted((axis, i) for i, axis in enumerate(axes_of(columns)) if axis in ("more", "x", "y", "z"))
    return [i for _, i in axes] if "".join(axis for axis, _ in axes) in ("xy", "xyz") else []


def degrees_of(column: Any, texts: Iterable[Any]) -> NDArray[np.float64] | None:
    """Return the degrees of texts such as 23:00:05.2 or 23h00m05.2s, NaN for others; None if it has none.

    Without a letter, right ascensions are hours; galactic and ecliptic longitudes are degrees. A warning has
    the first one.
    """
    if (axis := axis_of(column)) not in ("ra", "dec"):
        return None
    unit = "h" if axis == "ra" and is_equatorial(column) else "d"
    texts = list(texts)
    found = np.array([_angle(text, unit, axis) for text in texts], np.float64)
    if np.isnan(found).all():
        return None
    first = int(np.argmax(~np.isnan(found)))
    warn(f"{texts[first].strip()} in the column {shown(column)} is read as {found[first]:.10g} degrees")
    return found


def _angle(text: Any, unit: str, axis: str) -> float:
    if not isinstance(text, str) or (match := SEXAGESIMAL.fullmatch(text.strip())) is None:
        return np.nan
    sign, first, mark, minutes, seconds = match.groups()
    is_hour = (unit if mark in (None, ":") else mark) == "h"
    if is_hour and (axis == "dec" or int(first) > 24):
        return np.nan
    angle = (60 * int(first) + float(minutes)) * 60 + float(seconds or 0)
    return (-1 if sign in ("-", "−") else 1) * angle / (240 if is_hour else 3600)


def axes_of(columns: Iterable[Any], are_angles: bool | None = False) -> list[str]:
    """Return `axis_of` each column; of several for one axis, only a column with the plain name has it.

    Of angles, l and b, and alpha and delta, are a place of the sky if no other columns are called so. Of
    angles, and of coordinates of a map (None), länge and breite are one on the earth, if none are x and y.
    """
    names = [str(column).strip().lower().replace("laenge", "länge") for column in columns]
    axes = ["" if axis != name and axis in names else axis for name in names for axis in [axis_of(name)]]
    for pair, meant in ONLY_ANGLES.items():
        is_meant = are_angles or (are_angles is None and meant == "lon lat")
        others = {"x", "y", *ANGLES} if meant == "lon lat" else ANGLES
        if is_meant and not others.intersection(axes) and {*pair} <= {*names}:
            axes = [dict(zip(pair, meant.split(), strict=True)).get(name, "") for name in names]
    return axes


def angle_columns(
    names: Sequence[Any], have_numbers: Iterable[Any], are_angles: bool = False
) -> list[list[int]]:
    """Return the positions of columns of latitude, and of longitude; of texts only if numbers are not both.

    The list is empty unless there are both. See `axes_of` for ``are_angles``.
    """
    every = range(len(names))
    for chosen in [i for i, is_number in zip(every, have_numbers, strict=True) if is_number], every:
        axes = list(zip(chosen, axes_of([names[i] for i in chosen], are_angles), strict=True))
        found = [[i for i, axis in axes if axis in known[1:]] for known in (Y_COLUMNS, X_COLUMNS)]
        if all(found):
            return found
    return []


def with_joined_angles(columns: dict[str, Any]) -> dict[str, Any]:
    """Join the columns RAh RAm RAs and DE- DEd DEm DEs to texts of angles in the columns ra and dec.

    There may be no seconds, and no sign of a positive angle. A blank elsewhere is a "?", so that the text is
    not an angle, unless the whole angle is blank.

    Raises
    ------
    GraphError
        Another column is missing, as that of the sign.

    Warns
    -----
    GraphWarning
        Rows have no seconds, in columns of seconds.
    """
    if not has_parts(columns) or {"ra", "dec"} & columns.keys():
        return columns
    known = {part.lower(): part for parts in _PARTS.values() for part in parts}
    own = {name: known.get(str(name).lower(), name) for name in columns}
    columns = {name if own[name] in columns else own[name]: column for name, column in columns.items()}
    if missing := [part for parts in _PARTS.values() for part in parts[:-1] if part not in columns]:
        what = "the columns RAh RAm RAs, DE- DEd DEm DEs are the parts of angles, the sign is in DE-"
        raise GraphError(f"{what}, and there is no column {missing[0]}: add it, or the columns ra and dec")
    columns["DE-"] = [_part(x).removesuffix("1") for x in columns["DE-"]]  # also of 1 and -1
    found = {name: column for name, column in columns.items() if name not in known.values()}
    for axis, parts in _PARTS.items():
        there = [part for part in parts if part in columns]
        texts = [[_part(x) or "?" * part.endswith(("h", "d", "m")) for x in columns[part]] for part in there]
        rows = [" ".join(row).strip() for row in zip(*texts, strict=True)]
        found[axis] = ["" if row == "? ?" else row for row in rows]
        if (count := sum(map(bool, found[axis])) - sum(map(bool, texts[-1]))) > 0:
            warn(f"{count:,} of {len(rows):,} rows have no {there[-1]}: their seconds count as 0")
    return found


def has_parts(columns: Iterable[Any]) -> bool:
    """Return whether columns are parts of angles, as `with_joined_angles` takes them, in any case."""
    return len({"rah", "ram", "ded"} & {str(column).lower() for column in columns}) > 1


def _part(x: Any) -> str:
    return "" if is_missing(x) else re.sub(r"\.0$", "", str(x).strip())
