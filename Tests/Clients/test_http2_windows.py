"""HTTP/2's windows and frame sizes: the server keeps to those of its client, and gives its own back."""

import hyperframe.frame as hf
import pytest

from support.frame_cases import GET_LONG, service
from support.frames import (
    INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, POST, PUT, Peer, data, frame, headers, reset, setting, update,
)

__all__ = ["service"]


def put(peer: Peer, stream: int, fields, content: bytes, pad: int | None = None) -> int:
    """Sends content within the windows that the server gives, and nothing beyond them."""
    room = {0: 65_535 + increments(peer), stream: peer.server_settings[INITIAL_WINDOW_SIZE]}
    seen = len(peer.frames)
    peer.send(headers(stream, fields, False))
    overhead = 0 if pad is None else pad + 1
    while content:
        for one in peer.frames[seen:]:
            if isinstance(one, hf.WindowUpdateFrame) and one.stream_id in room:
                room[one.stream_id] += one.window_increment
        seen = len(peer.frames)
        count = min(room[0], room[stream], 16_384, len(content) + overhead) - overhead
        if count <= 0:
            peer.wait(lambda: len(peer.frames) > seen)
            continue
        part, content = content[:count], content[count:]
        peer.send(data(stream, part, not content) if pad is None
                  else frame(0, 0x8 | (not content), stream, bytes([pad]) + part + bytes(pad)))
        room[0] -= count + overhead
        room[stream] -= count + overhead
    peer.wait(lambda: stream in peer.ended)
    return stream


def increments(peer: Peer) -> int:
    """What the server has added to the window of the connection."""
    return sum(one.window_increment for one in peer.frames
               if isinstance(one, hf.WindowUpdateFrame) and not one.stream_id)


def lengths(peer: Peer, stream: int) -> list[int]:
    return [len(one.data) for one in peer.frames if isinstance(one, hf.DataFrame) and one.stream_id == stream]


def test_6_5_3_the_last_of_values_that_differ_counts(service):
    with service.connect() as peer:
        peer.send(setting((INITIAL_WINDOW_SIZE, 0), (INITIAL_WINDOW_SIZE, 70_000), (INITIAL_WINDOW_SIZE, 10)))
        peer.credits = False
        stream = peer.request(GET_LONG)
        peer.wait(lambda: stream in peer.heads)
        peer.sync()
        assert peer.received(stream) == 10


def test_6_7_PING_comes_back_while_windows_are_shut(service):
    with service.connect() as peer:
        peer.credits = False
        stream = peer.request(GET_LONG)
        peer.wait(lambda: peer.received(stream) == 65_535)
        peer.sync()
        assert peer.received(stream) == 65_535 and peer.window == 0


@pytest.mark.parametrize("size", [16_384, 50_000])
def test_4_2_frames_are_as_large_as_the_client_takes_them_and_no_larger(service, size):
    with service.connect(settings=setting((MAX_FRAME_SIZE, size), (INITIAL_WINDOW_SIZE, 1 << 20))) as peer:
        peer.send(update(0, 1 << 20))
        stream = peer.request(GET_LONG)
        peer.wait(lambda: stream in peer.ended)
        assert peer.bodies[stream] == service.long and max(lengths(peer, stream)) <= size


def test_4_2_a_frame_size_that_shrinks_is_kept_to(service):
    with service.connect(settings=setting((MAX_FRAME_SIZE, 60_000), (INITIAL_WINDOW_SIZE, 1 << 20))) as peer:
        peer.send(update(0, 1 << 20))
        peer.answer(GET_LONG)
        peer.send(setting((MAX_FRAME_SIZE, 16_384)))
        assert peer.answer(GET_LONG) == (200, service.long)
        assert max(lengths(peer, peer.newest)) <= 16_384


def test_6_9_1_the_window_of_a_stream_is_used_up_and_not_more(service):
    with service.connect(settings=setting((INITIAL_WINDOW_SIZE, 1000))) as peer:
        peer.credits = False
        first, second = peer.request(GET_LONG), peer.request(GET_LONG)
        peer.wait(lambda: peer.received(first) == peer.received(second) == 1000)
        peer.send(update(first, 1))
        peer.sync()
        assert (peer.received(first), peer.received(second)) == (1001, 1000)
        peer.send(update(second, 5000))
        peer.sync()
        assert (peer.received(first), peer.received(second)) == (1001, 6000)


