"""Kernels: compile loops, keep them on disk, load and call them. Nothing here knows of graphs.

======================  ================================================================================
`kernel`                `Kernel` and the decorator `kernel.kernel`: find machine code, load it, call it
`kernel_functions`      plain functions that a compiler replaces (atomics, hints, vectors), and how it does
`kernel_arguments`      arguments as words of 64 bits, and their types
`kernel_cache`          the files of machine code, and what identifies a kernel
`team`                  threads that wait inside machine code, and launches of kernels on them
`team_loops`            what they run there
`numba_compiler`        machine code made by Numba; the only module that uses private API of Numba
`position_independent`  object code linked so that it is loaded without LLVM
======================  ================================================================================
"""
