"""
A maze
======

A maze with exactly one way between any two cells, for makers of games and tests. A spanning tree of a grid
is such a maze: its edges are the openings. Random weights make a random tree, and the way through it is a
path of the tree.
"""

import matplotlib.pyplot as plt
import numpy as np

import boruvka

SIZE = 40  # tests: 8

graph = boruvka.generators.grid(SIZE, SIZE, seed=11)  # random weights
maze = boruvka.minimum_spanning_forest(graph)
way = maze.path(0, SIZE * SIZE - 1)  # edges from the upper left to the lower right cell
print(f"{SIZE * SIZE} cells, {len(maze)} openings, a way of {way.size} steps")

# %%
# Cells are at even rows and columns of the picture, openings between them, and the rest is wall.


def between(edges):
    """Return the rows and columns of the two cells of each edge, and of the opening between them."""
    u, v = graph.u[edges].astype(int), graph.v[edges].astype(int)
    rows, columns = np.divmod(np.stack([u, v]), SIZE)
    return tuple(np.concatenate([2 * ids, [ids.sum(axis=0)]]) for ids in (rows, columns))


picture = np.zeros((2 * SIZE - 1, 2 * SIZE - 1))
picture[between(maze.edges)] = 1
picture = np.pad(picture, 1)
picture[tuple(k + 1 for k in between(way))] = 2

figure, ax = plt.subplots(figsize=(7, 7.2), layout="compressed")
ax.imshow(picture, cmap=plt.matplotlib.colors.ListedColormap(["#222222", "#ffffff", "#e69f00"]))
ax.set_title(f"A maze of {SIZE} x {SIZE} cells, and the only way through it")
ax.axis("off")

# %%
# White cells and openings form a tree, so there is one way (orange) between the two corners, and every
# other branch is a dead end.
