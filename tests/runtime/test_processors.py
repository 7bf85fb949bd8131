import os
import sys

import pytest

from boruvka import FileError
from boruvka.runtime import processors as module
from boruvka.runtime.processors import check_addresses_of_polars, processors, quota, thread_count

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
