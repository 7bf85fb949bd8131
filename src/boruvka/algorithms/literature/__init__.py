"""Published algorithms that are run by name, to compare: five systems of the literature, and two classics.

A file describes each as its authors do. They return the same edges as the default.

=====================  =====================================================================================
`sousa_2015`           Sousa, Mariano, Proença, PDP 2015: contraction of compressed sparse rows on threads
`fuh_vemuri`           Fuh, Vemuri (Carnegie Mellon): union-find along edges or stars
`vineet_2009`          Vineet, Harish, Patidar, Narayanan, HPG 2009: segmented scans and splits, for GPUs
`adjacency_matrix`     the adjacency-matrix report (IIT Hyderabad, 2025): components in ranges, one a thread
`anzalone`             Anzalone, Marti, Kamm, Hannesdóttir, Hrabec (ETH Zürich): strategies for ranks of MPI
`prim`                 Jarník 1930, Prim 1957: one tree grows at a time, with a heap
`filter_kruskal`       Osipov, Sanders, Singler, ALENEX 2009: quicksort with a filter
=====================  =====================================================================================

They share `arcs`, compressed sparse rows. Examples:
`boruvka.minimum_spanning_forest(graph, algorithm="scan-split")`, and on ranks
`boruvka.distributed.minimum_spanning_forest(graph, partition_by="edges", method="union-find")`.
``docs/literature.md`` compares measurements with the papers.
"""
