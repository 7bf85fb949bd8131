"""Five systems of the literature, one file each, as their authors describe them.

=====================  =====================================================================================
`sousa_2015`           Sousa, Mariano, Proença, PDP 2015: contraction of compressed sparse rows on threads
`fuh_vemuri`           Fuh, Vemuri (Carnegie Mellon): union-find along edges or stars
`vineet_2009`          Vineet, Harish, Patidar, Narayanan, HPG 2009: segmented scans and splits, for GPUs
`adjacency_matrix`     the adjacency-matrix report (IIT Hyderabad, 2025): components in ranges, one a thread
`anzalone`             Anzalone, Marti, Kamm, Hannesdóttir, Hrabec (ETH Zürich): strategies for ranks of MPI
=====================  =====================================================================================

They are run by name: `boruvka.minimum_spanning_forest(graph, algorithm="scan-split")`, and on ranks
`boruvka.distributed.minimum_spanning_forest(graph, partition_by="edges", method="union-find")`. They return
the same edges as the default. ``docs/literature.md`` compares their measurements with the papers.
"""
