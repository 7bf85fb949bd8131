import contextlib
import os
import pkgutil
import re
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import boruvka.__main__
from boruvka.cli.main import COMMANDS, main
from boruvka.formats import FORMATS
from boruvka.generators import FAMILIES

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes and signals of POSIX")
full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")


def test_version_and_script(run):
    assert run("--version").out == f"boruvka, version {boruvka.__version__}\n"
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert pkgutil.resolve_name(project["scripts"]["boruvka"]) is boruvka.__main__.main


def test_unknown_command(refuse):
    refuse("No such command 'dance'", "dance")
    refuse("'hdbscan': write boruvka clusters FILE --points --min-cluster-size", "hdbscan", "f.csv")
    refuse("write boruvka solve FILE --algorithm kruskal", "kruskal", "a.csv")
    refuse("write boruvka ranked FILE -k 2", "kbest", "a.csv")
    refuse("write boruvka plot FILE --algorithm prim --start NAME", "solve", "a.csv", "--start", "a")
    refuse("no such option --required: boruvka solve takes it", "plot", "a.csv", "--required", "b.csv")
    refuse("write boruvka convert FILE distances.tsv --to matrix", "distances", "a.tsv")
    refuse("no such option --source: write --columns u,v,weight", "solve", "a.csv", "--source", "u")
    refuse("boruvka solve FILE --memory SIZE -o forest.parquet", "clusters", "a.csv", "--memory", "2G")
    refuse("boruvka ranked FILE -k NUMBER", "plot", "a.csv", "--ranked", "2", "-o", "b.png")
    refuse("unexpected extra argument (3): write -k 3", "ranked", "a.csv", "3")
    refuse("No such option '--max'", "solve", "a.csv", "--max")


def test_help_lists_each_command(run):
    shown = run("--help").out
    for name, (_, line) in COMMANDS.items():
        assert f"  {name:<{max(map(len, COMMANDS))}}  {line}\n" in shown


@pytest.mark.parametrize(
    "command", [*([name] for name in COMMANDS), *(["generate", name] for name in FAMILIES)], ids=" ".join
)
def test_help_shows_no_private_name_as_a_type(command, run):
    shown = run(*command, "--help").out
    assert shown.startswith("Usage: boruvka")
    assert re.findall(r"(?<!\w)_\w+", shown) == []


@pytest.mark.parametrize("name", [each.name for each in FORMATS])
def test_options_of_a_format_show_no_private_name_as_a_type(name, run):
    shown = run("formats", name).out
    assert shown.startswith(f"{name} (")
    assert re.findall(r"(?<!\w)_\w+", shown) == []


def test_help_imports_neither_compiler_nor_libraries():
    commands = [[], *([name] for name in COMMANDS), ["generate", "grid"]]
    code = (
        "import sys; from boruvka.cli.main import main\n"
        f"for command in {commands}:\n"
        "    assert main([*command, '--help']) == 0\n"
        "for name in 'numba scipy polars pandas matplotlib mpi4py'.split():\n"
        "    assert name not in sys.modules, name"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("Usage: boruvka") == len(commands)


PRINTING = [
    ["info", "{graph}", "--json"],
    ["info", "{graph}"],
    ["formats"],
    ["--help"],
    ["--version"],
    ["convert", "{graph}", "-", "--to", "csv"],
    ["solve", "{graph}", "-o", "-", "--to", "csv", "-q"],
    ["generate", "path", "--n", "9", "-o", "-", "--to", "csv"],
]


@contextlib.contextmanager
def full():
    """A stream to a full disk, which must close without an error as Python does at exit."""
    with open("/dev/full", "w") as stream:
        yield stream


@contextlib.contextmanager
def broken_pipe():
    """A stream to a pipe without a reader."""
    reader, writer = os.pipe()
    os.close(reader)
    with contextlib.suppress(BrokenPipeError), open(writer, "w") as stream:  # when it closes
        yield stream


@full_device
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_full_disk(arguments, graph_file, monkeypatch, run):
    with full() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        result = run(*(a.format(graph=graph_file) for a in arguments))
    assert (result.code, result.err) == (2, "error: standard output: No space left on device\n")


@on_posix
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_broken_pipe(arguments, graph_file, monkeypatch, run):
    with broken_pipe() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "stderr", sys.stderr)  # click replaces both
        result = run(*(a.format(graph=graph_file) for a in arguments))
    assert (result.code, result.err) == (141, "")


