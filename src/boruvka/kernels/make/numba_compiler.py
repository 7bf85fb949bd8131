"""Object code of kernels, made by Numba and LLVM: imported only to compile.

All that this package uses of Numba beyond its public interface is here; ``pyproject.toml`` names the range of
versions that it was tested with. A digest of this file is part of the key of every kernel in the cache.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba._dynfunc import make_function
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering
from numba.cpython.unsafe.numbers import leading_zeros, trailing_zeros
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from boruvka.kernels import kernel_functions
from boruvka.kernels.kernel_arguments import CONSTANT, Kinds
from boruvka.kernels.kernel_functions import bound

WORDS = ir.IntType(64).as_pointer()
WORD = ir.IntType(64)
TUPLE: Any = types.BaseTuple


class Target(NamedTuple):
    """A processor that code is made for."""

    triple: str
    cpu: str
    features: str = ""
    loads_anywhere: bool = False
    """Whether code and constants may be further apart than 32 bits say, as LLVM's loader allocates them. A
    linker puts both in one block."""

    @classmethod
    def host(cls) -> Target:
        """Return the processor of this machine, for code that is loaded at once."""
        features = llvm.get_host_cpu_features().flatten()
        return cls(llvm.get_process_triple(), llvm.get_host_cpu_name(), features, loads_anywhere=True)

    def machine(self) -> Any:
        """Make LLVM's description of the processor."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        widest = WIDEST_VECTORS.get(self.triple.partition("-")[0], "")
        features = ",".join(filter(None, (self.features, widest)))
        reloc, codemodel = ("static", "large") if self.loads_anywhere else ("pic", "default")
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu, features=features, opt=3, reloc=reloc, codemodel=codemodel
        )


WIDEST_VECTORS = {"x86_64": "-prefer-256-bit"}
"""A feature for vectors of 512 bits in loops: for level 4 and Intel's processors, LLVM prefers 256."""
PAUSE = {"x86_64": ("llvm.x86.sse2.pause", ""), "aarch64": ("llvm.aarch64.hint", "i32 1")}
"""The instruction of a loop that waits: its name in LLVM, and its argument."""
EXTERNAL_PAUSE = "boruvka_pause"
EXTERNAL_CONSTANT = "boruvka_constant_{}"
"""A variable for each constant among the arguments: kernels that differ in these are compiled once by Numba,
and optimised by LLVM with each of the values."""


def object_code(module: Any, target: Target, constants: tuple[int, ...] = (), entry: str = "entry") -> bytes:
    """Make machine code of a kernel.

    Parameters
    ----------
    module : module of LLVM
        As `linked` returns it; it is not changed.
    target : Target
    constants : tuple of int
        The constants among the arguments.
    entry : str
        The name of the symbol to define.

    Returns
    -------
    bytes
        An object file that defines ``int entry(uint64_t *results, const uint64_t *words)``, which returns 0
        unless the function raised an exception.
    """
    module, machine = optimised(module, target, constants), target.machine()
    module.get_function("entry").name = entry
    return machine.emit_object(module)


def object_code_of_texts(texts: dict[str, str], target: Target) -> bytes:
    """Make an object file that defines texts, each by its symbol and with a zero at its end."""
    module = ir.Module("texts")
    for symbol, text in texts.items():
        content = bytearray(text.encode() + b"\0")
        variable = ir.GlobalVariable(module, ir.ArrayType(ir.IntType(8), len(content)), symbol)
        variable.global_constant, variable.initializer = True, ir.Constant(variable.value_type, content)
    return target.machine().emit_object(llvm.parse_assembly(str(module)))


