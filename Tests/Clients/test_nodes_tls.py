"""TLS between nodes: certificates of their own at both ends, read anew when they change; faults are told at the start."""

import json
import signal
import socket
import ssl
import subprocess
import time
import urllib.parse
from pathlib import Path

import httpx
import pytest
from cryptography import x509

from support import nodes
from support.certificates import DAY, Authority
from support.cluster import needs_postgres, until_stored
from support.documents import examples, section
from support.hooks import done, eventually

PAGE = "Sources/JournalPostgres/JournalPostgres.docc/Operating-several-nodes.md"
LEASE = 8  # PostgresSettings.lease, in seconds.
LISTS = [f"/v1/directors/list-{number}" for number in range(9)]


class SecureNodes(nodes.Nodes):
    """Three nodes with a certificate each."""

    def __init__(self, program: str, folder: Path, authority: Authority):
        self.authority, self.place = authority, folder
        super().__init__(program, folder)

    def issue(self, number: int) -> tuple[Path, Path]:
        return self.authority.issue("127.0.0.1", file=f"node{number}-tls")

    def own(self, number: int) -> dict[str, str]:
        certificate, key = self.issue(number)
        return {"CLUSTER_TLS_CERTIFICATE": str(certificate), "CLUSTER_TLS_KEY": str(key),
                "CLUSTER_TLS_TRUST": str(self.place / "trust.pem")}


def listed(url: str) -> list[dict]:
    return done(httpx.get(f"{url}/v1/nodes", timeout=60)).json()["nodes"]


@pytest.fixture
def authority(tmp_path):
    made = Authority(tmp_path)
    (tmp_path / "trust.pem").write_bytes(made.path.read_bytes())
    return made


@pytest.fixture
def three(program, tmp_path, authority):
    """Three nodes with TLS, and lists that each of them owns some of."""
    needs_postgres()
    started = SecureNodes(program, tmp_path, authority)
    try:
        eventually(lambda: [node["state"] for node in listed(started.nodes[0].url)] == ["serving"] * 3, "every node taking part")
        for path in LISTS:
            done(httpx.put(started.nodes[0].url + path, json={"kind": "table"}, timeout=60))
        eventually(lambda: all(node["directors"] for node in listed(started.nodes[0].url)), "every node owning some")
        yield started
    finally:
        started.stop()


def write_everywhere(three: nodes.Nodes, *gone) -> None:
    """Each node that is there stores a change of each list, whoever owns it."""
    for server in three.nodes:
        if server not in gone:
            with httpx.Client(base_url=server.url, timeout=60) as client:
                for path in LISTS:
                    count = len(done(client.get(f"{path}/sections")).json()["sections"])
                    until_stored(client, f"{path}/sections", {"id": f"s{count}"})


def peer_certificate(url: str, trust: Path, *pair: Path) -> x509.Certificate:
    """The certificate of a node's internal listener; raises `ssl.SSLError` where the listener refuses the client's."""
    place = urllib.parse.urlsplit(url)
    context = ssl.create_default_context(cafile=trust)
    if pair:
        context.load_cert_chain(*pair)
    with socket.create_connection((place.hostname, place.port), timeout=60) as plain, \
            context.wrap_socket(plain, server_hostname=place.hostname) as secure:
        # In TLS 1.3 the client is refused after its own handshake has ended: an answer says that it was not.
        secure.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert secure.recv(100).startswith(b"HTTP/1.1 401"), "a request that no node has signed"
        return x509.load_der_x509_certificate(secure.getpeercert(True))


def test_nodes_call_each_other_over_tls_and_nobody_without_a_certificate(three, authority, tmp_path):
    write_everywhere(three)
    forwarded = [httpx.get(f"{each.url}/metrics", timeout=60).text for each in three.nodes]
    assert all("callboard_cluster_forward_failures_total 0\n" in text for text in forwarded)
    assert any("callboard_cluster_forwarded_total 0\n" not in text for text in forwarded)
    assert all('callboard_tls_certificate_days_left{certificate="' in text for text in forwarded)
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    others = Authority(stranger, "Other authority").issue("127.0.0.1")
    for node in listed(three.nodes[0].url):
        assert node["url"].startswith("https://127.0.0.1:"), node
        assert peer_certificate(node["url"], authority.path, *authority.issue("127.0.0.1", file="client"))
        for pair in ([], others):
            with pytest.raises((ssl.SSLError, ConnectionResetError)):
                peer_certificate(node["url"], authority.path, *pair)


