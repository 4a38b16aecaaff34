"""schemathesis reads /openapi.json and holds the server to it."""

import contextlib
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from conftest import BOOK
from support import protocol
from support.access import first_token
from support.hooks import HASTY

# Fixed, so that two runs of one commit try the same; another one may be given to look further.
SEED = os.environ.get("CALLBOARD_SCHEMATHESIS_SEED", "20080716")
EXAMPLES = os.environ.get("CALLBOARD_SCHEMATHESIS_EXAMPLES", "12")
# Enough for each operation to be asked: what it answers to the right one is tried above.
RIGHT_EXAMPLES = "2"
# It runs behind the other tests, with what they leave of the processors: 95 s by itself, ten times that beside them.
LIMIT = 2100
pytestmark = pytest.mark.timeout(LIMIT + 60)


def hold(server, folder: Path, configuration: str | Path, *arguments: str, examples: str = EXAMPLES) -> None:
    """Runs schemathesis with one of the configurations beside this file; any failure of its fails the test."""
    print(f"seed: CALLBOARD_SCHEMATHESIS_SEED={SEED}")
    command = [
        str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(Path(__file__).parent / configuration),
        "run", f"{server.url}/openapi.json", "--checks", "all", "--seed", SEED, "--max-examples", examples,
        "--generation-database", "none", "--no-color", *arguments,
    ]
    # Nothing of the test's own environment: schemathesis would take a proxy or a token from it.
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    result = subprocess.run(command, cwd=folder, timeout=LIMIT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, env=environment | {"PYTHONUTF8": "1"})
    print(result.stdout)
    assert result.returncode == 0, "schemathesis found failures (above)"
    tested = re.search(r"Tested: (\d+)", result.stdout)
    assert tested and int(tested.group(1)) > 20, "schemathesis tested next to nothing"
    assert httpx.get(f"{server.url}/livez", trust_env=False).status_code == 200, "the server is alive afterwards"


def test_the_server_keeps_to_its_own_description(start, tmp_path):
    """With any names, of which most are of nothing that is there; the schemas are gone through in the next one."""
    hold(start(), tmp_path, "schemathesis.toml", "--phases", "examples,fuzzing,stateful")


def test_a_filled_director_keeps_to_the_description(start, tmp_path):
    """As before, but the addresses lead to content, so that requests get past "there is no such director"."""
    server = start(**HASTY)
    with kept_filled(server.url):
        hold(server, tmp_path, "schemathesis-filled.toml", "--phases", "examples,coverage,fuzzing")


# So each operation is refused once for its credential's grants, and once for want of one; the runs above may do all. Which right
# each takes is looked at in test_rights.py.
@pytest.mark.parametrize("right", ["read", "operate", "none"])
def test_with_one_right_the_server_keeps_to_the_description(start, tmp_path, right):
    """As before, with a token that allows one thing, or without: 401 and 403 are right answers then."""
    server = start(AUTH_MODE="required", **HASTY)
    admin = {"Authorization": f"Bearer {first_token(server)}"}
    header = []
    if right != "none":
        grant = {"actions": [right]} | ({} if right == "operate" else {"directors": ["*"]})
        answer = httpx.post(f"{server.url}/v1/tokens", json={"name": right, "grants": [grant]}, headers=admin,
                            trust_env=False)
        header = ["--header", f"Authorization: Bearer {answer.json()['token']}"]
    settings = (Path(__file__).parent / "schemathesis-filled.toml").read_text(encoding="utf-8")
    configuration = tmp_path / "schemathesis.toml"
    configuration.write_text(settings.replace('"404"', '"401", "403", "404", "429"'), encoding="utf-8")
    with kept_filled(server.url, admin):
        hold(server, tmp_path, configuration, "--phases", "examples,fuzzing", *header, examples=RIGHT_EXAMPLES)


@contextlib.contextmanager
def kept_filled(url: str, headers: dict[str, str] | None = None):
    """Keeps a director filled until the block ends."""
    done = threading.Event()
    keeper = threading.Thread(target=keep_filled, args=(url, done, headers))
    keeper.start()
    try:
        yield
    finally:
        done.set()
        keeper.join()


def keep_filled(url: str, done: threading.Event, headers: dict[str, str] | None) -> None:
    """Puts the director's content back ten times a second; what schemathesis did to it meanwhile does not matter."""
    sections = [
        {"id": "people", "elements": [{"model": "Person", "value": {"name": name}} for name in ("Ada", "Grace")]},
        {"id": "others", "headerView": "Banner", "elements": []},
        {"id": "settings", "rows": [
            {"id": "switch", "type": "constant", "cell": "SwitchCell", "value": {"label": "On"}, "height": 44},
            {"id": "friends", "type": "model", "model": "Person", "hideWhen": {"var": "variables.hidden"},
             "elements": [{"value": {"name": name}} for name in ("Ada", "Grace")]},
        ]},
    ]
    with protocol.client(base_url=url, timeout=60, headers=headers) as client:
        while True:
            client.put(BOOK, json={"kind": "table"})
            client.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
            client.put(f"{BOOK}/header-footer-adapters/Banner", json={})
            client.put(f"{BOOK}/variables/mood", json="good")
            client.put(f"{BOOK}/sections", params={"reload": "true"}, json={"sections": sections})
            # Nobody listens there, so that there are deliveries that wait and some that were given up.
            for target in ("adapters/Person/events/didSelect", "sections/settings/rows/friends/events/didSelect",
                           "sections/people/events/models", "header-footer-adapters/Banner/events/willDisplay", "events/willDisplayHeader",
                           "scroll-events/didScroll"):
                client.put(f"{BOOK}/{target}", json={"url": "http://127.0.0.1:9/", "timeout": 1})
            client.post(f"{BOOK}/events", json={"event": "didSelect", "indexPath": [0, 0]})
            if done.wait(0.1):
                return
