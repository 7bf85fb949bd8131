"""What changes for a program that uses NetworkX."""

import networkx as nx

import boruvka

G = nx.gnm_random_graph(2000, 20_000, seed=1)
for k, (_, _, attributes) in enumerate(G.edges(data=True)):
    attributes["weight"] = k * 7919 % 1000
    attributes["name"] = f"cable {k}"

theirs = nx.minimum_spanning_tree(G)
ours = nx.minimum_spanning_tree(G, backend="boruvka")
print(sorted(theirs.edges) == sorted(ours.edges))
print(ours.edges[0, 291])

nx.config.warnings_to_ignore.add("cache")
with nx.config(backend_priority=["boruvka"]):
    edges = list(nx.minimum_spanning_edges(G, data=False))

print(len(edges), "edges, the first", edges[0])

M = nx.MultiGraph()
M.add_edge("Brno", "Praha", key="road", weight=205, lanes=4)
M.add_edge("Brno", "Praha", key="rail", weight=255, tracks=2)
M.add_edge("Brno", "Zlín", key="road", weight=97, lanes=2)
M.add_edge("Praha", "Zlín", key="air", weight=float("nan"))
for edge in nx.maximum_spanning_edges(M, ignore_nan=True, backend="boruvka"):
    print(edge)

forest = boruvka.minimum_spanning_forest(G)
print(forest)
print(forest.weight == theirs.size(weight="weight"))

edges = list(G.edges(data=True))
print([edges[k] for k in forest.edges[:2]])

towns = nx.Graph()
towns.add_edge("Brno", "Praha", km=205)
towns.add_edge("Brno", "Zlín", km=97)
towns.add_edge("Praha", "Zlín", km=300)
shortest = boruvka.minimum_spanning_forest(boruvka.as_graph(towns, weight="km"))
print(shortest.to_networkx().edges(data="weight"))

_, longest = shortest.bottleneck("Praha", "Zlín")
print(longest)
