"""Solve a NetworkX graph: its nodes are the names of the vertices."""

import networkx

import boruvka

roads = networkx.Graph()
roads.add_weighted_edges_from([("Brno", "Praha", 205), ("Brno", "Zlín", 97), ("Praha", "Zlín", 300)])
forest = boruvka.minimum_spanning_forest(roads)
print(forest.to_networkx().edges)  # Brno to both
