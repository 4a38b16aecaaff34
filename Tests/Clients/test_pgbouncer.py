"""PgBouncer between a server and its database: sessions that are kept work, every other mode is refused with what to do."""

import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres, until_stored
from support.fakes import CHECKOUT
from support.hooks import done, eventually
from support.server import Server

sys.path.insert(0, str(CHECKOUT / "Tests/Durability"))
from harness.pgbouncer import PORT, PgBouncer  # noqa: E402
from harness.postgres import Postgres  # noqa: E402

NOT_KEPT = "the pooler in front of the database does not keep a session together"
LISTS = [f"/v1/directors/list-{number}" for number in range(9)]
LEASE = 8  # PostgresSettings.lease, in seconds.


@pytest.fixture(scope="module")
def place():
    """A folder that the database's user reaches, which pytest's are not."""
    with tempfile.TemporaryDirectory(prefix="callboard-pgbouncer-") as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.fixture(scope="module")
def database(place):
    needs_postgres()
    database = Postgres(place / "database", ["fsync=off", "max_connections=200"])
    yield database
    database.stop()


@pytest.fixture
def pgbouncer(place, database, tool):
    """Makes a PgBouncer in front of the database, which is empty then."""
    program = tool("pgbouncer", "pgbouncer")
    with contextlib.ExitStack() as stack:
        def make(in_front_of: Postgres = database, **settings: object) -> PgBouncer:
            if in_front_of is database:
                database.make_database()
            made = PgBouncer(program, place / "pgbouncer", in_front_of, **settings)
            stack.callback(made.stop)
            return made

        yield make