def test_a_node_that_is_killed_is_followed_before_its_lease_has_run_out(three):
    """Its port refuses connections, which is all that is looked at: there is no handshake."""
    three.nodes[2].terminate(signal.SIGKILL)
    killed = time.monotonic()
    write_everywhere(three, *three.nodes[1:])
    took = time.monotonic() - killed
    print(f"all lists were written {took:.2f} s after the kill")
    assert took < LEASE - 2, f"{took:.2f} s"
    write_everywhere(three, three.nodes[2])


def test_certificates_and_authorities_are_read_anew(three, authority, tmp_path):
    """First both authorities are trusted, then certificates come from the new one, then the old one is trusted no longer."""
    renewed = tmp_path / "renewed"
    renewed.mkdir()
    successor = Authority(renewed, "Successor")
    pair = successor.issue("127.0.0.1", file="client")

    def replace(change) -> None:
        marks = [each.log.stat().st_size for each in three.nodes]
        change()
        for each, mark in zip(three.nodes, marks, strict=True):
            each.terminate(signal.SIGHUP)
            eventually(lambda: b"the certificates were read again" in each.log.read_bytes()[mark:], "the certificates being read")
        write_everywhere(three)

    def issue() -> None:
        for number in range(3):
            for old, new in zip(three.issue(number), successor.issue("127.0.0.1", file=f"node{number}-tls"), strict=True):
                old.write_bytes(new.read_bytes())

    trust = tmp_path / "trust.pem"
    replace(lambda: trust.write_bytes(authority.path.read_bytes() + successor.path.read_bytes()))
    replace(issue)
    replace(lambda: trust.write_bytes(successor.path.read_bytes()))
    for node in listed(three.nodes[0].url):
        assert peer_certificate(node["url"], successor.path, *pair).issuer == successor.name
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            peer_certificate(node["url"], successor.path, *authority.issue("127.0.0.1", file="client"))


def test_a_file_of_no_use_changes_nothing(three, tmp_path):
    """An authority that has not issued the node's own certificate would part it from the others."""
    before = three.nodes[0].log.stat().st_size
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "trust.pem").write_bytes(Authority(other).path.read_bytes())
    three.nodes[0].terminate(signal.SIGHUP)
    eventually(lambda: b"does not come from the authorities" in three.nodes[0].log.read_bytes()[before:], "the fault being told")
    write_everywhere(three)


def test_a_node_without_tls_beside_nodes_with_it(program, tmp_path, authority):
    """Each tells the other's name and what to set; what both have in the database is read, and each goes on with its own."""
    needs_postgres()

    class Mixed(SecureNodes):
        def own(self, number: int) -> dict[str, str]:
            return super().own(number) if number else {}

    started = Mixed(program, tmp_path, authority)
    try:
        plain, *secure = started.nodes
        eventually(lambda: [node["state"] for node in listed(plain.url)] == ["serving"] * 3, "every node taking part")
        for number in (1, 2):
            eventually(lambda: f"the node node{number} has TLS between nodes, and this node has not: set "
                               "cluster.tlsCertificate" in plain.log.read_text(), "the node without TLS telling it")
        for each in secure:
            eventually(lambda: "this node has TLS between nodes, and the node node0 has not" in each.log.read_text(),
                       "a node with TLS telling it")
        # A new director belongs to any of the three: at one of them it is made here or at the other with TLS.
        answers = {path: [httpx.put(each.url + path, json={"kind": "table"}, timeout=60) for each in started.nodes]
                   for path in LISTS[:3]}
        for path, three_answers in answers.items():
            assert len({each.status_code for each in three_answers}) > 1, "the owner makes it, and one that is spoken to otherwise not"
            for each in three_answers:
                assert each.is_success or each.status_code == 503 and each.headers["Retry-After"], each.text
            for each in started.nodes:
                done(httpx.get(each.url + path, timeout=60))
        assert all(httpx.get(f"{each.url}/readyz", timeout=60).status_code == 200 for each in started.nodes)
    finally:
        started.stop()


