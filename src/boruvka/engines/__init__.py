"""Edges that workers of another system hold: what Dask and Spark share; `dask` and `spark` are the doors."""
