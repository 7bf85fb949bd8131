"""The figures that the papers report, read from literature.toml."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["reported_by"]


@functools.cache
def reported_by(paper: str, experiment: str) -> dict[str, Any]:
    """Return what a paper reports on an experiment, with its title and machine."""
    table = tomllib.loads((Path(__file__).parents[1] / "literature.toml").read_text())[paper]
    shared = {name: value for name, value in table.items() if not isinstance(value, dict)}
    return {**shared, **table[experiment]}
