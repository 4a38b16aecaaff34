"""Fixtures for the tests with real clients, and the loud list of what was skipped."""

import gc
import os
import shutil
import sys
from pathlib import Path

import httpx
import pytest

from support import nodes, one_server, protocol
from support.hooks import client_of, fill
from support.receiver import listening
from support.server import Server

sys.dont_write_bytecode = True
pytest_plugins = ["support.console_fixtures"]
# Where a client is not told otherwise it gives up after five seconds, which a busy machine may take for an answer.
for phase in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, phase, 60)

BOOK = "/v1/directors/book"
# What takes half a minute or more, mostly of waiting: what is left for the end of a run with several workers is short.
LONGEST = ["test_cluster_front", "test_cluster", "test_intermediaries", "test_rights", "test_tls_scanners", "test_slow_http2",
           "test_console_access", "test_console_sheet", "test_client_replay", "test_console_walk", "test_slow_clients", "test_client_browser",
           "test_access_jwt", "test_hooks_storm", "test_client_node",
           "test_nodes_lists", "test_nodes_unreadable", "test_nodes_return", "test_nodes_revoked", "test_rows", "test_http2"]


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the program under test, from CALLBOARD_BIN."""
    path = os.environ.get("CALLBOARD_BIN", "")
    if not os.access(path, os.X_OK):
        pytest.exit(f"CALLBOARD_BIN must name the callboard program; it is {path!r}. Config/test sets it.", 2)
    return str(Path(path).resolve())


@pytest.fixture(autouse=True)
def leaks():
    """Has a test fail that leaves a socket or a file open, and not whichever test runs when Python collects it."""
    yield
    gc.collect()


@pytest.fixture
def start(program, tmp_path, request):
    """Starts servers with settings of the test's own; all are stopped when the test is over."""
    servers = []

    def start_server(*arguments: str, folder: Path | None = None, **settings: str) -> Server:
        """`folder` is that of a server which has ended, to go on from what it has left.

        With CALLBOARD_TEST_NODES each server is three nodes behind one address.
        """
        if folder is None:
            folder = tmp_path / f"server-{len(servers)}"
            folder.mkdir()
        settings = {"FEED_RETRY_MIN": "100", "FEED_RETRY_MAX": "200"} | settings
        servers.append(nodes.launch(program, folder, list(arguments), **settings))
        return servers[-1]

    yield start_server
    for server in servers:
        server.stop()
        print(f"--- log of the server on port {server.port} ---\n{server.tail()}")


@pytest.fixture
def server(start) -> Server:
    """A server with the default settings."""
    return start()


@pytest.fixture
def http(server):
    """A client of `server` that raises for every answer that is not a success."""
    with api(server) as client:
        yield client


def api(server: Server) -> httpx.Client:
    """A client that raises for every answer that is not a success."""

    def check(response: httpx.Response) -> None:
        if response.is_error:
            response.read()
            raise AssertionError(f"{response.request.method} {response.url}: {response.status_code} {response.text}")

    return protocol.client(base_url=server.url, timeout=60, event_hooks={"response": [check]})


@pytest.fixture
def book(http) -> httpx.Client:
    """A client of a server that has the director `book`: two published sections of people."""
    http.put(BOOK, json={"kind": "table"})
    http.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
    people = [{"value": {"name": name, "age": age}} for name, age in [("Ada", 36), ("Grace", 85), ("Alan", 41)]]
    http.post(f"{BOOK}/sections", json={"id": "people", "headerTitle": "People", "elements": people})
    http.post(f"{BOOK}/sections", json={"id": "others", "elements": [{"value": {"name": "Edsger", "age": 72}}]})
    http.post(f"{BOOK}/reload")
    return http


@pytest.fixture
def receiver():
    """A webhook receiver; the test fails where something came to it that must not."""
    with listening() as made:
        yield made


@pytest.fixture
def hooked(server):
    """A client of a server that has the director `book` with what hooks can be registered at."""
    with client_of(server) as client:
        fill(client)
        yield client


@pytest.fixture(scope="session")
def tool():
    """Finds a program, or skips the test aloud with the Debian package that has it."""

    def find(name: str, package: str) -> str:
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"{name} is not installed (Debian: apt-get install {package})")
        return path

    return find


def pytest_collection_modifyitems(items) -> None:
    """Begins with the files that take longest, and skips, in a run with nodes, what is about one server."""
    items.sort(key=lambda item: LONGEST.index(item.module.__name__) if item.module.__name__ in LONGEST else len(LONGEST))
    if nodes.IS_SET:
        one_server.skip(items)


def pytest_collection_finish() -> None:
    """Leaves what is loaded by now out of what `leaks` looks through after each test."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Stops what nodes have shared."""
    nodes.close()


def pytest_terminal_summary(terminalreporter) -> None:
    """Says once more, so that nobody overlooks it, what was skipped and why."""
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        terminalreporter.write_line(f"*** SKIPPED: {report.nodeid}: {reason.removeprefix('Skipped: ')}", yellow=True, bold=True)