@full_device
@pytest.mark.parametrize(("output", "code"), [(full, 2), (broken_pipe, 141)])
def test_exit_code_of_a_process_that_cannot_print(output, code):
    """Python flushes standard output once more when the process ends."""
    with output() as stream:
        command = [sys.executable, "-m", "boruvka", "formats"]
        result = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, text=True)
    message = "error: standard output: No space left on device\n" if code == 2 else ""
    assert (result.returncode, result.stderr) == (code, message)


@full_device
def test_full_disk_for_errors(monkeypatch):
    with full() as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(["info", "missing.gr"]) == 2


def test_closed_standard_error(graph_file, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["solve", str(graph_file), "--backend", "interpreted"]) == 0
    assert main(["solve", "missing.gr"]) == 2


def test_out_of_memory(graph_file, monkeypatch, refuse):
    def solve(*arguments, **options):
        raise MemoryError("of 9 GiB")

    monkeypatch.setattr("boruvka.trees.minimum_spanning.minimum_spanning_forest", solve)
    refuse("error: not enough memory: of 9 GiB\n", "solve", graph_file)


@pytest.mark.parametrize("error", [RuntimeError, OSError, type("PanicException", (BaseException,), {})])
def test_unforeseen_errors_have_a_code_of_their_own(graph_file, monkeypatch, run, error):
    def solve(*arguments, **options):
        raise error("lib.so cannot be loaded\nwhere")

    monkeypatch.setattr("boruvka.trees.minimum_spanning.minimum_spanning_forest", solve)
    result = run("solve", graph_file)
    found = f"error: unforeseen {error.__name__}: lib.so cannot be loaded; where; python -X dev -m boruvka"
    assert (result.code, result.out, result.err) == (70, "", f"{found} ... shows where\n")


def open_for_reader(pipe, process):
    """Open a named pipe to write once the process reads it; fail if the process ends before."""
    while process.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no reader yet
            time.sleep(0.01)
    pytest.fail(f"the process ended: {process.communicate()}")


@on_posix
def test_interrupt_of_the_process(tmp_path):
    """It waits for its input in a named pipe."""
    pipe, output = tmp_path / "graph.csv", tmp_path / "forest.csv"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "boruvka", "solve", pipe, "-o", output],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    writer = open_for_reader(pipe, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    os.close(writer)
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted")
    assert list(tmp_path.iterdir()) == [pipe]


def test_interrupt_while_modules_are_imported():
    code = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *where):\n"
        "        if name == sys.argv[1]: raise eval(sys.argv[2])\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from boruvka.__main__ import main\n"
        "sys.exit(main())"
    )
    for module, error, expected in (
        ("boruvka.cli.main", "KeyboardInterrupt", (130, "", "interrupted\n")),
        ("click", "KeyboardInterrupt", (130, "", "interrupted\n")),
        (
            "boruvka.cli.options",
            "ImportError('no libx.so')",
            (70, "", "error: no libx.so\n"),
        ),
    ):
        ran = subprocess.run([sys.executable, "-c", code, module, error], capture_output=True, text=True)
        assert (ran.returncode, ran.stdout, ran.stderr) == expected


