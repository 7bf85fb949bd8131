"""Building blocks of several algorithms: edges, components, tie-break, Kruskal's pass, samples, locality."""
