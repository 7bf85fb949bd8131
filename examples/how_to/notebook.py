"""Forests in a notebook."""

import boruvka

graph = boruvka.generators.geometric(300, degree=8, seed=2)
forest = boruvka.minimum_spanning_forest(graph, progress=True)
print("<table" in forest._repr_html_())

ax = forest.plot(by="round")
ax.figure.savefig("forest.svg")

forest.animate("rounds.gif", seconds=0.5)
