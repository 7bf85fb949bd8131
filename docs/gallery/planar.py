"""
The planar network of stock returns
===================================

Which shares move together, with more edges than a tree has, for risk managers. The planar maximally filtered
graph (M. Tumminello, T. Aste, T. Di Matteo, R. N. Mantegna, *A tool for filtering information in complex
systems*, 2005) takes the pairs of shares, the most correlated first, and keeps those that can be drawn
without a crossing. The minimum spanning tree is a part of it.
"""

import matplotlib.pyplot as plt
import networkx
import numpy as np
import pandas

import boruvka

SIZE = 30  # tests: 10

# %%
# Daily returns are generated: the market, the sector, and the share itself.

rng = np.random.default_rng(3)
sectors = ["banks", "energy", "health", "software", "transport"]
sector = np.arange(SIZE) % 5
names = [f"{sectors[s][:2].upper()}{k // 5 + 1}" for k, s in enumerate(sector)]
market, industry, own = (rng.normal(size=(750, k)) for k in (1, 5, SIZE))
returns = 0.6 * market + 0.9 * industry[:, sector] + own * rng.uniform(0.6, 1.4, SIZE)
distances = np.sqrt(2 * (1 - np.corrcoef(returns.T).round(12)))

graph = boruvka.Graph.from_distances(pandas.DataFrame(distances, names, names))
tree = boruvka.minimum_spanning_forest(graph)

# %%
# Pairs in the order (weight, index), as for Kruskal's algorithm. NetworkX tests whether the graph stays
# planar. A planar graph of n vertices has at most 3 (n - 2) edges.

planar = networkx.Graph()
planar.add_nodes_from(range(graph.n))
kept = []
for pair in np.argsort(graph.w, kind="stable"):
    a, b = int(graph.u[pair]), int(graph.v[pair])
    if a > b:  # a matrix has each pair twice
        continue
    planar.add_edge(a, b)
    if networkx.check_planarity(planar)[0]:
        kept.append((names[a], names[b], graph.w[pair]))
    else:
        planar.remove_edge(a, b)
    if len(kept) == 3 * (graph.n - 2):
        break
in_tree = [planar.has_edge(int(a), int(b)) for a, b in zip(tree.u, tree.v, strict=True)]
print(f"{len(kept)} edges; {sum(in_tree)} of the {len(tree)} edges of the tree are among them")

# %%
# Distances on paper are close to the numbers of edges between shares, so edges may cross.

places = networkx.planar_layout(planar)
places = networkx.kamada_kawai_layout(planar, pos=places)
places = np.array([places[x] for x in range(graph.n)])
network = boruvka.as_graph(kept)
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
for a, b in planar.edges:
    ax.plot(*places[[a, b]].T, color="0.8", linewidth=1, zorder=0)
tree.plot(places, colors=[sectors[s] for s in sector], labels=True, by="weight", ax=ax)
ax.set_title("The tree, and in grey the other edges of the planar network")

# %%
# Shares of one sector form triangles and tetrahedra, which a tree cannot show. ``network`` is a graph of the
# edges that were kept, for further questions.
