"""Commands that read a graph and write files, but none that is an input or another output."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from glob import has_magic
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from boruvka.cli.inputs import DATE, POINT_OPTIONS, READ_OPTIONS, Input
from boruvka.cli.options import FILE_PATH, OUTPUT_FORMAT, QUIET, STANDARD_STREAM, OutputPath
from boruvka.cli.outputs import Output, output_options
from boruvka.errors import FileError, OptionError

OTHER_WORDS = {
    **dict.fromkeys(("--weight", "--weights"), "write --columns u,v,weight, or --columns weight for a map"),
    **dict.fromkeys(("--source", "--target"), "write --columns u,v,weight"),
    **dict.fromkeys(
        ("--clusters", "--n-clusters", "--cut", "--cut-at", "--threshold", "--height"),
        "boruvka clusters FILE --at WEIGHT,... or -k NUMBER -o clusters.csv finds clusters; plot, solve and "
        "network take --collapse-at WEIGHT, which makes one vertex of each",
    ),
    **dict.fromkeys(("--sep", "--delimiter"), "the separator is recognised: leave it out"),
    "--start": "write boruvka plot FILE --algorithm prim --start NAME -o steps.gif",
    "--required": "boruvka solve takes it; in Python, forest.animate(file) shows the steps of its forest",
    **dict.fromkeys(("--prices", "--returns"), "write --format prices, or --format returns"),
    "--memory": "it is for solve and verify: write boruvka solve FILE --memory SIZE -o forest.parquet, then "
    "this command for forest.parquet, which lacks vertices that have no edge, or only loops",
    "--hdbscan": "write boruvka clusters FILE --points --min-cluster-size NUMBER -o clusters.csv",
    "--ranked": "boruvka ranked FILE -k NUMBER lists the best trees",
    "--network": "boruvka network FILE finds it, and boruvka plot FILE --network -o net.png draws it",
}
"""Options that users look for, and what to write instead."""


class FileCommand(click.Command):
    """A command with options of its input and output, which checks its outputs before it computes anything.

    Outputs are the parameters of type `OUTPUT_PATH`, and standard output where a report is printed. All other
    parameters whose value is a path, or has an attribute ``path``, are inputs.

    Parameters
    ----------
    reads : str
        The argument that names a file with a graph. The function of the command gets an `Input` for it.
    takes_points : bool
        Whether this file may hold points.
    writes : str
        The noun for what ``--output`` writes, in the help. The function gets an `Output`, its argument
        ``target``.
    has_report : bool
        Whether the command prints a report.
    params : sequence of click.Parameter
        More parameters.
    """

    def __init__(
        self,
        name: str | None,
        reads: str = "",
        takes_points: bool = False,
        writes: str = "",
        has_report: bool = True,
        params: Sequence[click.Parameter] = (),
        **more: Any,
    ):
        self.reads, self.writes, self.has_report = reads, writes, has_report
        takes_several = takes_points and not any(isinstance(each, click.Argument) for each in params)
        how: dict[str, Any] = {
            "nargs": -1 if takes_several else 1,
            "metavar": reads.upper(),
            "required": True,
        }
        file = [click.Argument([reads], type=FILE_PATH, **how)] if reads else []
        outputs = output_options(writes) if writes else []
        writes_edges = writes or OUTPUT_FORMAT in params
        taken = [option for option in READ_OPTIONS if writes_edges or option.name != "keep"]
        read_options = [*taken, DATE, *(POINT_OPTIONS if takes_points else ())] if reads else []
        super().__init__(name, params=[*file, *outputs, *params, QUIET, *read_options], **more)

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Read the options, of which few can be repeated; errors say what to write."""
        own = (x for x in self.params if isinstance(x, click.Option) and not x.is_flag)
        default = {name: x.flag_value for x in own for name in x.opts if isinstance(x.flag_value, str)}
        for i, (word, following) in enumerate(pairwise(args)):  # a file is no value of such an option
            if word in default and (following == "-" or os.path.exists(following)):
                args[i] = f"{word}={default[word]}"
        try:
            for option, count in Counter(self.make_parser(context).parse_args([*args])[2]).items():
                is_switch = getattr(option, "is_flag", True) and not option.secondary_opts
                if count > 1 and not (is_switch or option.multiple or context.resilient_parsing):
                    several = "write it once; where it takes several values, commas are between them"
                    raise click.UsageError(f"{option.opts[-1]} is given {count} times: {several}", context)
            rest = super().parse_args(context, [*args])
            others = _paths_of(context.params.get(self.reads))[1:]
            are_files = all(x == STANDARD_STREAM or x.suffix[1:].isalpha() or x.exists() for x in others)
            if others and not (context.params.get("is_profiles") and are_files):
                listed = " ".join(map(str, others))
                raise click.UsageError(f"Got unexpected extra argument ({listed})", context)
            return rest
        except click.NoSuchOption as error:
            if self.reads and (text := OTHER_WORDS.get(error.option_name)):
                raise click.UsageError(f"no such option {error.option_name}: {text}", context) from None
            raise
        except click.UsageError as error:
            if "unexpected extra" not in error.message or not self.reads:
                raise
            advice = "write commas between the values of an option, as --columns u,v,w; several files are "
            advice += "joined by cat, or are a folder of Parquet files"
            (extra,) = re.findall(r"\((.*)\)$", error.message)
            if extra.isdecimal() and "k" in {option.name for option in self.params}:
                advice = f"write -k {extra}"
            raise click.UsageError(f"{error.message}: {advice}", context) from None

    def invoke(self, context: click.Context) -> Any:
        """Run the command, unless an output would be lost, or an input overwritten."""
        files = [
            (parameter, path)
            for parameter in self.params
            for path in _paths_of(context.params.get(parameter.name or ""))
        ]
        for output, path in files:
            if isinstance(output.type, OutputPath) and (other := _overwritten_by(path, files, output)):
                shown = "standard output" if path == STANDARD_STREAM else path
                raise OptionError(f"{shown} is also {other}, which would be overwritten: name another file")
        is_quiet = context.params["quiet"] and not context.params.get("as_json")
        streams = context.params.get("output"), context.params.get("log")
        prints = self.has_report and not is_quiet and STANDARD_STREAM not in streams
        if prints and (other := _overwritten_by(STANDARD_STREAM, files)):
            raise OptionError(
                f"standard output, where the report is printed, is also {other}: redirect it to another file"
            )
        given = {name: value for name, value in context.params.items() if name != "quiet"}
        keep = given.get("keep", ())
        if self.reads:
            path, *others = _paths_of(given[self.reads])
            given[self.reads] = Input.of(path, given, tuple(others))
        if self.writes:
            given["target"] = Output.of(given)._replace(keep=keep)
        assert self.callback is not None
        return context.invoke(self.callback, **given)


