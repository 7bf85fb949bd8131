"""Making machine code: with Numba and LLVM, when the package is built, or when a kernel is first called.

=================  ================================================================================
`numba_compiler`   object code of a kernel for a processor; the only module that uses private API of Numba
`targets`          the processors that libraries are built for
`kernel_list`      the list of kernels, ``kernels.txt``, and functions of their definitions
`build_library`    libraries of all kernels in the list, for a wheel
`jit`              kernels that no library holds: compiled when they are first called, and kept
`kernel_cache`     the files of kernels that were compiled here, and what identifies them
`warmup`           compile ahead what no library holds
=================  ================================================================================

Nothing here is imported where the package's library holds every kernel that is called.
"""
