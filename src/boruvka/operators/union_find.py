"""Union-find: trees of vertices whose roots identify components. Plain operators, for one thread or many.

Source: B. A. Galler, M. J. Fischer, An improved equivalence algorithm, CACM 1964; path halving: R. E. Tarjan,
J. van Leeuwen, Worst-case analysis of set union algorithms, JACM 1984.
"""


def make_set(x, parent):
    """Make vertex x a tree of its own."""
    parent[x] = x


def find(x, parent):
    """Find the root of x, halving the path; several threads may do so: each stores only ancestors."""
    up = parent[x]
    while up != x:
        above = parent[up]
        parent[x] = above
        x, up = above, parent[above]
    return x


def store_root(x, parent, root):
    """Store the root of x.

    Not in ``parent``, where a thread that halves the same path may overwrite it by an ancestor.
    """
    root[x] = find(x, parent)


def pointer_jump(x, parent):
    """Replace the parent of x by its grandparent (pointer doubling); return whether these differ."""
    before = parent[x]
    parent[x] = parent[before]
    return parent[x] != before


def is_root(x, parent):
    """Return whether x is the root of its tree."""
    return parent[x] == x


def union(a, b, parent):
    """Merge the trees of a and b; return whether they were two.

    The larger root hooks onto the smaller: reading ranks would take longer than they save. With path halving,
    a search takes O(log n) amortised steps whatever hooks onto what.
    """
    a, b = find(a, parent), find(b, parent)
    parent[max(a, b)] = min(a, b)
    return a != b


def union_by_rank(a, b, parent, rank):
    """Merge the trees of a and b, the lower one below the higher; return whether they were two."""
    a, b = find(a, parent), find(b, parent)
    if a == b:
        return False
    if rank[a] > rank[b]:
        a, b = b, a
    parent[a] = b
    rank[b] += rank[a] == rank[b]
    return True
