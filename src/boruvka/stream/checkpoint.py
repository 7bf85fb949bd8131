"""Checkpoints of a streamed solve: it resumes from the folder after its process was killed.

One file holds the forest, the number of edges read from each chunk, and what identifies the source and the
options. It is replaced as a whole, and has a digest, so that a damaged one is noticed. Another file has
the names of vertices, if they have any. Both stay when the forest is complete, until `remove_checkpoint`.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np

from boruvka.errors import FileError
from boruvka.runtime.arguments import argument
from boruvka.runtime.output_files import file_errors, file_name, writing
from boruvka.stream.edge_pass import PassProgress, StreamedForest
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.numbering import MAGIC as MAGIC_OF_NAMES
from boruvka.stream.numbering import Numbering

FILE, NAMES = "boruvka.checkpoint", "boruvka.names"
MAGIC = b"boruvka checkpoint 8\n"
MAGICS = {FILE: MAGIC, NAMES: MAGIC_OF_NAMES}
"""First bytes of the files of a checkpoint."""
TEMPORARY = re.compile(r"\.boruvka-[0-9a-f]{16}\.tmp")
"""Name that `boruvka.runtime.output_files.writing` gives a file that is not complete."""
DIGEST_SIZE = hashlib.sha256().digest_size
OF_NUMBERING = "numbering_"
"""Prefix of the names of the arrays of the numbering."""
OF_WEIGHTS = "weights_"
"""Prefix of the names of the arrays of hard-to-convert weights, one array per weight type."""


class CheckpointFolder:
    """A folder with the files of a checkpoint, which is locked where the system has locks."""

    def __init__(self, folder: Path):
        self._folder, self._lock = folder, -1
        with file_errors(str(folder)):
            self._lock = _locked(folder)
        try:
            self.check()
            self._tidy()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Unlock the folder, so that another process can use it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def check(self) -> None:
        """Raise an error for a file of another kind that has the name of one of a checkpoint."""
        for name, magic in MAGICS.items():
            path = self._folder / name
            if os.path.lexists(path) and not _begins_with(path, magic):
                raise FileError(
                    f"{path}: this is not a file of a checkpoint of this version, and is left as it is: pass "
                    f"another folder as {argument('checkpoint')}"
                )

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        self.check()
        with file_errors(str(self._folder / name)):
            (self._folder / name).unlink(missing_ok=True)

    def _tidy(self) -> None:
        """Remove the temporary files of processes that were killed while they wrote a file."""
        with file_errors(str(self._folder)):
            for name in os.listdir(self._folder):
                path = self._folder / name
                if TEMPORARY.fullmatch(name) and any(_begins_with(path, magic) for magic in MAGICS.values()):
                    os.unlink(path)


class Checkpoint(CheckpointFolder):
    """The state of a pass in a folder, which one process at a time uses.

    Only files of a checkpoint are replaced or removed: they are not links, and start with the bytes of such a
    file.

    Parameters
    ----------
    folder : path-like
        The folder, which is made if it does not exist.
    source, options : str
        Descriptions of the source, and of the options that determine the result. A checkpoint with others is
        an error.

    Raises
    ------
    FileError
        The folder cannot be made, another process uses it, or it has files of others under these names.
    """

    def __init__(self, folder: Any, source: str, options: str):
        self.path = Path(file_name(folder)) / FILE
        self._source, self._options = source, options
        with file_errors(str(self.path.parent)):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        super().__init__(self.path.parent)

    @property
    def names_path(self) -> str:
        """Path of the file of vertex names; the checkpoint stores how many of them it covers."""
        return str(self.path.parent / NAMES)

    def save(self, forest: StreamedForest, numbering: Numbering, passed: PassProgress) -> None:
        """Write the state; no edges are pending."""
        assert forest.forest is not None
        stream = io.BytesIO()
        arrays = {**forest.forest._asdict(), **passed._asdict(), "n": forest.n}
        arrays |= {"source": self._source, "options": self._options}
        arrays |= {OF_WEIGHTS + dtype.name: weights for dtype, weights in forest.conversion_witnesses.items()}
        if len(numbering):
            arrays |= {OF_NUMBERING + name: array for name, array in numbering.to_checkpoint().items()}
        np.savez(stream, **arrays)
        body = stream.getbuffer()
        self.check()
        with writing(self.path) as file:
            file.write(MAGIC + hashlib.sha256(body).digest())
            file.write(body)

    def load(self, forest: StreamedForest, numbering: Numbering, passed: PassProgress) -> PassProgress:
        """Read the state, if there is one, into a forest and a numbering; return what has passed.

        Raises
        ------
        FileError
            It is damaged, or of another source or other options.
        """
        if not self.path.exists():
            self.remove(NAMES)  # of a process that was stopped before its first checkpoint
            return passed
        with file_errors(str(self.path)):
            content = memoryview(self.path.read_bytes())
        begin = len(MAGIC) + DIGEST_SIZE
        digest, body = content[len(MAGIC) : begin], content[begin:]
        if content[: len(MAGIC)] != MAGIC or digest != hashlib.sha256(body).digest():
            raise self._error("it is damaged")
        with np.load(io.BytesIO(body), allow_pickle=False) as arrays:
            del content, digest, body
            if str(arrays["source"]) != self._source:
                raise self._error("the input was changed since, or is another one")
            if str(arrays["options"]) != self._options:
                raise self._error("the options are others than before")
            kept, n = IndexedEdges(*(arrays[name] for name in IndexedEdges._fields)), int(arrays["n"])
            passed = PassProgress(*(arrays[name] for name in PassProgress._fields))
            of_numbering, of_weights = (
                {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}
                for prefix in (OF_NUMBERING, OF_WEIGHTS)
            )
        if not of_numbering:
            self.remove(NAMES)
        elif not numbering.resume(of_numbering):
            raise self._error(f"its file {NAMES} is damaged")
        forest.resume(kept, n)
        forest.conversion_witnesses = {weights.dtype: weights for weights in of_weights.values()}
        return passed

    def _error(self, reason: str) -> FileError:
        return FileError(
            f"{self.path} cannot be resumed: {reason}; remove it to start over, or pass another "
            f"{argument('checkpoint')}"
        )


def remove_checkpoint(folder: Any) -> None:
    """Remove a checkpoint from its folder; the folder and all other files in it are kept.

    Parameters
    ----------
    folder : path-like
        The ``checkpoint`` of `boruvka.stream.minimum_spanning_forest`.

    Raises
    ------
    FileError
        A file cannot be removed, is none of a checkpoint, or another process uses the folder.
    """
    path = file_name(folder)
    if not os.path.isdir(path):
        return
    with closing(CheckpointFolder(Path(path))) as files:
        files.remove(FILE)
        with suppress(FileError):  # some systems cannot remove open files; the next pass overwrites it
            files.remove(NAMES)


def _begins_with(path: Path, magic: bytes) -> bool:
    """Return whether a path is a regular file, not a link to one, that begins with some bytes."""
    with file_errors(str(path)):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic


def _locked(folder: Path) -> int:
    """Lock a folder; return the open folder, or -1 where there are no such locks."""
    try:
        import fcntl
    except ImportError:
        return -1
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(opened)
        raise FileError(
            f"{folder}: another pass uses this folder: wait for its end, or pass another folder as "
            f"{argument('checkpoint')}"
        ) from None
    except OSError:  # some network file systems
        os.close(opened)
        return -1
    return opened
