import subprocess

import pytest

from boruvka import compile_kernels
from boruvka.cli.main import main
from boruvka.errors import BackendError, MissingExtraError
from boruvka.kernels import library
from boruvka.kernels.make import kernel_list


@pytest.mark.needs("numba")
def test_no_folder_is_an_error(monkeypatch, capsys):
    monkeypatch.setattr(compile_kernels, "cache_folder", lambda: None)
    monkeypatch.setattr(library, "installed", lambda: None)
    assert main(["warmup"]) == 2
    assert "set BORUVKA_CACHE_DIR to a folder that only you can write" in capsys.readouterr().err


@pytest.fixture
def list_of_one(monkeypatch, tmp_path):
    """Let the list hold one kernel, for child processes too, which read it from its file."""
    text = next(text for text in kernel_list.definitions() if "connected_components:_label" in text)
    monkeypatch.setenv("BORUVKA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compile_kernels, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(library, "installed", lambda: None)
    start = (
        "import sys; from boruvka import compile_kernels; from boruvka.kernels.make import kernel_list\n"
        f"kernel_list.definitions = lambda: [{text!r}]\n"
        "if __name__ == '__main__': compile_kernels._main()"
    )
    popen = subprocess.Popen
    script = tmp_path / "one.py"
    script.write_text(start)
    monkeypatch.setattr(
        subprocess, "Popen", lambda command, **options: popen([command[0], script], **options)
    )
    return script


def test_kernels_are_compiled_in_other_processes(list_of_one, tmp_path):
    pytest.importorskip("numba")
    seen = []
    folder = compile_kernels.warmup(progress=seen.append)
    assert folder == tmp_path / "cache"
    (kernel,) = folder.rglob("*.kernel")
    assert kernel.name.startswith("connected_components._label-")
    assert [(event.done, event.total) for event in seen if event.phase == "compile"] == [(1, 1)]


def test_errors_of_the_other_processes(list_of_one):
    pytest.importorskip("numba")
    list_of_one.write_text("raise ValueError('no room')")
    with pytest.raises(BackendError, match="compiling failed: ValueError: no room"):
        compile_kernels.warmup()


def test_nothing_is_compiled_where_the_package_has_machine_code(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(compile_kernels, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(library, "installed", lambda: library)
    assert compile_kernels.warmup() is None
    assert list(tmp_path.iterdir()) == []
    assert main(["warmup"]) == 0
    assert "nothing to compile" in capsys.readouterr().out


def test_without_numba_an_error_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(compile_kernels, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(library, "installed", lambda: None)
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    with pytest.raises(MissingExtraError, match=r"boruvka\[jit\]"):
        compile_kernels.warmup()
