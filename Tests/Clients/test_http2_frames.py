"""HTTP/2 frame by frame: what RFC 9113, sections 3 to 7, has a server do about frames that break a rule."""

import pytest

from support.frame_cases import (
    Case, Closed, GoAway, Ignored, Reset, Status, answered, ended, first_of_each_section, parameters, sealed, service,
    was_reset,
)
from support.frames import (
    ACK, COMPRESSION_ERROR, CONTINUATION, DATA, ENABLE_PUSH, END_HEADERS, END_STREAM, FLOW_CONTROL_ERROR, FOLLOW,
    FRAME_SIZE_ERROR, GET, GOAWAY, HEADERS, INITIAL_WINDOW_SIZE, MAX_CONCURRENT_STREAMS, MAX_FRAME_SIZE,
    MAX_HEADER_LIST_SIZE, PADDED, PING, POST, PREFACE, PRIORITISED, PRIORITY, PROTOCOL_ERROR, PUSH_PROMISE, PUT,
    RST_STREAM, SETTINGS, STREAM_CLOSED, WINDOW_UPDATE, block, data, frame, headers, ping, reset, setting, update, word,
)

__all__ = ["sealed", "service"]

UNKNOWN = 0xE7
HIGH = 1 << 31
OPEN = headers(1, POST, ends=False)
PART = frame(HEADERS, END_STREAM, 1, block(GET))
STREAM = headers(1, FOLLOW)
DEPENDENCY = word(0) + b"\x10"
PROTOCOL, FLOW, CLOSED, SIZE, COMPRESSION = map(
    GoAway, (PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR, COMPRESSION_ERROR))

PREFACES = [
    Case("3.4 a preface whose end differs", PREFACE[:-2] + b"XX" + setting(), Closed(), begins=False),
    Case("3.4 a preface that is another version's",
         PREFACE.replace(b"2.0", b"2.1") + setting(), Closed(), begins=False),
    Case("3.4 HEADERS in the place of SETTINGS", PREFACE + headers(1), PROTOCOL, begins=False),
    Case("3.4 PING in the place of SETTINGS", PREFACE + ping(), PROTOCOL, begins=False),
    Case("3.4 WINDOW_UPDATE in the place of SETTINGS", PREFACE + update(0, 1), PROTOCOL, begins=False),
    Case("3.4 GOAWAY in the place of SETTINGS", PREFACE + frame(GOAWAY, 0, 0, word(0) * 2), PROTOCOL, begins=False),
    Case("3.4 an unknown frame in the place of SETTINGS", PREFACE + frame(UNKNOWN), PROTOCOL, begins=False),
    Case("3.4 an acknowledgement in the place of SETTINGS", PREFACE + frame(SETTINGS, ACK), PROTOCOL, begins=False),
    Case("3.4 the preface a second time", PREFACE, SIZE),
    Case("3.4 a request in one write with the preface", PREFACE + setting() + headers(1), Status(200), begins=False),
]

