"""Points of a simulation in a periodic box: tree, groups, and branches."""

import numpy as np

import boruvka

rng = np.random.default_rng(3)
box = 100.0
centres = rng.random((60, 2)) * box
points = centres[rng.integers(0, 60, 3000)] + rng.normal(0, 3, (3000, 2))
points = points % box  # what leaves the box on one side enters it on the other

graph = boruvka.Graph.from_points(points, box=box)
forest = boruvka.minimum_spanning_forest(graph)
open_forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
print(f"length {forest.weight:.1f}, and {open_forest.weight:.1f} in an open box")
print("right:", bool(boruvka.verify(graph, forest)))

for name, tree in ("periodic", forest), ("open", open_forest):
    sizes = np.bincount(tree.cut_at(2.0))
    print(f"{name}: {(sizes >= 20).sum()} groups of 20 points or more, the largest has {sizes.max()}")

branches = forest.branches()
frame = branches.to_pandas()
frame["shape"] = frame["distance"] / frame["length"]
print(len(frame), "branches,", (frame["edges"] == 1).sum(), "of one edge")
chains = frame.loc[frame["edges"] > 1, ["edges", "length", "distance", "shape"]]
print(chains.describe().loc[["mean", "max"]].round(2))

longest = frame["length"].idxmax()
path = branches.edges[branches.offsets[longest] : branches.offsets[longest + 1]]
print("the longest branch has", path.size, "edges")

axes = forest.plot(by="weight")
axes.figure.savefig("periodic_box.png", dpi=100)

boruvka.Forest(graph, np.sort(path)).plot()

axes = forest.plot(only="x=0..50", axes=True)
axes.set(xlabel="x [Mpc]", ylabel="y [Mpc]")
axes.figure.savefig("half_of_the_box.png", dpi=100)
