"""What RFC 9113 has a server do by itself: acknowledge, keep to the client's table, and leave closed streams alone.

What every frame has to be like is checked by `Peer` as it comes.
"""

import itertools
import json
import socket

import hpack
import hyperframe.frame as hf
import pytest

from support.frame_cases import GET_LONG, LONG, sealed, service
from support.frames import (
    ACK, FOLLOW, GET, GOAWAY, HEADER_TABLE_SIZE, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, NO_ERROR, POST, PREFACE,
    PROTOCOL_ERROR, PUT, REFUSED_STREAM, SETTINGS, changed, data, frame, headers, ping, reset, setting, update, word,
)

__all__ = ["sealed", "service"]

NUMBERS = itertools.count()


def change(service) -> None:
    """Publishes a changeset, which every event stream gets."""
    number = next(NUMBERS)
    fields = [*changed(":path", "/v1/directors/book/sections?reload=true", POST), ("content-type", "application/json")]
    assert service.bystander.answer(fields, json.dumps({"id": f"s{number}", "elements": []}).encode())[0] == 201


def test_3_4_SETTINGS_come_before_anything_was_received(sealed):
    with sealed.connect(begins=False) as peer:
        peer.wait(lambda: peer.server_settings)


def test_3_4_what_is_in_the_server_s_SETTINGS_is_allowed(service):
    with service.connect() as peer:
        settings = peer.server_settings
        assert settings[3] >= 100 and settings[INITIAL_WINDOW_SIZE] <= 2**31 - 1, "5.1.2, 6.5.2"
        assert 16_384 <= settings.get(MAX_FRAME_SIZE, 16_384) < 2**24 and settings.get(2, 0) == 0
        assert settings.get(9, 0) in (0, 1), "RFC 9218, section 2.1"


def test_6_5_3_every_SETTINGS_is_acknowledged_in_order(service):
    with service.connect() as peer:
        for number in range(50):
            peer.send(setting((INITIAL_WINDOW_SIZE, number)) + ping(word(0) + word(number)))
        peer.wait(lambda: len(peer.pings) == 50)
        kinds = [type(one) for one in peer.frames[-100:]]
        assert peer.acknowledged == 51 and kinds.count(hf.SettingsFrame) == 50
        assert peer.pings == [word(0) + word(number) for number in range(50)]


@pytest.mark.parametrize("content", [bytes(8), b"\xFF" * 8, b"\0\x01\x02\x03\xFC\xFD\xFE\xFF"])
def test_6_7_PING_comes_back_with_its_bytes(service, content):
    with service.connect() as peer:
        peer.send(ping(content) + ping(b"answered", ACK))
        peer.sync()
        assert peer.pings[0] == content and len(peer.pings) == 2, "an acknowledgement is not answered"


def test_4_3_fields_of_closed_streams_enter_the_table(service):
    with service.connect() as peer:
        encoder = hpack.Encoder()
        peer.send(headers(1, encoder.encode([*POST, ("connection", "x")]), False))
        peer.wait(lambda: 1 in peer.resets)
        peer.send(headers(1, encoder.encode([("trailer-of-a-closed-stream", "1")])))
        fields = encoder.encode([*GET, ("trailer-of-a-closed-stream", "1")])
        peer.send(headers(3, fields))
        peer.wait(lambda: 3 in peer.ended)
        assert peer.status(3) == 200 and len(fields) < 60


def test_5_1_nothing_is_sent_on_streams_that_the_client_has_reset(service):
    with service.connect() as peer:
        peer.send(update(0, 1 << 24))
        streams = [peer.request(FOLLOW) for _ in range(10)]
        peer.wait(lambda: all(b"event: snapshot" in peer.bodies.get(each, b"") for each in streams))
        for each in streams[:5]:
            peer.send(reset(each))
        peer.sync()
        sizes = [peer.received(each) for each in streams]
        change(service)
        peer.wait(lambda: all(peer.received(each) > size for each, size in list(zip(streams, sizes))[5:]))
        peer.sync()
        assert [peer.received(each) for each in streams[:5]] == sizes[:5] and not peer.resets


def test_5_1_1_the_last_number_there_is_may_be_used(service):
    with service.connect() as peer:
        peer.send(headers(2**31 - 1))
        peer.wait(lambda: 2**31 - 1 in peer.ended)
        peer.sync()
        assert peer.status(2**31 - 1) == 200 and peer.goaway is None


@pytest.mark.parametrize("acknowledges", [False, True])
def test_5_1_2_a_stream_beyond_the_limit_is_not_served(service, acknowledges):
    with service.connect(begins=False) as peer:
        peer.send(PREFACE + setting())
        peer.wait(lambda: peer.acknowledged)
        if acknowledges:
            peer.send(frame(SETTINGS, ACK))
        limit = peer.server_settings[3]
        peer.send(b"".join(headers(2 * number + 1, PUT, False) for number in range(limit)))
        peer.sync()
        assert not peer.resets
        peer.send(headers(2 * limit + 1))
        if acknowledges:
            # A client that knows the limit: the connection ends, as section 5.4.1 allows.
            peer.drain()
            assert peer.goaway.error_code == PROTOCOL_ERROR
        else:
            peer.sync()
            assert peer.resets == {2 * limit + 1: REFUSED_STREAM} and peer.goaway is None
            peer.send(reset(1) + headers(2 * limit + 3))
            peer.wait(lambda: 2 * limit + 3 in peer.ended)