FRAMING = [
    Case("4.1 flags without a meaning on HEADERS", headers(1, flags=0xD2), Status(200)),
    Case("4.1 flags without a meaning on DATA", (headers(1, PUT, ends=False), frame(DATA, 0xF7, 1, b"1")), Status(200)),
    Case("4.1 flags without a meaning on SETTINGS", frame(SETTINGS, 0xFE), Ignored()),
    Case("4.1 flags without a meaning on PING", ping(flags=0xFE), Ignored()),
    Case("4.1 flags without a meaning on WINDOW_UPDATE", frame(WINDOW_UPDATE, 0xFF, 0, word(1)), Ignored()),
    Case("4.1 flags without a meaning on RST_STREAM", OPEN + frame(RST_STREAM, 0xFF, 1, word(8)), Ignored()),
    Case("4.1 flags without a meaning on PRIORITY", frame(PRIORITY, 0xFF, 1, DEPENDENCY), Ignored()),
    Case("4.1 flags without a meaning on CONTINUATION", PART + frame(CONTINUATION, 0xFF, 1), Status(200)),
    Case("4.1 the reserved bit of HEADERS",
         frame(HEADERS, END_STREAM | END_HEADERS, 1 | HIGH, block(GET)), Status(200)),
    Case("4.1 the reserved bit of SETTINGS", frame(SETTINGS, 0, HIGH), Ignored()),
    Case("4.1 the reserved bit of PING", ping(stream=HIGH), Ignored()),
    Case("4.2 DATA larger than SETTINGS_MAX_FRAME_SIZE", OPEN + data(1, bytes(16_385)), SIZE),
    Case("4.2 HEADERS larger than SETTINGS_MAX_FRAME_SIZE", headers(1, bytes(16_385)), SIZE),
    Case("4.2 CONTINUATION larger than SETTINGS_MAX_FRAME_SIZE",
         PART + frame(CONTINUATION, 4, 1, block([("a", "x" * 16_379)])), SIZE),
    Case("4.2 SETTINGS larger than SETTINGS_MAX_FRAME_SIZE", frame(SETTINGS, 0, 0, bytes(16_386)), SIZE),
    Case("4.2 an unknown frame larger than SETTINGS_MAX_FRAME_SIZE", frame(UNKNOWN, 0, 0, bytes(16_385)), SIZE),
    Case("4.2 the largest length there is", frame(DATA, 0, 1, length=0xFF_FFFF), SIZE),
    Case("4.2 DATA as large as SETTINGS_MAX_FRAME_SIZE",
         headers(1, PUT, ends=False) + data(1, b" " * 16_383 + b"1", True), Status(200)),
    Case("4.2 an unknown frame as large as SETTINGS_MAX_FRAME_SIZE", frame(UNKNOWN, 0, 0, bytes(16_384)), Ignored()),
    Case("4.3 a field block that ends within a field", headers(1, b"\x40\x81"), COMPRESSION),
    Case("4.3 a field block of trailers that cannot be read", OPEN + headers(1, b"\x80"), COMPRESSION),
    Case("4.3 a field block of a closed stream that cannot be read",
         (OPEN, reset(1), headers(1, b"\x80")), COMPRESSION),
    *(Case(f"4.3 {name} within a field block", PART + other, PROTOCOL) for name, other in {
        "DATA": data(1, b"x"), "HEADERS of the same stream": headers(1), "HEADERS of another stream": headers(3),
        "PRIORITY": frame(PRIORITY, 0, 1, DEPENDENCY), "RST_STREAM": reset(1), "SETTINGS": setting(), "PING": ping(),
        "GOAWAY": frame(GOAWAY, 0, 0, word(0) * 2), "WINDOW_UPDATE": update(0, 1),
        "an unknown frame": frame(UNKNOWN, 0, 1),
        "CONTINUATION of another stream": frame(CONTINUATION, 4, 3), "PUSH_PROMISE": frame(PUSH_PROMISE, 4, 1, word(2)),
    }.items()),
]

