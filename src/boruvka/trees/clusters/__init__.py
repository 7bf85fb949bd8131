"""Clusters of a single linkage tree, as HDBSCAN selects them: functions of arrays, without scikit-learn."""
