"""Aligned sequences (FASTA, PHYLIP): each site of an alignment is a locus of a profile."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import InputFile
from boruvka.formats.text.lines.text import Text
from boruvka.graph.sequences import codes_of_sites

ENDINGS = ".fasta", ".fa", ".fna", ".aln", ".afa"
_LOOKED_AT = 1 << 16
"""Bytes at the beginning of a file that show whether it is an alignment."""
_LEAST_SITES = 4
"""Number of sites on the first line of a long sequence."""
_SITES = rb"[A-Za-z?*. \t-]+"
_PHYLIP = [
    re.compile(rb"\s*\d{1,9}[ \t]+(\d{1,9})[ \t]*\r?\n\s*%b(%b?)\s*(?:\n|$)" % (name, _SITES))
    for name in (rb"\S+[ \t]+", rb".{10}")
]
_BLANKS = b" \t\r\n"


def is_alignment(source: InputFile) -> bool:
    """Return whether a file begins as FASTA or as PHYLIP with sequences."""
    text = Text.of(source)
    head = bytes(text.content[text.start : _LOOKED_AT])
    return head.lstrip().startswith(b">") or _is_phylip(head)


def read_alignment(source: InputFile) -> tuple[NDArray[np.uint8], list[str]]:
    """Read aligned sequences: FASTA, or PHYLIP with sequences.

    Parameters
    ----------
    source : InputFile

    Returns
    -------
    (n, sites) array of uint8
        The letters, in upper case, as bytes; 0 where there is none or it is not known, as
        `boruvka.graph.sequences.codes_of_sites` says.
    list of str
        The first word after each ``>``, or the name before each sequence.

    Raises
    ------
    FormatError
        A sequence has another length than the first, or there is none.
    """
    text = Text.of(source)
    content = bytes(text.content[text.start : text.size])
    if _is_phylip(content[:_LOOKED_AT]):
        records = _phylip_records(source, content)
    else:
        before, *parts = (b"\n" + content).split(b"\n>")
        if before.strip() or not parts:
            raise source.error("expected FASTA: lines '>name', and the sequence on the lines after each")
        lines = (part.partition(b"\n") for part in parts)
        records = [(next(iter(head.split()), b"%d" % k), body) for k, (head, _, body) in enumerate(lines, 1)]
        if twice := [name for name, count in Counter(name for name, _ in records).items() if count > 1]:
            name = twice[0].decode("utf-8", "replace")
            raise source.error(
                f"the name {name!r} is there twice; a name ends at a blank: write {name}_1 for it"
            )
    names = [name.decode("utf-8", "replace") for name, _ in records]
    sequences = [np.frombuffer(body.translate(None, _BLANKS), np.uint8) for _, body in records]
    for name, sequence in zip(names, sequences, strict=True):
        if len(sequence) != len(sequences[0]) or not len(sequence):
            raise source.error(
                f"the sequence {name!r} has {len(sequence)} sites, and {names[0]!r} has "
                f"{len(sequences[0])}: align the sequences, for example with MAFFT"
            )
    return codes_of_sites(np.array(sequences)), names


def _is_phylip(head: bytes) -> bool:
    """Return whether a text begins with two numbers, then a name and a sequence of such a length."""
    found = [match.groups() for pattern in _PHYLIP if (match := pattern.match(head))]
    lengths = [(len(line.translate(None, _BLANKS)), int(sites)) for sites, line in found]
    return any(min(sites, _LEAST_SITES) <= length <= sites for length, sites in lengths)


def _phylip_records(source: InputFile, content: bytes) -> list[tuple[bytes, bytes]]:
    """Return names and sequences, of one line each, or of several lines in turn or one after the other."""
    (first, *lines) = [line for line in content.splitlines() if line.strip()]
    n, sites = map(int, first.split())
    k = len(lines) // max(n, 1)
    in_turn, in_order = [lines[i::n] for i in range(n)], [lines[i * k : i * k + k] for i in range(n)]
    for groups in (in_turn, in_order) if n * k == len(lines) and n * k else ():
        for is_padded in False, True:  # names of ten characters may touch the sequence, but are not sites
            heads = [(x[:10], x[10:]) if is_padded else x.split(None, 1) for x, *_ in groups]
            bodies = [b"".join([*head[1:], *rest]) for head, (_, *rest) in zip(heads, groups, strict=True)]
            lengths = {len(body.translate(None, _BLANKS)) for body in bodies}
            if lengths == {sites} and all(re.fullmatch(_SITES, x) for x in bodies):
                return [(head[0].strip(), body) for head, body in zip(heads, bodies, strict=True)]
    expected = f"{n} lines 'name sequence' with {sites} sites, or blocks of such lines"
    raise source.error(f"expected PHYLIP: {expected}; convert it to FASTA")
