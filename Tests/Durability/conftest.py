"""Fixtures for the durability tests, and the loud list of what was skipped."""

import contextlib
import gc
import os
import random
import sys
import tempfile
from pathlib import Path

import pytest

from harness.disk import NoCompiler, compiled
from harness.nodes import Nodes
from harness.postgres import NoPostgres, Postgres, programs
from harness.process import keeps_content

sys.dont_write_bytecode = True


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


@pytest.fixture(scope="session")
def durable(program, tmp_path_factory) -> str:
    """The program under test, where it keeps its content on disk; skips the test aloud where it cannot."""
    if reason := keeps_content(program, tmp_path_factory.mktemp("probe")):
        pytest.skip(reason)
    return program


@pytest.fixture(scope="session")
def fake() -> str:
    """The fake server, which keeps its content and is right unless FAKE_FAULT says otherwise."""
    return str(Path(__file__).with_name("fake") / "server.py")


@pytest.fixture(scope="session")
def shim(tmp_path_factory) -> None:
    """Skips the test aloud where the shim below the server cannot be compiled."""
    try:
        compiled(tmp_path_factory.mktemp("shim"))
    except NoCompiler as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def postgres() -> None:
    """Skips the test aloud where PostgreSQL is not installed."""
    try:
        programs()
    except NoPostgres as reason:
        pytest.skip(str(reason))


@contextlib.contextmanager
def open_folder():
    """A folder that the database's user can reach; pytest makes folders for its own user alone."""
    with tempfile.TemporaryDirectory(prefix="callboard-pg-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def database_folder(postgres):
    """A folder for databases of the test's own."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def database(database_folder):
    """A PostgreSQL server of the test's own."""
    server = Postgres(database_folder / "pg")
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def cluster(program, postgres):
    """Three nodes that all tests of this file share; each leaves them all up."""
    with open_folder() as folder, contextlib.closing(Nodes(program, folder)) as made:
        made.start()
        yield made


@pytest.fixture
def cuts(cluster):
    """Skips the test aloud where nothing can be cut."""
    if not cluster.network.can_cut:
        pytest.skip("network namespaces cannot be made here: that takes root, and the program ip (Debian: iproute2)")
    return cluster.network


@pytest.fixture
def seed() -> int:
    """What a test draws from: CALLBOARD_TEST_SEED, or another one each time; printed where the test fails."""
    chosen = int(os.environ.get("CALLBOARD_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"seed: CALLBOARD_TEST_SEED={chosen}")
    return chosen


def pytest_collection_modifyitems(items) -> None:
    """Begins with the files that take longest: what is left for the end of a run with several workers is short."""
    items.sort(key=lambda item: item.module.__name__ not in ("test_soak", "test_crash"))


def pytest_terminal_summary(terminalreporter) -> None:
    """Says once more, so that nobody overlooks it, what was skipped and why."""
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        line = f"*** SKIPPED: {report.nodeid}: {reason.removeprefix('Skipped: ')}"
        terminalreporter.write_line(line, yellow=True, bold=True)
