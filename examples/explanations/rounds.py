"""All rounds of Borůvka's algorithm on nine vertices, and their pictures."""

import boruvka

listed = "ab 6, bc 3, ac 12, ad 2, be 10, cf 11, dg 9, de 9, ef 4, eh 7, fi 8, gh 5, hi 1"
edges = [(pair[0], pair[1], int(w)) for pair, w in map(str.split, listed.split(", "))]
component = {name: name for name in "abcdefghi"}  # of each vertex; its name is that of its vertices

while outside := [(u, v, w) for u, v, w in edges if component[u] != component[v]]:
    lightest = {}
    for u, v, w in sorted(outside, key=lambda edge: edge[2]):  # equal weights stay in the order of the list
        lightest.setdefault(component[u], (u, v, w))
        lightest.setdefault(component[v], (u, v, w))
    print(", ".join(f"{own}: {u}{v} {w}" for own, (u, v, w) in sorted(lightest.items())))
    for u, v, _ in set(lightest.values()):
        merged = "".join(sorted(component[u] + component[v]))
        component |= dict.fromkeys(merged, merged)
    for u, v, w in outside:
        if component[u] == component[v] and (u, v, w) not in lightest.values():
            print(f"   {u}{v} {w} is dropped")

forest = boruvka.minimum_spanning_forest(edges)
print(forest.weight, forest.edge_rounds)

places = {name: (1.6 * (k % 3), -(k // 3)) for k, name in enumerate("abcdefghi")}
forest.animate("boruvka.png", places)  # the picture above; rounds.gif is an animation, rounds.html a page
