"""Kruskal's, Prim's and Borůvka's algorithms in plain Python, and their pictures."""

from heapq import heappop, heappush

import boruvka


def kruskal(n, edges):
    """Take the lightest edge of all that closes no cycle."""
    forest, label = set(), list(range(n))  # equal in one component
    for _, e, u, v in sorted((w, e, u, v) for e, (u, v, w) in enumerate(edges)):
        if label[u] != label[v]:
            forest.add(e)
            label = [label[u] if x == label[v] else x for x in label]
    return forest


def prim(n, edges, start=0):
    """Take the lightest edge that leaves the tree."""
    forest, tree = set(), set()
    for root in (start, *range(n)):  # another tree where the graph is not connected
        queue = [(0, None, root)]
        while queue:
            _, e, x = heappop(queue)
            if x in tree:
                continue  # the edge would close a cycle
            tree.add(x)
            if e is not None:
                forest.add(e)
            for other, (u, v, w) in enumerate(edges):
                if x in (u, v) and u + v - x not in tree:
                    heappush(queue, (w, other, u + v - x))
    return forest


def boruvka_rounds(n, edges):
    """Take the lightest edge that leaves each component, of all components at once."""
    forest, label = set(), list(range(n))
    while True:
        lightest = {}
        for _, e, u, v in sorted((w, e, u, v) for e, (u, v, w) in enumerate(edges)):
            if label[u] != label[v]:
                lightest.setdefault(label[u], e)
                lightest.setdefault(label[v], e)
        if not lightest:
            return forest
        for e in set(lightest.values()):
            u, v, _ = edges[e]
            forest.add(e)
            label = [label[u] if x == label[v] else x for x in label]


names = "abcdefghi"
listed = "ab 6, bc 3, ac 12, ad 2, be 10, cf 11, dg 9, de 9, ef 4, eh 7, fi 8, gh 5, hi 1"
edges = [(names.index(e[0]), names.index(e[1]), int(e[2:])) for e in listed.split(", ")]
for algorithm in kruskal, prim, boruvka_rounds:
    print(algorithm.__name__, sorted(algorithm(9, edges)))

graph = boruvka.as_graph([(e[0], e[1], int(e[2:])) for e in listed.split(", ")])
forest = boruvka.minimum_spanning_forest(graph)
print("the library", forest.edges.tolist())

print(forest.steps("prim", start="a"))

places = {name: (1.6 * (k % 3), -(k // 3)) for k, name in enumerate(names)}
forest.animate("boruvka.gif", places)
forest.animate("kruskal.gif", places, algorithm="kruskal")
forest.animate("prim.html", places, algorithm="prim", start="a")
forest.animate("kruskal.png", places, algorithm="kruskal", only=[0, 7, 8, 9])
forest.animate("prim.png", places, algorithm="prim", start="a", only=[0, 1, 4, 8])
