"""A terminal of our own, to see what a person would."""

import os
import pty
import subprocess


def run_on_terminal(command, **options):
    """Run a command whose standard error is a terminal; return exit status, output, and what was drawn."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, env=environment, **options)
    os.close(follower)
    drawn = b""
    try:
        while chunk := os.read(leader, 4096):
            drawn += chunk
    except OSError:  # the other end is closed
        pass
    out, _ = process.communicate()
    os.close(leader)
    return process.returncode, out, drawn
