"""Values out of a JSON or TOML file, checked against the types of dataclasses."""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

__all__ = ["Mismatch", "decoded"]

WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


class Mismatch(ValueError):
    """A value is not of its type; the message says where."""


def decoded(hint: Any, value: Any, where: str, *, defaults: bool = False) -> Any:
    """Check a value against a type, and make it an instance.

    Parameters
    ----------
    hint : type
        A dataclass, or what its fields are: tuples, dicts, unions of these and of scalars.
    value : object
        What a parser made of the file. "inf", "-inf" and "nan" are floats.
    where : str
        What it is called in errors.
    defaults : bool
        Whether fields that have a default may be left out.

    Raises
    ------
    Mismatch
        It is not of that type.
    """
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type) and isinstance(value, dict):
        return _dataclass(hint, value, where, defaults)
    if origin is tuple and isinstance(value, list):
        return tuple(decoded(inner[0], x, f"{where}[{i}]") for i, x in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {name: decoded(inner[1], x, f"{where}.{name}") for name, x in value.items()}
    kinds = inner if origin is types.UnionType else (hint,)
    if value is None and types.NoneType in kinds:
        return None
    if type(value) in kinds:
        return value
    if float in kinds and (type(value) is int or value in ("inf", "-inf", "nan")):
        return float(value)
    raise Mismatch(f"{where} is {str(value)[:40]!r}, not {_shown(hint)}")


def _dataclass(kind: type, value: dict[str, Any], where: str, defaults: bool) -> Any:
    hints, known = typing.get_type_hints(kind), {given.name: given for given in fields(kind)}
    for name in value:
        if name not in known:
            raise Mismatch(f"{where} has an unknown {name!r}; there are {', '.join(known)}")
    for name, given in known.items():
        if name not in value and not (defaults and _has_default(given)):
            raise Mismatch(f"{where} has no {name!r}")
    return kind(**{name: decoded(hints[name], x, f"{where}.{name}") for name, x in value.items()})


def _has_default(given: Field[Any]) -> bool:
    return given.default is not MISSING or given.default_factory is not MISSING


def _shown(hint: Any) -> str:
    """A type in words of a file."""
    kind = typing.get_origin(hint) or hint
    if is_dataclass(kind) or kind is dict:
        return "a table"
    if kind is tuple:
        return "a list"
    return WORDS.get(kind, "what is expected")
