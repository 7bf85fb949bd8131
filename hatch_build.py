"""Build hook: a wheel holds the machine code of all kernels.

``BORUVKA_TARGETS`` names the processors to build for, separated by commas (see `TARGETS` in
`boruvka.kernels.make.build_library`); ``none`` builds a wheel without machine code, for which Numba compiles.
By default it is built for this machine. An editable installation has no machine code.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LINKERS = "ld", "ld.lld"
SYSTEM = "manylinux_2_17"
"""The oldest system whose C library has what kernels call; auditwheel checks it."""


class MachineCodeHook(BuildHookInterface):
    """Compiles the kernels into libraries, and tags the wheel."""

    def dependencies(self):
        """Name the packages that are needed to build: Numba, and a linker if the system has none."""
        if "editable" in "".join(sys.argv[1:2]) or not self._targets():
            return []
        linker = [] if any(map(shutil.which, LINKERS)) else ["ziglang"]
        return [*self.metadata.core.optional_dependencies["jit"], *linker]

    def initialize(self, version, build_data):
        """Build the libraries, if this is a wheel for installation."""
        targets = self._targets()
        if version == "editable" or not targets:
            return
        machines = {target.partition("-")[0] for target in targets}
        if len(machines) > 1:
            raise ValueError("a wheel is for one machine: build one for x86_64 and another for aarch64")
        build_data["tag"], build_data["pure_python"] = f"py3-none-{SYSTEM}_{machines.pop()}", False
        package = Path(self.root, "src", "boruvka")
        # pip passes the folder of packages that are needed to build.
        path = os.pathsep.join(filter(None, [str(package.parent), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path, "BORUVKA_JIT": "1"}
        command = [sys.executable, "-m", "boruvka.kernels.make.build_library", *targets]
        subprocess.run(command, env=environment, check=True)
        for target in targets:
            library = f"boruvka/kernels/machine_code/{target}.so"
            build_data["force_include"][str(package.parent / library)] = library

    def _targets(self):
        chosen = os.environ.get("BORUVKA_TARGETS")
        if chosen:
            return [] if chosen == "none" else chosen.split(",")
        if sys.platform != "linux" or platform.libc_ver()[0] != "glibc":
            return []
        return {"x86_64": [f"x86_64-{self._level()}"], "aarch64": ["aarch64"]}.get(platform.machine(), [])

    def _level(self):
        flags = Path("/proc/cpuinfo").read_text().split()
        return "v3" if "avx2" in flags and "fma" in flags and "bmi2" in flags else "v2"
