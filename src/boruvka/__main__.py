"""The program ``boruvka``, which ``python -m boruvka`` also runs."""

import sys


def main() -> int:
    """Run the command line; an interrupt ends it in the same way while its modules are imported."""
    try:
        from boruvka.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
