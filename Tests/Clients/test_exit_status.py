"""The exit status of each command for each cause, as the page "CallboardProgram" lists them, and what standard error says."""

import http.server
import json
import os
import re
import resource
import signal
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from support.server import Server

CLIENTS = {"load": "records.csv --identifier {{id}}", "watch": "list", "watch --once": "list", "directors": ""}
COMMANDS = ["serve", "health", "load", "watch", "listen", "directors", "check", "backup", "restore", "migrate",
            "token create", "token list", "token revoke", "cluster new-epochs", "cluster upgrade", "certificate", "version"]
DATABASE = "postgresql://callboard@127.0.0.1:{closed}/lists"
FULL = {"limit": 4096}

# A command line, with places of the surroundings in braces; its status; and the environment or the limit of its files.
CASES = [
    *[(f"{command} --no-such-option", 64, {}) for command in COMMANDS],
    *[(f"{command} {CLIENTS[command]} --server http://127.0.0.1:{{closed}}", 69, {}) for command in CLIENTS],
    *[(f"{command} {CLIENTS[command]} --server http://127.0.0.1:{{busy}}", 75, {}) for command in ("load", "watch", "directors")],
    *[(f"{command} {CLIENTS[command]} --server {{guarded}}", 77, {}) for command in CLIENTS],
    *[(f"{command} {CLIENTS[command]} --server {{guarded}} --token cb_none", 77, {}) for command in CLIENTS],
    *[(f"{command} {CLIENTS[command]} --server ftp://example.org", 78, {}) for command in CLIENTS],
    *[(f"{command} {CLIENTS[command]} --server {{guarded}} --ca missing.pem", 78, {}) for command in CLIENTS],
    *[(f"{command} {CLIENTS[command]} --server {{guarded}} --token-file missing", 78, {}) for command in CLIENTS],
    *[(f"{command} {CLIENTS[command]} --server {{guarded}}", 78, {"CALLBOARD_TOKEN": "not a token"}) for command in CLIENTS],
    ("serve --port 0 --data damaged", 65, {}), ("serve --port {taken} --data memory", 69, {}),
    ("serve --port 0 --journal-url " + DATABASE, 69, {}), ("serve --port 0 --data records.csv/below", 78, {}),
    ("serve --port 0 --data {running}", 78, {}), ("serve --port 0 --config missing.json", 66, {}),
    ("serve --port 0 --config broken.json", 78, {}), ("serve --port 0 --config list.json", 78, {}),
    ("serve --port 0 --data memory", 78, {"CALLBOARD_SERVER_PROT": "1"}),
    ("serve --port 0 --data memory", 78, {"CALLBOARD_FEED_RETRY_MIN": "soon"}),
    ("serve --port 0 --data memory --host 0.0.0.0", 78, {}),
    ("health --port {closed}", 69, {}), ("health --port {busy}", 69, {}), ("health --port 0", 78, {}),
    ("health --config missing.json", 66, {}), ("health --config broken.json", 78, {}), ("health --timeout 0", 64, {}),
    ("load", 64, {}), ("load missing.csv", 66, {}), ("load . --director list --format csv", 66, {}),
    ("load broken.json --server {open}", 65, {}), ("load empty.csv --server {open}", 65, {}),
    ("load twice.csv --server {open}", 65, {}), ("load records.csv --server {open} --kind sofa", 64, {}),
    ("load records.csv --server {open} --director list --kind collection", 64, {}),
    ("load records.csv --server {open} --director list --identifier {{other}}", 65, {}),
    ("load records.csv --server {open} --director list --row a", 64, {}),
    ("load records.csv --server {open} --director list --section a --row b", 66, {}),
    ("watch", 64, {}), ("watch list --limit 0", 64, {}), ("watch list --template x", 64, {}),
    ("watch missing --once --server {open}", 66, {}),
    ("listen", 64, {}), ("listen {taken}", 69, {}), ("listen 0 --host 192.0.2.1", 69, {}),
    ("listen 0 --answer no=1", 64, {}), ("listen 0 --operations {{", 64, {}), ("listen 0 --operations @missing", 66, {}),
    ("listen 0 --secret x", 64, {}),
    ("listen 0", 78, {"CALLBOARD_LISTEN_SECRET": "x"}),
    ("check missing", 66, {}), ("check damaged", 65, {}), ("check {running}", 78, {}), ("check records.csv", 65, {}),
    ("check empty", 78, {}), ("check " + DATABASE, 78, {}),
    ("backup missing copy.db", 66, {}), ("backup damaged copy.db", 65, {}), ("backup good records.csv", 73, {}),
    ("backup good nowhere/copy.db", 73, {}), ("backup empty copy.db", 78, {}), ("backup good full.db", 74, FULL),
    ("restore missing.db target", 66, {}), ("restore records.csv target", 65, {}), ("restore backup.db good", 73, {}),
    ("restore backup.db records.csv/below", 73, {}), ("restore backup.db records.csv", 73, {}),
    ("restore backup.db full", 74, FULL),
    ("restore backup.db {running} --overwrite", 78, {}),
    ("migrate --from missing --to " + DATABASE, 66, {}), ("migrate --from good --to " + DATABASE, 69, {}),
    ("migrate --from empty --to " + DATABASE, 78, {}), ("migrate --from good", 78, {}),
    ("migrate --from {running} --to " + DATABASE, 78, {}), ("migrate --from good --to mysql://x", 78, {}),
    ("token list --data missing", 66, {}), ("token list --data damaged", 65, {}), ("token list --data {running}", 78, {}),
    ("token list --data empty", 78, {}), ("token list --journal-url " + DATABASE, 69, {}),
    ("token list --config broken.json", 78, {}),
    ("token create --data good --name x", 64, {}), ("token create --data damaged --name x --read *", 65, {}),
    ("token create --data {running} --name x --read *", 78, {}),
    ("token create --data full --name x --read *", 74, FULL),
    ("token create --data good --name x --read *", 73, {"CALLBOARD_AUDIT_FILE": "nowhere/audit"}),
    ("token revoke none --data good", 64, {}), ("token revoke tok_0123456789abcdef --data good", 66, {}),
    ("token revoke tok_0123456789abcdef --data missing", 66, {}),
    ("cluster new-epochs --journal-url " + DATABASE, 64, {}), ("cluster new-epochs --yes --journal-url " + DATABASE, 69, {}),
    ("cluster new-epochs --yes", 78, {}), ("cluster new-epochs --yes --journal-url mysql://x", 78, {}),
    ("cluster upgrade", 78, {}), ("cluster upgrade --journal-url " + DATABASE, 69, {}),
    ("cluster upgrade --journal-url mysql://x", 78, {}),
    ("check --journal-url " + DATABASE, 69, {}), ("check --journal-url mysql://x", 78, {}),
    ("check good --journal-url " + DATABASE, 64, {}),
    ("certificate --days 0", 64, {}), ("certificate --out records.csv/below", 73, {}), ("certificate --out records.csv", 73, {}),
    ("certificate --out full-certificates", 74, {"limit": 0}),
    ("version", 0, {}), ("check good", 0, {}), ("token list --data good", 0, {}), ("directors --server {open}", 0, {}),
    ("watch list --once --server {open}", 0, {}), ("backup good copy-{taken}.db", 0, {}), ("health --port {openport}", 0, {}),
]


