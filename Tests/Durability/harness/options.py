"""Command-line options that the programs share."""

import argparse
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def parser_of(description: str, folder: str) -> argparse.ArgumentParser:
    """A parser with `--binary`, `--seed` and `--folder`; `folder` says what is in there."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32),
                        help="what is drawn from (default: another one each time)")
    parser.add_argument("--folder", type=Path, help=f"where {folder} (default: a temporary folder)")
    return parser


def begin_run(options: argparse.Namespace, name: str) -> Path:
    """The run's folder, of which the seed and the place are printed."""
    folder = (options.folder or Path(tempfile.mkdtemp(prefix=f"callboard-{name}-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    # A database's user has to reach its folder.
    folder.chmod(0o755)
    print(f"seed {options.seed}, in {folder}", flush=True)
    return folder


def end_run(folder: Path, faults: list[str], text: str, again: str = "") -> int:
    """Prints what is to be shown; the exit status. The folder stays where there are faults, with what says how to have them
    again."""
    print(text)
    if faults:
        print("\n".join([*(f"- {fault}" for fault in faults), *([again] if again else [])]))
        return 1
    shutil.rmtree(folder)
    return 0


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
