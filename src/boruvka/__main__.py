"""Run the command line: ``python -m boruvka``."""

import sys

from boruvka.cli import main

sys.exit(main())
