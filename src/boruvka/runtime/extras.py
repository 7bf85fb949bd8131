"""Import of optional libraries."""

from __future__ import annotations

import importlib
from typing import Any

from boruvka.errors import MissingExtraError


def require(library: str, extra: str) -> Any:
    """Import a library that an optional extra installs.

    Parameters
    ----------
    library : str
        The module to import.
    extra : str
        The extra of this package that installs it.

    Returns
    -------
    module

    Raises
    ------
    MissingExtraError
        It is not installed. An import error inside an installed library is raised unchanged.
    """
    try:
        return importlib.import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise MissingExtraError(
            f'{library} is not installed; install it with: pip install "boruvka[{extra}]"', name=library
        ) from error
