"""A registry of things that enter themselves: a lookup imports the file that enters what it looks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

__all__ = ["Registry"]

Key = TypeVar("Key", str, tuple[str, str])
Value = TypeVar("Value")


class Registry(Mapping[Key, Value]):
    """Mapping from names to what the modules of some packages enter when they are imported.

    The module of an entry usually has its name (``filter_boruvka`` enters "filter-boruvka"), and is then the
    only one that a lookup imports. Other lookups, and lists of all entries, import every module. Where a name
    is a tuple, its last part names the module.

    Parameters
    ----------
    *packages : str
        Names of the packages; the modules directly in them may enter things.
    """

    def __init__(self, *packages: str):
        self._packages, self._is_complete = packages, False
        self._entries: dict[Key, Value] = {}

    def enter(self, key: Key, value: Value) -> None:
        """Enter a value under a name."""
        self._entries[key] = value

    def __getitem__(self, key: Key) -> Value:
        if key in self._entries:
            return self._entries[key]
        name = (key if isinstance(key, str) else key[-1]).replace("-", "_")
        for package in self._packages if name.isidentifier() else ():
            if key not in self._entries:
                self._import(f"{package}.{name}")
        if key not in self._entries:
            self._import_all()
        return self._entries[key]

    def __iter__(self) -> Iterator[Key]:
        self._import_all()
        return iter(self._entries)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _import(self, module: str) -> None:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise

    def _import_all(self) -> None:
        """Import every module, and sort the entries by name: they were entered in any order of imports."""
        if self._is_complete:
            return
        from pkgutil import iter_modules

        for package in self._packages:
            for module in iter_modules(import_module(package).__path__, f"{package}."):
                if not module.ispkg:
                    import_module(module.name)
        self._entries = dict(sorted(self._entries.items(), key=lambda entry: entry[0]))
        self._is_complete = True
