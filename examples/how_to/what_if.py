"""Required, excluded and broken edges, and how far weights may change."""

import numpy as np

import boruvka

cables = boruvka.generators.grid(12, 12, weights="uniform", seed=3)
forest = boruvka.minimum_spanning_forest(cables)
print(forest)

existing, forbidden = [0, 5, 30], forest.edges[[40, 80]]
planned = boruvka.minimum_spanning_forest(cables, required=existing, excluded=forbidden)
print(f"{planned.weight / forest.weight - 1:.1%} heavier")

broken = np.random.default_rng(1).choice(forest.edges, 5, replace=False)
repaired = forest.update(removed=broken)
print(np.setdiff1d(repaired.edges, forest.edges), "replace", np.sort(broken))

roads = [("A", "B", 4), ("B", "H", 11), ("A", "H", 8), ("B", "C", 8)]
network = boruvka.minimum_spanning_forest(roads)
with_road = boruvka.minimum_spanning_forest(roads, required=[("B", "H")])
heavier = network.update([("A", "B", 100)], removed=[("A", "B")])
print(network.weight, with_road.weight, heavier.weight)

graph = network.graph
side = boruvka.Forest(graph, np.setdiff1d(network.edges, 0)).labels  # without the edge 0
cut = np.flatnonzero(side[graph.u] != side[graph.v])
cycle = np.append(network.path(graph.name_of(graph.u[1]), graph.name_of(graph.v[1])), 1)
print("cut", cut, graph.w[cut], "cycle", cycle, graph.w[cycle])

chosen = boruvka.Forest(graph, [1, 2])
print(chosen.weight, chosen.is_optimal)

rival, slack, in_every, in_some = forest.sensitivity()
fragile = forest.edges[np.argsort(slack[forest.edges])[:3]]
for edge in fragile:
    print(f"edge {edge} leaves for edge {rival[edge]} when it is {slack[edge]:.4f} heavier")
print(in_every[forest.edges].sum(), "edges are in every tree,", len(forest.network()), "in some")

table = network.sensitivity().to_pandas().drop(columns=["edge", "in_every", "in_some"])
print(table[table["rival"] >= 0])

loss = np.where(np.isfinite(slack), slack, 0)[forest.edges]
tree = boruvka.Graph(cables.n, forest.u, forest.v, loss).with_coordinates(cables.coordinates)
ax = boruvka.minimum_spanning_forest(tree).plot(by="weight")
ax.figure.savefig("critical.png", dpi=150)
