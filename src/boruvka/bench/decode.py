"""Decoding of JSON or TOML values into dataclasses, with types checked."""

from __future__ import annotations

import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

__all__ = ["Mismatch", "decoded"]

WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


class Mismatch(ValueError):
    """A value is not of its type; the message says where."""


def decoded(hint: Any, value: Any, where: str, *, defaults: bool = False) -> Any:
    """Check a value against a type, and convert it.

    Parameters
    ----------
    hint : type
        A dataclass, a scalar, `Any`, or a tuple, dict or union of these.
    value : object
        The value from the parser. "inf", "-inf" and "nan" are floats.
    where : str
        Its name in error messages.
    defaults : bool
        Whether fields with a default may be missing.

    Raises
    ------
    Mismatch
        The value is not of that type.
    """
    if hint is Any:
        return value
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type) and isinstance(value, dict):
        return _dataclass(hint, value, where, defaults)
    if origin is tuple and isinstance(value, list):
        return tuple(decoded(inner[0], x, f"{where}[{i}]") for i, x in enumerate(value))
    if origin is dict and isinstance(value, dict):
        return {name: decoded(inner[1], x, f"{where}.{name}") for name, x in value.items()}
    kinds = inner if origin is types.UnionType else (hint,)
    for kind in kinds if isinstance(value, dict) and len(kinds) > 1 else ():
        if is_dataclass(kind) and value.keys() == {field.name for field in fields(kind)}:
            return decoded(kind, value, where)
    if value is None and types.NoneType in kinds:
        return None
    if type(value) in kinds:
        return value
    if float in kinds and (type(value) is int or value in ("inf", "-inf", "nan")):
        return float(value)
    raise Mismatch(f"{where} is {str(value)[:40]!r}, not {_shown(hint)}")


def _dataclass(kind: type, value: dict[str, Any], where: str, defaults: bool) -> Any:
    hints, known = typing.get_type_hints(kind), {field.name: field for field in fields(kind)}
    for name in value:
        if name not in known:
            raise Mismatch(f"{where} has an unknown {name!r}; there are {', '.join(known)}")
    for name, field in known.items():
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        if name not in value and not (defaults and has_default):
            raise Mismatch(f"{where} has no {name!r}")
    return kind(**{name: decoded(hints[name], x, f"{where}.{name}") for name, x in value.items()})


def _shown(hint: Any) -> str:
    """Describe a type in the terms of JSON and TOML."""
    kind = typing.get_origin(hint) or hint
    if is_dataclass(kind) or kind is dict:
        return "a table"
    if kind is tuple:
        return "a list"
    return WORDS.get(kind, "what is expected")
