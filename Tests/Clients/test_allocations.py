"""Requests cost as many allocations and retains as `recordings/counts.json` says for each of them, over every transport.

The numbers are exact, so that a machine's noise is not in them: a change that raises one raises it in the file too, and its
commit says why; one that lowers one lowers it there. `CALLBOARD_RECORD=1` writes what was counted.
"""

import contextlib
import json
import os
import platform
import ssl
import subprocess
from pathlib import Path
from statistics import median

import pytest

from support.certificates import Authority
from support.counts import Counter, Counts
from support.http2 import Connection
from support.protocol import only_h1
from support.rights import Wire

FIGURES = Path(__file__).parent / "recordings/counts.json"
BOOK = "/v1/directors/book"
ELEMENT = f"{BOOK}/sections/people/elements/Ada"
WARMING, COUNTED, BATCHES = 300, 100, 7
SUBSCRIBERS = 10
# Tables that grow now and then are in the mean of many requests.
TOLERANCE = 0.1
# The cost of a changeset for one of ten subscribers: now and then two of their sockets are ready in one turn of the loop, and
# now and then in two. One allocation more for each subscriber is more than that.
SHARED_TOLERANCE = 0.4

AGES = [json.dumps({"age": age}).encode() for age in range(10, 100)]
EVENT = b'{"event":"didSelect","section":"people","element":"Ada"}'
REQUESTS = {
    "GET": ("GET", ELEMENT, [None]),
    "PATCH": ("PATCH", ELEMENT, AGES),
    "PATCH with reload": ("PATCH", f"{ELEMENT}?reload=true", AGES),
    "event": ("POST", f"{BOOK}/events", [EVENT]),
}


class Line(Wire):
    """One connection of HTTP/1.1, over TLS where there is somebody to trust."""

    def __init__(self, port: int, trust: ssl.SSLContext | None = None):
        super().__init__(port)
        if trust:
            self.socket = trust.wrap_socket(self.socket, server_hostname="localhost")

    def ask(self, method: str, path: str, body: bytes | None) -> int:
        return super().ask(None, method, path, body or b"").status

    def follow(self) -> None:
        """Begins an event stream, and reads its first event."""
        self.send(None, "GET", f"{BOOK}/changesets")
        self.wait_for_event()

    def wait_for_event(self) -> None:
        while (place := self.left.find(b"\nid:")) < 0:
            self.more()
        self.left = self.left[place + len(b"\nid:"):]


class Many(Connection):
    """One connection of HTTP/2 over TLS."""

    def ask(self, method: str, path: str, body: bytes | None) -> int:
        stream = self.request(method, path, body)
        status, _ = self.answer(stream)
        del self.heads[stream], self.bodies[stream]
        return status

    def follow(self) -> None:
        """Begins an event stream, and reads its first event."""
        self.followed = self.request("GET", f"{BOOK}/changesets")
        self.wait_for_event()

    def wait_for_event(self) -> None:
        self.wait(lambda: b"\nid:" in b"\n" + self.bodies.get(self.followed, b""))
        self.bodies[self.followed] = b""

    def close(self) -> None:
        self.socket.close()


def cost(counter: Counter, connection, name: str, followers=()) -> Counts:
    """What one request costs, once everything that it uses is there.

    The whole process is counted, and it has work of its own every few seconds, such as a reading of its metrics. So the
    requests are counted in batches that take a moment each, and the median batch is taken.
    """
    method, path, bodies = REQUESTS[name]

    def repeat(count: int) -> None:
        for number in range(count):
            status = connection.ask(method, path, bodies[number % len(bodies)])
            assert status < 300, (name, status)
            # Each has the changeset before the next request, so that none is sent two at once.
            for follower in followers:
                follower.wait_for_event()

    repeat(WARMING)
    batches = []
    for _ in range(BATCHES):
        before = counter.read()
        repeat(COUNTED)
        batches.append((counter.read() - before) / COUNTED)
    return Counts(median(each.allocations for each in batches), median(each.retains for each in batches))


def version_of(program: str) -> str:
    """The version of Swift that has built the program."""
    printed = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    return printed.split("Swift version ")[1].split()[0]


@pytest.fixture
def counted(start, tmp_path, tool):
    """A function that starts a server whose allocations are counted."""
    counters = []

    def begin(**settings: str):
        counters.append(Counter(tmp_path, tool("cc", "gcc")))
        environment = counters[-1].environment | {"SWIFT_DETERMINISTIC_HASHING": "1"}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            server = start("--data", "memory", SERVER_LOOPS="1", LOG_LEVEL="warning", **settings)
        return counters[-1], server

    yield begin
    for counter in counters:
        counter.close()


def fill(connection) -> None:
    elements = [{"value": {"name": name, "age": 36}} for name in ("Grace", "Alan", "Ada", "Edsger")]
    for method, path, body in [
        ("PUT", BOOK, {"kind": "table"}),
        ("PUT", f"{BOOK}/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"}),
        ("POST", f"{BOOK}/sections", {"id": "people", "elements": elements}),
        ("POST", f"{BOOK}/reload", None),
    ]:
        assert connection.ask(method, path, None if body is None else json.dumps(body).encode()) < 300, path


def measure(counter: Counter, open_connection) -> dict[str, Counts]:
    """The costs of all requests over one transport, and of a changeset for one of its subscribers."""
    with contextlib.ExitStack() as stack:
        connection = stack.enter_context(contextlib.closing(open_connection()))
        fill(connection)
        found = {name: cost(counter, connection, name) for name in REQUESTS}
        followers = [stack.enter_context(contextlib.closing(open_connection())) for _ in range(SUBSCRIBERS)]
        for follower in followers:
            follower.follow()
        alone = found["PATCH with reload"]
        found["changeset"] = (cost(counter, connection, "PATCH with reload", followers) - alone) / SUBSCRIBERS
    return found


@only_h1("it chooses its transports itself")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="retains are counted on x86-64 only")
@pytest.mark.parametrize("transport", ["http1", "tls", "http2"])
def test_each_request_costs_what_is_written(counted, tmp_path, program, transport):
    trust = None
    settings = {}
    if transport != "http1":
        authority = Authority(tmp_path)
        certificate, key = authority.issue("localhost")
        settings = {"TLS_CERTIFICATE": str(certificate), "TLS_KEY": str(key)}
        trust = ssl.create_default_context(cafile=authority.path)
    counter, server = counted(**settings)
    kind = Many if transport == "http2" else Line
    found = {name: {"allocations": round(counts.allocations, 1), "retains": round(counts.retains, 1)}
             for name, counts in measure(counter, lambda: kind(server.port, trust)).items()}
    swift = version_of(program)
    written = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    if os.environ.get("CALLBOARD_RECORD"):
        written.setdefault(swift, {})[transport] = found
        FIGURES.write_text(json.dumps(written, indent=1) + "\n")
    if swift not in written:
        pytest.skip(f"there are no figures for Swift {swift}: CALLBOARD_RECORD=1 writes them")
    wrong = [f"{name}: {found[name][kind]} {kind}, written {figure}"
             for name, figures in written[swift][transport].items() for kind, figure in figures.items()
             if round(abs(found[name][kind] - figure), 1) > (SHARED_TOLERANCE if name == "changeset" else TOLERANCE)]
    assert not wrong, "; ".join(wrong)
    assert set(found) == set(written[swift][transport])
