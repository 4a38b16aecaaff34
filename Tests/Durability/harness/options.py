"""Command-line options that the programs share."""

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def add_program(parser: argparse.ArgumentParser) -> None:
    """Adds `--binary`."""
    default = os.environ.get("CALLBOARD_BIN", str(ROOT / ".build/release/callboard"))
    parser.add_argument("--binary", default=default, help=f"the callboard program (default: {default})")


def program_of(options: argparse.Namespace) -> str:
    """The program's full path; ends the process where there is none."""
    path = Path(options.binary).resolve()
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is no program; build it (swift build -c release) or name it with --binary")
    return str(path)
