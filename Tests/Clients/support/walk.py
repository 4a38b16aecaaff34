"""A reader of a document: commands are taken out of it and run in their order in a fresh folder, on one server, and what the
text says is printed is compared. Numbers, times and made names differ from run to run and are not compared."""

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .documents import section
from .ports import free_port

LIST = Path("/usr/share/iso-codes/json/iso_3166-2.json")
needs_list = pytest.mark.skipif(not LIST.exists(), reason="no ISO 3166-2 here (Config/setup demo)")
README = "README.md"


def alike(text: str) -> str:
    """The text without what differs from run to run."""
    text = re.sub(r"(?m)^\d{4}-\S+Z info: .*\n", "", text)
    text = re.sub(r"msg_\w+", "msg_…", text)
    text = re.sub(r"\d+(,\d{3})*(\.\d+)?", "0", text)
    return text.strip()


class Walk:
    """A reader with a terminal for the server, one for what goes on beside it, and one for the commands."""

    def __init__(self, program: str, folder: Path):
        self.program, self.folder, self.place, self.director = program, folder, folder, ""
        self.port, self.listener = free_port(), free_port()
        self.running: list[subprocess.Popen] = []
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")} | {
            "CALLBOARD_SERVER": f"http://127.0.0.1:{self.port}", "CALLBOARD_SERVER_PORT": str(self.port), "PROGRAM": program,
            "CALLBOARD_FEED_RETRY_MIN": "100", "CALLBOARD_FEED_RETRY_MAX": "200", "LC_ALL": "C.UTF-8"}

    def here(self, text: str) -> str:
        """The commands with the ports of this run."""
        return text.replace(":8080", f":{self.port}").replace("9000", str(self.listener))

    def begin(self, command: str, log: str, until: str) -> None:
        """Has a command go on beside the others, once it has printed `until`."""
        path = self.folder / log
        with path.open("ab") as file:
            self.running.append(subprocess.Popen(
                ["bash", "-c", f'callboard() {{ exec "$PROGRAM" "$@"; }}\n{self.here(command)}'], cwd=self.folder, stdout=file,
                stderr=subprocess.DEVNULL, env=self.environment, start_new_session=True))
        self.wait_for(log, until)

    def wait_for(self, log: str, text: str) -> str:
        """What a command beside the others has printed, once `text` is in it."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if text in (printed := (self.folder / log).read_text()):
                return printed
            select.select([], [], [], 0.02)
        raise AssertionError(f"{text!r} is not in {log}:\n{printed}")

    def run(self, commands: str) -> str:
        """What commands print; each has to succeed, and no request is refused."""
        for name in re.findall(r"^D=(\S+)$", commands, re.M):
            self.director = name
        script = ('callboard() { "$PROGRAM" "$@"; }\ncurl() { command curl --fail-with-body --silent --show-error --max-time 20 "$@"; }\n'
                  f"D={self.director}\n{commands}")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", self.here(script)], cwd=self.place, env=self.environment, text=True,
                              capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
        for folder in re.findall(r"^cd (\S+)$", commands, re.M):
            self.place = Path(folder)
        return done.stdout

    def compare(self, console: str) -> None:
        """Runs the commands of a console's example, and compares what each prints with what stands below it."""
        for step in re.split(r"^\$ ", console, flags=re.M)[1:]:
            command, _, expected = step.partition("\n")
            assert alike(self.run(command)) == alike(expected), command

    def end_last(self) -> None:
        """Ends what was begun last, as Ctrl-C does."""
        os.killpg(self.running[-1].pid, signal.SIGINT)
        self.running[-1].wait(20)

    def end(self) -> None:
        for process in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def walk(program, tmp_path):
    walk = Walk(program, tmp_path)
    walk.begin("callboard serve", "server", "listening on")
    yield walk
    walk.end()


def read(page: str, title: str, language: str) -> list[str]:
    """The examples of a section in a language, in their order; those in none are what a program prints."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", section(page, title), re.M | re.S)
    return [text for name, text in found if name == language]


def steps(page: str, title: str, number: int = 0) -> list[tuple[str, str]]:
    """The commands of a section's console, each with what it prints."""
    console = [text for text in read(page, title, "console") if text.startswith("$ ")][number]
    return [tuple(step.split("\n", 1)) for step in re.split(r"^\$ ", console, flags=re.M)[1:]]
