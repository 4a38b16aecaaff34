"""A program in a pseudo-terminal of its own, as the foreground job of a shell, and what it has drawn there."""

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

LIMIT = 60.0
SEQUENCE = re.compile(rb"\x1b\[(\??)([0-9;]*)([A-Za-z])|\x1b")


class Screen:
    """The rows of a terminal's window, from the sequences that `watch` uses; any other is an error."""

    def __init__(self, columns: int, rows: int):
        self.is_alternate = False
        self.has_cursor = True
        self.bytes = b""
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.height = columns, rows
        self.rows, self.row, self.column = [""] * rows, 0, 0

    def feed(self, data: bytes) -> None:
        self.bytes += data
        while self.bytes:
            if self.bytes[0] == 0x1B:
                if not (found := SEQUENCE.match(self.bytes)) or not found[3]:
                    assert len(self.bytes) < 20, f"an unknown sequence: {self.bytes[:20]!r}"
                    return
                self.obey(found[1].decode(), found[2].decode(), found[3].decode())
                self.bytes = self.bytes[found.end():]
                continue
            text, escape, rest = self.bytes.partition(b"\x1b")
            # A character that is cut waits for its end.
            cut = next((n for n in (1, 2, 3) if n <= len(text) and text[-n] >= 0xC0), 0) if not escape else 0
            self.bytes = text[len(text) - cut:] + escape + rest
            self.write(text[:len(text) - cut].decode(errors="replace"))
            if cut:
                return

    def obey(self, private: str, numbers: str, final: str) -> None:
        match private + final, numbers:
            case "H", "": self.row, self.column = 0, 0
            case "K", "": self.rows[self.row] = self.rows[self.row][:self.column]
            case "J", "": self.rows[self.row:] = [self.rows[self.row][:self.column], *[""] * (self.height - self.row - 1)]
            case "m", _: pass
            case ("?h" | "?l"), "1049": self.is_alternate = final == "h"
            case ("?h" | "?l"), "25": self.has_cursor = final == "h"
            case _: raise AssertionError(f"an unknown sequence: {private}{numbers}{final}")

    def write(self, text: str) -> None:
        for character in text:
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, self.height - 1)
            else:
                # What was drawn for a window that was wider is cut off.
                row = self.rows[self.row].ljust(self.column)
                self.rows[self.row] = (row[:self.column] + character + row[self.column + 1:])[:self.columns]
                self.column += 1


class Terminal:
    """A session with a terminal, in which a shell runs one program in the foreground."""

    def __init__(self, arguments: list[str], folder: Path, columns: int = 60, rows: int = 20, **settings: str):
        self.master, self.slave = os.openpty()
        self.screen = Screen(columns, rows)
        self.resize(columns, rows)
        self.before = self.settings
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        self.errors = (folder / "errors.txt").open("w+")
        self.shell = subprocess.Popen(
            [sys.executable, __file__, *arguments], start_new_session=True, stdin=self.slave, stdout=self.slave,
            stderr=self.errors, env=environment | {"TERM": "xterm-256color"} | settings, cwd=folder)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_) -> None:
        began = re.search(r"^shell: began (\d+)$", self.told, re.M)
        if began and "shell: ended" not in self.told:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(int(began[1]), signal.SIGKILL)
        self.shell.kill()
        self.shell.wait(LIMIT)
        for descriptor in (self.master, self.slave):
            os.close(descriptor)
        self.errors.close()

    @property
    def settings(self) -> list:
        """The terminal's settings: its modes and characters."""
        return termios.tcgetattr(self.slave)

    @property
    def is_raw(self) -> bool:
        return not self.settings[3] & (termios.ECHO | termios.ICANON)

    def resize(self, columns: int, rows: int) -> None:
        """Changes the window's size, which the foreground job gets SIGWINCH of."""
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def signal(self, number: int) -> None:
        """Sends the job in the foreground a signal, as from elsewhere."""
        os.killpg(os.tcgetpgrp(self.master), number)

    def until(self, isSo, what: str = "") -> None:
        """Draws what comes until something is so; fails where it never is."""
        deadline = time.monotonic() + LIMIT
        while not isSo(self):
            if select.select([self.master], [], [], 0.05)[0]:
                self.screen.feed(os.read(self.master, 1 << 16))
            elif time.monotonic() > deadline:
                raise AssertionError(f"{what} never came; errors: {self.told!r}; the window:\n" + "\n".join(self.screen.rows))

    @property
    def told(self) -> str:
        """Standard error: the program's, and a line of the shell's for each end and each stop of it."""
        return Path(self.errors.name).read_text()

    def shows(self, *rows: str) -> None:
        """Waits until the window has these texts in its rows, in this order."""
        wanted = re.compile(".*".join(map(re.escape, rows)), re.S)
        self.until(lambda self: wanted.search("\n".join(self.screen.rows)), f"{rows}")

    def tells(self, line: str) -> None:
        """Waits for a line of standard error."""
        self.until(lambda self: line in self.told.splitlines(), line)


def shell(arguments: list[str]) -> None:
    """Runs a job as a shell with job control does, and leads it back to the foreground at SIGUSR1, to the background at
    SIGUSR2."""

    def foreground(group: int) -> None:
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, group)

    def begin() -> None:
        os.setpgid(0, 0)
        foreground(os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])

    def say(text: str) -> None:
        print(f"shell: {text}", file=sys.stderr, flush=True)

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGUSR2])
    job = subprocess.Popen(arguments, preexec_fn=begin)
    say(f"began {job.pid}")
    stops = 0
    while True:
        _, status = os.waitpid(job.pid, os.WUNTRACED)
        foreground(os.getpgrp())
        if not os.WIFSTOPPED(status):
            return say(f"ended {os.waitstatus_to_exitcode(status)}")
        stops += 1
        say(f"stopped {stops}")
        if signal.sigwait([signal.SIGUSR1, signal.SIGUSR2]) == signal.SIGUSR1:
            foreground(job.pid)
        os.killpg(job.pid, signal.SIGCONT)


if __name__ == "__main__":
    shell(sys.argv[1:])
