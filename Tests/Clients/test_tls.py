"""The TCP port over TLS: other programs' clients, faults of files, certificates that change, and clients that misbehave."""

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import threading
import time
from datetime import timedelta
from pathlib import Path

import httpx
import httpx_sse
import pytest

from conftest import BOOK
from support.certificates import Authority
from support.server import Server, ServerDied, metric

PATIENCE = 60.0


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def secure(start, authority):
    """Starts servers that speak TLS as localhost."""
    return lambda *arguments, **settings: start(
        *arguments, **settings, **files(*authority.issue("localhost", "127.0.0.1")))


def files(chain: Path, key: Path) -> dict[str, str]:
    return {"TLS_CERTIFICATE": str(chain), "TLS_KEY": str(key)}


def trust(authority: Authority) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority.path))


def client(server: Server, authority: Authority) -> httpx.Client:
    return httpx.Client(base_url=f"https://localhost:{server.port}", verify=trust(authority), trust_env=False,
                        timeout=PATIENCE)


def connect(server: Server, authority: Authority, name: str = "localhost") -> ssl.SSLSocket:
    plain = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    try:
        return trust(authority).wrap_socket(plain, server_hostname=name)
    except BaseException:
        plain.close()
        raise


def curl(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["curl", "--silent", "--show-error", "--max-time", "20", *arguments],
                          capture_output=True, text=True, check=False)


def test_the_line_that_the_server_prints_is_an_address_that_curl_takes(secure, authority):
    server = secure()
    assert server.url.startswith("https://")
    url = f"https://localhost:{server.port}/livez"
    assert curl("--cacert", str(authority.path), url).stdout.startswith("ok\n")
    assert curl(url).returncode == 60, "without the authority, curl does not trust it"
    versions = {flag: curl("--cacert", str(authority.path), flag, "--tls-max", flag[-3:], url).returncode
                for flag in ("--tlsv1.2", "--tlsv1.3")}
    assert versions == {"--tlsv1.2": 0, "--tlsv1.3": 0}


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_older_versions_are_refused(secure, authority, version):
    server = secure()
    url = f"https://localhost:{server.port}/livez"
    # Debian's OpenSSL offers them at the lowest level of security only.
    refused = curl("--cacert", str(authority.path), "--ciphers", "DEFAULT@SECLEVEL=0", "--tlsv1.0", "--tls-max", version, url)
    assert refused.returncode == 35 and "alert protocol version" in refused.stderr, refused.stderr
    assert curl("--cacert", str(authority.path), url).stdout.startswith("ok\n")


