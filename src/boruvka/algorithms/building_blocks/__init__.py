"""Building blocks of several algorithms: the edge list, the worklist, components and their lightest edges."""
