"""A pseudo-terminal as standard error of this process, to see what is drawn there."""

import contextlib
import os
import pty
import sys
import threading


@contextlib.contextmanager
def terminal(monkeypatch):
    """Replace standard error by a terminal on which bars appear at once; collect what is drawn."""
    from boruvka.runtime import progress

    monkeypatch.setattr(progress, "DELAY", 0)
    monkeypatch.setenv("COLUMNS", "100")
    leader, follower = pty.openpty()
    drawn = bytearray()

    def collect():
        with contextlib.suppress(OSError):  # the other end is closed
            while chunk := os.read(leader, 4096):
                drawn.extend(chunk)

    reader = threading.Thread(target=collect)
    reader.start()
    try:
        with open(follower, "w") as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", stream)
            yield drawn
    finally:
        reader.join()
        os.close(leader)
