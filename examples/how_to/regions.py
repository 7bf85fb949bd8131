"""Regions of polygons with similar values (SKATER): contiguity, spanning tree, cuts."""

import geopandas
import numpy as np
from shapely import MultiPoint, Point, box, voronoi_polygons

import boruvka

rng = np.random.default_rng(2)
places = rng.random((400, 2))
cells = voronoi_polygons(MultiPoint(places), extend_to=box(0, 0, 1, 1)).geoms
districts = geopandas.GeoDataFrame(geometry=list(cells)).clip(box(0, 0, 1, 1)).reset_index(drop=True)
middle = districts.centroid
districts["income"] = 30 + 20 * (middle.x > 0.6) + 15 * (middle.y > 0.5) + rng.normal(0, 2, 400)
districts["age"] = 45 - 10 * (middle.distance(Point(0.3, 0.3)) < 0.25) + rng.normal(0, 1, 400)

values = districts[["income", "age"]]
scaled = ((values - values.mean()) / values.std()).to_numpy()

pairs = districts[["geometry"]].sjoin(districts[["geometry"]], predicate="touches")
u, v = pairs.index.to_numpy(), pairs["index_right"].to_numpy()
u, v = u[u < v], v[u < v]
print(len(districts), "districts,", u.size, "pairs of neighbours")

difference = np.linalg.norm(scaled[u] - scaled[v], axis=1)
tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_edges(u, v, difference, n=len(districts)))
districts["region"] = tree.regions(5, scaled, min_size=10)

print(districts.groupby("region")[["income", "age"]].agg(["size", "mean"]).round(1))
axes = districts.plot("region", categorical=True, edgecolor="white", linewidth=0.3, figsize=(6, 6))
axes.set_axis_off()
axes.figure.savefig("regions.png", dpi=100)