STATES = [
    *(Case(f"5.1 {name} on an idle stream", sent, PROTOCOL) for name, sent in {
        "DATA": data(1, b"x"), "RST_STREAM": reset(1), "WINDOW_UPDATE": update(1, 1),
        "CONTINUATION": frame(CONTINUATION, 4, 1), "DATA of no bytes": data(1),
        "RST_STREAM above the newest": OPEN + reset(3),
        "DATA above the newest": OPEN + data(3, b"x"), "WINDOW_UPDATE above the newest": OPEN + update(3, 1),
        "DATA on the server's": data(2, b"x"), "RST_STREAM on the server's": reset(2),
        "WINDOW_UPDATE on the server's": update(2, 1),
    }.items()),
    Case("5.1 PRIORITY on an idle stream", frame(PRIORITY, 0, 5, DEPENDENCY), Ignored()),
    Case("5.1 PRIORITY on an idle stream of the server's", frame(PRIORITY, 0, 2, DEPENDENCY), Ignored()),
    Case("5.1 DATA on a half-closed stream", (STREAM, answered(1), data(1, b"x")), CLOSED),
    Case("5.1 DATA of no bytes that ends a half-closed stream", (STREAM, answered(1), data(1, b"", True)), CLOSED),
    Case("5.1 HEADERS on a half-closed stream", (STREAM, answered(1), headers(1)), CLOSED),
    Case("5.1 CONTINUATION on a half-closed stream", (STREAM, answered(1), frame(CONTINUATION, 4, 1)), PROTOCOL),
    Case("5.1 DATA on a half-closed stream before its answer", STREAM + data(1, b"x"), CLOSED),
    Case("5.1 WINDOW_UPDATE on a half-closed stream", (STREAM, answered(1), update(1, 1)), Ignored()),
    Case("5.1 PRIORITY on a half-closed stream",
         (STREAM, answered(1), frame(PRIORITY, 0, 1, DEPENDENCY)), Ignored()),
    Case("5.1 RST_STREAM on a half-closed stream", (STREAM, answered(1), reset(1)), Ignored()),
    Case("5.1 PRIORITY on a closed stream", (headers(1), ended(1), frame(PRIORITY, 0, 1, DEPENDENCY)), Ignored()),
    Case("5.1 WINDOW_UPDATE on a closed stream", (headers(1), ended(1), update(1, 1)), Ignored()),
    Case("5.1 RST_STREAM on a closed stream", (headers(1), ended(1), reset(1)), Ignored()),
    Case("5.1 CONTINUATION on a closed stream", (headers(1), ended(1), frame(CONTINUATION, 4, 1)), PROTOCOL),
    Case("5.1 DATA on a closed stream", (headers(1), ended(1), data(1, b"x")), Reset(STREAM_CLOSED)),
    Case("5.1 trailers on a closed stream", (headers(1), ended(1), headers(1, [("a", "b")])), Reset(STREAM_CLOSED)),
    Case("5.1 DATA behind the client's RST_STREAM", OPEN + reset(1) + data(1, b"x"), Reset(STREAM_CLOSED)),
    Case("5.1 DATA behind the server's RST_STREAM",
         (headers(1, [*POST, ("connection", "x")], ends=False), was_reset(1), data(1, b"x")), Reset(PROTOCOL_ERROR)),
    Case("5.1 trailers behind the server's RST_STREAM",
         (headers(1, [*POST, ("connection", "x")], ends=False), was_reset(1), headers(1, [("a", "b")])),
         Reset(PROTOCOL_ERROR)),
    Case("5.1 WINDOW_UPDATE behind the server's RST_STREAM",
         (headers(1, [*POST, ("connection", "x")], ends=False), was_reset(1), update(1, 1)), Reset(PROTOCOL_ERROR)),
    Case("5.1 RST_STREAM behind the server's",
         (headers(1, [*POST, ("connection", "x")], ends=False), was_reset(1), reset(1)), Reset(PROTOCOL_ERROR)),
    Case("5.1.1 HEADERS of stream 0", headers(0), PROTOCOL),
    Case("5.1.1 a stream with an even number", headers(2), PROTOCOL),
    Case("5.1.1 a stream with a number below the newest, never used", headers(5) + headers(3), PROTOCOL,
         lenient="nghttp2 throws HEADERS away whose number was left out, as of a closed stream"),
    Case("5.1.1 a stream that skips numbers", headers(51), Status(200, 51)),
    Case("5.3 HEADERS with a priority", headers(1, DEPENDENCY + block(GET), flags=PRIORITISED), Status(200)),
    Case("5.3 PRIORITY that depends on itself", STREAM + frame(PRIORITY, 0, 1, word(1) + b"\0"), Ignored()),
    Case("5.3 PRIORITY that depends exclusively on an idle stream",
         frame(PRIORITY, 0, 3, word(HIGH | 9) + b"\0"), Ignored()),
    Case("5.4.1 what follows a fault in the same write", data(1, b"x") + headers(101), PROTOCOL),
    Case("5.4.2 RST_STREAM is not answered with one", OPEN + reset(1, PROTOCOL_ERROR), Ignored()),
    *(Case(f"5.5 an unknown frame on {name}", before + frame(UNKNOWN, 0xFF, stream, b"unknown"), Ignored())
      for name, before, stream in [("stream 0", b"", 0), ("an idle stream", b"", 7), ("an open stream", OPEN, 1),
                                   ("a closed stream", OPEN + reset(1), 1), ("a stream of the server's", b"", 2)]),
    Case("5.5 PRIORITY_UPDATE of RFC 9218", frame(0x10, 0, 0, word(1) + b"u=1"), Ignored()),
    Case("5.5 ALTSVC of a client", frame(0xA, 0, 0, b"\0\0h2=\":1\""), Ignored()),
    Case("5.5 ORIGIN of a client", frame(0xC, 0, 0, b"\0\x01x"), Ignored()),
]

