"""The commands that talk to a server over TLS: an authority of one's own with --ca and CALLBOARD_CA, and its faults."""

import json
import os
import select
import signal
import subprocess
import time
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from conftest import BOOK
from support.certificates import Authority
from support.server import Server, metric
from support.terminator import Terminator
from test_tls import PATIENCE, client, files, wait_for

UNAVAILABLE, CONFIGURATION = 69, 78


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def other(tmp_path) -> Authority:
    """An authority that has issued nothing that a server has."""
    return Authority(tmp_path, "Other authority")


@pytest.fixture
def secure(start, authority) -> Server:
    return start(**files(*authority.issue("localhost")))


@pytest.fixture
def call(program, tmp_path):
    """Runs a command of the program; returns its status and what it printed."""

    def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        result = subprocess.run([program, *arguments], env=clean | environment, cwd=tmp_path, capture_output=True,
                                text=True, timeout=120)
        return result.returncode, result.stdout, result.stderr

    return run


class Watch:
    """`callboard watch --json` in the background, whose lines are taken one by one."""

    def __init__(self, program: str, *arguments: str):
        self.process = subprocess.Popen([program, "watch", "book", "--json", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def until(self, event: str) -> dict:
        """The next line of an event."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            line, newline, rest = self.rest.partition(b"\n")
            if newline:
                self.rest = rest
                if (found := json.loads(line))["event"] == event:
                    return found
            elif select.select([self.process.stdout], [], [], 0.1)[0]:
                piece = os.read(self.process.stdout.fileno(), 65536)
                assert piece, self.process.communicate()[1].decode()
                self.rest += piece
        raise AssertionError(f"no {event} has come")


def url(server: Server) -> str:
    return f"https://localhost:{server.port}"


def change(http: httpx.Client, name: str) -> None:
    http.post(f"{BOOK}/sections?reload=true", json={"id": name, "elements": []}).raise_for_status()


def records(folder: Path, count: int) -> str:
    path = folder / "book.ndjson"
    path.write_text("".join(f'{{"id": {number}}}\n' for number in range(count)))
    return str(path)


def test_what_certificate_makes_is_trusted_by_each_command_as_it_says(start, call, tmp_path, program):
    status, printed, _ = call("certificate", "localhost", "127.0.0.1")
    assert status == 0
    ca = "certificates/authority.pem"
    server = start(**files(tmp_path / "certificates/certificate.pem", tmp_path / "certificates/key.pem"))
    # The commands that it prints are run as they are, but for the port.
    (line,) = [line for line in printed.splitlines() if "callboard directors" in line]
    (export,) = [line for line in printed.splitlines() if "export CALLBOARD_CA=" in line]
    assert f"CALLBOARD_CA={ca}" in export
    command = line.split()[1:]
    assert command[-1] == "https://localhost:8080" and ca in command
    assert call(*command[:-1], url(server)) == (0, 'no directors yet; make one with "callboard load"\n', "")
    assert call("directors", CALLBOARD_SERVER=url(server), CALLBOARD_CA=ca)[0] == 0
    status, printed, _ = call("load", records(tmp_path, 12_000), "--json", "--ca", ca, "--server", url(server))
    assert status == 0 and json.loads(printed)["loaded"] == 12_000
    assert call("load", records(tmp_path, 5), CALLBOARD_SERVER=url(server), CALLBOARD_CA=ca)[0] == 0
    with Watch(program, "--ca", str(tmp_path / ca), "--server", url(server)) as watch:
        assert watch.until("snapshot")["counts"]["elements"] == 5
        assert call("load", records(tmp_path, 7), "--ca", ca, "--server", url(server))[0] == 0
        assert watch.until("changeset")["changeset"]["counts"]["elements"] == 7


def test_a_stream_goes_on_when_the_server_comes_back_with_another_certificate(start, authority, program):
    server = start(SERVER_PORT="0", **files(*authority.issue("localhost")))
    with client(server, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
    with Watch(program, "--ca", str(authority.path), "--server", url(server)) as watch:
        watch.until("snapshot")
        server.terminate(signal.SIGTERM)
        server.wait()
        again = start("--port", str(server.port), folder=server.folder, **files(*authority.issue("localhost")))
        assert again.port == server.port
        with client(again, authority) as http:
            wait_for(lambda: metric(again, http, "callboard_subscribers") == 1)
            change(http, "s")
        assert watch.until("changeset")["changeset"]["version"] == 1


@pytest.mark.parametrize("command", [["directors"], ["watch", "book"], ["load", "FILE"]], ids=lambda each: each[0])
def test_without_the_authority_each_command_says_what_to_do(secure, authority, other, call, tmp_path, command):
    command = [records(tmp_path, 3) if each == "FILE" else each for each in command]
    for arguments, environment in [([], {}), (["--ca", str(other.path)], {}), ([], {"CALLBOARD_CA": str(other.path)}),
                                   (["--ca", str(other.path)], {"CALLBOARD_CA": str(authority.path)})]:
        status, printed, said = call(*command, *arguments, "--server", url(secure), **environment)
        assert (status, printed) == (UNAVAILABLE, ""), said
        assert f"the certificate of {url(secure)} is not trusted: " in said
        assert "--ca" in said and "callboard certificate" in said


@pytest.mark.parametrize("command", [["directors"], ["watch", "book"], ["load", "FILE"]], ids=lambda each: each[0])
@pytest.mark.parametrize(("fault", "message"), [
    ("missing", "cannot read"), ("folder", "cannot read"), ("empty", "no certificate in PEM"),
    ("DER", "no certificate in PEM"), ("key", "is a private key"), ("cut", "certificate 1 in")])
def test_a_file_of_no_use_is_named_with_what_to_do(authority, call, tmp_path, command, fault, message):
    _, key = authority.issue("localhost")
    text = authority.path.read_bytes()
    path = tmp_path / "given"
    if fault == "folder":
        path.mkdir()
    elif fault != "missing":
        path.write_bytes({"empty": b"", "DER": b"\x30\x82\x01\x02\x00\xff", "key": key.read_bytes(),
                          "cut": text[:len(text) // 2]}[fault])
    command = [records(tmp_path, 3) if each == "FILE" else each for each in command]
    # Nobody listens there: the file is looked at first.
    for arguments, environment, origin in [
            (["--ca", str(path)], {}, "--ca"), ([], {"CALLBOARD_CA": str(path)}, "CALLBOARD_CA")]:
        status, printed, said = call(*command, *arguments, "--server", "https://localhost:1", **environment)
        assert (status, printed) == (CONFIGURATION, ""), said
        assert said.startswith(f"callboard: {origin}: ") and message in said and str(path) in said
        assert "callboard certificate" in said


def test_a_certificate_for_another_name_is_told_from_one_of_another_authority(secure, authority, call):
    status, _, said = call("directors", "--ca", str(authority.path), "--server", f"https://127.0.0.1:{secure.port}")
    assert status == UNAVAILABLE and "subject name" in said
    assert '"callboard certificate 127.0.0.1"' in said and "--ca" not in said


def test_a_certificate_that_has_expired_is_said_to_be(start, authority, call):
    server = start(**files(*authority.issue("localhost", lasts=timedelta(days=-1))))
    status, _, said = call("directors", "--ca", str(authority.path), "--server", url(server))
    assert status == UNAVAILABLE and "certificate has expired" in said
    assert "valid now" in said and "--ca" not in said


@pytest.mark.parametrize("protocol", ["http/1.1", "h2"])
def test_the_protocol_is_agreed_upon_and_a_stream_is_followed_over_it(
        start, authority, program, call, tmp_path, protocol):
    server = start(HTTP2_CLEARTEXT="true")
    front = Terminator(server.port, authority, protocol)
    trust = ["--ca", str(authority.path), "--server", front.url]
    try:
        assert call("load", records(tmp_path, 3000), "--batch", "500", *trust)[0] == 0
        with Watch(program, *trust) as watch:
            assert watch.until("snapshot")["counts"]["elements"] == 3000
            with httpx.Client(base_url=server.url, trust_env=False) as http:
                for number in range(20):
                    change(http, f"s{number}")
                    assert watch.until("changeset")["changeset"]["version"] == number + 2
        assert set(front.protocols) == {protocol}
    finally:
        front.close()


def test_events_of_a_server_with_tls_reach_the_listener(secure, authority, program, call):
    """The listener is a server itself: it calls nobody, and has no authority to trust."""
    with client(secure, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
        listener = subprocess.Popen([program, "listen", "0", "--count", "1"], stdout=subprocess.PIPE, text=True,
                                    env=os.environ | {"CALLBOARD_CA": str(authority.path)})
        try:
            address = listener.stdout.readline().removeprefix("listening on ").strip()
            http.put(f"{BOOK}/scroll-events/didScroll", json={"url": address}).raise_for_status()
            http.post(f"{BOOK}/events", json={"event": "didScroll"}).raise_for_status()
            printed, _ = listener.communicate(timeout=PATIENCE)
            assert "didScroll" in printed and listener.returncode == 0
        finally:
            listener.kill()
            listener.communicate()
    assert call("listen", "0", "--ca", str(authority.path))[0] == 64
