from pathlib import Path

import pytest

from boruvka.bench.contestants.program import read_programs
from boruvka.errors import FileError, FormatError

ENTRY = 'command = "x {input}"\nformat = "pbbs"\nweight = "(.)"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a\n", "line 1"),
        ("a = 1\n", r"\[a\] is '1', not a table"),
        ('[a]\nformat = "pbbs"\n', r"\[a\] has no 'command'"),
        ("[a]\n" + ENTRY + "speed = 1\n", r"\[a\] has an unknown 'speed'"),
        ("[a]\n" + ENTRY.replace("pbbs", "mp3"), "there is no format 'mp3'"),
        ("[a]\n" + ENTRY.replace("{input}", "{graph}"), "command takes {input}"),
        ("[a]\n" + ENTRY.replace("{input}", "{0}"), "command takes {input}"),
        ("[a]\n" + ENTRY.replace('"x {input}"', '"\'x"'), "command takes {input}.*No closing quotation"),
        ("[a]\n" + ENTRY.replace("x {input}", ""), "command is empty"),
        ("[a]\n" + ENTRY.replace('"x {input}"', "3"), "\\[a\\].command is '3', not a text"),
        ("[a]\n" + ENTRY.replace("(.)", "."), "weight must have one group"),
        ("[a]\n" + ENTRY.replace("(.)", "("), "weight is no regular expression"),
        ("[a]\n" + ENTRY.replace("weight", "seconds"), "so that it can be checked"),
        ("[a]\n" + ENTRY + 'answer = "graph"\n', "answer must be 'edge-ids'"),
        ("[a]\n" + ENTRY + "environment = {A = 1}\n", r"\[a\].environment.A is '1', not a text"),
        ("[a]\n" + ENTRY + 'environment = {A = "{input}"}\n', "environment takes {threads} only"),
        ("[a]\n" + ENTRY + 'weights = "int32"\n', r"\[a\].weights is 'int32', not a list"),
        ("[a]\n" + ENTRY + "accuracy = -1\n", "accuracy must not be negative"),
    ],
)
def test_malformed_files(text, message, tmp_path):
    path = tmp_path / "peers.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_programs(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_files_that_are_right(tmp_path):
    path = tmp_path / "peers.toml"
    path.write_text(f"[one]\n{ENTRY}\n[two]\n{ENTRY}version = '7'\n")
    assert [(name, p.version) for name, p in read_programs(path).items()] == [("one", ""), ("two", "7")]
    with pytest.raises(FileError, match="No such file"):
        read_programs(tmp_path / "missing.toml")


def test_the_example_of_the_readme(tmp_path):
    readme = Path(__file__).parents[2] / "docs" / "measuring.md"
    path = tmp_path / "peers.toml"
    path.write_text(readme.read_text().split("```toml\n")[1].split("```")[0])
    (program,) = read_programs(path).values()
    assert program.parallel
    assert program.answer == "edge-ids"
