"""Programs that stand in for those of the system, so that a script can be run without changing the machine."""

import os
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]


class Fakes:
    """A folder of programs that come first in PATH."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.calls = folder / "calls"
        self.calls.touch()

    def add(self, name: str, script: str) -> None:
        """Adds a program; what follows its first line is bash, in which $CALLS is the file of `called`."""
        path = self.folder / name
        path.write_text(f"#!/bin/bash\nCALLS={self.calls}\n{script}\n")
        path.chmod(0o755)

    def add_debian(self, installed: str = "*", available: str = "*") -> None:
        """Adds Debian's tools for packages: what is there, what the release has, as patterns with `|`; apt-get only
        notes what it is told, and sudo does what it is told without a password."""
        self.add("dpkg-query", f'case "${{@: -1}}" in {installed}) echo installed ;; *) exit 1 ;; esac')
        self.add(
            "apt-cache",
            f'echo "$2:"; case "$2" in {available}) echo "  Candidate: 1.0" ;; *) echo "  Candidate: (none)" ;; esac')
        self.add("apt-get", 'echo "apt-get $*" >>"$CALLS"')
        self.add("sudo", 'while [[ "$1" == -* ]]; do shift; done; exec "$@"')

    def called(self) -> list[str]:
        """What was noted, a call on a line."""
        return self.calls.read_text().splitlines()

    def environment(self, **more: str) -> dict[str, str]:
        """The environment in which these programs come first."""
        return os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}", "NO_COLOR": "1"} | more

    def run(self, *command: str, **more: str) -> subprocess.CompletedProcess:
        """Runs a script of the checkout, such as `Config/setup`, with these programs."""
        return subprocess.run(
            [str(CHECKOUT / command[0]), *command[1:]], env=self.environment(**more), text=True, timeout=60,
            capture_output=True)
