"""Completion of command lines, as click's scripts for shells ask for it."""

import os
import shutil
import subprocess
import sys

import pytest

PROGRAM = "import sys\nfrom boruvka.cli.main import main\nsys.exit(main())\n"
SHELLS = ["bash", "zsh", "fish"]


def completions(*words):
    """Return the completions of the last word."""
    words = ("boruvka", *words)
    asked = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    env = {**os.environ, **asked, "_BORUVKA_COMPLETE": "bash_complete"}
    process = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
    return [line.partition(",")[2] for line in process.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["so"], ["solve"]),
        (["generate", "g"], ["grid", "geometric"]),
        (["solve", "--algorithm", "filter"], ["filter-boruvka", "filter-kruskal"]),
        (["solve", "--backend", "m"], ["mpi"]),
        (["convert", "--to", "mat"], ["matrix", "matrix-market"]),
        (["verify", "--forest-format", "gra"], ["graphml"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_words_are_completed(words, found):
    assert sorted(completions(*words)) == sorted(found)


@pytest.fixture
def script_folder(tmp_path):
    """A folder with the program ``boruvka``, for PATH."""
    script = tmp_path / "boruvka"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom boruvka.cli.main import main\nsys.exit(main())\n"
    )
    script.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_of_shells(shell, script_folder):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    env = {**os.environ, "PATH": f"{script_folder}{os.pathsep}{os.environ['PATH']}"}
    if shell == "fish":
        setup = "env _BORUVKA_COMPLETE=fish_source boruvka | source; complete -C 'boruvka gen'"
    elif shell == "bash":
        setup = (
            'eval "$(_BORUVKA_COMPLETE=bash_source boruvka)"; COMP_WORDS=(boruvka gen); COMP_CWORD=1; '
            '_boruvka_completion boruvka; echo "${COMPREPLY[@]}"'
        )
    else:
        setup = (
            'autoload -Uz compinit && compinit -u -D; eval "$(_BORUVKA_COMPLETE=zsh_source boruvka)"; '
            'echo "${_comps[boruvka]}" generate'
        )
    process = subprocess.run([shell, "-c", setup], env=env, capture_output=True, text=True)
    assert "generate" in process.stdout, process.stderr
    assert process.returncode == 0
