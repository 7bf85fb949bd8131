"""A data frame with gaps, from its rows to a table of clusters."""

import warnings

import pandas as pd

import boruvka

calls = pd.DataFrame(
    {
        "from": ["ann", "bob", "cy", "ann", None, "dan", "eve"],
        "to": ["bob", "cy", "ann", "dan", "eve", "eve", "cy"],
        "cost": [3.0, 1.0, 2.0, None, 1.0, 4.0, 9.0],
        "line": ["L1", "L2", "L3", "L4", "L5", "L6", "L7"],
    },
    index=[100, 101, 102, 103, 104, 105, 106],
)

try:
    boruvka.as_graph(calls)
except boruvka.GraphError as error:
    print(error)

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    graph = boruvka.as_graph(calls, missing="drop", default=5)
print(said[0].message)

forest = boruvka.minimum_spanning_forest(graph)
print(forest.to_pandas(["line"]))

rows = calls.loc[forest.to_pandas().index]
print(rows["line"].tolist())

print(forest.clusters([1, 2, 4.5]))

distances = pd.DataFrame(
    [[0, 2, 9], [2, 0, 4], [9, 4, 0]], index=["Ulm", "Bonn", "Kiel"], columns=["Ulm", "Bonn", "Kiel"]
)
tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_distances(distances))
print(tree.to_pandas())

places = pd.DataFrame({"x": [1, 3, 7], "y": [2, 4, 1]}, index=["Ulm", "Bonn", "Kiel"])
tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(places))
print(tree.path("Ulm", "Kiel"), tree.bottleneck("Ulm", "Kiel").weights)
print(tree.to_pandas().set_index("edge").loc[tree.path("Ulm", "Kiel")])

rain = pd.Series({"Kiel": 750, "Ulm": 749, "Bonn": 669})
print(tree.to_nodes({"rain": rain}))
