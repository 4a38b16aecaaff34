"""HTTP/2's floods: how much of each is taken before the connection ends, as it is seen from outside, and that an honest
gateway is not taken for one."""

import time

import pytest

from support.frame_cases import sealed, service
from support.frames import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, FOLLOW, GET, HEADERS, PADDED, PREFACE, PRIORITY,
    PUT, Peer, block, data, frame, headers, indexed, ping, reset, setting, update, word,
)

__all__ = ["sealed", "service"]

OPEN = headers(1, PUT, ends=False)
DEPENDENCY = word(0) + b"\x10"


@pytest.fixture(params=["service", "sealed"], ids=["cleartext", "TLS"])
def both(request):
    return request.getfixturevalue(request.param)


def expect_calm(service, peer: Peer, kind: str, failures: float) -> None:
    """GOAWAY says ENHANCE_YOUR_CALM, the end is counted once by its kind, and another connection is served at once."""
    peer.drain()
    assert peer.goaway is not None and peer.goaway.error_code == ENHANCE_YOUR_CALM, f"{peer.goaway}"
    service.expect_failures(failures + 1, kind)
    began = time.monotonic()
    assert service.bystander.answer()[0] == 200 and time.monotonic() - began < 2
    with service.connect() as other:
        assert other.answer()[0] == 200