def optimised(module: Any, target: Target, constants: tuple[int, ...] = ()) -> Any:
    """Optimise a kernel for a processor; everything but its entry becomes internal, and leaves if unused."""
    machine, module = target.machine(), module.clone()
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    name, argument = PAUSE.get(target.triple.partition("-")[0], ("llvm.donothing", ""))
    known = [f"@{EXTERNAL_CONSTANT.format(k)} = constant i64 {x}" for k, x in enumerate(constants)]
    external = llvm.parse_assembly(
        f"declare void @{name}({argument.split(' ')[0]})\n"
        f"define void @{EXTERNAL_PAUSE}() alwaysinline {{ call void @{name}({argument}) ret void }}\n"
        + "\n".join(known)
    )
    external.triple, external.data_layout = module.triple, module.data_layout
    module.link_in(external)
    for function in module.functions:
        if not function.is_declaration and function.name != "entry":
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration and variable.linkage != llvm.Linkage.internal:
            variable.linkage = "internal"
    # As Numba does: everything is inlined first, then optimised.
    for level in 0, 3:
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization, options.slp_vectorization = level > 0, False
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if level == 0:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        else:
            passes.add_global_dead_code_eliminate_pass()
        passes.run(module, builder)
    return module


@global_compiler_lock
def linked(function: FunctionType, kinds: Kinds, atomic: bool) -> tuple[Any, tuple[str, ...]]:
    """Compile a function for the types of its arguments.

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
    module of LLVM
        The function, all that it calls, and its ``entry``; not optimised, for any processor of 64 bits, and
        for any constants.
    tuple of str
        The types of the results.
    """
    try:
        return _linked(function, kinds, atomic, False)
    except NumbaError:  # perhaps a function of the user makes an array
        return _linked(function, kinds, atomic, True)


def _linked(
    function: FunctionType, kinds: Kinds, atomic: bool, allocates: bool
) -> tuple[Any, tuple[str, ...]]:
    arguments = _fold(function, tuple(_types_of(kinds)))
    flags = Flags()
    options = {**INHERITED, **CALLED, "nopython": True, "_nrt": allocates and _is_of_the_user(function)}
    cpu_target.options.parse_as_flags(flags, options)
    context = cpu_target.target_context
    context.refresh()
    cpu_target.typing_context.refresh()
    compiled = compile_extra(
        cpu_target.typing_context,
        context,
        bound(function, lambda callee: compilable(callee, atomic, allocates), "kernel"),
        arguments,
        None,
        flags,
        {},
        pipeline_class=ForLinking,
    )
    library = LinkedLibrary(context.codegen(), "entry")
    library.add_linking_library(compiled.library)
    module = context.create_module("entry")
    results = _define_entry(context, module, compiled.fndesc, kinds)
    library.add_ir_module(module)
    library.finalize()
    return library._final_module, results


