"""Files of known graphs in formats that other libraries read, as NumPy reads them."""

import gzip

import numpy as np

from boruvka import Graph

SIZES = 1, 2, 4, 8, 8, 16
"""Bytes of the types of values of graph-tool, of which there are also vectors, 7 to 12."""


def read_counted(path, first=1):
    """Read n and perhaps m, then lines ``u v w``; ids count from ``first``."""
    numbers = np.array(path.read_text().split(), np.float64)
    u, v, w = numbers[numbers.size % 3 :].reshape(-1, 3).T
    return Graph.from_edges(u.astype(int) - first, v.astype(int) - first, w, n=int(numbers[0]))


def read_graph_tool(path):
    """Read a little-endian file of graph-tool whose first edge property of doubles is the weight.

    Source: https://graph-tool.skewed.de/static/docs/stable/gt_format.html
    """
    data, at = gzip.decompress(path.read_bytes()), 8  # magic, version, byte order

    def take(count, dtype="<u8"):
        nonlocal at
        values = np.frombuffer(data, dtype, count, at)
        at += values.nbytes
        return values

    def number():
        return int(take(1)[0])

    take(number(), "u1")  # a comment
    take(1, "u1")  # whether it is directed
    n = number()
    width = "<u1" if n < 1 << 8 else "<u2" if n < 1 << 16 else "<u4"
    lists = [take(number(), width) for _ in range(n)]
    u, v = np.repeat(np.arange(n), [len(found) for found in lists]), np.concatenate(lists)
    counts = {0: 1, 1: n, 2: u.size}
    for _ in range(number()):
        kind = take(1, "u1")[0]
        take(number(), "u1")  # its name
        if (value := take(1, "u1")[0]) == 4 and kind == 2:
            return Graph.from_edges(u, v, take(u.size, "<f8"), n=n)
        for _ in range(counts[kind]):
            if value == 13:  # a vector of strings
                for _ in range(number()):
                    take(number(), "u1")
            else:
                take(
                    SIZES[value]
                    if value < 6
                    else number() * (SIZES[value - 7] if value in range(7, 13) else 1),
                    "u1",
                )
    raise ValueError("no weight")