def flood(service, kind: str, before: bytes, make, step: int, atMost: int) -> tuple[int, float]:
    """Sends what `make` gives for each number in steps until the connection ends; after each step a PING tells that all
    of it was taken. Returns how many were taken, to a step, and for how long it was sent.
    """
    failures = service.failures(kind)
    with service.connect() as peer:
        peer.send(before)
        peer.sync()
        began, taken = time.monotonic(), 0
        while taken < atMost:
            peer.send(b"".join(make(number) for number in range(taken, taken + step)))
            # What is sent may be PINGs as well, whose acknowledgements come before.
            mark, known = b"Sync%04d" % (taken // step), len(peer.pings)
            peer.send(ping(mark))
            while mark not in peer.pings[known:] and peer.receive() and peer.goaway is None:
                pass
            if peer.goaway is not None or peer.isClosed:
                break
            taken += step
        duration = time.monotonic() - began
        assert taken < atMost, f"{taken} were taken and the connection goes on"
        expect_calm(service, peer, kind, failures)
    return taken, duration


# What is sent first, and what is sent again and again: 10,000 may come at once, and 1,000 more each second.
IDLE = {
    "6.5 SETTINGS": (b"", lambda _: setting()),
    "6.5 SETTINGS that change": (b"", lambda number: setting((1, number % 2 * 4096), (4, 1000 + number % 7))),
    "6.7 PING": (b"", lambda _: ping(b"Flooding")),
    "6.7 acknowledged PING": (b"", lambda _: ping(flags=1)),
    "6.3 PRIORITY": (b"", lambda _: frame(PRIORITY, 0, 1, DEPENDENCY)),
    "6.3 PRIORITY of ever other streams": (b"", lambda number: frame(PRIORITY, 0, 2 * number + 1, DEPENDENCY)),
    "6.1 DATA of no bytes": (OPEN, lambda _: data(1)),
    "6.1 DATA of padding alone": (OPEN, lambda _: frame(DATA, PADDED, 1, b"\x02\0\0")),
    "6.9 WINDOW_UPDATE of the connection": (b"", lambda _: update(0, 1)),
    "6.9 WINDOW_UPDATE of a stream": (OPEN, lambda _: update(1, 1)),
    "6.9 WINDOW_UPDATE of a closed stream": (OPEN + reset(1), lambda _: update(1, 1)),
    "5.1 HEADERS of a closed stream": (OPEN + reset(1), lambda _: headers(1)),
    "5.5 unknown frames": (b"", lambda _: frame(0xE7)),
}
BURST, PER_SECOND, STEP = 10_000, 1000, 250


@pytest.mark.parametrize("name", IDLE)
def test_frames_that_bring_nothing_forward_are_taken_up_to_their_rate(service, name):
    before, make = IDLE[name]
    taken, duration = flood(service, "idle_frames", before, make, STEP, 4 * BURST)
    print(f"{name}: {taken} to {taken + STEP} taken in {duration:.2f} s")
    # The PING of each step and the SETTINGS at the start count too, and 64 WINDOW_UPDATE are free.
    assert BURST - 2 * STEP <= taken <= BURST + PER_SECOND * duration + STEP


def test_as_many_of_all_kinds_as_clients_send_do_no_harm(service):
    with service.connect() as peer:
        for _ in range(20):
            peer.send(ping(b"Moderate") * 200 + setting() * 40 + update(0, 1) * 40)
            peer.send(frame(PRIORITY, 0, 1, DEPENDENCY) * 40)
            peer.sync()
        assert peer.goaway is None and len(peer.pings) == 20 * 201 and peer.acknowledged == 1 + 20 * 40


def rapid_reset(number: int) -> bytes:
    return headers(2 * number + 1) + reset(2 * number + 1)


RESETS = {
    # The bound of resets before an answer is 1000 at once and 100 more each second.
    "5.4.2 requests that are reset in the same write": (rapid_reset, 1000, 100),
    "5.4.2 requests that are reset before their content": (
        lambda number: headers(2 * number + 1, PUT, False) + reset(2 * number + 1), 1000, 100),
    # The bound of resets that a client brings about is 200 at once and 20 more each second.
    "8.1.1 malformed requests": (lambda number: headers(2 * number + 1, [*GET, ("connection", "x")]), 200, 20),
    "8.1.1 content that is longer than announced": (
        lambda number: (
            headers(2 * number + 1, [*PUT, ("content-length", "1")], False) + data(2 * number + 1, b"12")), 200, 20),
    "8.1 trailers that do not end the stream": (
        lambda number: headers(2 * number + 1, PUT, False) + headers(2 * number + 1, [("a", "b")], False), 200, 20),
    "6.9.1 windows of streams that overflow": (
        lambda number: headers(2 * number + 1, PUT, False) + update(2 * number + 1, 2**31 - 1), 200, 20),
}


@pytest.mark.parametrize("name", RESETS)
def test_resets_are_taken_up_to_their_rate(both, name):
    make, burst, rate = RESETS[name]
    kind = "provoked_resets" if burst < 1000 else "resets"
    taken, duration = flood(both, kind, b"", make, 10, 4 * burst)
    print(f"{name}: {taken} to {taken + 10} taken in {duration:.2f} s")
    assert burst - 10 <= taken <= burst + rate * duration + 10


def test_5_1_2_streams_beyond_the_limit_are_refused_up_to_the_rate_of_resets(service):
    """By a client that has not acknowledged the limit: one that has is cut off by the first."""
    failures = service.failures("provoked_resets")
    with service.connect(begins=False) as peer:
        peer.send(PREFACE + setting())
        peer.wait(lambda: peer.acknowledged)
        limit = peer.server_settings[3]
        peer.send(b"".join(headers(2 * number + 1, PUT, False) for number in range(limit)))
        peer.sync()
        began = time.monotonic()
        peer.send(b"".join(headers(2 * number + 2 * limit + 1) for number in range(800)))
        peer.drain()
        duration = time.monotonic() - began
        print(f"{len(peer.resets)} were refused in {duration:.2f} s")
        assert 200 <= len(peer.resets) + 1 <= 201 + 20 * duration
        expect_calm(service, peer, "provoked_resets", failures)


@pytest.mark.parametrize("make", [ping, setting], ids=["6.7 PING", "6.5.3 SETTINGS"])
def test_acknowledgements_may_wait_up_to_a_number(both, make):
    """256 may wait to be sent: what comes in one write is worked on before anything is sent."""
    with both.connect() as peer:
        for _ in range(4):
            peer.send(make() * 250)
            peer.sync()
        assert peer.goaway is None and len(peer.pings) + peer.acknowledged == 5 + 4 * 250
        failures = both.failures("acknowledgements")
        peer.send(make() * 300)
        expect_calm(both, peer, "acknowledgements", failures)


BLOCKS = {
    # 16 CONTINUATION frames of a field block are taken, and 96 KiB of it.
    "6.10 CONTINUATION of no bytes": (b"", 16), "6.10 CONTINUATION of one field": (block([("a", "b")]), 16),
    "6.10 CONTINUATION of 16 KB": (block([("a", "x" * 16_000)]), 6),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_field_block_goes_on_so_far_and_no_further(both, name):
    content, count = BLOCKS[name]
    begin, more = frame(HEADERS, END_STREAM, 1, block(GET)), frame(CONTINUATION, 0, 1, content)
    with both.connect() as peer:
        peer.send(begin + more * (count - 1) + frame(CONTINUATION, END_HEADERS, 1, content))
        peer.wait(lambda: 1 in peer.ended)
        assert peer.status(1) == (431 if len(content) > 1000 else 200)
        assert peer.goaway is None
    failures = both.failures("header_block")
    with both.connect() as peer:
        peer.send(begin + more * (count + 1))
        expect_calm(both, peer, "header_block", failures)


@pytest.mark.parametrize(("count", "status"), [(10, 200), (14, 200), (17, 431), (200, 431), (12_000, 431)])
def test_10_5_1_a_few_bytes_that_stand_for_many_fields_are_counted_as_what_they_stand_for(both, count, status):
    """A value of 4,000 bytes enters the table, and is named again and again: 64 KiB of fields are taken."""
    with both.connect() as peer:
        peer.send(headers(1, block(GET) + indexed("a", "x" * 4000) + b"\xBE" * count))
        peer.wait(lambda: 1 in peer.ended)
        assert peer.status(1) == status
        peer.newest = 1
        assert peer.answer()[0] == 200 and peer.goaway is None


def test_10_5_1_more_fields_than_are_taken_are_answered_431(service):
    with service.connect() as peer:
        for stream, count, status in [(1, 90, 200), (3, 101, 431), (5, 1000, 431), (7, 90, 200)]:
            peer.send(headers(stream, [*GET, *((f"n{number}", "") for number in range(count))]))
            peer.wait(lambda: stream in peer.ended)
            assert peer.status(stream) == status and peer.goaway is None


def test_a_gateway_that_cancels_2000_event_streams_is_not_cut_off(both):
    """1,800 are cancelled when their first event has come, and 200 before they are answered."""
    failures = both.failures()
    with both.connect() as peer:
        peer.send(update(0, 1 << 28))
        subscribers = both.bystander.metrics("callboard_subscribers")[""]
        for _ in range(20):
            streams = [peer.request(FOLLOW) for _ in range(90)]
            peer.wait(lambda: all(b"event: snapshot" in peer.bodies.get(each, b"") for each in streams))
            peer.send(b"".join(reset(each) for each in streams))
            for _ in range(10):
                peer.request(FOLLOW)
                peer.send(reset(peer.newest))
            peer.sync()
            for each in streams:
                del peer.bodies[each]
        assert peer.goaway is None and not peer.resets and peer.newest == 2 * 2000 - 1
        assert peer.answer()[0] == 200
        deadline = time.monotonic() + 60
        while both.bystander.metrics("callboard_subscribers")[""] > subscribers:
            assert time.monotonic() < deadline, "streams that were cancelled are still counted"
    assert both.failures() == failures
