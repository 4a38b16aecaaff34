"""Puts `disk.c` between a server and its disk, and speaks to it."""

import contextlib
import mmap
import random
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

WRITES, SYNCS, SIZES = 1, 2, 4
ENTRY = struct.Struct("<IIqqqq")
CONTROL_SIZE = 32


class NoCompiler(Exception):
    """There is no C compiler to make the shim with."""


def compiled(folder: Path, name: str = "disk") -> Path:
    """The shim of a name as a shared object in `folder`, compiled where it is not there yet."""
    source, target = Path(__file__).with_name(f"{name}.c"), folder / f"{name}.so"
    if not target.exists():
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler is None:
            raise NoCompiler("no C compiler (Debian: apt-get install gcc libc6-dev)")
        subprocess.run(
            [compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", target, source,
             "-ldl", "-lpthread"], check=True)
    return target


class Disk:
    """A server's disk under control: `environment` is for the server's process.

    `records` keeps account of every change, for `lose_power`; it costs time, so it is only on where that is wanted.
    """

    def __init__(self, folder: Path, data: Path, records: bool = False):
        self.data, self.record = data, folder / "changes.bin" if records else None
        control = folder / "control.bin"
        control.write_bytes(bytes(CONTROL_SIZE))
        with control.open("r+b") as file:
            self._control = mmap.mmap(file.fileno(), CONTROL_SIZE)
        self.environment = {
            "LD_PRELOAD": str(compiled(folder)), "DISK_FOLDER": str(data), "DISK_CONTROL": str(control)}
        if self.record:
            self.environment["DISK_RECORD"] = str(self.record)

    def fail(self, error: int, kinds: int, after: int = 0, partial: bool = False) -> None:
        """From the call after the next `after` ones on, calls of these kinds fail with this errno."""
        # The errno last: it is what switches the rest on.
        struct.pack_into("<6i", self._control, 0, 0, kinds, after, partial, 0, 0)
        struct.pack_into("<i", self._control, 0, error)

    def heal(self) -> None:
        """Nothing fails any more."""
        struct.pack_into("<i", self._control, 0, 0)

    @property
    def failed(self) -> int:
        """How many calls have failed since `fail`."""
        return struct.unpack_from("<i", self._control, 16)[0]

    @property
    def passed(self) -> int:
        """How many calls have been let through."""
        return struct.unpack_from("<i", self._control, 20)[0]

    def lose_power(self, rng: random.Random) -> int:
        """Acts out a loss of power on the folder of a process that was killed: how many changes were at stake."""
        unsynced: list[Change] = []
        for change in changes(self.record.read_bytes() if self.record.exists() else b""):
            if change.kind == SYNCS:
                unsynced = [each for each in unsynced if each.path != change.path]
            else:
                unsynced.append(change)
        unsynced = [each for each in unsynced if each.path.exists()]
        for change in reversed(unsynced):
            change.undo()
        fate = rng.choice(["nothing", "some", "beginning"])
        reached = rng.randint(0, len(unsynced))
        for index, change in enumerate(unsynced):
            if fate == "some" and rng.random() < 0.5 or fate == "beginning" and index < reached:
                change.redo()
        for shared in self.data.glob("*-shm"):
            shared.unlink()
        self.record.unlink(missing_ok=True)
        return len(unsynced)

    def close(self) -> None:
        with contextlib.suppress(BufferError):
            self._control.close()


@dataclass
class Change:
    """One recorded change of a file, or its sync."""

    kind: int
    path: Path
    offset: int
    old_size: int
    old: bytes
    new: bytes

    def undo(self) -> None:
        """Puts back what stood there."""
        with self.path.open("r+b") as file:
            file.seek(self.offset)
            file.write(self.old)
            file.truncate(self.old_size)

    def redo(self) -> None:
        """Makes the change after all."""
        with self.path.open("r+b") as file:
            if self.kind == SIZES:
                file.truncate(self.offset)
            else:
                file.seek(self.offset)
                file.write(self.new)


def changes(content: bytes):
    """The entries of a record, in order."""
    place = 0
    while place + ENTRY.size <= len(content):
        kind, path_length, offset, old_size, old_length, new_length = ENTRY.unpack_from(content, place)
        path, old, new = (place + ENTRY.size, place + ENTRY.size + path_length,
                          place + ENTRY.size + path_length + old_length)
        place = new + new_length
        if place > len(content):
            return
        yield Change(kind, Path(content[path:old].decode()), offset, old_size, content[old:new], content[new:place])
