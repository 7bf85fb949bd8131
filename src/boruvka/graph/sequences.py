"""Aligned sequences: each site is a locus, whose alleles are nucleotides or amino acids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown

_NO_ALLELE = b"-?.X"
_NUCLEOTIDES = b"ACGTU"
_AMINO_ACIDS = b"EFIJLOPQZ"
"""Letters that stand for no nucleotide, alone or ambiguously, in the code of IUPAC."""


def codes_of_sites(letters: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the alleles of sequences: letters in upper case, 0 where one is not known.

    Nucleotides are A, C, G, T and U; N and other ambiguous ones (R, Y, K, M, S, W, B, D, H, V) are not known,
    as in snp-dists. Sequences are proteins, in which these letters are amino acids, if one has a letter that
    no nucleotide has, or if less than half of the letters besides "-", "?", ".", X and N are A, C, G, T or U.

    Parameters
    ----------
    letters : (n, sites) array of uint8
        The letters of all sequences, as bytes.
    """
    upper = np.arange(256, dtype=np.uint8)
    upper[list(range(ord("a"), ord("z") + 1))] -= ord("a") - ord("A")
    counts = np.zeros(256, np.int64)
    np.add.at(counts, upper, np.bincount(letters.ravel(), minlength=256))
    known = counts.sum() - counts[list(_NO_ALLELE + b"N")].sum()
    is_protein = counts[list(_AMINO_ACIDS)].any() or 2 * counts[list(_NUCLEOTIDES)].sum() < known
    if is_protein:
        upper[list(_NO_ALLELE + _NO_ALLELE.lower())] = 0
    else:
        upper[~np.isin(upper, list(_NUCLEOTIDES))] = 0
    return upper[letters]


def read_sequences(sequences: Any) -> tuple[NDArray[np.uint8], list[Any] | None] | None:
    """Read the alleles of a dict of sequences by name, or of a list of sequences; None for anything else.

    Raises
    ------
    GraphError, GraphTypeError
        Sequences have different lengths, or are not text.
    """
    is_named = isinstance(sequences, Mapping)
    texts = list(sequences.values()) if is_named else sequences
    if not isinstance(texts, list | tuple) or not texts or not isinstance(texts[0], str):
        return None
    for k, text in enumerate(texts):
        if not isinstance(text, str) or not text.isascii():
            raise GraphTypeError(f"sequence {k} is {shown(text)}: expected nucleotides or amino acids")
        if len(text) != len(texts[0]):
            raise GraphError(
                f"sequence {k} has {len(text)} sites, and sequence 0 has {len(texts[0])}: align the sequences"
            )
    letters = np.array([np.frombuffer(text.encode(), np.uint8) for text in texts])
    return codes_of_sites(letters.reshape(len(texts), -1)), list(sequences) if is_named else None