PADLESS = "nghttp2 takes it for a fault of section 6.1, which has PROTOCOL_ERROR"
# Where a section ends one stream, such as that of PRIORITY, GOAWAY is right too (section 5.4.1).
CONTENT = [
    Case("6.1 DATA on stream 0", data(0, b"x"), PROTOCOL),
    Case("6.1 padding as long as DATA", OPEN + frame(DATA, PADDED, 1, b"\x01"), PROTOCOL),
    Case("6.1 padding longer than DATA", OPEN + frame(DATA, PADDED, 1, b"\xFFxy"), PROTOCOL),
    Case("6.1 DATA without the length of its padding", OPEN + frame(DATA, PADDED, 1), SIZE, lenient=PADLESS),
    Case("6.1 DATA with padding", headers(1, PUT, ends=False) + frame(DATA, PADDED | END_STREAM, 1, b"\x032\0\0\0"),
         Status(200)),
    Case("6.1 DATA that is padding alone",
         headers(1, PUT, ends=False) + frame(DATA, PADDED, 1, b"\x02\0\0") + data(1, b"3", True), Status(200)),
    Case("6.2 padding longer than HEADERS", headers(1, b"\xC8" + block(GET), flags=PADDED), PROTOCOL),
    Case("6.2 padding that leaves no room for the priority",
         headers(1, b"\x04" + DEPENDENCY, flags=PADDED | PRIORITISED),
         PROTOCOL),
    Case("6.2 HEADERS without the length of its padding", headers(1, b"", flags=PADDED), SIZE, lenient=PADLESS),
    Case("6.2 HEADERS too short for its priority", headers(1, bytes(4), flags=PRIORITISED), SIZE),
    Case("6.2 HEADERS with padding", headers(1, b"\x05" + block(GET) + bytes(5), flags=PADDED), Status(200)),
    Case("6.2 HEADERS with padding and priority",
         headers(1, b"\x02" + DEPENDENCY + block(GET) + bytes(2), flags=PADDED | PRIORITISED), Status(200)),
    Case("6.3 PRIORITY on stream 0", frame(PRIORITY, 0, 0, DEPENDENCY), PROTOCOL),
    Case("6.3 PRIORITY of four bytes", OPEN + frame(PRIORITY, 0, 1, bytes(4)), SIZE),
    Case("6.4 RST_STREAM on stream 0", reset(0), PROTOCOL),
    Case("6.4 RST_STREAM of three bytes", OPEN + frame(RST_STREAM, 0, 1, bytes(3)), SIZE),
    Case("6.4 RST_STREAM of five bytes", OPEN + frame(RST_STREAM, 0, 1, bytes(5)), SIZE),
    Case("6.6 PUSH_PROMISE of a client", OPEN + frame(PUSH_PROMISE, 4, 1, word(2) + block(GET)), PROTOCOL),
    Case("6.6 PUSH_PROMISE on stream 0", frame(PUSH_PROMISE, 4, 0, word(2) + block(GET)), PROTOCOL),
    Case("6.10 CONTINUATION on stream 0", frame(CONTINUATION, 4, 0), PROTOCOL),
    Case("6.10 CONTINUATION on stream 0 within a field block", PART + frame(CONTINUATION, 4, 0), PROTOCOL),
    Case("6.10 CONTINUATION behind END_HEADERS", OPEN + frame(CONTINUATION, 4, 1), PROTOCOL),
    Case("6.10 CONTINUATION behind CONTINUATION with END_HEADERS",
         PART + frame(CONTINUATION, 4, 1) + frame(CONTINUATION, 4, 1), PROTOCOL),
    Case("6.10 CONTINUATION behind DATA", OPEN + data(1, b"x") + frame(CONTINUATION, 4, 1), PROTOCOL),
    Case("6.10 a field in the midst of which CONTINUATION begins",
         frame(HEADERS, END_STREAM, 1, block(GET)[:9]) + frame(CONTINUATION, 0, 1, block(GET)[9:20])
         + frame(CONTINUATION, END_HEADERS, 1, block(GET)[20:]), Status(200)),
    Case("6.10 HEADERS of no bytes and CONTINUATION of all fields",
         frame(HEADERS, END_STREAM, 1) + frame(CONTINUATION, END_HEADERS, 1, block(GET)), Status(200)),
]

