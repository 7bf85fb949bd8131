"""Libraries that need not be installed."""

from __future__ import annotations

import importlib
from typing import Any

from boruvka.errors import MissingExtraError


def require(library: str, extra: str) -> Any:
    """Import a library of an optional extra.

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
        It is not installed. An error inside a library that is installed is passed on as it is.
    """
    try:
        return importlib.import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise MissingExtraError(
            f'{library} is not installed; install it with: pip install "boruvka[{extra}]"', name=library
        ) from error
