import os
import subprocess
import sys

import pytest

from boruvka import FileError
from boruvka.runtime import processors as module
from boruvka.runtime.processors import (
    check_addresses_of_polars,
    free_memory,
    memory_size,
    processors,
    quota,
    thread_count,
)

NONE = 2**31


def system(folder, groups, **files):
    """Make the files of a system that tell quotas."""
    (folder / "proc/self").mkdir(parents=True)
    (folder / "proc/self/cgroup").write_text(groups)
    for path, text in files.items():
        file = folder / "sys/fs/cgroup" / path.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def version_1(folder, microseconds):
    return {f"{folder}cpu_dot_cfs_quota_us": microseconds, f"{folder}cpu_dot_cfs_period_us": "100000"}


@pytest.mark.parametrize(
    ("groups", "files", "expected"),
    [
        ("0::/\n", {}, NONE),
        ("0::/\n", {"cpu_dot_max": "max 100000\n"}, NONE),
        ("0::/\n", {"cpu_dot_max": "200000 100000\n"}, 2),
        ("0::/a/b\n", {"a__cpu_dot_max": "150000 100000\n", "a__b__cpu_dot_max": "max 100000\n"}, 2),
        ("0::/of/the/host\n", {"cpu_dot_max": "50000 100000\n"}, 1),
        (
            "4:cpu,cpuacct:/x\n",
            version_1("cpu__x__", "300000"),
            3,
        ),
        (
            "1:cpu:/\n0::/\n",
            version_1("cpu__", "-1"),
            NONE,
        ),
        (
            "1:memory:/\n",
            version_1("cpu__", "100000"),
            NONE,
        ),
        ("nonsense\n", {"cpu_dot_max": "nonsense"}, NONE),
    ],
)
def test_quotas_of_containers(tmp_path, groups, files, expected):
    assert quota(system(tmp_path, groups, **files)) == expected


def test_a_system_without_groups(tmp_path):
    assert quota(tmp_path) == NONE
    assert memory_size(tmp_path) == memory_size(tmp_path / "none") > 1 << 20
    assert free_memory(tmp_path) <= memory_size(tmp_path)


@pytest.mark.parametrize(
    ("groups", "files", "size", "free"),
    [
        ("0::/\n", {"memory_dot_max": "max\n"}, None, None),
        ("0::/\n", {"memory_dot_max": "5000\n"}, 5000, 5000),
        (
            "0::/a/b\n",
            {
                "a__memory_dot_max": "9000\n",
                "a__memory_dot_current": "8500\n",
                "a__b__memory_dot_max": "7000\n",
                "a__b__memory_dot_current": "4000\n",
                "a__b__memory_dot_stat": "anon 1500\ninactive_file 2500\nactive_file 9\n",
            },
            7000,
            500,
        ),
        (
            "4:memory:/of/the/host\n1:cpu:/\n",
            {
                "memory__memory_dot_limit_in_bytes": "6000\n",
                "memory__memory_dot_usage_in_bytes": "5000\n",
                "memory__memory_dot_stat": "inactive_file 1\ntotal_inactive_file 1000\n",
            },
            6000,
            2000,
        ),
        ("4:memory:/\n", {"memory__memory_dot_limit_in_bytes": "9223372036854771712\n"}, None, None),
        ("4:cpu:/\n", {"memory__memory_dot_limit_in_bytes": "6000\n"}, None, None),
        ("0::/\n", {"memory_dot_max": "5000\n", "memory_dot_current": "6000\n"}, 5000, 0),
    ],
)
def test_memory_of_containers(tmp_path, groups, files, size, free):
    of_machine = memory_size(tmp_path / "none")
    folder = system(tmp_path, groups, **files)
    assert memory_size(folder) == (size or of_machine)
    assert free_memory(folder) == free if size else free_memory(folder) > 1 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="limits of addresses")
def test_a_limit_of_addresses_is_memory():
    """Wherever it is asked how much memory there is; as it is left for a process of its own."""
    lines = (
        "import resource",
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))",
        "from boruvka.runtime.processors import free_memory, memory_size",
        "from boruvka.stream.memory import available_memory",
        "from boruvka.backends.memory_pool import POOL",
        "print(memory_size(), free_memory(), available_memory())",
        "import boruvka",
        "try:",
        "    boruvka.generators.random(10**8, 10**9)",
        "except boruvka.BoruvkaError as error:",
        "    print(error)",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    sizes, message = done.stdout.splitlines()
    size, free, available = map(int, sizes.split())
    assert free < available <= size == min(3 << 30, memory_size())
    assert "GiB of memory" in message


def test_processors_are_within_the_quota(monkeypatch):
    monkeypatch.setattr(module, "quota", lambda: 1)
    assert processors() == thread_count(None) == 1
    monkeypatch.setattr(module, "quota", lambda: NONE)
    assert 1 <= processors() <= (os.cpu_count() or 1)


@pytest.mark.needs("polars")
def test_polars_is_not_imported_where_it_would_abort(monkeypatch):
    monkeypatch.setattr("boruvka.runtime.processors.free_addresses", lambda: 100 << 20)
    monkeypatch.setitem(sys.modules, "polars", None)
    check_addresses_of_polars()  # which is imported
    monkeypatch.delitem(sys.modules, "polars")
    with pytest.raises(FileError, match=r"leaves 100M, and polars.* takes \d+M of them: raise the limit"):
        check_addresses_of_polars()
