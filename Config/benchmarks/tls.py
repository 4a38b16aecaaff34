"""TLS: GET on kept connections and on new ones, against nginx with the same certificate and ciphers; what an idle
subscriber takes; and one changeset to many subscribers, against the same without TLS.
"""

import socket
import ssl
import statistics
import subprocess
import time
from pathlib import Path

from harness import HOST, callboard, nginx, raise_descriptor_limit, report, workspace
from rates import ELEMENT, prepare, wrk

ROUNDS = 7
SECONDS = 2
KEPT_TARGET = NEW_TARGET = 0.8
MEMORY_TARGET = 20 * 1024
STREAMS = 2_000
FANOUT_TARGET = 0.6
STREAM = "/v1/directors/bench/changesets?snapshot=none"


def certificate(folder: Path) -> tuple[Path, Path]:
    """A key on P-256 and a certificate that it has signed itself."""
    chain, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(chain)],
        check=True, capture_output=True)
    key.chmod(0o600)
    return chain, key


def compare(name: str, server, port: int, target: float, **options) -> None:
    """Interleaves rounds with both, and reports the medians."""
    def one(at: int) -> float:
        return wrk(at, ELEMENT, None, seconds=SECONDS, scheme="https", **options)

    one(server.port), one(port)
    rounds = [(one(server.port), one(port)) for _ in range(ROUNDS)]
    mine, yardstick = (statistics.median(column) for column in zip(*rounds))
    report(name, f"{mine:,.0f}/s", f"nginx {yardstick:,.0f}/s", mine / yardstick, target)


def subscribe(server, count: int) -> list[socket.socket]:
    """Streams whose first events have come."""
    trusting = ssl._create_unverified_context()
    request = f"GET {STREAM} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()
    streams = []
    for _ in range(count):
        connection = socket.create_connection((HOST, server.port), 30)
        if server.scheme == "https":
            connection = trusting.wrap_socket(connection, server_hostname="localhost")
        connection.sendall(request)
        streams.append(connection)
    for connection in streams:
        received = b""
        while b"\n\n" not in received.partition(b"\r\n\r\n")[2]:
            received += connection.recv(65536)
    return streams


def memory_of_a_stream(server) -> tuple[float, list[socket.socket]]:
    """What a subscriber adds to the server's memory once nothing happens."""
    # What the first streams make the allocator keep is not counted.
    warm = subscribe(server, 200)
    time.sleep(1)
    before = server.resident_bytes()
    streams = subscribe(server, STREAMS)
    time.sleep(2)
    return (server.resident_bytes() - before) / STREAMS, warm + streams


def processor_for_a_changeset(server, rounds: int = 40) -> float:
    """The server's processor time for one changeset to all who follow."""
    begin = server.processor_seconds()
    for number in range(rounds):
        server.call("PATCH", f"{ELEMENT}?reload=true", {"age": number}, "application/merge-patch+json")
        time.sleep(0.15)
    return (server.processor_seconds() - begin) / rounds


def main() -> None:
    raise_descriptor_limit()
    with workspace() as name:
        folder = Path(name)
        chain, key = certificate(folder)
        with callboard(folder, SERVER_LOOPS="1", LOG_LEVEL="warning", TLS_CERTIFICATE=str(chain),
                       TLS_KEY=str(key)) as server:
            body = prepare(server).decode()
            fixed = body.replace("\\", "\\\\").replace("'", "\\'").replace("$", "")
            settings = (f"ssl_certificate {chain}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;"
                        " ssl_session_tickets on; ssl_session_cache off;")
            with nginx(folder, f"location / {{ return 200 '{fixed}'; }}", settings=settings, listen="ssl") as port:
                compare("GET over TLS, 64 kept connections", server, port, KEPT_TARGET)
                compare("GET over TLS, a new connection each", server, port, NEW_TARGET,
                        headers=("Connection: close",))
            size, streams = memory_of_a_stream(server)
            report("memory of an idle TLS subscriber", f"{size:,.0f} bytes", f"{MEMORY_TARGET:,} bytes",
                   size / MEMORY_TARGET, 1.0, at_most=True)
            sealed = processor_for_a_changeset(server)
            for each in streams:
                each.close()
        with callboard(folder, SERVER_LOOPS="1", LOG_LEVEL="warning") as server:
            prepare(server)
            streams = subscribe(server, STREAMS + 200)
            plain = processor_for_a_changeset(server)
            for each in streams:
                each.close()
        report(f"one changeset to {STREAMS + 200:,} subscribers over TLS, processor", f"{sealed * 1000:.1f} ms",
               f"cleartext {plain * 1000:.1f} ms", plain / sealed, FANOUT_TARGET)


if __name__ == "__main__":
    main()