def _paths_of(value: Any) -> list[Path]:
    values = value if type(value) is tuple else (value,)
    return [path for each in values if isinstance(path := getattr(each, "path", each), Path)]


def _overwritten_by(
    output: Path, files: Sequence[tuple[click.Parameter, Path]], its_parameter: click.Parameter | None = None
) -> str | None:
    """Return the name of another parameter whose files an output would overwrite; None if there is none."""
    for parameter, path in files:
        if parameter is its_parameter:
            continue
        is_output = isinstance(parameter.type, OutputPath)
        if any(_are_same(file, is_output, output) for file in _files_of(path)):
            is_option = isinstance(parameter, click.Option)
            return parameter.opts[-1] if is_option else parameter.human_readable_name
    return None


def _files_of(path: Path) -> list[Path]:
    """List what a path names: itself, the files of a folder or pattern, and the files of a checkpoint."""
    if path == STANDARD_STREAM or path.is_file() or not (path.is_dir() or has_magic(str(path))):
        return [path]
    from boruvka.formats.binary.parquet import parquet_files
    from boruvka.stream.checkpoint import MAGICS

    files = [path, *(path / name for name in MAGICS)]
    with suppress(FileError):  # there are no others
        files += map(Path, parquet_files(str(path)) or ())
    return files


def _are_same(path: Path, is_output: bool, output: Path) -> bool:
    """Return whether two paths lead to one file; a device can be read and written at once."""
    if is_output and path == output == STANDARD_STREAM:
        return False  # which `Output.check` explains
    found, target = _status(path, is_output), _status(output, True)
    if found is not None and target is not None:
        return stat.S_ISREG(target.st_mode) and os.path.samestat(found, target)
    return STANDARD_STREAM not in (path, output) and os.path.realpath(path) == os.path.realpath(output)


def _status(path: Path, is_output: bool) -> os.stat_result | None:
    """Return what the system knows of a file, or of the file to which a standard stream is redirected."""
    try:
        return os.fstat(int(is_output)) if path == STANDARD_STREAM else path.stat()
    except (OSError, ValueError):
        return None