def _fold(function: FunctionType, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Make one tuple of the arguments that ``*arrays`` takes."""
    code = function.__code__
    if not code.co_flags & 0x04:
        return arguments
    first = code.co_argcount
    return *arguments[:first], types.StarArgTuple.from_types(arguments[first:])


def dispatcher(function: FunctionType, atomic: bool) -> Any:
    """Make Numba's own dispatcher for a function."""
    kernel = bound(function, lambda callee: compilable(callee, atomic, True), "kernel")
    return njit(kernel, **INHERITED, nogil=True)


@functools.cache
def compilable(function: FunctionType, atomic: bool, allocates: bool = False) -> Any:
    """Make a function that kernels can call.

    Parameters
    ----------
    function : function
        The function.
    atomic : bool
        Whether threads share arrays, so that it calls atomic instructions.
    allocates : bool
        Whether functions that are not of this package may make arrays.
    """
    if atomic and function in SHARED_ATOMICS:
        return SHARED_ATOMICS[function]
    if function in COMPILED:
        return COMPILED[function]
    suffix = "atomic" if atomic else "plain"
    copy = bound(function, lambda callee: compilable(callee, atomic, allocates), suffix)
    return _callee(copy, allocates and _is_of_the_user(function))


def _is_of_the_user(function: FunctionType) -> bool:
    """Return whether a function, such as a distance, is not of this package."""
    return not f"{function.__module__}.".startswith("boruvka.")


# Compiled for linking only: functions that are linked into a kernel are optimised there, and no machine code
# is made of them alone


class LinkedLibrary(JITCodeLibrary):
    """LLVM's code of functions that is linked into another library."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerForLinking(NativeLowering):
    """Make code for LLVM, and leave it to the caller to make machine code."""

    _name = "lower_for_linking"

    def run_pass(self, state: Any) -> bool:
        """Lower a function; return whether anything changed, as passes do."""
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state["cr"]
        # Numba finds a callee by a Python object, which is never called.
        name = lowered.fndesc.qualname
        handle = make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(handle, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=handle)
        return True


class ForLinking(CompilerBase):
    """Numba's pipeline, without machine code at its end."""

    def define_pipelines(self) -> list[Any]:
        """Replace the pass that makes machine code."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(LowerForLinking if p is NativeLowering else p, why) for p, why in passes.passes]
        passes.finalize()
        return [passes]


INHERITED: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
"""Options without reference counting: with it, an operator that indexes an array inside a branch runs up to
30 times slower."""


CALLED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions that only compiled functions call."""


def _callee(function: Any, allocates: bool = False) -> Any:
    """Make a function that only kernels call compilable."""
    options: Any = {**INHERITED, **CALLED, "pipeline_class": ForLinking, "_nrt": allocates}
    return njit(function, **options)


# The entry of a kernel


def _define_entry(context: Any, module: Any, function: Any, kinds: Kinds) -> tuple[str, ...]:
    """Define ``entry``, which unpacks the words of the arguments and calls a compiled function.

    Returns
    -------
    tuple of str
        The types of the results.
    """
    entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [WORDS, WORDS]), "entry")
    builder = ir.IRBuilder(entry.append_basic_block())
    results, words = entry.args
    unpacker = _Unpacker(context, builder, words, kinds)
    arguments = [unpacker.value(kind) for kind in function.argtypes]
    convention = context.call_conv
    callee = ir.Function(
        module, convention.get_function_type(function.restype, function.argtypes), function.llvm_func_name
    )
    status, out = convention.call_function(builder, callee, function.restype, function.argtypes, arguments)
    names = []
    for k, (kind, value) in enumerate(_opened(builder, function.restype, out)):
        builder.store(_as_word(builder, kind, value), builder.gep(results, [WORD(k)]))
        names.append(_name_of(kind))
    builder.ret(builder.zext(status.is_error, ir.IntType(32)))
    return tuple(names)


class _Unpacker:
    """Takes arguments from words, one after the other."""

    def __init__(self, context: Any, builder: Any, words: Any, kinds: Kinds):
        self.context, self.builder, self.words, self.taken, self.constants = context, builder, words, 0, 0
        self.kinds = (kind for kind in kinds if isinstance(kind, str))

    def word(self) -> Any:
        address = self.builder.gep(self.words, [WORD(self.taken)])
        self.taken += 1
        return self.builder.load(address)

    def value(self, kind: Any) -> Any:
        """Take a value of one of Numba's types."""
        if isinstance(kind, TUPLE):
            return self.context.make_tuple(self.builder, kind, [self.value(inner) for inner in kind])
        if next(self.kinds)[0] == CONSTANT:
            return self._constant()
        if isinstance(kind, types.Array):
            return self._array(kind)
        if isinstance(kind, types.Boolean):
            return self.builder.icmp_unsigned("!=", self.word(), WORD(0))
        if isinstance(kind, types.Float):
            double = self.builder.bitcast(self.word(), ir.DoubleType())
            return double if kind == types.float64 else self.builder.fptrunc(double, ir.FloatType())
        return (
            self.word() if kind.bitwidth == 64 else self.builder.trunc(self.word(), ir.IntType(kind.bitwidth))
        )

    def _constant(self) -> Any:
        name = EXTERNAL_CONSTANT.format(self.constants)
        self.constants += 1
        variable = ir.GlobalVariable(self.builder.module, WORD, name)
        variable.global_constant = True
        return self.builder.load(variable)

    def _array(self, kind: Any) -> Any:
        array = make_array(kind)(self.context, self.builder)
        itemsize = WORD(self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype)))
        data = self.builder.inttoptr(self.word(), array.data.type)
        shape = [self.word() for _ in range(kind.ndim)]
        if kind.layout == "C":
            strides = [itemsize]
            for length in reversed(shape[1:]):
                strides.insert(0, self.builder.mul(strides[0], length))
        else:
            strides = [self.word() for _ in range(kind.ndim)]
        populate_array(
            array,
            data=data,
            shape=cgutils.pack_array(self.builder, shape, ty=WORD),
            strides=cgutils.pack_array(self.builder, strides[: kind.ndim], ty=WORD),
            itemsize=itemsize,
            meminfo=None,
            parent=None,
        )
        return array._getvalue()


