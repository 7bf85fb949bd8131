"""Names of columns that hold coordinates: which axis they are, whatever the unit or the epoch in the name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

X_COLUMNS, Y_COLUMNS = ("x", "lon", "ra"), ("y", "lat", "dec")
"""Axes of coordinates, as `axis_of` returns them; all but the first are degrees, the last of the sky."""
ANGLES = {*X_COLUMNS[1:], *Y_COLUMNS[1:]}
TO_DEGREES = (
    "convert them to degrees, as astropy.coordinates.SkyCoord(ra, dec, unit=('hourangle', 'deg')) of hours, "
    "with unit='deg' if only the declination has texts"
)
"""What to do with texts of angles, such as 23:00:05.2."""
_AXIS = re.compile(
    "(?:(?P<x>x)|(?P<y>y)|(?P<z>z)|(?P<lon>lon|lng|long|longitude)|(?P<lat>lat|latitude)"
    "|(?P<ra>(?:s_)?(?:ra|right_?ascension)_?(?:j?2000|icrs|mean|gal)?|alpha_j2000|(?:[ge]|gal)_?lon|sgl)"
    "|(?P<dec>(?:s_)?(?:dec?|declination)_?(?:j?2000|icrs|mean|gal)?|delta_j2000|(?:[ge]|gal)_?lat|sgb))"
    "(?:_?deg(?:rees?)?|_rad(?:ians?)?|_h(?:ours?)?|_[kmg]?pc(?:_h)?|_k?m)?"
)
"""Names of columns: an axis, with an epoch in catalogues of the sky, galactic or ecliptic; and a unit."""


def axis_of(column: Any) -> str:
    """Return which coordinate a column holds by its name: x, y, z, lon, lat, ra or dec; else an empty text.

    A unit and an epoch do not matter, as in "x [kpc/h]", "RA (deg)" and RAJ2000.
    """
    name = re.sub(r"[\s_-]+", "_", re.sub(r"[\[(].*", "", str(column).lower())).strip("_")
    found = _AXIS.fullmatch(name)
    return str(found.lastgroup) if found else ""


def axes_of(columns: Iterable[Any]) -> list[str]:
    """Return `axis_of` each column; of several for one axis, only a column with the plain name has it."""
    names = [str(column).strip().lower() for column in columns]
    plain = {*names}
    return ["" if axis != name and axis in plain else axis for name in names for axis in [axis_of(name)]]
