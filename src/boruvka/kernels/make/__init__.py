"""Making machine code with Numba and LLVM: when a wheel is built, or when a kernel is first called.

Nothing here is imported where the package's library holds every kernel that is called.

================  ====================================================================================
`numba_compiler`  object code of a kernel for a processor; the only module that uses private API of Numba
`kernel_list`     the list of kernels, ``kernels.txt``, and the functions that its definitions stand for
`linker`          the linker of the system, or that of a package
`build_library`   a library of all kernels in the list, for each level of processor
`jit`             kernels that no library holds: compiled when they are first called, and kept
`kernel_cache`    the files of kernels that were compiled here, and what identifies them
================  ====================================================================================
"""
