"""Pages of HTML from the templates of this folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any


def template(name: str) -> str:
    """Read a template."""
    return resources.files("boruvka.trees.plotting").joinpath(name).read_text(encoding="utf-8")


def filled(page: str, values: Mapping[str, Any]) -> str:
    """Put values where a template has their names in double brackets; they may hold such brackets."""
    return re.sub(r"\[\[(\w+)\]\]", lambda match: str(values[match[1]]), page)


def as_script(data: Any) -> str:
    """Write data as JSON that may stand in an element ``script``, whatever texts it holds."""
    return json.dumps(data, allow_nan=False).replace("<", "\\u003c")
