"""Kernels: loops in Python that run as machine code. Nothing here knows of graphs.

Machine code is *used* by the modules here, and *made* by those in `boruvka.kernels.make`, which import Numba
and LLVM. A wheel has a library with the machine code of every kernel in a list, which tests record; a
checkout may have one, which is used while it has the digest of the sources. `kernel.Kernel` looks there by
the definition of a kernel. What no library holds, such as a loop around the user's own function, `make.jit`
compiles and keeps.

==================  ====================================================================================
`kernel`            `Kernel` and the decorator `kernel.kernel`: find machine code, and call it
`library`           the library of machine code in the package, for the processor at hand
`definitions`       what a kernel is made of, as text
`kernel_functions`  plain functions that a compiler replaces (atomics, hints, vectors), and how it does
`kernel_arguments`  arguments as words of 64 bits, and their types
`team`              threads that wait inside machine code, and launches of kernels on them
`team_loops`        what they run there
`make`              machine code from Numba: for a wheel, or when a kernel is first called
==================  ====================================================================================
"""
