"""What to do with a clustering by HDBSCAN after its fit."""

import numpy as np
import pandas as pd
from matplotlib import pyplot
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.metrics.pairwise import manhattan_distances
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from boruvka.sklearn import HDBSCAN

rng = np.random.default_rng(1)
centres = np.array([[0, 0], [6, 1], [3, 6]])
points = centres[rng.integers(0, 3, 3000)] + rng.normal(size=(3000, 2))

model = HDBSCAN(min_cluster_size=50, min_samples=10).fit(points)
print(np.bincount(model.labels_ + 1), "noise and clusters")

sizes = model.compare_min_cluster_sizes([5, 50, 200, 500, 950, 1200])
print(sizes)

print("same clusters for 50 and 500:", (sizes.labels[1] == sizes.labels[3]).all())
print(model.with_min_cluster_size(500).cluster_persistence_.round(2))

values = [2, 5, 10, 20, 40]
fits = HDBSCAN(min_cluster_size=50).fit_many(points, min_samples=values)
for value, fit in zip(values, fits, strict=True):
    print(value, fit.labels_.max() + 1, "clusters", (fit.labels_ < 0).sum(), "noise")

new = np.array([[0.2, -0.1], [5.5, 1.5], [20.0, 20.0]])
labels, strengths = model.approximate_predict(new)
print(labels, strengths.round(2))

for cluster, members in enumerate(model.exemplars_):
    print(cluster, members.size, "exemplars around", points[members].mean(axis=0).round(0))

middle = np.argsort(np.linalg.norm(points - [4.5, 3.5], axis=1))[:2]
near, how_strongly = model.membership_vectors(top=2)
print(near[middle].tolist(), how_strongly[middle].round(2).tolist())

places, counts = np.unique(points.round(1), axis=0, return_counts=True)
merged = HDBSCAN(min_cluster_size=50, min_samples=10).fit(places, sample_weight=counts)
print(len(places), "places of", counts.sum(), "points,", merged.labels_.max() + 1, "clusters")

tree = model.condensed_tree_.to_pandas()
print(tree[tree["child_size"] > 1].round(2))

model.condensed_tree_.plot().figure.savefig("tree.png", dpi=150)
model.single_linkage_tree_.plot(leaves=20).figure.savefig("dendrogram.png", dpi=150)

customers = pd.DataFrame(points * [100, 1], columns=["spend", "visits"]).assign(segment="retail")
customers.index = [f"C-{i:04}" for i in range(len(customers))]
customers.loc[rng.random(len(customers)) < 0.04, "visits"] = np.nan

numbers = customers.select_dtypes("number")
scaled = StandardScaler().set_output(transform="pandas").fit_transform(numbers)
of_table = HDBSCAN(min_cluster_size=50, min_samples=10).fit(scaled)
print(pd.Series(of_table.labels_).value_counts().sort_index().to_dict())
print(of_table.minimum_spanning_tree_.to_pandas().head(2).round(3))

steps = SimpleImputer(strategy="median"), StandardScaler(), HDBSCAN(min_cluster_size=50, min_samples=10)
pipeline = make_pipeline(*steps).fit(numbers)
customers = customers.assign(cluster=pipeline[-1].labels_, strength=pipeline[-1].probabilities_)
print(customers.groupby("cluster")["spend"].agg(["size", "mean"]).round(0))

grid = {"hdbscan__min_cluster_size": [25, 50, 500], "hdbscan__min_samples": [5, 10]}
rows = np.arange(len(numbers))
search = GridSearchCV(
    pipeline,
    grid,
    scoring=lambda steps, X, y=None: steps[-1].relative_validity_,
    cv=[(rows, rows)],  # fit and score all rows, instead of folds
)
print(search.fit(numbers).best_params_, round(search.best_score_, 2))

new_customers = pd.DataFrame({"visits": [6.1, 0.9], "spend": [310.0, 620.0]}, index=["N-1", "N-2"])
print(pd.Series(pipeline.predict(new_customers[numbers.columns]), new_customers.index).to_dict())

channels = np.array(["web", "shop", "phone"])[np.arange(3000) % 3]
mixed = pd.DataFrame(points, columns=["x", "y"]).assign(channel=channels)
columns = [("numbers", StandardScaler(), ["x", "y"]), ("channel", OneHotEncoder(), ["channel"])]
for weight in 1, 0.1:
    encoder = ColumnTransformer(columns, transformer_weights={"channel": weight})
    found = HDBSCAN(min_cluster_size=50, min_samples=10).fit(encoder.fit_transform(mixed))
    print(weight, found.labels_.max() + 1, "clusters")

few = mixed[:1000]
extents = np.ptp(few[["x", "y"]].to_numpy(), axis=0)
differ = few[["channel"]].to_numpy() != few["channel"].to_numpy()
distances = manhattan_distances(few[["x", "y"]] / extents) + 0.05 * differ
found = HDBSCAN(min_cluster_size=50, min_samples=10, metric="precomputed").fit(distances)
print(found.labels_.max() + 1, "clusters")

table = pd.DataFrame(points, columns=["x", "y"]).assign(cluster=model.labels_, strength=model.probabilities_)
print(table.groupby("cluster")["strength"].agg(["size", "mean"]).round(2))

figure, ax = pyplot.subplots(layout="constrained")
ax.scatter(points[:, 0], points[:, 1], 6 * model.probabilities_ + 1, model.labels_, cmap="viridis")
for members in model.exemplars_:
    ax.plot(*points[members].T, "k.", markersize=3)
figure.savefig("clusters.png", dpi=150)

cafes = np.array([[59.33, 18.07], [59.86, 17.64], [59.61, 16.55]])[rng.integers(0, 3, 600)]
cafes = pd.DataFrame(cafes + rng.normal(size=(600, 2)) * [0.02, 0.04], columns=["lat", "lon"])
on_earth = HDBSCAN(min_cluster_size=20, metric="haversine", cluster_selection_epsilon=5 / 6371.0088)
on_earth.fit(np.radians(cafes[["lat", "lon"]]))
print(cafes.groupby(on_earth.labels_).agg(["size", "mean"])["lat"].round(2))
on_earth.minimum_spanning_tree_.plot(colors=on_earth.labels_).figure.savefig("cafes.png", dpi=150)
