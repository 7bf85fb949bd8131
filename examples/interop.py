"""Solve a NetworkX graph."""

import networkx

import boruvka
import boruvka.interop.networkx

roads = networkx.Graph()
roads.add_weighted_edges_from([("Brno", "Praha", 205), ("Brno", "Zlín", 97), ("Praha", "Zlín", 300)])
graph, nodes = boruvka.interop.networkx.graph_from(roads)
forest = boruvka.minimum_spanning_forest(graph)
print([(nodes[u], nodes[v]) for u, v in zip(forest.u, forest.v, strict=True)])  # Brno to both
