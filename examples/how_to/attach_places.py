"""Connect buildings along streets: attach them to the nearest streets, and find a Steiner tree."""

from itertools import pairwise

import geopandas
import numpy as np
import pandas as pd
import shapely

import boruvka

rng = np.random.default_rng(1)
corners = rng.normal(0, 12, (9, 9, 2)) + 100 * np.stack(np.meshgrid(range(9), range(9)), axis=2)
corners += 458_000, 5_550_000  # east and north in Prague
rows = [*corners, *corners.transpose(1, 0, 2)]
lines = [shapely.LineString(pair) for row in rows for pair in pairwise(row)]
surface = rng.choice(["paved", "gravel"], len(lines))
names = np.repeat([f"Street {k}" for k in range(18)], 8)
streets = geopandas.GeoDataFrame({"name": names, "surface": surface}, geometry=lines, crs="EPSG:32633")
places = rng.uniform(0, 800, (25, 2))
places += 458_000, 5_550_000
buildings = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(*places.T), crs="EPSG:32633")

graph = boruvka.as_graph(streets, node=True, attach=buildings, tolerance=100)
tree = boruvka.steiner_tree(graph, buildings.index)
network = tree.to_geopandas()
network.to_file("net.gpkg")
print(
    round(tree.weight), "m for", len(tree.terminals), "buildings:", network["kind"].value_counts().to_dict()
)

print(network[network["kind"] == "link"].head(3)[["surface", "place"]])

ax = streets.plot(color="lightgrey", figsize=(6, 6))
network.plot(
    ax=ax, column="kind", cmap="Dark2", linewidth=2, legend=True, legend_kwds={"ncols": 2, "loc": (0.3, 1)}
)
buildings.plot(ax=ax, color="black", markersize=12)
ax.set_axis_off()
ax.figure.savefig("attach_places.png", dpi=100, bbox_inches="tight")

buildings["use"] = rng.choice(["housing", "school", "office"], len(buildings))
tree.to_html("net.html", colors="use", metadata=buildings)

streets["dig_cost"] = streets["surface"].map({"paved": 90, "gravel": 40})  # per metre
graph = boruvka.as_graph(streets, rate="dig_cost", node=True, attach=buildings)
cheapest = boruvka.steiner_tree(graph, buildings.index)
plan = cheapest.to_geopandas()
print(round(cheapest.weight), "for", plan.groupby("surface")["length"].sum().round().to_dict(), "metres")

buildings["heat"] = 10
rooted = cheapest.rooted(7)
far = rooted.distances[np.isfinite(rooted.distances)].max()
flow = rooted.subtree(buildings["heat"])
print(f"the farthest vertex costs {far:.0f} to reach, and the root feeds {flow.max():.0f}")
print("streets from building 7 to building 3:", cheapest.path(7, 3).size)

load = pd.Series(flow, rooted.parent_edge).drop(-1)  # a root has no edge above it
plan["load"] = plan["edge"].map(load)
print(plan.nlargest(2, "load")[["surface", "length", "weight", "load"]].round())

first = boruvka.steiner_tree(graph, buildings.index[:10])
left = graph.w.copy()
left[first.edges] = 0
second = boruvka.steiner_tree(graph.with_weights(left), buildings.index)
print(f"first {first.weight:.0f}, then {second.weight:.0f} more")

detour = boruvka.steiner_tree(graph, excluded={"name": "Street 3"})
print(f"without Street 3 {detour.weight:.0f}")

compared = cheapest.compare(detour)
print(compared.groupby("plan")["length"].sum().round().to_dict(), "metres")

ends = graph.vertex_near([(458_000, 5_550_000), (458_800, 5_550_800)])
print(boruvka.steiner_tree(graph, [*buildings.index[:3], *ends]))
