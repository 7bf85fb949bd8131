"""Forests of edges that are spread over workers: a stream whose chunks are read elsewhere.

`boruvka.dask` and `boruvka.spark` run tasks by an `engine.Engine`. Workers read their parts, drop edges by
the filter of streams, and send the others to the driver.
"""
