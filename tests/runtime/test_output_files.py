"""Files are written whole, durably, or not at all."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from boruvka import Graph
from boruvka.errors import FileError
from boruvka.formats import check_output, read, write
from boruvka.runtime import output_files
from boruvka.runtime.output_files import check_writable, writing

GRAPH = Graph(4, [0, 1, 2], [1, 2, 3], [5, 6, 7])
ROOT = Path(__file__).parents[2]


def save(path, content=b"new"):
    with writing(path) as file:
        file.write(content)


@pytest.fixture(params=["unnamed", "named"])
def kind(request, monkeypatch):
    """Temporary files without a name, and with one where the system has no others."""
    if request.param == "named":
        monkeypatch.setattr(output_files, "_OPEN_FILES", "/nowhere")
    elif not os.path.isdir("/proc/self/fd"):
        pytest.skip("there are no files without a name here")
    return request.param


@pytest.mark.parametrize("exists", [True, False])
def test_bytes_are_on_the_disk_before_the_name(tmp_path, kind, monkeypatch, exists):
    path, done = tmp_path / "a", []
    if exists:
        path.write_bytes(b"old")

    def fsync(descriptor):
        done.append(
            (stat.S_ISDIR(os.fstat(descriptor).st_mode), path.read_bytes() if path.exists() else None)
        )

    monkeypatch.setattr(os, "fsync", fsync)
    save(path)
    assert done == [(False, b"old" if exists else None), (True, b"new")]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("function", ["fsync", "replace", "link", "fchmod"])
def test_an_error_at_any_step_leaves_all_as_it_was(tmp_path, kind, monkeypatch, exists, function):
    path = tmp_path / "a"
    if exists:
        path.write_bytes(b"old")

    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, function, fail)
    called = {
        "fsync": True,
        "replace": exists or kind == "named",
        "link": kind == "unnamed",
        "fchmod": exists,
    }
    if called[function]:
        with pytest.raises(FileError, match="No space left"):
            save(path)
        assert [found.read_bytes() for found in tmp_path.iterdir()] == ([b"old"] if exists else [])
    else:
        save(path)
        assert [found.read_bytes() for found in tmp_path.iterdir()] == [b"new"]


def test_a_target_that_appears_meanwhile_is_replaced(tmp_path, kind):
    path = tmp_path / "a"
    with writing(path) as file:
        file.write(b"new")
        path.write_bytes(b"of another process")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_files_of_others_stay(tmp_path, kind):
    others = [tmp_path / name for name in (".a.tmp", "a.tmp", ".boruvka-0.tmp", "b")]
    for other in others:
        other.write_bytes(b"theirs")
    (tmp_path / "link").hardlink_to(tmp_path / "b")
    save(tmp_path / "a")
    save(tmp_path / "b")
    assert (tmp_path / "link").read_bytes() == b"theirs"  # the other name of a file keeps what it had
    assert [other.read_bytes() for other in others] == [b"theirs"] * 3 + [b"new"]
    assert len(list(tmp_path.iterdir())) == 6


def test_a_name_as_long_as_the_system_takes(tmp_path, kind):
    for name in "x" * 255, "é" * 127:
        save(tmp_path / name)
        save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == b"new"
    with pytest.raises(FileError, match="File name too long"):
        save(tmp_path / ("x" * 256))
    assert len(list(tmp_path.iterdir())) == 2


def test_links(tmp_path, kind):
    (tmp_path / "there").symlink_to("new")
    save(tmp_path / "there")
    assert (tmp_path / "new").read_bytes() == b"new"
    assert (tmp_path / "there").is_symlink()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError):
        save(tmp_path / "loop")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to folder").symlink_to("folder")
    for use in save, check_writable:
        for path in tmp_path / "folder", tmp_path / "to folder", f"{tmp_path}/new/", f"{tmp_path}/absent/":
            with pytest.raises(FileError, match="Is a directory"):
                use(path)
    assert (tmp_path / "new").read_bytes() == b"new"
    assert not (tmp_path / "absent").exists()


def test_a_secret_file_is_secret_all_the_time(tmp_path, kind, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with writing(path) as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_read_only_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # as it is for all but root
    for use in save, check_writable:
        with pytest.raises(FileError, match="Permission denied"):
            use(path)
    assert path.read_bytes() == b"old"


def test_the_input_is_the_output(tmp_path):
    path = tmp_path / "a.npz"
    write(GRAPH, path)
    graph = read(path)
    write(graph, path)
    write(read(path), path)
    assert read(path).w.tolist() == graph.w.tolist() == [5, 6, 7]


def python(code, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])},
        **options,
    )


def test_standard_output_is_not_replaced(tmp_path):
    """A file to which the shell appends keeps what it has."""
    path = tmp_path / "log"
    path.write_bytes(b"old\n")
    code = """
        import sys
        from boruvka.runtime.output_files import writing
        with writing(sys.argv[1]) as file:
            file.write(b"new" + bytes([10]))
    """
    for name in "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
        with open(path, "ab") as file:
            assert python(code, name, stdout=file).returncode == 0
    assert path.read_bytes() == b"old\n" + 3 * b"new\n"


FULL = """
    import resource, signal, sys
    import numpy as np
    import boruvka
    from boruvka.formats import FORMATS, read, write
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = 20_000
    graph = boruvka.Graph(3000, np.arange(2999), np.arange(1, 3000), np.arange(1, 3000))
    small = boruvka.Graph(4, [0, 1, 2, 0], [1, 2, 3, 3], [5, 6, 7, 8])
    for chosen in FORMATS:
        if chosen.codec.write is None or chosen.codec.holds.lines:
            continue
        for ending in "", ".gz", ".zst", ".bz2", ".xz":
            path = f"{sys.argv[1]}/a{chosen.endings[0]}{ending}"
            write(small, path)
            before = open(path, "rb").read()
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, resource.RLIM_INFINITY))
            try:
                write(graph, path)
            except boruvka.errors.FileError as error:
                assert "File too large" in str(error), error
            else:
                raise AssertionError(path)
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            assert open(path, "rb").read() == before
    import os
    print(sorted(name for name in os.listdir(sys.argv[1]) if name.startswith(".")))