@contextlib.contextmanager
def clients(pgbouncer: PgBouncer, count: int, *arguments: str):
    """So many clients that ask the database one thing after the other, all connected before this goes on."""
    script = pgbouncer.folder.parent / "clients.sql"
    script.write_text("SELECT pg_backend_pid();\n")
    running = subprocess.Popen(
        [str(pgbouncer.database.bin / "pgbench"), "-h", str(pgbouncer.folder), "-p", str(PORT), "-U", "owner", "-n", "-f",
         str(script), "-c", str(count), *arguments, "lists"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def refused(program: str, url: str, folder: Path) -> str:
    """What a server says that does not start."""
    ran = subprocess.run([program, "serve", "--port", "0", "--data", folder / "data", "--journal-url", url], capture_output=True,
                         text=True, timeout=60)
    assert ran.returncode == 78, ran.stderr
    return ran.stderr


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
@pytest.mark.parametrize("in_turn", [0, 1], ids=["newest first", "in turn"])
@pytest.mark.parametrize("size", [1, 2, 5, 20])
@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_modes_that_do_not_keep_a_session_are_refused_at_the_start(program, tmp_path, pgbouncer, mode, size, in_turn, busy):
    """Whatever connections the pool has already, and whoever uses them meanwhile."""
    between = pgbouncer(pool_mode=mode, default_pool_size=size, server_round_robin=in_turn)
    with clients(between, size, "-t", "20") as filling:
        assert filling.wait(60) == 0, filling.stderr.read()
    with clients(between, max(1, size - 1), "-T", "300") if busy else contextlib.nullcontext():
        assert NOT_KEPT in refused(program, between.url, tmp_path)


@pytest.mark.parametrize("in_turn", [0, 1], ids=["newest first", "in turn"])
@pytest.mark.parametrize("size", [3, 20])
def test_sessions_that_are_kept_are_never_refused(program, tmp_path, pgbouncer, size, in_turn):
    """A pool of as many as the server needs, and one with room, beside clients that come and go."""
    between = pgbouncer(pool_mode="session", default_pool_size=size, server_round_robin=in_turn)
    others = clients(between, 8, "-C", "-T", "300") if size > 3 else contextlib.nullcontext()
    with others:
        for start in range(3):
            server = Server(program, tmp_path, JOURNAL_URL=between.url)
            try:
                done(httpx.put(f"{server.url}{LISTS[start]}", json={"kind": "table"}, timeout=60))
                assert httpx.get(f"{server.url}/readyz", timeout=60).status_code == 200
            finally:
                server.stop()
            assert "pooler" not in server.log.read_text()


def test_a_mode_that_is_changed_while_a_server_runs(program, tmp_path, pgbouncer):
    between = pgbouncer(pool_mode="session")
    server = Server(program, tmp_path, JOURNAL_URL=between.url, JOURNAL_PATIENCE="1")
    try:
        done(httpx.put(f"{server.url}{LISTS[0]}", json={"kind": "table"}, timeout=60))
        stored = 0

        def store() -> httpx.Response:
            nonlocal stored
            answer = httpx.post(f"{server.url}{LISTS[0]}/sections", json={"id": f"s{stored}"}, timeout=60)
            stored += answer.is_success
            return answer

        assert store().is_success
        between.change(pool_mode="transaction")
        eventually(lambda: NOT_KEPT in store().text, "changes being refused")
        ready = httpx.get(f"{server.url}/readyz", timeout=60)
        assert ready.status_code == 503 and NOT_KEPT in ready.text
        eventually(lambda: "changes cannot be stored" in server.log.read_text(), "the log saying so")
        assert NOT_KEPT in server.log.read_text()
        between.change(pool_mode="session")
        eventually(lambda: store().is_success, "changes being stored")
        listed = done(httpx.get(f"{server.url}{LISTS[0]}/sections", timeout=60)).json()["sections"]
        assert len(listed) == stored
        eventually(lambda: "changes are stored again" in server.log.read_text(), "the log saying so")
        assert server.process.poll() is None
    finally:
        server.stop()


def test_what_another_client_has_left_does_no_harm(program, tmp_path, pgbouncer):
    """Without the reset that PgBouncer does by itself, and with prepared statements of the same names."""
    between = pgbouncer(pool_mode="session", server_reset_query="", default_pool_size=4)
    for start in range(3):
        server = Server(program, tmp_path, JOURNAL_URL=between.url)
        try:
            done(httpx.put(f"{server.url}{LISTS[start]}", json={"kind": "table"}, timeout=60))
        finally:
            server.stop()


def test_an_option_that_pgbouncer_does_not_keep_is_told(program, tmp_path, pgbouncer):
    between = pgbouncer(pool_mode="session")
    told = refused(program, f"{between.url}&options=-cwork_mem%3D8MB", tmp_path)
    assert "unsupported startup parameter" in told and "ALTER ROLE" in told


@pytest.mark.parametrize("wish", ["", "&target_session_attrs=read-write"], ids=["nothing said", "writing wished"])
def test_hosts_change_their_parts_behind_their_poolers(program, tmp_path, place, wish, tool):
    """PgBouncer goes on telling what a host was when it connected there first: the primary is found all the same."""
    with contextlib.ExitStack() as stack:
        hosts, between = [], []
        for name in ("one", "other"):
            hosts.append(Postgres(place / name))
            stack.callback(hosts[-1].stop)
            hosts[-1].make_database()
            if name == "other":
                standby(hosts[-1], True)
            between.append(PgBouncer(tool("pgbouncer", "pgbouncer"), place / f"{name}-pgbouncer", hosts[-1], pool_mode="session"))
            stack.callback(between[-1].stop)
            with clients(between[-1], 1, "-t", "5") as filling:
                assert filling.wait(60) == 0, filling.stderr.read()
        for host, is_standby in zip(hosts, (True, False)):
            standby(host, is_standby)
        folders = ",".join(str(each.folder) for each in between)
        server = Server(program, tmp_path, JOURNAL_URL=f"postgresql://owner@/lists?host={folders}&port={PORT}{wish}")
        stack.callback(server.stop)
        done(httpx.put(f"{server.url}{LISTS[0]}", json={"kind": "table"}, timeout=60))
        assert hosts[1].execute("SELECT count(*) FROM callboard.lives") == "1"


def standby(host: Postgres, is_standby: bool) -> None:
    """Starts a database again as a standby, or no longer as one."""
    host.kill()
    signal_file = host.folder / "data/standby.signal"
    signal_file.unlink(missing_ok=True)
    if is_standby:
        signal_file.touch()
        shutil.chown(signal_file, signal_file.parent.owner(), signal_file.parent.group())
    host.start()


def test_three_nodes_lose_their_pooler_and_one_of_them(program, tmp_path, pgbouncer):
    """Each change that was acknowledged is there, and a node that was killed is followed before its lease has run out."""
    between = pgbouncer(nodes._postgres(), pool_mode="session")

    class Pooled(nodes.Nodes):
        def own(self, number: int) -> dict[str, str]:
            return {"JOURNAL_URL": between.url.replace("/lists?", f"/{nodes._databases[self.folder]}?")}

    started = Pooled(program, tmp_path)
    counts = dict.fromkeys(LISTS, 0)

    def write(*servers: Server) -> None:
        for server in servers:
            with httpx.Client(base_url=server.url, timeout=60) as client:
                for path in LISTS:
                    until_stored(client, f"{path}/sections", {"id": f"s{counts[path]}"}, seconds=120)
                    counts[path] += 1

    try:
        first = started.nodes[0].url
        eventually(lambda: httpx.get(f"{first}/v1/nodes", timeout=60).text.count('"serving"') == 3, "every node taking part")
        for path in LISTS:
            done(httpx.put(first + path, json={"kind": "table"}, timeout=60))
        write(*started.nodes)
        between.kill()
        between.start()
        write(*started.nodes)
        between.kill()
        for node in started.nodes:
            eventually(lambda: httpx.get(f"{node.url}/readyz", timeout=60).status_code == 503, "a lease running out")
        between.start()
        for node in started.nodes:
            eventually(lambda: httpx.get(f"{node.url}/readyz", timeout=60).status_code == 200, "a node being ready again")
        write(*started.nodes)
        ended, *rest = started.nodes
        ended.terminate(signal.SIGKILL)
        killed = time.monotonic()
        write(rest[0])
        took = time.monotonic() - killed
        print(f"all lists were written {took:.2f} s after the kill")
        assert took < LEASE - 2, f"{took:.2f} s"
        write(*rest)
        for each in rest:
            for path in LISTS:
                listed = done(httpx.get(f"{each.url}{path}/sections", timeout=60)).json()["sections"]
                assert len(listed) == counts[path], path
            assert each.process.poll() is None
    finally:
        started.stop()
