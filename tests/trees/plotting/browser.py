"""A browser without a window, for pages."""

import shutil
import subprocess

import pytest


def chromium(*arguments):
    """Run a browser without a window, and without a network."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--no-first-run"]
    flags += [
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr",
        "--virtual-time-budget=5000",
    ]
    return subprocess.run([program, *flags, *arguments], capture_output=True, text=True, timeout=120)
