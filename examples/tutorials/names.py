"""From a data frame with names to clusters at every threshold."""

import numpy as np
import pandas as pd

import boruvka

pairs = pd.DataFrame(
    {
        "left": ["Ann Lee", "Ann Lee", "A. Lee", "Bob Ray", "Bob Ray", "R. Ray", "Cy Doe"],
        "right": ["Anne Lee", "A. Lee", "A. Leigh", "Rob Ray", "R. Ray", "Roy Rae", "A. Leigh"],
        "score": [0.97, 0.81, 0.62, 0.93, 0.88, 0.58, 0.21],
    }
)

graph = boruvka.as_graph(pairs, source="left", target="right", weight="score")
forest = boruvka.minimum_spanning_forest(graph, maximum=True)
print(forest.to_pandas())

pair, score = forest.bottleneck("Ann Lee", "A. Leigh")
print(pair, score)

cuts = forest.cuts([0.5, 0.8, 0.9])
print(cuts.n_clusters)

table = pd.DataFrame(cuts.labels.T, index=graph.names, columns=cuts.heights)
print(table)

labels = forest.cut_at(0.5)
clusters = labels[forest.u]
edges = forest.to_pandas().assign(cluster=clusters, size=np.bincount(labels)[clusters])
edges = edges[edges["score"] >= 0.5]
print(edges.loc[edges.groupby("cluster")["score"].idxmin()])

later = forest.update([("Rob Ray", "Roy Rae", 0.91)])
print(later.cuts([0.9]).n_clusters)
