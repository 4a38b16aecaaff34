"""schemathesis reads /openapi.json and holds the server to it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx

# Fixed, so that two runs of one commit try the same; another one may be given to look further.
SEED = os.environ.get("CALLBOARD_SCHEMATHESIS_SEED", "20080716")
EXAMPLES = os.environ.get("CALLBOARD_SCHEMATHESIS_EXAMPLES", "30")
LIMIT = 900


def test_the_server_keeps_to_its_own_description(start, tmp_path):
    server = start(FEED_HEARTBEAT="1")
    print(f"seed: CALLBOARD_SCHEMATHESIS_SEED={SEED}")
    program = Path(sys.executable).parent / "schemathesis"
    command = [
        str(program), "--config-file", str(Path(__file__).parent / "schemathesis.toml"),
        "run", f"{server.url}/openapi.json", "--checks", "all", "--seed", SEED, "--max-examples", EXAMPLES,
        "--generation-database", "none", "--no-color",
    ]
    result = subprocess.run(
        command, cwd=tmp_path, timeout=LIMIT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(result.stdout)
    assert result.returncode == 0, "schemathesis found failures (above)"
    tested = re.search(r"Operations:\s+(\d+) selected", result.stdout) or re.search(r"(\d+) tested", result.stdout)
    assert tested and int(tested.group(1)) > 20, "schemathesis tested next to nothing"
    assert httpx.get(f"{server.url}/livez", trust_env=False).status_code == 200, "the server is alive afterwards"
