"""Build hook: a wheel holds the machine code of all kernels.

``BORUVKA_TARGETS`` names the processors to build for, separated by commas (see `TARGETS` in
`boruvka.kernels.make.build_library`); ``none`` builds a wheel without machine code, for which Numba compiles.
By default the wheel is for this machine alone. An editable installation builds nothing.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "src"))

from boruvka.kernels import library
from boruvka.kernels.make.linker import system_linker

BUILD = "from boruvka.kernels.make.build_library import main; main(sys.argv[1:])"
SYSTEM = "manylinux_2_17"
"""The oldest system whose C library has what kernels call; `.ci/wheel` checks it."""


class MachineCodeHook(BuildHookInterface):
    """Compiles the kernels into libraries, and tags the wheel."""

    def dependencies(self):
        """Name the packages that are needed to build: Numba, and a linker if the system has none."""
        # pip names the hook that it calls in the first argument. Other programs install Numba in vain.
        if "editable" in "".join(sys.argv[1:2]) or not (targets := self._targets()):
            return []
        linker = [] if all(map(system_linker, targets)) else ["ziglang"]
        return [*self.metadata.core.optional_dependencies["jit"], *linker]

    def initialize(self, version, build_data):
        """Build the libraries, if this is a wheel for installation."""
        targets = self._targets()
        if version == "editable" or not targets:
            return
        machines = {target.partition("-")[0] for target in targets}
        if len(machines) > 1:
            raise ValueError("a wheel is for one machine: build one for x86_64 and another for aarch64")
        system = SYSTEM if os.environ.get("BORUVKA_TARGETS") else "linux"  # else it lacks older processors
        build_data["tag"], build_data["pure_python"] = f"py3-none-{system}_{machines.pop()}", False
        package = Path(self.root, "src", "boruvka")
        # Not -m and PYTHONPATH: pip hides the sources if they are installed as editable.
        build = f"import sys; sys.path.insert(0, {str(package.parent)!r}); {BUILD}"
        subprocess.run(
            [sys.executable, "-c", build, *targets], env={**os.environ, "BORUVKA_JIT": "1"}, check=True
        )
        for target in targets:
            library = f"boruvka/kernels/machine_code/{target}.so"
            build_data["force_include"][str(package.parent / library)] = library

    def _targets(self):
        chosen = os.environ.get("BORUVKA_TARGETS")
        if chosen:
            return [] if chosen == "none" else chosen.split(",")
        return library.levels()[:1] if platform.libc_ver()[0] == "glibc" else []
