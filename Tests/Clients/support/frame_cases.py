"""Cases of frames: what is sent, what has to be seen, and the servers that they are sent to."""

import contextlib
import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from support.certificates import Authority
from support.frames import PATIENCE, PUT, Peer, changed, data, headers, ping
from support.hooks import eventually
from support.nodes import launch
from support.server import Server
from test_tls import files, trust

PROBE = 101
LONG = "/v1/directors/book/variables/long"
GET_LONG = changed(":path", LONG)


@dataclasses.dataclass(frozen=True)
class GoAway:
    """The connection ends with GOAWAY of this code."""
    code: int


@dataclasses.dataclass(frozen=True)
class Reset:
    """One stream ends with RST_STREAM of this code, and the connection goes on."""
    code: int
    stream: int = 1


@dataclasses.dataclass(frozen=True)
class Status:
    """A request is answered so, and the connection goes on."""
    code: int
    stream: int = 1


@dataclasses.dataclass(frozen=True)
class Ignored:
    """Nothing is sent because of it, and the connection goes on."""


class Closed:
    """The connection is not taken for HTTP/2, and ends; GOAWAY may be left out (RFC 9113, section 3.4)."""


@dataclasses.dataclass(frozen=True)
class Case:
    """Bytes that break a rule, or go to its edge."""

    name: str
    sent: bytes | tuple[bytes | Callable[[Peer], None], ...]
    seen: GoAway | Reset | Status | Ignored | Closed
    # Why the server decides otherwise than `seen`, where it does.
    lenient: str | None = None
    # Whether the connection is begun in good order first.
    begins: bool = True

    def play(self, peer: Peer) -> None:
        for step in (self.sent,) if isinstance(self.sent, bytes) else self.sent:
            if isinstance(step, bytes):
                peer.send(step)
            else:
                step(peer)


def ended(stream: int) -> Callable[[Peer], None]:
    """A step that waits for the end of an answer."""
    return lambda peer: peer.wait(lambda: stream in peer.ended)


def answered(stream: int) -> Callable[[Peer], None]:
    """A step that waits for the head of an answer."""
    return lambda peer: peer.wait(lambda: stream in peer.heads)


def was_reset(stream: int) -> Callable[[Peer], None]:
    """A step that waits for RST_STREAM."""
    return lambda peer: peer.wait(lambda: stream in peer.resets)


def parameters(cases: list[Case]) -> list:
    """The cases as pytest takes them."""
    assert len({case.name for case in cases}) == len(cases), "two cases have one name"
    return [pytest.param(case, id=case.name,
                         marks=[pytest.mark.xfail(strict=True, reason=case.lenient)] if case.lenient else [])
            for case in cases]


def first_of_each_section(cases: list[Case]) -> list[Case]:
    """What is asked over TLS again."""
    sections = {}
    for case in cases:
        sections.setdefault(case.name.split()[0], case)
    return list(sections.values())


class Service:
    """A server, and a connection that has to be served whatever others do."""

    def __init__(self, server: Server, trusting: Callable | None = None):
        self.server, self.trusting = server, trusting
        self.bystander = self.connect()
        # The content of a variable that no window or frame holds by default.
        self.long = b'"%s"' % (b"long " * 40_000)

    def fill(self) -> None:
        """Makes what cases ask for."""
        self.put("/v1/directors/book", b'{"kind":"table"}')
        self.put("/v1/directors/book/variables/x", b"0")
        self.put(LONG, self.long)

    def connect(self, **options) -> Peer:
        return Peer(self.server.port, self.trusting() if self.trusting else None, **options)

    def put(self, path: str, content: bytes) -> None:
        """Stores content that fits the windows of the server."""
        peer, size = self.bystander, 16_384
        peer.newest += 2
        parts = [content[first:first + size] for first in range(0, len(content), size)]
        peer.send(headers(peer.newest, changed(":path", path, PUT), False))
        peer.send(b"".join(data(peer.newest, part, number == len(parts)) for number, part in enumerate(parts, 1)))
        stream = peer.newest
        peer.wait(lambda: stream in peer.ended)
        assert peer.status(stream) in (200, 201), f"{peer}"

    def failures(self, kind: str | None = None) -> float:
        """How many connections have failed, in all or of one kind."""
        counts = self.bystander.metrics("callboard_http2_failures_total")
        return counts[kind] if kind else sum(counts.values())

    def expect_failures(self, count: float, kind: str | None = None) -> None:
        """So many connections have failed: a failure is counted once its GOAWAY has been sent."""
        eventually(lambda: self.failures(kind) >= count, "the count of the failure", 10)
        assert self.failures(kind) == count, f"each failure is counted once: {self.failures(kind)}, not {count}"

    def check(self, case: Case) -> None:
        """Plays a case on a connection of its own."""
        failures = self.failures()
        with self.connect(begins=case.begins) as peer:
            case.play(peer)
            if isinstance(case.seen, (GoAway, Closed)):
                self._check_end(case, peer, failures)
            else:
                self._check_going_on(case, peer, failures)

    def _check_end(self, case: Case, peer: Peer, failures: float) -> None:
        peer.drain(2 if case.lenient else PATIENCE)
        if isinstance(case.seen, GoAway):
            assert not peer.input
            assert peer.goaway is not None and peer.goaway.error_code == case.seen.code, f"{peer}"
            self.expect_failures(failures + 1)
        else:
            # In the clear, what does not begin as HTTP/2 does is taken for HTTP/1.1.
            assert peer.goaway is not None or peer.input.startswith(b"HTTP/1.1 505 "), f"{peer}"
        assert PROBE not in peer.heads and self.bystander.answer()[0] == 200

    def _check_going_on(self, case: Case, peer: Peer, failures: float) -> None:
        seen, resets = case.seen, {}
        match seen:
            case Reset(code, stream):
                resets = {stream: code}
                peer.wait(lambda: stream in peer.resets or peer.goaway is not None or stream in peer.ended)
            case Status(code, stream):
                peer.wait(lambda: stream in peer.ended or peer.goaway is not None or stream in peer.resets)
                assert stream in peer.heads and peer.status(stream) == code, f"{peer}"
        peer.send(headers(PROBE) + ping(b"the last"))
        peer.wait(lambda: PROBE in peer.ended and b"the last" in peer.pings or peer.goaway is not None)
        assert peer.goaway is None and peer.status(PROBE) == 200, f"{peer}"
        assert peer.resets == resets, f"{peer}"
        assert self.failures() == failures


@contextlib.contextmanager
def serving(program: str, folder: Path, sealed: bool = False, **settings: str):
    """A service in the clear, or over TLS."""
    authority = Authority(folder) if sealed else None
    settings |= files(*authority.issue("localhost", "127.0.0.1")) if sealed else {"HTTP2_CLEARTEXT": "true"}

    def trusting():
        context = trust(authority)
        context.set_alpn_protocols(["h2"])
        return context

    server = launch(program, folder, **settings)
    try:
        service = Service(server.nodes[0], trusting if sealed else None)
        with service.bystander:
            service.fill()
            yield service
    finally:
        server.stop()
        print(f"--- log of the server on port {server.port} ---\n{server.tail()}")


@pytest.fixture(scope="module")
def service(program, tmp_path_factory):
    """A server in the clear for all tests of a file."""
    with serving(program, tmp_path_factory.mktemp("clear")) as made:
        yield made


@pytest.fixture(scope="module")
def sealed(program, tmp_path_factory):
    """A server over TLS for all tests of a file."""
    with serving(program, tmp_path_factory.mktemp("sealed"), sealed=True) as made:
        yield made
