"""The JavaScript client's own tests, in Node, with the one file that the server serves, and which is made of the sources."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def test_the_client_in_node(program, tool):
    node = tool("node", "nodejs")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.match(r"v(\d+)", version).group(1)) < 20:
        pytest.skip(f"node is {version.strip()}, and the client needs 20 (Debian 13: apt-get install nodejs)")
    client = (CHECKOUT / "Sources/WebAssets/served").as_uri() + "/"
    environment = os.environ | {"CALLBOARD_BIN": program, "CALLBOARD_CLIENT": client}
    done = subprocess.run(
        [node, "--test", "Tests/WebClient"], cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    print(done.stdout[-20000:], done.stderr[-5000:])
    assert done.returncode == 0 and re.search(r"^# pass [1-9]\d", done.stdout, re.M)


def test_the_served_client_is_made_of_its_sources():
    done = subprocess.run([sys.executable, "Config/assets", "--check"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
