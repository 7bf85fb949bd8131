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
    except ImportError as error:  # of a library that cannot be loaded
        print(f"error: {error}".splitlines()[0], file=sys.stderr)
        return 70


if __name__ == "__main__":
    sys.exit(main())