def test_an_output_is_no_input(graph_file, tmp_path, refuse):
    content = graph_file.read_bytes()
    (tmp_path / "link.csv").symlink_to(graph_file)
    (tmp_path / "hard.csv").hardlink_to(graph_file)
    for output in (graph_file, tmp_path / "link.csv", tmp_path / "hard.csv"):
        refuse("is also FILE, which would be overwritten", "solve", graph_file, "-o", output, "--to", "csv")
        refuse("is also FILE, which would be overwritten", "solve", graph_file, "--log", output)
        refuse("is also INPUT, which would be overwritten", "convert", graph_file, output, "--to", "csv")
        refuse("is also FILE", "plot", graph_file, "-o", output, "--to", "png")
        assert graph_file.read_bytes() == content
    new = tmp_path / "new.csv"
    refuse("is also --log, which would be overwritten", "solve", graph_file, "-o", new, "--log", new)
    assert not new.exists()


def test_an_output_is_no_part_of_the_input(tmp_path, refuse):
    part = tmp_path / "edges" / "part.parquet"
    part.parent.mkdir()
    boruvka.write(boruvka.Graph(3, [0, 1], [1, 2], [5, 7]), part)
    content = part.read_bytes()
    for source in (part.parent, part.with_name("*.parquet")):
        refuse("is also FILE, which would be overwritten", "solve", source, "-o", part)
    assert part.read_bytes() == content


def test_an_empty_name_is_not_this_folder(refuse):
    refuse("the name of a file is empty", "solve", "")
    refuse("the name of a file is empty", "solve", "graph.csv", "-o", "")


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("NUMBA_DISABLE_JIT", "1", "Numba compiles nothing while NUMBA_DISABLE_JIT is set: unset it"),
        ("NUMBA_NUM_THREADS", "0", "Numba does not start: "),
    ],
)
def test_settings_of_numba_that_stop_the_compiler(graph_file, tmp_path, variable, value, message):
    environment = {**os.environ, "BORUVKA_JIT": "1", variable: value, "BORUVKA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "boruvka", "solve", graph_file]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"error: {message}")
    assert ran.stderr.count("\n") == 1


def test_odd_digits_and_descriptors_are_refused(graph_file, refuse):
    refuse("there is no column '²'", "solve", graph_file, "--columns", "²,1,2")
    refuse("Bad file descriptor", "solve", graph_file, "-o", f"/dev/fd/{10**30}", "--to", "csv")


@full_device
def test_names_of_a_stream_on_a_full_disk(tmp_path, refuse):
    table = tmp_path / "named.csv"
    table.write_text("u,v,w\na,b,1\nb,c,2\n")
    solve = ["solve", table, "--memory", "2G", "-o", "/dev/full", "--to", "parquet"]
    refuse("/dev/full: No space left on device", *solve)


def test_a_graph_that_networkx_cannot_hold(tmp_path, refuse):
    table = tmp_path / "huge.csv"
    table.write_text(f"u,v,w\n0,{2**36},1\n")
    refuse("of memory or more are needed", "convert", table, tmp_path / "huge.gml")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not count addresses")
@pytest.mark.parametrize(
    "output", [pytest.param("forest.parquet", marks=pytest.mark.needs("polars")), "forest.csv"]
)
def test_few_addresses_suffice_to_write_tables(graph_file, tmp_path, output):
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20)); "
    limited += "from boruvka.cli.main import main; sys.exit(main())"
    arguments = ["solve", graph_file, "--backend", "interpreted", "-q", "-o", tmp_path / output]
    environment = os.environ | {"POLARS_MAX_THREADS": "2"}
    ran = subprocess.run(
        [sys.executable, "-c", limited, *arguments], env=environment, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(boruvka.read(tmp_path / output).w) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not count addresses")
def test_errors_of_memory_name_a_limit_of_addresses(refuse, monkeypatch, graph_file):
    def fail(*arguments, **keywords):
        raise MemoryError("cannot allocate")

    monkeypatch.setattr("boruvka.trees.minimum_spanning.minimum_spanning_forest", fail)
    refuse("not enough memory: cannot allocate\n", "solve", graph_file)
    monkeypatch.setattr("boruvka.runtime.processors._address_limit", lambda: 1 << 40)
    refuse("cannot allocate; a limit of addresses (ulimit -v) allows 1048576M, which", "solve", graph_file)
