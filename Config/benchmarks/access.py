"""What it costs to ask who makes a request: GET with a static token and with a JWT beside GET without, on a server that
allows everybody to read; and 10,000 streams, each with a token of its own, beside 10,000 without.
"""

import base64
import contextlib
import json
import socket
import statistics
import subprocess
import time
from pathlib import Path

from harness import HOST, callboard, raise_descriptor_limit, report, workspace
from rates import CONNECTIONS, ELEMENT, prepare

ROUNDS = 21
SECONDS = 1
STREAMS = 10_000
STATIC_TARGET, JWT_TARGET = 0.95, 0.9
STREAM = "/v1/directors/bench/changesets?snapshot=none"
READ = {"actions": ["read"], "directors": ["*"]}


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def raw_signature(der: bytes) -> bytes:
    """The two numbers of an ECDSA signature, 32 bytes each (RFC 7518, section 3.4)."""
    numbers, rest = b"", der[2:]
    for _ in range(2):
        length = rest[1]
        numbers += rest[2:2 + length].lstrip(b"\0").rjust(32, b"\0")
        rest = rest[2 + length:]
    return numbers


class Issuer:
    """A key pair of openssl's, and tokens that it signs."""

    def __init__(self, folder: Path):
        self.private, self.keys = folder / "key.pem", folder / "keys.json"
        self.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(self.private))
        point = self.openssl("ec", "-in", str(self.private), "-pubout", "-outform", "DER")[-64:]
        key = {"kty": "EC", "crv": "P-256", "kid": "1", "x": encoded(point[:32]), "y": encoded(point[32:])}
        self.keys.write_text(json.dumps({"keys": [key]}))

    def openssl(self, *arguments: str, content: bytes = b"") -> bytes:
        return subprocess.run(["openssl", *arguments], input=content, capture_output=True, check=True).stdout

    @property
    def setting(self) -> str:
        return json.dumps([
            {"issuer": "bench", "audience": "bench", "algorithms": ["ES256"], "keysFile": str(self.keys)}])

    def token(self, *grants: dict) -> str:
        """A token that allows reading, and what is named besides."""
        claims = {"iss": "bench", "aud": "bench", "sub": "reader", "exp": int(time.time()) + 3600,
                  "authorization_details": [{"type": "urn:callboard:grant"} | each for each in (READ, *grants)]}
        text = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "ES256", "kid": "1"}, claims))
        signature = self.openssl("dgst", "-sha256", "-sign", str(self.private), content=text.encode())
        return f"{text}.{encoded(raw_signature(signature))}"


class Admin:
    """Lets the harness's client send a token with every request."""

    def __init__(self, server, token: str):
        self.server, self.connection = server, server.connection
        server.connection = self
        self.token = token

    def request(self, method: str, path: str, payload, headers: dict) -> None:
        self.connection.request(method, path, payload, headers | {"Authorization": f"Bearer {self.token}"})

    def getresponse(self):
        return self.connection.getresponse()


def rate(server, token: str | None) -> float:
    """Requests for each second of the server's processor, which what else runs disturbs less than the time."""
    before = server.processor_seconds()
    field = ["-H", f"Authorization: Bearer {token}"] if token else []
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *field, f"http://{HOST}:{server.port}{ELEMENT}"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise SystemExit(f"wrk saw errors:\n{output}")
    count = next(int(line.split()[0]) for line in output.splitlines() if " requests in " in line)
    return count / (server.processor_seconds() - before)


def compare_requests(server, tokens: dict[str, tuple[str, float]]) -> None:
    plain, measured = [], {name: [] for name in tokens}
    for _ in range(ROUNDS):
        plain.append(rate(server, None))
        for name, (token, _) in tokens.items():
            measured[name].append(rate(server, token))
    yardstick = statistics.median(plain)
    for name, (_, target) in tokens.items():
        ratio = statistics.median(ours / other for ours, other in zip(measured[name], plain, strict=True))
        report(f"GET {name}, for each second of processor", f"{statistics.median(measured[name]):,.0f}",
               f"{yardstick:,.0f} without", ratio, target)


@contextlib.contextmanager
def streams(server, tokens: list[str | None]):
    """Opens a stream for each token and waits until it has begun."""
    opened = []
    try:
        for token in tokens:
            each = socket.create_connection((HOST, server.port), timeout=30)
            field = f"Authorization: Bearer {token}\r\n" if token else ""
            each.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n{field}\r\n".encode())
            head = each.recv(4096)
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"no stream: {head!r}")
            opened.append(each)
        yield opened
    finally:
        for each in opened:
            each.close()


def memory(server, tokens: list[str | None]) -> int:
    """What the streams hold, in bytes: resident while they are open, less what was resident before."""
    server.settle()
    before = server.resident_bytes()
    with streams(server, tokens):
        server.settle()
        return server.resident_bytes() - before


def revoke_one(server, made: list[dict]) -> float:
    """Seconds from the answer to a revocation to the stream's `end`; nobody else's may end."""
    with streams(server, [each["token"] for each in made]) as opened:
        server.settle()
        for each in opened:
            each.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while each.recv(65536):
                    pass
        server.call("DELETE", f"/v1/tokens/{made[len(made) // 2]['id']}")
        start = time.monotonic()
        chosen = opened[len(made) // 2]
        chosen.settimeout(10)
        received = b""
        while b"revoked" not in received:
            received += (piece := chosen.recv(65536))
            if not piece:
                raise SystemExit(f"the stream of the token that was revoked ended with {received!r}")
        seconds = time.monotonic() - start
        for each in opened:
            with contextlib.suppress(BlockingIOError):
                if each is not chosen and (content := each.recv(65536)) and b"event: end" in content:
                    raise SystemExit("another stream has ended too")
        return seconds


def main() -> None:
    raise_descriptor_limit()
    with workspace() as name:
        folder = Path(name)
        issuer = Issuer(folder)
        settings = {"AUTH_MODE": "required", "AUTH_ISSUERS": issuer.setting, "AUTH_ANONYMOUS": json.dumps([READ]),
                    "SERVER_LOOPS": "1", "SERVER_KEEP_ALIVE_TIMEOUT": "3600",
                    "FEED_HEARTBEAT": "3600", "SERVER_BACKLOG": "4096"}
        with callboard(folder, folder / "data", **settings) as server:
            Admin(server, issuer.token({"actions": ["define", "mutate", "operate"], "directors": ["*"]}))
            prepare(server)
            made = [json.loads(server.call("POST", "/v1/tokens", {"name": f"stream {number}", "grants": [READ]}))
                    for number in range(STREAMS)]
            compare_requests(server, {"with a static token": (made[0]["token"], STATIC_TARGET),
                                      "with a JWT (ES256)": (issuer.token(), JWT_TARGET)})
            # What the first ones have held is used again by those after them.
            fresh = memory(server, [None] * STREAMS)
            again = memory(server, [None] * STREAMS)
            own = fresh + memory(server, [each["token"] for each in made]) - again
            report(f"memory of a stream with a token of its own, {STREAMS:,} of them", f"{own / STREAMS:,.0f} bytes",
                   f"{fresh / STREAMS:,.0f} bytes without", own / fresh, None, at_most=True)
            seconds = revoke_one(server, made)
            report(f"a token of {STREAMS:,} is revoked: its stream's end after", f"{seconds:.2f} s", "2 s", seconds / 2,
                   1.0, at_most=True)


if __name__ == "__main__":
    main()
