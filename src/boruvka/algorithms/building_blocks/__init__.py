"""What several algorithms share: union-find, adjacency, edge keys, sorting, components."""
