"""The page for who runs a server: each of its commands is taken out of the page and run, in the situation that it is for."""

import contextlib
import os
import re
import sqlite3
import subprocess

import httpx
import pytest
from support.access import make_token
from support.documents import examples, section
from support.pages import until

from conftest import api

PAGE = "Sources/CallboardProgram/CallboardProgram.docc/Operating.md"
COUNTRIES = "/usr/share/iso-codes/json/iso_3166-2.json"
SELECT = "/v1/directors/countries/adapters/Item/events/didSelect"


class Shell:
    """Runs the commands of a section of the page, with what it leaves to the reader as variables."""

    def __init__(self, program: str, url: str, folder):
        self.program, self.folder = program, folder
        self.variables = {"U": url, "PROGRAM": program}

    def run(self, title: str, number: int, *replaced: tuple[str, str], **variables: str) -> str:
        """What the commands of an example print; curl answers what it gets, whatever the status."""
        command = examples(section(PAGE, title), "sh")[number].replace("http://127.0.0.1:8080", self.variables["U"])
        for old, new in replaced:
            assert old in command
            command = command.replace(old, new)
        done = subprocess.run(
            ["sh", "-euc", 'callboard() { "$PROGRAM" "$@"; }\n' + command], cwd=self.folder, env=os.environ | self.variables | variables,
            capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout


def load(program: str, server, director: str) -> subprocess.CompletedProcess:
    return subprocess.run([program, "load", COUNTRIES, "--director", director, "--identifier", "{code}", "--section-field", "code",
                           "--section-separator", "-", "--server", server.url], check=False, capture_output=True, text=True)


@pytest.fixture
def shell(program, tmp_path):
    return lambda server: Shell(program, server.url, tmp_path)


def test_the_metrics_that_are_named_exist(program, start, tmp_path):
    subprocess.run([program, "certificate", "localhost", "127.0.0.1", "--out", "tls"], cwd=tmp_path, check=True, capture_output=True)
    tls = tmp_path / "tls"
    server = start(TLS_CERTIFICATE=str(tls / "certificate.pem"), TLS_KEY=str(tls / "key.pem"), AUDIT_FILE=str(tmp_path / "audit.log"))
    done = subprocess.run(["curl", "-s", "--cacert", str(tls / "authority.pem"), f"{server.url}/metrics"], check=True, capture_output=True, text=True)
    there = set(re.findall(r"^# TYPE (\S+)", done.stdout, re.M))
    named = set(re.findall(r"`((?:callboard|process)_\w+)`", section(PAGE, "What to watch")))
    assert len(named) > 15 and not named - there
    settings = subprocess.run([program, "serve", "--print-config"], check=True, capture_output=True, text=True).stdout
    for name in set(re.findall(r"`\w+\.(\w+)`", section(PAGE, "What to watch"))):
        assert f'"{name}":' in settings, name


def test_ready_and_metrics(server, shell):
    printed = shell(server).run("Running a server", 0)
    assert printed.startswith("ready") and "callboard_journal_up 1" in printed


def test_a_full_disk(program, start, shell):
    server = start(JOURNAL_MAX_BYTES="700000")
    console = shell(server)
    assert load(program, server, "countries").returncode == 0
    with api(server) as client:
        # A load that fails takes back what it has made itself; this one finds its director.
        client.put("/v1/directors/again", json={"kind": "table"})
    assert "507" in load(program, server, "again").stderr
    printed = console.run("The disk is full", 0)
    assert "Changes cannot be stored" in printed and "callboard_journal_up 0" in printed
    printed = console.run("The disk is full", 1, DIRECTOR="again")
    assert '"name":"again"' in printed and printed.strip().endswith("ready")
    with api(server) as client:
        assert [each["name"] for each in client.get("/v1/directors").json()["directors"]] == ["countries"]
        assert "callboard_journal_up 1" in client.get("/metrics").text


def test_a_certificate_that_ends(program, start, tmp_path):
    make = [program, "certificate", "localhost", "--out", "tls", "--days", "10"]
    subprocess.run(make, cwd=tmp_path, check=True, capture_output=True)
    server = start(TLS_CERTIFICATE=str(tmp_path / "tls/certificate.pem"), TLS_KEY=str(tmp_path / "tls/key.pem"))
    url = f"https://localhost:{server.port}"
    printed = Shell(program, url, tmp_path).run("The certificate ends", 0)
    days = re.search(r"callboard_tls_certificate_days_left\S* (\S+)", printed).group(1)
    assert 8 < float(days) <= 10

    def left() -> float:
        done = subprocess.run(["curl", "-s", "--cacert", str(tmp_path / "tls/authority.pem"), f"{url}/metrics"],
                              check=True, capture_output=True, text=True)
        return float(re.search(r"^callboard_tls_certificate_days_left\S* (\S+)", done.stdout, re.M).group(1))

    until(lambda: left() > 80)


@pytest.fixture
def hooked(program, start):
    """A server whose notifications die soon, and the identifiers of two that are dead."""
    server = start(HOOKS_RETRY_DELAYS="0.02")
    assert load(program, server, "countries").returncode == 0
    with api(server) as client:
        # The discard port has no server.
        client.put(SELECT, json={"url": "http://127.0.0.1:9"})
        made = [client.post("/v1/directors/countries/events", json={"event": "didSelect", "indexPath": [0, each]}).json()["delivery"]
                for each in range(2)]
        until(lambda: client.get("/v1/deliveries?status=dead").json()["total"] == 2)
        yield server, client, made


def test_deliveries_that_die(hooked, shell, receiver):
    server, client, [first, second] = hooked
    console, title, secret = shell(server), "Deliveries die", "whsec_" + "A" * 32
    known = {"DIRECTOR": "countries", "ID": first, "HOOK": SELECT, "SECRET": secret}
    dead, pending = console.run(title, 0, **known).split("}{")
    assert first in dead and f'"hook":"{SELECT}"' in dead and "could not connect" in dead and '"total":0' in pending
    printed = console.run(title, 1, **known)
    assert '"message"' in printed and '"consecutiveFailures":' in printed
    console.run(title, 4, **known | {"ID": second})
    assert [each["id"] for each in client.get("/v1/deliveries").json()["deliveries"]] == [first]
    receiver.secrets["/"] = [secret]
    address = f"http://127.0.0.1:{receiver.port}/"
    assert f'"url":"{address}"' in console.run(title, 2, ("http://127.0.0.1:9000", address), **known)
    console.run(title, 3, **known)
    assert receiver.wait(1, "/")[0].id == first
    until(lambda: client.get("/v1/deliveries").json()["total"] == 0)


def test_a_damaged_notification_is_set_aside(hooked, program):
    """The server refuses the folder, starts without the notification, and checking afterwards says what was set aside."""
    server, _, [first, _] = hooked
    data = server.folder / "data"
    if not (data / "callboard.db").exists():
        pytest.skip("the lists of this server are in no folder")
    server.stop()
    with contextlib.closing(sqlite3.connect(data / "callboard.db")) as database, database:
        assert database.execute("UPDATE deliveries SET attempts = attempts + 1 WHERE id = ?", [first]).rowcount == 1
    [commands] = examples(section(PAGE, "A row of the data folder is damaged"), "sh")
    serve, check = (["sh", "-euc", f'callboard() {{ exec "$PROGRAM" "$@"; }}\n{line}'] for line in commands.splitlines())
    environment = os.environ | {"PROGRAM": program, "DATA": str(data), "CALLBOARD_SERVER_PORT": "0"}

    def run(command: list[str]) -> subprocess.CompletedProcess:
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    refused = run([program, "serve", "--data", str(data)])
    assert refused.returncode == 65 and "--set-aside" in refused.stderr
    with subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as started:
        try:
            assert started.stdout.readline().startswith("listening on")
        finally:
            started.terminate()
    checked = run(check)
    assert checked.returncode == 0 and "set aside" in checked.stdout, checked


def test_all_dead_deliveries_are_tried_again(hooked, shell, receiver):
    server, client, made = hooked
    secret = "whsec_" + "A" * 32
    receiver.secrets["/"] = [secret]
    client.put(SELECT, json={"url": f"http://127.0.0.1:{receiver.port}/", "secret": secret})
    shell(server).run("Deliveries die", 3, HOOK=SELECT, ID=made[1])
    assert {call.id for call in receiver.wait(2, "/")} == set(made)


def test_a_stream_that_lags(program, server, tmp_path):
    assert load(program, server, "countries").returncode == 0
    # The metrics are those of one process, which is the one that is followed.
    url = server.nodes[0].url
    console, title = Shell(program, url, tmp_path), "A stream lags"
    with httpx.Client(base_url=url, trust_env=False, timeout=60) as client:
        if "/v1/streams" not in client.get("/openapi.json").json()["paths"]:
            pytest.skip("this program does not list streams")
        with client.stream("GET", "/v1/directors/countries/changesets?snapshot=none") as stream:
            printed = console.run(title, 0, DIRECTOR="countries")
            assert '"lag":0' in printed and "callboard_subscribers 1" in printed
            identifier = str(client.get("/v1/streams").json()["streams"][0]["id"])
            console.run(title, 1, STREAM=identifier)
            assert '"reason":"closed"' in "".join(stream.iter_text())


def test_a_token_is_revoked(server, shell):
    with api(server) as client:
        made = make_token(client, [{"actions": ["read"], "directors": ["*"]}])
        shell(server).run("A stream lags", 2, TOKEN_ID=made["id"])
        assert made["id"] not in client.get("/v1/tokens").text
