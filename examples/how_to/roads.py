"""A frame of lines, its shortest network, and what to do with many components."""

from itertools import pairwise

import geopandas
import numpy as np
import shapely

import boruvka

rng = np.random.default_rng(1)
corners = rng.normal(0, 25, (15, 15, 2)) + 400 * np.stack(np.meshgrid(range(15), range(15)), axis=2)
corners += 458_000, 5_550_000  # east and north in Prague
rows = [*corners, *corners.transpose(1, 0, 2)]
lines = [shapely.LineString(pair) for row in rows for pair in pairwise(row)]
surface = rng.choice(["paved", "gravel"], len(lines))
streets = geopandas.GeoDataFrame({"surface": surface}, geometry=lines, crs="EPSG:32633")

graph = boruvka.as_graph(streets)
forest = boruvka.minimum_spanning_forest(graph)
print(graph.n, "corners,", round(forest.weight / 1000, 1), "km of", round(graph.w.sum() / 1000, 1))

network = forest.to_geopandas()
network.to_file("network.gpkg")
print(network["surface"].value_counts().to_dict(), network.crs)

figure = forest.plot(by="weight", graph_edges=True).figure
figure.savefig("network.png", dpi=150)

cross = [shapely.LineString([(0, 0), (100, 0)]), shapely.LineString([(50, -50), (50, 50)])]
apart = boruvka.minimum_spanning_forest(geopandas.GeoDataFrame(geometry=cross))
print(apart.n_components, "components, as the lines have no end in common")

graph = boruvka.as_graph(geopandas.GeoDataFrame(geometry=cross), node=True)
joined = boruvka.minimum_spanning_forest(graph)
print(joined.n_components, "component of", graph.m, "pieces")