class Busy(http.server.BaseHTTPRequestHandler):
    """Answers each request as a server that has too much to do."""

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.dumps({"type": "urn:callboard:problem:overloaded", "title": "Overloaded", "status": 503}).encode()
        self.send_response(503)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_PUT = do_POST = answer

    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="module")
def places(program, tmp_path_factory):
    """The surroundings: a folder with files and data folders, servers and ports, by name."""
    folder = tmp_path_factory.mktemp("commands")
    for name, content in [
        ("records.csv", "id\na\nb\n"), ("empty.csv", "id\n"), ("twice.csv", "id,id\na,b\n"), ("broken.json", "{"),
        ("list.json", "[]"),
    ]:
        (folder / name).write_text(content)
    (folder / "empty").mkdir()

    def serve(name: str, **settings: str) -> Server:
        (folder / name).mkdir()
        return Server(program, folder / name, **settings)

    with (socket.create_server(("127.0.0.1", 0)) as taken, socket.socket() as closed,
          http.server.ThreadingHTTPServer(("127.0.0.1", 0), Busy) as busy):
        # Bound and not listening: nobody else gets the port, and nobody is there.
        closed.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=busy.serve_forever)
        thread.start()
        servers = [serve("open"), serve("guarded", AUTH_MODE="required")]
        try:
            first = servers[0].url
            load = [program, "load", "records.csv", "--director", "list", "--identifier", "{id}", "--server", first]
            subprocess.run(load, cwd=folder, check=True, capture_output=True)
            subprocess.run([program, "backup", "open/data", "backup.db"], cwd=folder, check=True, capture_output=True)
            for name in ("good", "damaged"):
                subprocess.run([program, "restore", "backup.db", name], cwd=folder, check=True, capture_output=True)
            damage(folder / "damaged/callboard.db")
            yield {
                "folder": folder, "open": first, "openport": servers[0].port, "running": "open/data",
                "guarded": servers[1].url, "closed": closed.getsockname()[1], "taken": taken.getsockname()[1],
                "busy": busy.server_address[1],
            }
        finally:
            for server in servers:
                server.stop()
            busy.shutdown()
            thread.join()


def damage(database: Path) -> None:
    """Overwrites all pages but the first."""
    content = database.read_bytes()
    database.write_bytes(content[:4096] + b"\xAA" * (len(content) - 4096))


def run(program: str, places: dict, line: str, settings: dict) -> subprocess.CompletedProcess:
    settings = dict(settings)
    limit = settings.pop("limit", None)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")} | settings

    def restrict() -> None:
        # A write beyond the limit fails, as on a disk that is full.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [program, *line.format_map(places).split()], cwd=places["folder"], env=environment, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=120, preexec_fn=None if limit is None else restrict)


@pytest.mark.parametrize("line, status, settings", CASES, ids=lambda value: value if isinstance(value, str) else None)
def test_the_status_and_what_standard_error_says(program, places, line, status, settings):
    done = run(program, places, line, settings)
    assert done.returncode == status, done.stderr
    if status == 0:
        return
    # What is wrong, and under it what to do; of a command line, how it is.
    form = r"^callboard: \S.*\n  \S.*" if "Usage:" not in done.stderr else r"^Error: \S.*(\n.*)*\nUsage: callboard .*\n.*--help"
    if line.startswith("check ") and status == 65:
        assert done.stdout.strip()
    else:
        assert re.search(form, done.stderr, re.M), done.stderr


def test_every_status_of_the_page_is_checked():
    page = Path(__file__).resolve().parents[2] / "Sources/CallboardProgram/CallboardProgram.docc/CallboardProgram.md"
    listed = {int(each) for each in re.findall(r"^\| (\d+) \|", page.read_text(), re.M)}
    # Of these, 2 and 130 are `load`'s (test_load), and 70 is a fault of the program.
    assert listed == {status for _, status, _ in CASES} | {2, 70, 130}
