"""Forests of edges that are spread over workers: shared by `boruvka.dask` and `boruvka.spark`."""
