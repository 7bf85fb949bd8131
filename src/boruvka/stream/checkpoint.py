"""A folder from which a pass over edges goes on after its process was killed.

One file holds the forest, which edges were read, and what the source was. It is replaced as a whole, and
has a digest, so that a damaged one is noticed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from boruvka.errors import FileError
from boruvka.formats.files import writing
from boruvka.runtime.argument_names import argument
from boruvka.stream.edges import Edges
from boruvka.stream.growing_forest import GrowingForest
from boruvka.stream.numbering import Numbering
from boruvka.stream.passing import Passed

__all__ = ["Checkpoint"]

FILE, NAMES = "boruvka.checkpoint", "boruvka.names"
MAGIC = b"boruvka checkpoint 3\n"
OF_NUMBERING = "numbering_"
"""What the arrays of a numbering are called begins so."""
OF_WEIGHTS = "weights_"
"""So begins what the weights are called that no other type may hold, of each type."""


class Checkpoint:
    """The state of a pass in a folder.

    Parameters
    ----------
    folder : path-like
        The folder, which is made if it does not exist.
    identity : str
        What is computed: the source, and the options that decide the result. A state of another is an error.

    Raises
    ------
    FileError
        The folder cannot be made.
    """

    def __init__(self, folder: Any, identity: str):
        self.path = Path(os.fsdecode(folder)) / FILE
        self._identity = hashlib.sha256(identity.encode()).hexdigest()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"{self.path.parent}: {error.strerror or error}") from None

    @property
    def names_path(self) -> str:
        """The file for the names of vertices, of which the state says how many it has."""
        return str(self.path.parent / NAMES)

    def save(self, forest: GrowingForest, numbering: Numbering, passed: Passed) -> None:
        """Write the state; no edges wait."""
        assert forest.forest is not None
        stream = io.BytesIO()
        arrays = {**forest.forest._asdict(), "rows": passed.rows, "complete": passed.complete, "n": forest.n}
        arrays |= {OF_WEIGHTS + dtype.name: hardest for dtype, hardest in forest.hardest.items()}
        if len(numbering):
            arrays |= {OF_NUMBERING + name: array for name, array in numbering.state().items()}
        np.savez(stream, **arrays)
        body = stream.getbuffer()
        head = {"identity": self._identity, "digest": _digest(self._identity, body)}
        with writing(self.path) as file:
            file.write(MAGIC + json.dumps(head).encode() + b"\n")
            file.write(body)

    def load(self, forest: GrowingForest, numbering: Numbering, passed: Passed) -> Passed:
        """Read the state, if there is one, into a forest and a numbering; return what has passed.

        Raises
        ------
        FileError
            It is damaged, or of another source or other options.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return passed
        except OSError as error:
            raise FileError(f"{self.path}: {error.strerror or error}") from None
        try:
            end = content.index(b"\n", len(MAGIC))
            head, body = json.loads(content[len(MAGIC) : end]), memoryview(content)[end + 1 :]
            is_whole = content.startswith(MAGIC) and head["digest"] == _digest(head["identity"], body)
        except (ValueError, KeyError, TypeError, AttributeError):
            is_whole = False
        if not is_whole:
            raise self._error("it is damaged")
        if head["identity"] != self._identity:
            raise self._error("it is of another input, or of other options")
        with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
            del content, body
            kept, n = Edges(*(arrays[name] for name in Edges._fields)), int(arrays["n"])
            passed = Passed(arrays["rows"], arrays["complete"])
            of_numbering, of_weights = (
                {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}
                for prefix in (OF_NUMBERING, OF_WEIGHTS)
            )
        if of_numbering and not numbering.resume(of_numbering):
            raise self._error(f"its file {NAMES} is damaged")
        forest.resume(kept, n)
        forest.hardest = {hardest.dtype: hardest for hardest in of_weights.values()}
        return passed

    def remove(self) -> None:
        """Remove the state when the forest is complete."""
        self.path.unlink(missing_ok=True)

    def _error(self, reason: str) -> FileError:
        return FileError(
            f"{self.path} cannot be gone on with: {reason}; remove it to begin anew, or give another "
            f"{argument('checkpoint')}"
        )


def _digest(identity: str, body: Any) -> str:
    digest = hashlib.sha256(identity.encode() + b"\n")
    digest.update(body)
    return digest.hexdigest()
