"""Algorithms that the registry chooses for a graph: Borůvka's, Kruskal's, and two for implicit graphs."""