def test_a_large_body_and_a_stream_come_whole(secure, authority):
    server = secure()
    with client(server, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
        text = "ä" * 2_000_000
        http.put(f"{BOOK}/variables/long", json=text).raise_for_status()
        assert http.get(f"{BOOK}/variables/long").json() == text
        seen = []
        with httpx_sse.connect_sse(http, "GET", f"{BOOK}/changesets") as source:
            events = (event for event in source.iter_sse() if event.event in ("snapshot", "changeset"))
            assert next(events).event == "snapshot"
            for number in range(50):
                http.post(f"{BOOK}/sections?reload=true", json={"id": f"s{number}", "elements": []}).raise_for_status()
                seen.append(next(events).json()["version"])
        assert seen == list(range(1, 51))


def test_the_certificate_is_chosen_by_the_name_that_is_asked_for(start, authority, tmp_path):
    other = authority.issue("shop.example", "*.shop.example", file="other")
    others = f'[{{"certificate": "{other[0]}", "key": "{other[1]}"}}]'
    server = start(TLS_CERTIFICATES=others, **files(*authority.issue("localhost")))
    for asked, given in [("localhost", "localhost"), ("shop.example", "shop.example"), ("a.shop.example", "shop.example")]:
        with connect(server, authority, asked) as connection:
            assert connection.getpeercert()["subject"][0][0][1] == given
    with pytest.raises(ssl.SSLCertVerificationError):
        connect(server, authority, "unknown.example")


def spoil(authority: Authority, chain: Path, key: Path, fault: str) -> dict[str, str]:
    """Settings with one thing wrong."""
    settings = files(chain, key)
    if fault == "no key":
        del settings["TLS_KEY"]
    elif fault == "missing":
        key.unlink()
    elif fault == "empty":
        chain.write_bytes(b"")
    elif fault == "garbage":
        chain.write_bytes(b"-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n")
    elif fault == "open to everybody":
        key.chmod(0o644)
    elif fault == "another key":
        settings["TLS_KEY"] = str(authority.issue("other.example", file="wrong")[1])
    elif fault in ("encrypted", "wrong passphrase"):
        chain, key = authority.issue("localhost", file="sealed", passphrase="secret")
        settings = files(chain, key)
        if fault == "wrong passphrase":
            passphrase = chain.parent / "passphrase"
            passphrase.touch(0o600)
            passphrase.write_text("guess\n")
            settings["TLS_PASSPHRASE_FILE"] = str(passphrase)
    return settings


@pytest.mark.parametrize(("fault", "message"), [
    ("no key", "tls.certificate has no key"), ("missing", "There is no file"), ("empty", "server.pem"),
    ("garbage", "server.pem"), ("open to everybody", "server-key.pem"), ("another key", "wrong-key.pem"),
    ("encrypted", "passphrase"), ("wrong passphrase", "passphrase")])
def test_files_of_no_use_stop_the_start_with_what_to_do(start, authority, fault, message):
    settings = spoil(authority, *authority.issue("localhost"), fault)
    with pytest.raises(ServerDied, match=re.escape(message)) as died:
        start(**settings)
    assert "secret" not in str(died.value) and "guess" not in str(died.value)


def test_an_encrypted_key_is_read_with_its_passphrase(start, authority, tmp_path):
    passphrase = tmp_path / "passphrase"
    passphrase.touch(0o600)
    passphrase.write_text("secret\n")
    chain, key = authority.issue("localhost", passphrase="secret")
    server = start(TLS_PASSPHRASE_FILE=str(passphrase), **files(chain, key))
    with connect(server, authority):
        pass


def test_an_expired_certificate_is_served_and_said_to_be(start, authority):
    server = start(**files(*authority.issue("localhost", lasts=timedelta(days=-1))))
    assert "has expired" in server.tail()
    metrics = httpx.get(f"https://127.0.0.1:{server.port}/metrics", verify=False, trust_env=False).text
    assert re.search(r"callboard_tls_certificate_days_left\{.*\} -\d", metrics)


def test_certificates_that_change_are_given_to_new_connections_and_no_stream_ends(start, authority, tmp_path):
    first = authority.issue("localhost", "127.0.0.1")
    server = start(**files(*first))
    with client(server, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
        streams = []
        for _ in range(200):
            connection = connect(server, authority)
            connection.sendall(f"GET {BOOK}/changesets HTTP/1.1\r\nHost: localhost\r\n"
                               "Accept: text/event-stream\r\n\r\n".encode())
            streams.append(connection)
        # The key alone does not fit: what was there stays, and the log says so once.
        replaced = authority.issue("localhost", "127.0.0.1", file="next")
        first[1].write_bytes(replaced[1].read_bytes())
        server.terminate(signal.SIGHUP)
        wait_for(lambda: "the server keeps the earlier ones" in server.log.read_text())
        before = serial(server, authority)
        first[0].write_bytes(replaced[0].read_bytes())
        server.terminate(signal.SIGHUP)
        wait_for(lambda: serial(server, authority) != before)
        http.post(f"{BOOK}/sections?reload=true", json={"id": "s", "elements": []}).raise_for_status()
        for connection in streams:
            read_until(connection, b"event: changeset")
            connection.close()


def test_a_certificate_that_a_link_leads_to_is_read_again_without_a_signal(start, authority, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for folder in "ab":
        for path in authority.issue("localhost", "127.0.0.1"):
            path.rename(tmp_path / folder / path.name)
    link = tmp_path / "current"
    link.symlink_to(tmp_path / "a")
    server = start(**files(link / "server.pem", link / "server-key.pem"))
    before = serial(server, authority)
    swapped = tmp_path / "next"
    swapped.symlink_to(tmp_path / "b")
    swapped.rename(link)
    wait_for(lambda: serial(server, authority) != before)


def serial(server: Server, authority: Authority) -> str:
    with connect(server, authority) as connection:
        return connection.getpeercert()["serialNumber"]


def wait_for(condition) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def read_until(connection, text: bytes) -> bytes:
    received = b""
    while text not in received:
        piece = connection.recv(65536)
        assert piece, f"ended before {text!r}: {received[-200:]!r}"
        received += piece
    return received


class Recorder:
    """Keeps what a client's end of TLS sends first."""

    def __init__(self, authority: Authority):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = trust(authority).wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        try:
            session.do_handshake()
        except ssl.SSLWantReadError:
            pass
        self.hello = self.outgoing.read()


def test_handshakes_that_are_cut_anywhere_or_never_end_hold_up_nobody(secure, authority):
    server = secure(SERVER_HEAD_TIMEOUT="2")
    hello = Recorder(authority).hello
    assert len(hello) > 200
    open_ends = []
    for count in range(len(hello)):
        connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        connection.sendall(hello[:count])
        if count % 2:
            connection.close()
        else:
            open_ends.append(connection)
    with client(server, authority) as http:
        start = time.monotonic()
        for _ in range(20):
            assert http.get("/livez").text.startswith("ok\n")
        assert time.monotonic() - start < 2
        # Those that say nothing more are closed when their time is over.
        for connection in open_ends:
            connection.settimeout(PATIENCE)
            assert connection.recv(1) == b""
            connection.close()
        wait_for(lambda: metric(server, http, "callboard_connections") == len(server.nodes))
        assert metric(server, http, "callboard_connections_timed_out_total") == len(open_ends)


def test_what_is_no_tls_gets_an_alert_and_is_counted(secure, authority):
    server = secure()
    for sent in (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", os.urandom(300), b"\x16\x03\x01\xff\xff" + b"x" * 400):
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
            connection.sendall(sent)
            while connection.recv(4096):
                pass
    with client(server, authority) as http:
        assert metric(server, http, "callboard_tls_failures_total") == 3
        assert metric(server, http, "callboard_connections") == len(server.nodes)


def presenting(server: Server, authority: Authority, chain: Path, key: Path) -> httpx.Client:
    context = trust(authority)
    context.load_cert_chain(chain, key)
    return httpx.Client(base_url=f"https://localhost:{server.port}", verify=context, trust_env=False, timeout=PATIENCE)


def test_a_client_may_do_what_its_certificate_allows(start, authority, tmp_path):
    (tmp_path / "clients").mkdir()
    clients = Authority(tmp_path / "clients", "Client authority")
    grants = [{"name": "till-*", "grants": [{"actions": ["read"], "directors": ["book"]}]},
              {"name": "admin.example", "grants": [{"actions": ["read", "define", "mutate"],
                                                    "directors": ["*"]}]}]
    grants[1]["grants"].append({"actions": ["operate"]})
    server = start(AUTH_MODE="required", TLS_CLIENT_CA=str(clients.path), AUTH_CERTIFICATES=json.dumps(grants),
                   **files(*authority.issue("localhost")))
    admin = presenting(server, authority, *clients.issue("admin.example", file="admin"))
    till = presenting(server, authority, *clients.issue("till-3", file="till"))
    other = presenting(server, authority, *clients.issue("other.example", file="other"))
    with admin, till, other, client(server, authority) as nobody:
        admin.put(BOOK, json={"kind": "table"}).raise_for_status()
        admin.put("/v1/directors/secret", json={"kind": "table"}).raise_for_status()
        assert till.get(BOOK).status_code == 200 and till.get("/v1/directors/secret").status_code == 404
        assert till.post(f"{BOOK}/reload").status_code == 403
        assert other.get(BOOK).status_code == 404 and nobody.get(BOOK).status_code == 401
        assert till.get("/v1/session").json()["principal"] == "certificate of till-3"
        with httpx_sse.connect_sse(till, "GET", f"{BOOK}/changesets") as source:
            assert next(event.event for event in source.iter_sse() if event.data) == "snapshot"
        # A browser adds a certificate to what any page sends.
        evil = {"Origin": "https://evil.example"}
        assert admin.post(f"{BOOK}/reload", headers=evil).status_code == 403
        assert admin.post(f"{BOOK}/reload", headers={"Sec-Fetch-Site": "none"}).status_code == 403
        assert admin.post(f"{BOOK}/reload").status_code == 200
        # A token goes before the certificate.
        wrong = {"Authorization": "Bearer cbt_" + "0" * 36}
        assert admin.get(BOOK, headers=wrong).status_code == 401
    strangers = presenting(server, authority, *authority.issue("admin.example", file="stranger"))
    with strangers, pytest.raises(httpx.TransportError):
        strangers.get(BOOK)


def test_where_certificates_are_required_nobody_comes_in_without_one(start, authority):
    server = start(TLS_CLIENT_CA=str(authority.path), TLS_CLIENT_CERTIFICATES="required",
                   **files(*authority.issue("localhost")))
    with client(server, authority) as http, pytest.raises(httpx.TransportError):
        http.get("/livez")
    with presenting(server, authority, *authority.issue("somebody", file="client")) as http:
        assert http.get("/livez").text.startswith("ok\n")


def test_a_client_that_stops_reading_delays_nobody(secure, authority):
    server = secure()
    with client(server, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
        # More than the kernel keeps for a connection.
        http.put(f"{BOOK}/variables/long", json="x" * 12_000_000).raise_for_status()
        stuck = []
        for _ in range(8):
            connection = connect(server, authority)
            connection.sendall(f"GET {BOOK}/variables/long HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            stuck.append(connection)
        start = time.monotonic()
        for _ in range(50):
            http.get("/livez").raise_for_status()
        assert time.monotonic() - start < 2
        # What waits for them comes whole when they go on.
        for connection in stuck:
            connection.settimeout(PATIENCE)
            received = read_until(connection, b"\r\n\r\n")
            length = int(re.search(rb"content-length: (\d+)", received, re.I).group(1))
            rest = len(received.split(b"\r\n\r\n", 1)[1])
            while rest < length:
                piece = connection.recv(65536)
                assert piece
                rest += len(piece)
            connection.close()


def test_a_stop_ends_streams_in_good_order(secure, authority):
    server = secure()
    with client(server, authority) as http:
        http.put(BOOK, json={"kind": "table"}).raise_for_status()
    ends = []

    def follow() -> None:
        with client(server, authority) as http, httpx_sse.connect_sse(http, "GET", f"{BOOK}/changesets") as source:
            ends.extend(event for event in source.iter_sse() if event.event == "end")

    followers = [threading.Thread(target=follow) for _ in range(5)]
    for follower in followers:
        follower.start()
    wait_for(lambda: subscribers(server, authority) == 5)
    server.terminate()
    for follower in followers:
        follower.join(PATIENCE)
    assert [event.json()["reason"] for event in ends] == ["closing"] * 5
    assert server.wait() == 0


def subscribers(server: Server, authority: Authority) -> float:
    with client(server, authority) as http:
        return metric(server, http, "callboard_subscribers")
