"""Kernels that no library holds: compiled by Numba when they are first called, kept, and loaded by LLVM."""

from __future__ import annotations

import functools
import gc
import itertools
from importlib.util import find_spec
from types import FunctionType
from typing import Any

from boruvka.errors import BackendError, MissingExtraError
from boruvka.kernels.kernel_arguments import Kinds, constants_in, kinds_in_words
from boruvka.kernels.library import Loaded
from boruvka.kernels.make import kernel_cache
from boruvka.kernels.make.kernel_cache import Code


def find(function: FunctionType, kinds: Kinds, atomic: bool) -> Loaded:
    """Load a kernel from the cache, or compile it.

    Parameters
    ----------
    function : function
        The function.
    kinds : tuple
        The types of its arguments (see `boruvka.kernels.kernel_arguments.Kinds`).
    atomic : bool
        Whether the atomics that it calls are atomic instructions.

    Returns
    -------
    Loaded
        It has no entry if LLVM cannot load it.

    Raises
    ------
    MissingExtraError
        Numba is not installed.
    BackendError
        Numba does not start, or a variable of the environment forbids it to compile.
    """
    if find_spec("numba") is None:
        raise MissingExtraError(
            f"{_why_compiled(function)}, and Numba, which compiles it, is not installed; install it "
            'with: pip install "boruvka[jit]"',
            name="numba",
        )
    types = f"{kinds_in_words(kinds)} {'atomic' if atomic else 'plain'}"
    name = f"{str(function.__module__).rpartition('.')[2]}.{function.__code__.co_qualname.partition('.')[0]}"
    code = kernel_cache.find(name, function, types, lambda: _compile(function, kinds, atomic))
    return load(f"{name}-{next(_numbers)}", code)


def _compile(function: FunctionType, kinds: Kinds, atomic: bool) -> Code:
    try:
        import numba
    except ValueError as error:  # NUMBA_NUM_THREADS=0
        raise BackendError(f"Numba does not start: {error}; correct its environment variables") from error
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # options are set when it is loaded
        raise BackendError("Numba compiles nothing while NUMBA_DISABLE_JIT is set: unset it")
    from boruvka.kernels.make import numba_compiler

    is_searched = gc.isenabled()
    gc.disable()  # searching for garbage takes a sixth of the time else
    try:
        module, results = numba_compiler.linked(function, kinds, atomic)
        target = numba_compiler.Target.host()
        return Code(results, numba_compiler.object_code(module, target, constants_in(kinds)))
    finally:
        if is_searched:
            gc.enable()


def _why_compiled(function: FunctionType) -> str:
    from boruvka.kernels import library
    from boruvka.kernels.definitions import definition_of

    if definition_of(function, (), False) is None:
        return "machine code is needed of a function that is not part of boruvka"
    if library.installed() is None:
        if any((library.FOLDER / f"{level}.so").exists() for level in library.levels()):
            return "the machine code in this checkout was made of other sources"
        return "this installation has no machine code for this system"
    name = function.__code__.co_qualname
    return f"this installation has no machine code of {name} for arguments of these types"


def load(name: str, code: Code) -> Loaded:
    """Load object code by LLVM."""
    from llvmlite.binding import JITLibraryBuilder

    builder = JITLibraryBuilder().add_object_img(code.object_code).add_current_process()
    try:
        library = builder.export_symbol("entry").link(_lljit(), name)
    except RuntimeError:
        return Loaded(code.results, None, None)
    return Loaded(code.results, library["entry"], library)


@functools.cache
def _lljit() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler(suppress_errors=True)


_numbers = itertools.count()