def _opened(builder: Any, kind: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """List the types and values of a result: several if it is a tuple, none if it is None."""
    if isinstance(kind, TUPLE):
        for k, inner in enumerate(kind):
            yield from _opened(builder, inner, builder.extract_value(value, k))
    elif kind != types.none:
        yield getattr(kind, "literal_type", kind), value


def _as_word(builder: Any, kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Float):
        double = value if kind == types.float64 else builder.fpext(value, ir.DoubleType())
        return builder.bitcast(double, WORD)
    if value.type.width == 64:
        return value
    return (builder.sext if getattr(kind, "signed", False) else builder.zext)(value, WORD)


def _name_of(kind: Any) -> str:
    """Name the type in which a result comes back."""
    if isinstance(kind, types.Boolean):
        return "boolean"
    if isinstance(kind, types.Float):
        return "float64"
    return str(kind)


def _types_of(kinds: Kinds) -> Iterator[Any]:
    """Convert types of arguments to Numba's."""
    rest = iter(kinds)

    def next_type() -> Any:
        kind = next(rest)
        if isinstance(kind, type):
            fields = tuple(next_type() for _ in kind._fields)  # type: ignore[attr-defined]
            return types.BaseTuple.from_types(fields, kind)
        if isinstance(kind, int):
            return types.BaseTuple.from_types(tuple(next_type() for _ in range(kind)))
        if "," not in kind:
            return types.int64 if kind[0] == CONSTANT else getattr(types, kind)
        dtype, dimensions, layout, *packed = kind.split(",")
        return types.Array(from_dtype(np.dtype(dtype)), int(dimensions), layout, aligned=not packed)

    while True:
        try:
            yield next_type()
        except StopIteration:
            return


# Hints, words of eight bytes, atomic words of a team, and vectors


@intrinsic
def _prefetch(typingctx, array, i):
    def codegen(context, builder, signature, arguments):
        slot, _ = _slot_of(context, builder, signature, arguments)
        address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # A read of data that is used soon, and again.
        builder.call(function, [builder.bitcast(slot, address), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.none(array, i), codegen


@intrinsic
def _unvectorised(typingctx, x):
    def codegen(context, builder, signature, arguments):
        kind = arguments[0].type
        # No instruction, but its result is unknown to the optimiser. "r" is a register, "0" the same one.
        return builder.asm(ir.FunctionType(kind, [kind]), "", "=r,0", arguments, side_effect=False)

    return x(x), codegen


@intrinsic
def _load_word(typingctx, array, i):
    def codegen(context, builder, signature, arguments):
        slot, _ = _slot_of(context, builder, signature, arguments)
        word = builder.load(builder.bitcast(slot, WORD.as_pointer()), align=1)
        return word if sys.byteorder == "little" else builder.bswap(word)

    return types.uint64(array, i), codegen


def _at(builder, address):
    return builder.inttoptr(address, WORDS)


@intrinsic
def _load_word_at(typingctx, address):
    def codegen(context, builder, signature, arguments):
        return builder.load_atomic(_at(builder, arguments[0]), "acquire", 8)

    return types.uint64(types.uint64), codegen


@intrinsic
def _store_word_at(typingctx, address, x):
    def codegen(context, builder, signature, arguments):
        builder.store_atomic(arguments[1], _at(builder, arguments[0]), "release", 8)
        return context.get_dummy_value()

    return types.none(types.uint64, types.uint64), codegen


def _word_instruction(operation: str) -> Any:
    """Make one of LLVM's atomic instructions on a word at an address, in one order with all others."""

    @intrinsic
    def instruction(typingctx, address, x):
        def codegen(context, builder, signature, arguments):
            return builder.atomic_rmw(operation, _at(builder, arguments[0]), arguments[1], "seq_cst")

        return types.uint64(types.uint64, types.uint64), codegen

    return instruction


@intrinsic
def _pause(typingctx):
    def codegen(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.VoidType(), [])  # defined for each processor in `optimised`
        builder.call(cgutils.get_or_insert_function(builder.module, kind, EXTERNAL_PAUSE), [])
        return context.get_dummy_value()

    return types.none(), codegen


@intrinsic
def _call_kernel(typingctx, entry, results, words):
    def codegen(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(32), [WORDS, WORDS])
        entry = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.zext(builder.call(entry, [_at(builder, word) for word in arguments[1:]]), WORD)

    return types.uint64(*[types.uint64] * 3), codegen


@intrinsic
def _call_c(typingctx, function, a, b, c, d):
    def codegen(context, builder, signature, arguments):
        kind = ir.FunctionType(WORD, [WORD] * 6)
        return builder.call(
            builder.inttoptr(arguments[0], kind.as_pointer()), [*arguments[1:], WORD(0), WORD(0)]
        )

    return types.uint64(*[types.uint64] * 5), codegen


LANE_VECTOR = ir.VectorType(ir.DoubleType(), kernel_functions.LANES)
"""A vector of coordinates. Loops over its lanes are not written as loops: LLVM leaves short ones scalar."""


@intrinsic(prefer_literal=True)
def _lanes_within(typingctx, coordinates, row, first, bound, box, dimensions, norm):
    def codegen(context, builder, signature, arguments):
        lines = _Lines(context, builder, signature, arguments)
        row, first, d = (
            context.cast(builder, arguments[k], signature.args[k], types.uint64) for k in (1, 2, 5)
        )
        corner = make_array(signature.args[4])(context, builder, arguments[4]).data

        def difference(q):
            x = _splat(builder, builder.load(lines.address(q, row)), LANE_VECTOR)
            t = builder.fsub(x, _load_lanes(builder, lines.address(q, first)))
            if not norm.literal_value & kernel_functions.PERIODIC:
                return t
            t = _absolute(builder, t)
            return _nearest_image(builder, t, t, corner, builder.add(d, q))

        total = _sum_of_differences(builder, d, difference, norm.literal_value)
        return _bits_below(builder, total, _splat(builder, arguments[3], LANE_VECTOR))

    return types.uint64(coordinates, row, first, bound, box, dimensions, norm), codegen


@intrinsic(prefer_literal=True)
def _lanes_near_box(typingctx, coordinates, first, box, b, bounds, at, dimensions, norm):
    def codegen(context, builder, signature, arguments):
        lines = _Lines(context, builder, signature, arguments)
        first, b, at, d = (
            context.cast(builder, arguments[k], signature.args[k], types.uint64) for k in (1, 3, 5, 6)
        )
        periodic_corner = make_array(signature.args[2])(context, builder, arguments[2]).data
        corner = builder.gep(periodic_corner, [builder.mul(b, builder.mul(WORD(2), d))])
        limits = make_array(signature.args[4])(context, builder, arguments[4]).data

        def difference(q):
            x = _load_lanes(builder, lines.address(q, first))
            low, high = (
                _splat(builder, builder.load(builder.gep(corner, [k])), LANE_VECTOR)
                for k in (q, builder.add(d, q))
            )
            t = _maximum(builder, builder.fsub(low, x), builder.fsub(x, high))
            t = _maximum(builder, t, NO_DIFFERENCE)
            if not norm.literal_value & kernel_functions.PERIODIC:
                return t
            farthest = _maximum(builder, builder.fsub(x, low), builder.fsub(high, x))
            return _nearest_image(builder, t, farthest, periodic_corner, builder.add(d, q))

        total = _sum_of_differences(builder, d, difference, norm.literal_value)
        return _bits_below(builder, total, _load_lanes(builder, builder.gep(limits, [at])))

    return types.uint64(coordinates, first, box, b, bounds, at, dimensions, norm), codegen


class _Lines:
    """The rows of the first argument, an array of two dimensions."""

    def __init__(self, context, builder, signature, arguments):
        array = make_array(signature.args[0])(context, builder, arguments[0])
        self.builder, self.data, self.length = builder, array.data, builder.extract_value(array.shape, 1)

    def address(self, q, k):
        """Find the address of element k of row q."""
        line = self.builder.gep(self.data, [self.builder.mul(self.length, q)])
        return self.builder.gep(line, [k])


def _load_lanes(builder, address):
    return builder.load(builder.bitcast(address, LANE_VECTOR.as_pointer()), align=8)


def _maximum(builder, a, b):
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _nearest_image(builder, t, farthest, corner, k):
    """Return the smaller of t and the length of the box, coordinate k of its corner, less ``farthest``."""
    length = _splat(builder, builder.load(builder.gep(corner, [k])), LANE_VECTOR)
    image = builder.fsub(length, farthest)
    return builder.select(builder.fcmp_ordered("<", image, t), image, t)


def _absolute(builder, t):
    absolute = ir.FunctionType(LANE_VECTOR, [LANE_VECTOR])
    name = f"llvm.fabs.v{LANE_VECTOR.count}f64"
    return builder.call(cgutils.get_or_insert_function(builder.module, absolute, name), [t])


NO_DIFFERENCE = ir.Constant(LANE_VECTOR, [0.0] * LANE_VECTOR.count)


def _sum_of_differences(builder, d, difference, norm):
    """Combine the differences in the coordinates 0 to d - 1."""
    total = cgutils.alloca_once_value(builder, NO_DIFFERENCE)
    with cgutils.for_range(builder, d) as loop:
        t = difference(loop.index)
        builder.store(_add_difference(builder, builder.load(total), t, norm), total)
    return builder.load(total)


def _add_difference(builder, total, t, norm):
    """Add the difference in one coordinate to a distance."""
    norm &= ~kernel_functions.PERIODIC
    if norm == kernel_functions.SUM_OF_SQUARES:
        return builder.fadd(total, builder.fmul(t, t))
    t = _absolute(builder, t)
    return builder.fadd(total, t) if norm == kernel_functions.SUM else _maximum(builder, t, total)


def _bits_below(builder, totals, bounds):
    below = builder.fcmp_ordered("<", totals, bounds)
    return builder.zext(builder.bitcast(below, ir.IntType(LANE_VECTOR.count)), WORD)


@intrinsic
def _insert_in_lanes(typingctx, keys, values, first, key, value):
    """Insert without a branch, which would be mispredicted."""
    ids = ir.VectorType(ir.IntType(32), LANE_VECTOR.count)
    up_by_one = ir.Constant(ids, [LANE_VECTOR.count, *range(LANE_VECTOR.count - 1)])

    def codegen(context, builder, signature, arguments):
        first = context.cast(builder, arguments[2], signature.args[2], types.uint64)
        before = builder.sub(first, WORD(1))

        def load(k, new_type):
            array = make_array(signature.args[k])(context, builder, arguments[k])
            slot = builder.bitcast(builder.gep(array.data, [first]), new_type.as_pointer())
            here = builder.load(slot, align=4 if k else 8)
            single = _splat(builder, builder.load(builder.gep(array.data, [before])), new_type)
            return slot, here, builder.shuffle_vector(here, single, up_by_one)

        key_slot, here, moved = load(0, LANE_VECTOR)
        value_slot, value_here, value_moved = load(1, ids)
        number = context.cast(builder, arguments[4], signature.args[4], types.uint32)
        new, new_value = _splat(builder, arguments[3], LANE_VECTOR), _splat(builder, number, ids)
        larger, moves = builder.fcmp_ordered(">", here, new), builder.fcmp_ordered(">", moved, new)
        value = builder.select(larger, builder.select(moves, value_moved, new_value), value_here)
        builder.store(builder.select(larger, builder.select(moves, moved, new), here), key_slot, align=8)
        builder.store(value, value_slot, align=4)
        return context.get_dummy_value()

    return types.none(keys, values, first, key, value), codegen


def _splat(builder, value, vector):
    """Make a vector that holds one value in every lane."""
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), mask)


COMPILED: dict[Any, Any] = {
    kernel_functions.call_c: _call_c,
    kernel_functions.call_kernel: _call_kernel,
    kernel_functions.exchange_word: _word_instruction("xchg"),
    kernel_functions.fetch_add_word: _word_instruction("add"),
    kernel_functions.load_word_at: _load_word_at,
    kernel_functions.pause: _pause,
    kernel_functions.store_word_at: _store_word_at,
    kernel_functions.prefetch: _prefetch,
    kernel_functions.unvectorised: _unvectorised,
    kernel_functions.insert_in_lanes: _insert_in_lanes,
    kernel_functions.lanes_near_box: _lanes_near_box,
    kernel_functions.lanes_within: _lanes_within,
    kernel_functions.leading_zeros: leading_zeros,
    kernel_functions.load_word: _load_word,
    kernel_functions.trailing_zeros: trailing_zeros,
}
"""Compiled bodies of functions that Numba cannot compile as they are."""


# Atomic instructions of the CPU: Numba has none, so these are LLVM's, through intrinsics


def _slot_of(context, builder, signature, arguments):
    """Find the address of an element, and its type."""
    array_type = signature.args[0]
    array = make_array(array_type)(context, builder, arguments[0])
    slot = cgutils.get_item_pointer(
        context, builder, array_type, array, [arguments[1]], wraparound=False, boundscheck=False
    )
    return slot, array_type.dtype


def _read_modify_write(operation: str) -> Any:
    """Make one of LLVM's atomic instructions that return the previous value of an element."""

    @intrinsic
    def instruction(typingctx, a, i, x):
        def codegen(context, builder, signature, arguments):
            slot, dtype = _slot_of(context, builder, signature, arguments)
            # An operand wider than the slot would reach into its neighbour.
            operand = context.cast(builder, arguments[2], signature.args[2], dtype)
            return builder.atomic_rmw(operation, slot, operand, "monotonic")

        return a.dtype(a, i, x), codegen

    return instruction


_atomic_umin, _atomic_add = _read_modify_write("umin"), _read_modify_write("add")


@intrinsic
def _atomic_swap_if(typingctx, a, i, expected, x):
    def codegen(context, builder, signature, arguments):
        slot, dtype = _slot_of(context, builder, signature, arguments)
        old, new = (context.cast(builder, arguments[k], signature.args[k], dtype) for k in (2, 3))
        pair = builder.cmpxchg(slot, old, new, "acq_rel", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(a, i, expected, x), codegen


@_callee
def _shared_atomic_min(a, i, x):
    if x < a[i]:  # most proposals lose, and a read costs less than the instruction
        _atomic_umin(a, i, x)


SHARED_ATOMICS: dict[Any, Any] = {
    kernel_functions.atomic_min: _shared_atomic_min,
    kernel_functions.atomic_add: _atomic_add,
    kernel_functions.atomic_swap_if: _atomic_swap_if,
}
"""The bodies of atomics for arrays that threads share."""
