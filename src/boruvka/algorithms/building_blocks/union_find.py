"""Trees of vertices that say which component each belongs to: plain operators, for one thread or many.

Source: B. A. Galler, M. J. Fischer, An improved equivalence algorithm, CACM 1964; halving of paths: R. E.
Tarjan, J. van Leeuwen, Worst-case analysis of set union algorithms, JACM 1984; without locks: R. J.
Anderson, H. Woll, Wait-free parallel algorithms for the union-find problem, STOC 1991.
"""

from boruvka.operators.atomics import atomic_swap_if
from boruvka.operators.sort_keys import U64


def make_set(x, parent):
    """Make vertex x a tree of its own."""
    parent[x] = x


def find(x, parent):
    """Find the root of x, halving the path. Others may halve it at once: all they write are ancestors."""
    up = parent[x]
    while up != x:
        above = parent[up]
        parent[x] = above
        x, up = above, parent[above]
    return x


def store_root(x, parent, root):
    """Note the root of x. In ``parent`` it could be replaced by what another thread, halving, saw earlier."""
    root[x] = find(x, parent)


def pointer_jump(x, parent):
    """Hang x under the one above the one it hangs under (pointer doubling); say whether that is another."""
    before = parent[x]
    parent[x] = parent[before]
    return parent[x] != before


def is_root(x, parent):
    """Say whether x is the root of its tree."""
    return parent[x] == x


def union(a, b, parent, rank):
    """Make one tree of the trees of a and b, the lower under the higher; return whether they were two."""
    a, b = find(a, parent), find(b, parent)
    if a == b:
        return False
    if rank[a] > rank[b]:
        a, b = b, a
    parent[a] = b
    rank[b] += rank[a] == rank[b]
    return True


def union_concurrent(a, b, parent):
    """Make one tree of the trees of a and b while others do the same; return the root that hangs now.

    The smaller root goes under the larger, so that no cycle can arise, and only while it is a root still.
    If the trees are one already, that is the number of vertices.
    """
    while True:
        a, b = find(a, parent), find(b, parent)
        if a == b:
            return U64(parent.size)
        low, high = min(a, b), max(a, b)
        if atomic_swap_if(parent, low, low, high):
            return U64(low)
