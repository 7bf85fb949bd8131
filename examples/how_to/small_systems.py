"""The forest of a graph in a request to a function service, and a call as the service makes it."""

import boruvka


def handler(event, context):
    """Answer a request: the edges of the forest, and their total weight."""
    forest = boruvka.minimum_spanning_forest((event["u"], event["v"], event["w"]))
    return {"edges": forest.edges.tolist(), "weight": forest.weight}


print(handler({"u": [0, 1, 2], "v": [1, 2, 0], "w": [4, 2, 3]}, None))