CONTROL = [
    Case("6.5 SETTINGS on a stream", OPEN + frame(SETTINGS, 0, 1), PROTOCOL),
    *(Case(f"6.5 SETTINGS of {count} bytes", frame(SETTINGS, 0, 0, bytes(count)), SIZE) for count in (1, 5, 7)),
    Case("6.5 an acknowledgement with a setting", frame(SETTINGS, ACK, 0, bytes(6)), SIZE),
    Case("6.5 an acknowledgement on a stream", OPEN + frame(SETTINGS, ACK, 1), PROTOCOL),
    Case("6.5.2 SETTINGS_ENABLE_PUSH of 2", setting((ENABLE_PUSH, 2)), PROTOCOL),
    Case("6.5.2 SETTINGS_ENABLE_PUSH of 2^32-1", setting((ENABLE_PUSH, 2**32 - 1)), PROTOCOL),
    Case("6.5.2 SETTINGS_ENABLE_PUSH of 1", setting((ENABLE_PUSH, 1)), Ignored()),
    Case("6.5.2 SETTINGS_INITIAL_WINDOW_SIZE above 2^31-1", setting((INITIAL_WINDOW_SIZE, 2**31)), FLOW),
    Case("6.5.2 SETTINGS_INITIAL_WINDOW_SIZE of 2^32-1", setting((INITIAL_WINDOW_SIZE, 2**32 - 1)), FLOW),
    Case("6.5.2 SETTINGS_INITIAL_WINDOW_SIZE of 2^31-1", setting((INITIAL_WINDOW_SIZE, 2**31 - 1)), Ignored()),
    Case("6.5.2 SETTINGS_MAX_FRAME_SIZE of 2^14-1", setting((MAX_FRAME_SIZE, 2**14 - 1)), PROTOCOL),
    Case("6.5.2 SETTINGS_MAX_FRAME_SIZE of 2^24", setting((MAX_FRAME_SIZE, 2**24)), PROTOCOL),
    Case("6.5.2 SETTINGS_MAX_FRAME_SIZE of 0", setting((MAX_FRAME_SIZE, 0)), PROTOCOL),
    Case("6.5.2 SETTINGS_MAX_FRAME_SIZE of 2^24-1", setting((MAX_FRAME_SIZE, 2**24 - 1)), Ignored()),
    Case("6.5.2 SETTINGS_MAX_CONCURRENT_STREAMS of 0", setting((MAX_CONCURRENT_STREAMS, 0)), Ignored()),
    Case("6.5.2 SETTINGS_MAX_HEADER_LIST_SIZE of 0", setting((MAX_HEADER_LIST_SIZE, 0)), Ignored()),
    Case("6.5.2 unknown settings", setting((0, 1), (0xF000, 2**32 - 1), (0x0A0A, 7)), Ignored()),
    Case("6.5.2 a fault behind a setting in order", setting((ENABLE_PUSH, 0), (ENABLE_PUSH, 3)), PROTOCOL),
    Case("6.5.3 an acknowledgement of nothing", frame(SETTINGS, ACK), PROTOCOL),
    Case("6.7 PING on a stream", OPEN + ping(stream=1), PROTOCOL),
    Case("6.7 PING of seven bytes", ping(b"1234567"), SIZE),
    Case("6.7 PING of nine bytes", ping(b"123456789"), SIZE),
    Case("6.7 PING of no bytes", ping(b""), SIZE),
    Case("6.7 an acknowledgement of seven bytes", ping(b"1234567", ACK), SIZE),
    Case("6.7 an acknowledgement that nobody asked for", ping(flags=ACK), Ignored()),
    Case("6.8 GOAWAY on a stream", OPEN + frame(GOAWAY, 0, 1, word(0) * 2), PROTOCOL),
    Case("6.8 GOAWAY of seven bytes", frame(GOAWAY, 0, 0, bytes(7)), SIZE),
    Case("6.9 WINDOW_UPDATE of three bytes", frame(WINDOW_UPDATE, 0, 0, bytes(3)), SIZE),
    Case("6.9 WINDOW_UPDATE of five bytes", OPEN + frame(WINDOW_UPDATE, 0, 1, bytes(5)), SIZE),
    Case("6.9 WINDOW_UPDATE of 0 on the connection", update(0, 0), PROTOCOL),
    Case("6.9 WINDOW_UPDATE of 0 and the reserved bit on the connection", update(0, HIGH), PROTOCOL),
    Case("6.9 WINDOW_UPDATE of 0 on a stream", OPEN + update(1, 0), PROTOCOL),
    Case("6.9 the reserved bit of WINDOW_UPDATE", update(0, HIGH | 1), Ignored()),
    Case("6.9.1 a window of the connection above 2^31-1", update(0, 2**31 - 1), FLOW),
    Case("6.9.1 a window of the connection of 2^31-1", update(0, 2**31 - 1 - 65_535), Ignored()),
    Case("6.9.1 a window of the connection above 2^31-1 by steps", update(0, 2**30) * 2, FLOW),
    Case("6.9.1 a window of a stream above 2^31-1", OPEN + update(1, 2**31 - 1), Reset(FLOW_CONTROL_ERROR)),
    Case("6.9.1 a window of a stream of 2^31-1", OPEN + update(1, 2**31 - 1 - 65_535), Ignored()),
    Case("6.9.2 SETTINGS_INITIAL_WINDOW_SIZE that makes a window overflow",
         OPEN + update(1, 2**31 - 1 - 65_535) + setting((INITIAL_WINDOW_SIZE, 65_536)), FLOW,
         lenient="nghttp2 ends the stream whose window overflows and not the connection"),
    Case("7 RST_STREAM with an unknown code", OPEN + reset(1, 0xDEAD_BEEF), Ignored()),
    Case("7 RST_STREAM of an event stream with an unknown code", (STREAM, answered(1), reset(1, 2**32 - 1)), Ignored()),
]

CASES = PREFACES + FRAMING + STATES + CONTENT + CONTROL


@pytest.mark.parametrize("case", parameters(CASES))
def test_a_frame_has_the_consequence_of_its_section(service, case):
    service.check(case)


@pytest.mark.parametrize("case", parameters(first_of_each_section(CASES)))
def test_over_TLS_a_frame_has_the_same_consequence(sealed, case):
    sealed.check(case)


@pytest.mark.parametrize("sent", [setting(), headers(1), ping(), reset(1)],
                         ids=["SETTINGS", "HEADERS", "PING", "RST_STREAM"])
def test_4_1_a_frame_may_come_byte_by_byte(service, sent):
    with service.connect() as peer:
        peer.remember(sent)
        peer.send(OPEN if sent[3] == RST_STREAM else b"")
        for byte in sent:
            peer.send(bytes([byte]))
        peer.send(headers(101))
        peer.wait(lambda: 101 in peer.ended)
        assert peer.goaway is None and peer.status(101) == 200 and (sent[3] != PING or len(peer.pings) == 1)
