"""Run the command line: ``python -m boruvka``."""

import sys

from boruvka.cli.main import main

sys.exit(main())
