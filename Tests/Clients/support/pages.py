"""A folder of pages on a port, as Python's own web server gives it."""

import contextlib
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PATIENCE = 60.0


def until(condition):
    """What the condition gives, once it is something."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.05)
    return value


@contextlib.contextmanager
def served(folder: Path, port: int):
    """Serves the folder for as long as the context lasts."""

    def answers() -> bool:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://localhost:{port}/").close()
            return True
        return False

    process = subprocess.Popen([sys.executable, "-m", "http.server", str(port)], cwd=folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(answers)
        yield
    finally:
        process.terminate()
        process.wait(10)
