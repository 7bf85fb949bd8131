"""Aligned sequences (FASTA): each site of an alignment is a locus of a profile."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import InputFile

__all__ = ["ENDINGS", "read_alignment"]

ENDINGS = ".fasta", ".fa", ".fna", ".aln", ".afa"
_BLANKS = b" \t\r\n"
_NO_ALLELE = b"-?.X"
_AMINO_ACIDS = b"EFIJLOPQZ"
"""Letters that stand for no nucleotide: where they occur, N is asparagine, and no unknown nucleotide."""


def read_alignment(source: InputFile) -> tuple[NDArray[np.uint8], list[str]]:
    """Read aligned sequences.

    Parameters
    ----------
    source : InputFile

    Returns
    -------
    (n, sites) array of uint8
        The letters, in upper case, as bytes; 0 where there is none or it is not known.
    list of str
        The first word after each ``>``.

    Raises
    ------
    FormatError
        A sequence has another length than the first, or there is none.
    """
    content = bytes(source.content).removeprefix(b"\xef\xbb\xbf")
    before, *records = (b"\n" + content).split(b"\n>")
    if before.strip() or not records:
        raise source.error("expected FASTA: lines '>name', and the sequence on the lines after each")
    names, sequences = list[str](), list[Any]()
    for number, record in enumerate(records, 1):
        head, _, body = record.partition(b"\n")
        names.append(str(next(iter(head.decode("utf-8", "replace").split()), number)))
        sequences.append(np.frombuffer(body.translate(None, _BLANKS).upper(), np.uint8))
        if len(sequences[-1]) != len(sequences[0]) or not len(sequences[0]):
            raise source.error(
                f"the sequence {names[-1]!r} has {len(sequences[-1])} sites, and {names[0]!r} has "
                f"{len(sequences[0])}: align the sequences, for example with MAFFT"
            )
    table = np.array(sequences)
    is_protein = np.isin(np.unique(table), list(_AMINO_ACIDS)).any()
    codes = np.arange(256, dtype=np.uint8)
    codes[list(_NO_ALLELE if is_protein else _NO_ALLELE + b"N")] = 0
    return codes[table], names