def test_the_page_s_certificates(program, tmp_path):
    """What the page makes for three machines is made for three addresses of this one."""
    needs_postgres()
    [example] = examples(section(PAGE, "TLS between nodes"), "sh")
    subprocess.run(["bash", "-euc", example.replace("10.0.0.", "127.0.0.").replace("callboard ", f"{program} ")], check=True,
                   cwd=tmp_path, capture_output=True, timeout=60)

    class Machines(nodes.Nodes):
        def own(self, number: int) -> dict[str, str]:
            place = tmp_path / f"127.0.0.{5 + number}"
            return {"CLUSTER_LISTEN": f"{place.name}:0", "CLUSTER_TLS_CERTIFICATE": str(place / "certificate.pem"),
                    "CLUSTER_TLS_KEY": str(place / "key.pem"), "CLUSTER_TLS_TRUST": str(place / "authority.pem")}

    started = Machines(program, tmp_path)
    try:
        eventually(lambda: [node["state"] for node in listed(started.nodes[0].url)] == ["serving"] * 3, "every node taking part")
        for path in LISTS:
            done(httpx.put(started.nodes[0].url + path, json={"kind": "table"}, timeout=60))
        write_everywhere(started)
    finally:
        started.stop()


FAULTS = {
    "one of three": ({"tlsKey": "", "tlsTrust": ""}, "cluster.tlsCertificate is set, and cluster.tlsKey is not"),
    "trust alone": ({"tlsCertificate": "", "tlsKey": ""}, "cluster.tlsTrust is set, and cluster.tlsCertificate is not"),
    "http": ({"url": "http://127.0.0.1:9"}, "cluster.url is http://127.0.0.1:9, and cluster.tlsCertificate is set"),
    "https": ({"url": "https://127.0.0.1:9", "tlsCertificate": "", "tlsKey": "", "tlsTrust": ""},
              "cluster.url is https://127.0.0.1:9, and cluster.tlsCertificate is not set"),
    "missing": ({"tlsTrust": "none.pem"}, "There is no file none.pem"),
    "another key": ({"tlsKey": "other-key.pem"}, "The key in other-key.pem does not belong to the first certificate of node.pem"),
    "expired": ({"tlsCertificate": "old.pem", "tlsKey": "old-key.pem"}, "old.pem has expired 1 days ago"),
    "another authority": ({"tlsTrust": "stranger.pem"}, "node.pem does not come from the authorities in stranger.pem"),
    "another host": ({"url": "https://localhost:9"}, "node.pem is not for localhost"),
    "servers alone": ({"tlsCertificate": "web.pem", "tlsKey": "web-key.pem"}, "web.pem is not for clients"),
    "open key": ({"tlsKey": "open-key.pem"}, "Everybody on this machine may read or change open-key.pem"),
}


@pytest.mark.parametrize("command", [["--check-config"], []], ids=["check", "serve"])
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_told_at_the_start(program, tmp_path, fault, command):
    """Before the database, which is none here."""
    settings, sentence = FAULTS[fault]
    Authority(tmp_path, "stranger")
    made = Authority(tmp_path, "trust")
    made.issue("127.0.0.1", file="node")
    made.issue("127.0.0.1", file="other")
    made.issue("127.0.0.1", file="old", lasts=-DAY * 3 / 2)
    made.issue("127.0.0.1", file="web", uses=(x509.ExtendedKeyUsageOID.SERVER_AUTH,))
    made.issue("127.0.0.1", file="open")
    (tmp_path / "open-key.pem").chmod(0o644)
    (tmp_path / "open-key.pem").write_bytes((tmp_path / "node-key.pem").read_bytes())
    secret = tmp_path / "secret"
    secret.touch(0o600)
    secret.write_text("0123456789abcdef" * 2)
    cluster = {"listen": "127.0.0.1:9", "secretFile": "secret", "tlsCertificate": "node.pem", "tlsKey": "node-key.pem",
               "tlsTrust": "trust.pem"}
    file = tmp_path / "callboard.json"
    file.write_text(json.dumps({"journal": {"url": "postgresql://127.0.0.1:9/none"}, "cluster": cluster | settings}))
    ran = subprocess.run([program, "serve", "--config", file, *command], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert ran.returncode == 78, ran.stderr
    assert sentence in ran.stderr + ran.stdout
