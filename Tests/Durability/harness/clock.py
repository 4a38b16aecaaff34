"""Puts `clock.c` between a server and the machine's wall clock, and sets it."""

import mmap
import struct
from pathlib import Path

from harness.disk import compiled


class Clock:
    """A server's clock, which goes as the machine's until it is set: `environment` is for the server's process."""

    def __init__(self, library: Path, control: Path):
        control.write_bytes(bytes(8))
        with control.open("r+b") as file:
            self._control = mmap.mmap(file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_CONTROL": str(control)}

    def set(self, ahead: float) -> None:
        """Has it be so many seconds ahead of the machine's, or behind for a negative number."""
        struct.pack_into("<q", self._control, 0, round(ahead * 1e9))


def library(folder: Path) -> Path:
    """What `Clock` loads, compiled to a folder."""
    return compiled(folder, "clock")
