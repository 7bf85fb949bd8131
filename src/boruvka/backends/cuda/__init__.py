"""Operators on an NVIDIA GPU. GPU packages are imported in this folder only.

CuPy owns the arrays (``arrays``) and numba-cuda compiles the loops (``compiler``, ``kernels``), some of them
over operators made of other operators (``adapters``). ``backend`` puts these together.
"""
