"""Puts `counts.c` under a server, and reads what it has counted."""

import mmap
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

SIZE = 24


@dataclass
class Counts:
    """What a server has allocated and retained: since it began, or for one request."""

    allocations: float
    retains: float

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(self.allocations - other.allocations, self.retains - other.retains)

    def __truediv__(self, number: float) -> "Counts":
        return Counts(self.allocations / number, self.retains / number)


class Counter:
    """A file that a server counts into; `environment` is for its process."""

    def __init__(self, folder: Path, compiler: str):
        library, file = folder / "counts.so", folder / "counts.bin"
        subprocess.run(
            [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
             Path(__file__).with_name("counts.c")], check=True)
        file.write_bytes(bytes(SIZE))
        with file.open("r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), SIZE)
        self.environment = {"LD_PRELOAD": str(library), "COUNTS_FILE": str(file)}

    def read(self) -> Counts:
        """What was counted so far; releases are as many as retains and allocated objects, and are left out."""
        return Counts(*struct.unpack("<3q", self._shared[:])[:2])

    def close(self) -> None:
        self._shared.close()