def test_6_9_1_the_window_of_the_connection_is_shared_and_not_overrun(service):
    with service.connect(settings=setting((INITIAL_WINDOW_SIZE, 1 << 20))) as peer:
        peer.credits = False
        streams = [peer.request(GET_LONG) for _ in range(3)]
        peer.wait(lambda: sum(peer.received(each) for each in streams) == 65_535)
        peer.sync()
        assert sum(peer.received(each) for each in streams) == 65_535
        peer.send(update(0, 7))
        peer.sync()
        assert sum(peer.received(each) for each in streams) == 65_542
        peer.credits = True
        peer.send(update(0, 1 << 20))
        peer.wait(lambda: peer.ended.issuperset(streams))
        assert all(peer.bodies[each] == service.long for each in streams)


def test_6_9_2_a_window_of_0_lets_heads_through_and_a_larger_one_goes_to_all_streams(service):
    with service.connect(settings=setting((INITIAL_WINDOW_SIZE, 0))) as peer:
        peer.credits = False
        streams = [peer.request(GET_LONG) for _ in range(3)]
        peer.wait(lambda: peer.heads.keys() >= set(streams))
        peer.sync()
        assert not any(peer.received(each) for each in streams)
        peer.send(setting((INITIAL_WINDOW_SIZE, 100)))
        peer.sync()
        assert [peer.received(each) for each in streams] == [100] * 3


def test_6_9_2_a_window_may_become_negative(service):
    with service.connect(settings=setting((INITIAL_WINDOW_SIZE, 1000))) as peer:
        peer.credits = False
        stream = peer.request(GET_LONG)
        peer.wait(lambda: peer.received(stream) == 1000)
        peer.send(setting((INITIAL_WINDOW_SIZE, 0)))
        peer.sync()
        assert peer.windows[stream] == -1000
        for increment, count in [(999, 1000), (1, 1000), (1, 1001), (50, 1051)]:
            peer.send(update(stream, increment))
            peer.sync()
            assert peer.received(stream) == count
        peer.send(setting((INITIAL_WINDOW_SIZE, 500)))
        peer.sync()
        assert peer.received(stream) == 1551
        # A stream that is opened now has the new size, and not the old one's debt.
        second = peer.request(GET_LONG)
        peer.wait(lambda: peer.received(second) == 500)


def test_6_9_2_SETTINGS_leave_the_window_of_the_connection_alone(service):
    with service.connect() as peer:
        peer.credits = False
        peer.send(setting((INITIAL_WINDOW_SIZE, 1 << 20)))
        stream = peer.request(GET_LONG)
        peer.wait(lambda: peer.received(stream) == 65_535)
        peer.send(setting((INITIAL_WINDOW_SIZE, 1 << 22)))
        peer.sync()
        assert peer.received(stream) == 65_535


@pytest.mark.parametrize("pad", [None, 0, 255], ids=["without padding", "with padding of 0", "with padding of 255"])
def test_5_2_windows_for_content_are_renewed_and_padding_counts(service, pad):
    content = b" " * 1_300_000 + b"1"
    with service.connect() as peer:
        assert peer.status(put(peer, 1, PUT, content, pad)) == 200


def test_6_9_1_content_of_closed_streams_is_given_back_to_the_connection(service):
    """RFC 9113, sections 5.1 and 6.9: DATA that is thrown away counts for the window of the connection."""
    with service.connect() as peer:
        start, sent = increments(peer), 0
        for stream in range(1, 161, 2):
            peer.send(headers(stream, [*POST, ("connection", "x")], False) + data(stream, bytes(16_384)))
            sent += 16_384
            peer.wait(lambda: stream in peer.resets)
        peer.sync()
        given = increments(peer) - start
        # Half of a window may be outstanding.
        assert sent == 80 * 16_384 and given >= sent - (1 << 19), f"{given} of {sent}"


def test_5_1_nothing_is_sent_on_a_stream_that_is_reset_while_its_answer_is_on_its_way(service):
    with service.connect() as peer:
        peer.credits = False
        stream = peer.request(GET_LONG)
        peer.wait(lambda: peer.received(stream) == 65_535)
        peer.send(reset(stream))
        peer.sync()
        peer.send(update(0, 1 << 20))
        peer.sync()
        assert peer.received(stream) == 65_535 and stream not in peer.resets
        peer.credits = True
        assert peer.answer(GET_LONG) == (200, service.long)