@pytest.mark.parametrize("size", [0, 1, 100, 4096, 65_536])
def test_RFC_7541_4_2_the_table_of_the_client_is_kept_to(service, size):
    with service.connect(settings=setting((HEADER_TABLE_SIZE, size))) as peer:
        for number in range(20):
            assert peer.answer(changed(":path", f"/nowhere/{number}"))[0] == 404
            assert peer.decoder.header_table.maxsize <= size


def test_RFC_7541_4_2_a_table_that_changes_is_announced_in_the_next_field_block(service):
    with service.connect() as peer:
        for size in (4096, 0, 200, 0, 4096, 10, 65_536, 0):
            peer.send(setting((HEADER_TABLE_SIZE, size)))
            for _ in range(3):
                assert peer.answer()[0] == 200
                assert peer.decoder.header_table.maxsize <= size
        peer.send(setting((HEADER_TABLE_SIZE, 4096)))
        peer.answer()
        # Less and more again: what was in the table is gone, and the smallest of the sizes is announced too.
        peer.send(setting((HEADER_TABLE_SIZE, 0)) + setting((HEADER_TABLE_SIZE, 4096)))
        peer.sync()
        before = len(peer.frames)
        peer.answer()
        head = next(one for one in peer.frames[before:] if isinstance(one, hf.HeadersFrame))
        assert head.data[0] == 0x20, f"no table size of 0: {head.data.hex()}"


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", LONG, 200), ("HEAD", LONG, 200), ("GET", "/nowhere", 404),
    ("OPTIONS", LONG, 204), ("DELETE", "/livez", 405),
    ("GET", "/openapi.json", 200), ("HEAD", "/nowhere", 404), ("GET", "/metrics", 200)])
def test_8_1_answers_have_a_length_that_is_right(service, method, path, status):
    with service.connect() as peer:
        assert peer.answer(changed(":path", path, changed(":method", method)))[0] == status
        fields = dict(peer.heads[1])
        assert ("content-length" in fields) == (status != 204) and (method != "HEAD" or 1 not in peer.bodies)
        if method == "HEAD":
            get = service.bystander
            get.answer(changed(":path", path))
            assert dict(get.heads[get.newest])["content-length"] == fields["content-length"]


def test_8_1_304_has_no_content(service):
    with service.connect() as peer:
        peer.answer(GET_LONG)
        tag = dict(peer.heads[1])["etag"]
        assert peer.answer([*GET_LONG, ("if-none-match", tag)]) == (304, b"")
        assert dict(peer.heads[3]).get("content-length", str(len(service.long))) == str(len(service.long))


def test_8_1_100_comes_before_content_and_not_behind_it(service):
    expecting = [*PUT, ("expect", "100-continue")]
    with service.connect() as peer:
        peer.send(headers(1, expecting, False))
        peer.wait(lambda: any(isinstance(one, hf.HeadersFrame) for one in peer.frames))
        assert not peer.heads
        peer.send(data(1, b"1", True))
        peer.wait(lambda: 1 in peer.ended)
        peer.send(headers(3, expecting, False) + data(3, b"1", True))
        peer.wait(lambda: 3 in peer.ended)
        of = [one.stream_id for one in peer.frames if isinstance(one, hf.HeadersFrame)]
        assert peer.status(1) == peer.status(3) == 200 and of == [1, 1, 3]


def test_8_1_content_behind_an_answer_is_thrown_away_or_the_stream_ends_with_NO_ERROR(service):
    with service.connect() as peer:
        peer.send(headers(1, [*PUT, ("content-length", str(1 << 30))], False))
        peer.wait(lambda: 1 in peer.ended)
        assert peer.status(1) == 413
        peer.send(data(1, bytes(16_384)) * 3)
        peer.newest = 1
        assert peer.answer()[0] == 200 and peer.resets in ({}, {1: NO_ERROR})


def test_6_8_streams_of_a_client_that_says_GOAWAY_are_ended(service):
    with service.connect() as peer:
        peer.credits = False
        stream = peer.request(GET_LONG)
        peer.wait(lambda: peer.received(stream) == 65_535)
        peer.send(frame(GOAWAY, 0, 0, word(0) + word(0xABCD) + b"why: debug data"))
        peer.credits = True
        peer.send(update(0, 1 << 20) + update(stream, 1 << 20))
        peer.wait(lambda: stream in peer.ended)
        assert peer.bodies[stream] == service.long and not peer.resets


def test_6_8_GOAWAY_with_an_error_names_the_last_stream_that_was_worked_on(service):
    with service.connect() as peer:
        for _ in range(3):
            peer.answer()
        peer.send(data(0, b"x"))
        peer.drain()
        assert (peer.goaway.error_code, peer.goaway.last_stream_id) == (PROTOCOL_ERROR, 5)


@pytest.mark.parametrize("path", ["/nowhere", "/livez", LONG])
def test_8_2_2_no_field_is_lost_with_those_of_a_connection(service, path):
    with service.connect() as peer, socket.create_connection(("127.0.0.1", service.server.port)) as plain:
        plain.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += plain.recv(65_536)
        names = {line.partition(":")[0].lower() for line in head.decode().strip().split("\r\n")[1:]}
        peer.answer(changed(":path", path, changed(":method", "HEAD")))
        assert names - {"connection", "keep-alive"} == {name for name, _ in peer.heads[1]} - {":status"}
