"""Trees of the correlations of stocks in rolling windows."""

import networkx
import numpy as np
import pandas
from scipy.cluster.hierarchy import leaves_list
from sklearn.covariance import ledoit_wolf

import boruvka

rng = np.random.default_rng(1)
dates = pandas.date_range("2021-01-04", periods=750, freq="B", name="date")
market = rng.normal(size=750) * np.linspace(0.4, 1.4, 750)
values = rng.normal(size=(750, 30)) + np.outer(market, rng.uniform(0.3, 1.2, 30))
returns = pandas.DataFrame(values, dates, [f"S{k:02}" for k in range(30)])

trees = boruvka.rolling_forests(returns, 250, step=50)
print(trees.summary().round(2))

monthly = boruvka.rolling_forests(returns, 250, step="ME")
print(monthly.summary()[["edges", "mean_weight", "survival", "hub"]].tail(3).round(2))

print(trees["2021-12-17"].to_pandas().head(3).round(2))
table = trees.to_pandas()
windows = table.groupby(["source", "target"]).size()
print(len(table), "edges in all windows;", (windows > 5).sum(), "are in more than five")

compared = trees[0].compare(trees[-1])
print(compared["plan"].value_counts().to_dict())
print(compared[compared["plan"] == "both"].head(3).round(2))

ranked = boruvka.rolling_forests(returns, 250, step=50, method="spearman")
print(ranked.mean_weight.round(2)[[0, -1]], trees.mean_weight.round(2)[[0, -1]])

trees.plot().figure.savefig("windows.png", dpi=150)

years = {year: rows.corr(min_periods=15) for year, rows in returns.groupby(returns.index.year)}
by_year = boruvka.minimum_spanning_forests(years, correlations=True)
print(by_year.summary().round(2))

last = returns.tail(250)
tree = trees[-1]
days = rng.integers(0, 250, (200, 250))
resampled = boruvka.minimum_spanning_forests([last.iloc[x].corr() for x in days], correlations=True)
share = resampled.to_pandas().value_counts(["source", "target"], sort=False) / len(resampled)
edges = tree.to_pandas().join(share.rename("support"), on=["source", "target"]).fillna({"support": 0})
print(edges.sort_values("support", ascending=False).iloc[[0, 1, -2, -1]].round(2))

certain = boruvka.minimum_spanning_forest(boruvka.as_graph(edges, weight="support"), maximum=True)
certain.plot(by="weight", weights=True).figure.savefig("support.png", dpi=150)

covariances = ledoit_wolf(last)[0]
deviations = np.sqrt(np.diag(covariances))
shrunk = pandas.DataFrame(covariances / np.outer(deviations, deviations), last.columns, last.columns)
graph = boruvka.Graph.from_distances(shrunk, correlations=True)
print(round(boruvka.minimum_spanning_forest(graph).weight, 2), "in place of", round(tree.weight, 2))

matrix = last.corr().to_numpy()
u, v = np.nonzero(np.triu(matrix > 0.5, 1))
strong = boruvka.Graph.from_edges(u, v, matrix[u, v], names=last.columns)
network = boruvka.minimum_spanning_forest(strong, maximum=True)
print(strong.m, "pairs;", network.n_components, "components,", (network.degrees == 0).sum(), "stocks alone")
network.plot(graph_edges=True).figure.savefig("network.png", dpi=150)

pairs = boruvka.Graph.from_distances(last.corr(), correlations=True)
planar = networkx.Graph()
for edge in np.argsort(pairs.w, kind="stable"):
    ends = pairs.name_of(pairs.u[edge]), pairs.name_of(pairs.v[edge])
    planar.add_edge(*ends)
    if not networkx.is_planar(planar):
        planar.remove_edge(*ends)
of_tree = edges[["source", "target"]].to_numpy()
print(planar, "with", sum(planar.has_edge(*ends) for ends in of_tree), "of the tree")

print(*last.columns[leaves_list(tree.linkage())][:10])