"""


@pytest.mark.long
@pytest.mark.needs("zstandard")
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="there is no such limit")
@pytest.mark.needs("polars")
def test_a_full_disk_loses_nothing(tmp_path):
    """A limit on the size of files stands for a disk that is full, for every format and compression."""
    found = python(FULL, tmp_path, capture_output=True, text=True)
    assert (found.stdout.strip(), found.returncode) == ("[]", 0), found.stderr[-2000:]


KILLED = """
    import os, signal, sys
    from boruvka.runtime import output_files
    step, path = int(sys.argv[1]), sys.argv[2]
    def dies(name):
        function = getattr(os, name)
        def call(*arguments, **options):
            global step
            if step == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            step -= 1
            return function(*arguments, **options)
        setattr(os, name, call)
    for name in "open", "fsync", "link", "replace", "close", "fchmod":
        dies(name)
    with output_files.writing(path) as file:
        file.write(b"new")
"""


@pytest.mark.parametrize("exists", [True, False])
def test_a_kill_at_any_step_loses_nothing(tmp_path, exists):
    """Only between the two calls that replace a file may its new content stay under another name."""
    path, strays, step, code = tmp_path / "a", 0, 0, -signal.SIGKILL
    while code == -signal.SIGKILL:
        path.unlink(missing_ok=True)
        if exists:
            path.write_bytes(b"old")
        code = python(KILLED, step, path).returncode
        content = path.read_bytes() if path.exists() else None
        assert content in ((b"old" if exists else None), b"new")
        for other in set(tmp_path.iterdir()) - {path}:
            assert other.read_bytes() == b"new"
            other.unlink()
            strays += 1
        step += 1
    assert (code, path.read_bytes()) == (0, b"new")
    assert step > 4
    assert strays <= exists * 2 or not os.path.isdir("/proc/self/fd")


def test_check_output_of_a_folder(tmp_path):
    with pytest.raises(FileError, match="is a directory, not a file"):
        check_output(tmp_path, "csv")


def test_devices_are_written_directly(tmp_path):
    with pytest.raises(FileError, match="No space left on device"):
        save("/dev/full", b"x" * 100_000)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
