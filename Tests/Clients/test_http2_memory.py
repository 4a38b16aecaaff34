"""What an idle stream takes of the server's memory: many on one HTTP/2 connection, and one for each TLS connection."""

import contextlib
import resource
import time

import pytest

from support.frame_cases import Service, serving
from support.frames import FOLLOW, Peer, changed, headers, update
from test_memory import resident

STREAMS = 1000
QUIET = changed(":path", "/v1/directors/book/changesets?snapshot=none", FOLLOW)
COUNT = 600
KIB = 1024


@pytest.fixture
def begin(program, tmp_path):
    """Starts one server with settings that leave no room for noise: one loop, and no heartbeat."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    return lambda **settings: serving(
        program, tmp_path, SERVER_LOOPS="1", LOG_LEVEL="warning", FEED_HEARTBEAT="600", **settings)


def follow(service: Service, stack: contextlib.ExitStack, count: int) -> Peer:
    """A connection with so many event streams, all of them answered and then silent."""
    peer = stack.enter_context(service.connect())
    peer.send(update(0, 1 << 28))
    for first in range(0, count, 100):
        streams = range(2 * first + 1, 2 * first + 201, 2)
        peer.send(b"".join(headers(stream, QUIET) for stream in streams))
        peer.wait(lambda: all(stream in peer.bodies for stream in streams))
    assert not peer.resets and len(peer.heads) == count
    return peer


def grown(service: Service, more) -> int:
    """By how many bytes the resident memory grows while `more` is done and the server comes to rest."""
    time.sleep(0.5)
    before = resident(service.server)
    more()
    time.sleep(0.5)
    return resident(service.server) - before


def test_an_idle_stream_of_HTTP2_takes_at_most_2_KiB(begin):
    """1,000 streams each on 8 connections; what the first connection makes the allocator keep is not counted."""
    with begin() as service, contextlib.ExitStack() as stack:
        follow(service, stack, STREAMS)
        size = grown(service, lambda: [follow(service, stack, STREAMS) for _ in range(8)]) / (8 * STREAMS)
        print(f"an idle stream of HTTP/2: {size:,.0f} bytes of resident memory")
        assert service.bystander.metrics("callboard_subscribers")[""] == 9 * STREAMS
        assert size <= 2 * KIB


def test_streams_that_are_over_give_their_memory_to_others(begin):
    """Five times as many streams as are open at once: a tenth of what an open one takes may stay."""
    with begin() as service, contextlib.ExitStack() as stack:
        for _ in range(2):
            with contextlib.ExitStack() as each:
                follow(service, each, STREAMS)

        def again() -> None:
            for _ in range(5):
                with contextlib.ExitStack() as each:
                    follow(service, each, STREAMS)

        size = grown(service, again) / (5 * STREAMS)
        print(f"a stream that is over: {size:,.0f} bytes of resident memory")
        assert size <= 200


def subscribe(peer: Peer, protocol: str) -> None:
    """One event stream, whose first event has come."""
    if protocol == "h2":
        peer.send(headers(1, QUIET))
        peer.wait(lambda: 1 in peer.bodies)
        return
    peer.send(f"GET {dict(QUIET)[':path']} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
    received = b""
    while b"\n\n" not in received.partition(b"\r\n\r\n")[2]:
        received += peer.socket.recv(65_536)


# A connection of HTTP/2 has tables, windows and a buffer of its own, whatever the number of its streams.
@pytest.mark.parametrize(("protocol", "most"), [("http/1.1", 20 * KIB), ("h2", 48 * KIB)])
def test_an_idle_subscriber_over_TLS_takes_so_much_and_no_more(begin, protocol, most):
    """As Config/benchmarks/tls.py measures it: a connection for each subscriber."""
    with begin(sealed=True) as service, contextlib.ExitStack() as stack:
        context = service.trusting()
        context.set_alpn_protocols([protocol])

        def more(count: int) -> None:
            for _ in range(count):
                subscribe(stack.enter_context(Peer(service.server.port, context, begins=protocol == "h2")), protocol)

        more(150)
        size = grown(service, lambda: more(COUNT)) / COUNT
        print(f"an idle subscriber over TLS with {protocol}: {size:,.0f} bytes of resident memory")
        assert service.bystander.metrics("callboard_subscribers")[""] == 150 + COUNT
        assert size <= most
