"""HTTP/2 by frames, legal or not: their bytes, and a client that holds every frame of the server to RFC 9113."""

import contextlib
import re
import socket
import ssl
import struct
import time

import hpack
import hyperframe.frame as hf

PATIENCE = 60.0
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 0x1
END_HEADERS, PADDED, PRIORITISED = 0x4, 0x8, 0x20
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = (
    range(1, 7))
(NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
 REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM) = range(12)
OF_A_CONNECTION = {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"}

def changed(name: str, value: str | None, fields=None) -> list[tuple[str, str]]:
    """Fields, GET's if none are given, with another value for one of them; None leaves it out."""
    return [(each, value if each == name else old) for each, old in fields or GET if each != name or value is not None]


GET = [(":method", "GET"), (":scheme", "http"), (":path", "/livez"), (":authority", "localhost")]
POST = [(":method", "POST"), *GET[1:2], (":path", "/v1/directors/book/reload"), *GET[3:]]
PUT = [(":method", "PUT"), *GET[1:2], (":path", "/v1/directors/book/variables/x"), *GET[3:],
       ("content-type", "application/json")]
FOLLOW = [*GET[:2], (":path", "/v1/directors/book/changesets"), *GET[3:], ("accept", "text/event-stream")]


def word(number: int) -> bytes:
    return struct.pack(">I", number)


def frame(kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"", length: int | None = None) -> bytes:
    """A frame; `length` is what its header says where that is not true."""
    return word(len(payload) if length is None else length)[1:] + bytes([kind, flags]) + word(stream) + payload


def integer(number: int, bits: int, first: int = 0) -> bytes:
    """An integer of HPACK (RFC 7541, section 5.1) behind the upper bits of `first`."""
    limit = (1 << bits) - 1
    if number < limit:
        return bytes([first | number])
    rest, number = bytes([first | limit]), number - limit
    while number >= 0x80:
        rest, number = rest + bytes([number & 0x7f | 0x80]), number >> 7
    return rest + bytes([number])


def text(value: str) -> bytes:
    """A string of HPACK, without Huffman's code; each character is the byte of its number."""
    raw = value.encode("latin-1")
    return integer(len(raw), 7) + raw


def block(fields) -> bytes:
    """Fields as literals that are not indexed, so that a block depends on none before it."""
    return b"".join(b"\0" + text(name) + text(value) for name, value in fields)


def indexed(name: str, value: str) -> bytes:
    """A field as a literal that enters the table (RFC 7541, section 6.2.1)."""
    return b"\x40" + text(name) + text(value)


def headers(stream: int, fields=GET, ends: bool = True, flags: int = 0) -> bytes:
    """HEADERS with a whole field block, given as fields or as bytes."""
    content = fields if isinstance(fields, bytes) else block(fields)
    return frame(HEADERS, END_HEADERS | (END_STREAM if ends else 0) | flags, stream, content)


def data(stream: int, content: bytes = b"", ends: bool = False) -> bytes:
    return frame(DATA, END_STREAM if ends else 0, stream, content)


def reset(stream: int, code: int = CANCEL) -> bytes:
    return frame(RST_STREAM, 0, stream, word(code))


def setting(*pairs: tuple[int, int]) -> bytes:
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", name, value) for name, value in pairs))


def update(stream: int, increment: int) -> bytes:
    return frame(WINDOW_UPDATE, 0, stream, word(increment))


def ping(content: bytes = b"12345678", flags: int = 0, stream: int = 0) -> bytes:
    return frame(PING, flags, stream, content)


class Peer:
    """A client of one connection. What the server sends is checked as it comes; what is sent to it is not."""

    def __init__(self, port: int, trust: ssl.SSLContext | None = None, begins: bool = True, settings: bytes = b""):
        """`begins` sends the preface and SETTINGS, empty if none are given, and acknowledges the server's."""
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if trust:
            try:
                self.socket = trust.wrap_socket(self.socket, server_hostname="localhost")
            except BaseException:
                self.socket.close()
                raise
        self.input = b""
        self.decoder = hpack.Decoder()
        self.frames: list[hf.Frame] = []
        self.heads: dict[int, list[tuple[str, str]]] = {}
        self.trailers: dict[int, list[tuple[str, str]]] = {}
        self.bodies: dict[int, bytes] = {}
        self.ended: set[int] = set()
        self.resets: dict[int, int] = {}
        self.pings: list[bytes] = []
        self.goaway: hf.GoAwayFrame | None = None
        self.isClosed = False
        self.credits = True
        self.server_settings: dict[int, int] = {}
        self.acknowledged = 0
        self.requested: set[int] = set()
        self.head_requests: set[int] = set()
        self.newest = -1
        # What this side allows, as the server knows it once it has acknowledged.
        self.unacknowledged: list[dict[int, int]] = []
        self.window, self.initial_window, self.frame_size = 65_535, 65_535, 16_384
        self.windows: dict[int, int] = {}
        self.open_block: tuple[hf.Frame, bytes] | None = None
        if begins:
            self._begin(settings)

    def _begin(self, settings: bytes) -> None:
        try:
            self.send(PREFACE + (settings or setting()))
            self.wait(lambda: self.server_settings and self.acknowledged)
            self.send(frame(SETTINGS, ACK))
        except BaseException:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    # Sending

    def send(self, content: bytes) -> None:
        """Sends bytes, frames or not; a server that has gone shows where its last frames are read."""
        self.remember(content)
        with contextlib.suppress(ConnectionError, ssl.SSLEOFError):
            self.socket.settimeout(PATIENCE)
            self.socket.sendall(content)

    def remember(self, content: bytes) -> None:
        """Takes note of what the server may do because of what is sent."""
        offset = len(PREFACE) if content.startswith(PREFACE) else 0
        while offset + 9 <= len(content):
            size, kind, flags = int.from_bytes(content[offset:offset + 3]), content[offset + 3], content[offset + 4]
            stream = int.from_bytes(content[offset + 5:offset + 9]) & 0x7fff_ffff
            payload = content[offset + 9:offset + 9 + size]
            if kind == HEADERS:
                self.requested.add(stream)
                self.windows.setdefault(stream, self.initial_window)
            elif kind == WINDOW_UPDATE and size == 4 and stream:
                self.windows[stream] = self.windows.get(stream, self.initial_window) + int.from_bytes(payload)
            elif kind == WINDOW_UPDATE and size == 4:
                self.window += int.from_bytes(payload)
            elif kind == SETTINGS and not flags & ACK:
                self.unacknowledged.append(dict(struct.iter_unpack(">HI", payload[:len(payload) // 6 * 6])))
            offset += 9 + size

    def request(self, fields=GET, content: bytes | None = None) -> int:
        """Sends a whole request on the next stream."""
        self.newest += 2
        if (":method", "HEAD") in fields:
            self.head_requests.add(self.newest)
        self.send(headers(self.newest, fields, content is None)
                  + (b"" if content is None else data(self.newest, content, True)))
        return self.newest

    def answer(self, fields=GET, content: bytes | None = None) -> tuple[int, bytes]:
        """Sends a request and waits for the end of its answer."""
        stream = self.request(fields, content)
        self.wait(lambda: stream in self.ended or stream in self.resets)
        assert stream in self.ended, f"reset with {self.resets[stream]}"
        return self.status(stream), self.bodies.get(stream, b"")

    def metrics(self, name: str) -> dict[str, float]:
        """The samples of a metric by the value of their only label, which is empty where there is none."""
        page = self.answer(changed(":path", "/metrics"))[1].decode()
        return {label: float(value) for label, value in
                re.findall(rf'^{name}(?:{{\w+="(\w+)"}})? (\S+)$', page, re.M)}

    def sync(self) -> None:
        """Waits until the server has worked on all that was sent."""
        mark = struct.pack(">Q", len(self.pings) + 0x5359_4e43_0000)
        self.send(ping(mark))
        self.wait(lambda: mark in self.pings)

    # Receiving

    def status(self, stream: int) -> int:
        return int(dict(self.heads[stream])[":status"])

    def received(self, stream: int) -> int:
        """How many bytes of an answer's content have come."""
        return len(self.bodies.get(stream, b""))

    def receive(self, seconds: float = PATIENCE) -> bool:
        """Takes in what comes next; false where nothing does, or the server has closed."""
        self.socket.settimeout(max(seconds, 0.001))
        try:
            received = self.socket.recv(1 << 18)
        except (TimeoutError, ssl.SSLWantReadError):
            return False
        except (ConnectionError, ssl.SSLEOFError):
            received = b""
        if not received:
            self.isClosed = True
            return False
        self.input += received
        offset, view = 0, memoryview(self.input)
        while len(view) - offset >= 9:
            one, size = hf.Frame.parse_frame_header(view[offset:offset + 9])
            if len(view) - offset - 9 < size:
                break
            one.parse_body(view[offset + 9:offset + 9 + size])
            self._note(one, size)
            offset += 9 + size
        self.input = self.input[offset:]
        return True

    def wait(self, condition, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0 and (self.receive(left) or condition()), f"waited in vain: {self}"

    def drain(self, seconds: float = PATIENCE) -> None:
        """Reads until the server closes, each piece for so long."""
        while self.receive(seconds):
            pass
        assert self.isClosed, f"the connection goes on: {self}"

    def __repr__(self) -> str:
        return (f"heads {self.heads}, ended {self.ended}, resets {self.resets}, goaway {self.goaway}, "
                f"closed {self.isClosed}, last frames {self.frames[-5:]}")

    def _note(self, one: hf.Frame, size: int) -> None:
        """Checks a frame of the server's, then keeps it."""
        assert self.frames or isinstance(one, hf.SettingsFrame) and "ACK" not in one.flags, "3.4: SETTINGS is first"
        assert self.goaway is None or not self.goaway.error_code, f"5.4.1: {one} behind GOAWAY with an error"
        assert size <= self.frame_size, f"4.2: a frame of {size} bytes"
        assert not self.open_block or isinstance(one, hf.ContinuationFrame), f"4.3: {one} within a field block"
        assert not isinstance(one, (hf.PushPromiseFrame, hf.ExtensionFrame)), f"8.4, 5.5: {one} was not asked for"
        stream = one.stream_id
        if stream:
            assert stream in self.requested, f"5.1: {one} on an idle stream"
            assert stream not in self.resets, f"5.1: {one} behind RST_STREAM"
            assert stream not in self.ended or isinstance(one, (hf.WindowUpdateFrame, hf.RstStreamFrame)), (
                f"5.1: {one} behind END_STREAM")
        self.frames.append(one)
        match one:
            case hf.SettingsFrame():
                self._note_settings(one)
            case hf.HeadersFrame() | hf.ContinuationFrame():
                self._note_block(one)
            case hf.DataFrame():
                self._note_data(one)
            case hf.RstStreamFrame():
                self.resets[stream] = one.error_code
            case hf.PingFrame():
                assert "ACK" in one.flags, f"6.7: {one} was not asked for"
                self.pings.append(one.opaque_data)
            case hf.GoAwayFrame():
                assert one.last_stream_id in {0, 0x7fff_ffff} | self.requested, f"6.8: {one}"
                self.goaway = one
            case hf.WindowUpdateFrame():
                assert one.window_increment > 0, f"6.9: {one}"

    def _note_settings(self, one: hf.SettingsFrame) -> None:
        if "ACK" not in one.flags:
            assert one.settings.get(ENABLE_PUSH, 0) == 0, "6.5.2: a server does not enable push"
            self.server_settings |= one.settings
            return
        assert self.unacknowledged, "6.5.3: an acknowledgement of nothing"
        self.acknowledged += 1
        settings = self.unacknowledged.pop(0)
        if INITIAL_WINDOW_SIZE in settings:
            change = settings[INITIAL_WINDOW_SIZE] - self.initial_window
            self.initial_window += change
            self.windows = {stream: window + change for stream, window in self.windows.items()}
        self.frame_size = settings.get(MAX_FRAME_SIZE, self.frame_size)
        if HEADER_TABLE_SIZE in settings:
            self.decoder.max_allowed_table_size = settings[HEADER_TABLE_SIZE]

    def _note_block(self, one: hf.HeadersFrame | hf.ContinuationFrame) -> None:
        first, content = self.open_block or (one, b"")
        assert first.stream_id == one.stream_id and isinstance(first, hf.HeadersFrame), f"6.10: {one}"
        content += one.data
        self.open_block = None if "END_HEADERS" in one.flags else (first, content)
        if self.open_block:
            return
        stream, ends = one.stream_id, "END_STREAM" in first.flags
        fields = [(name, value) for name, value in self.decoder.decode(content)]
        names = [name for name, _ in fields]
        assert all(re.fullmatch(r":?[!#$%&'*+.^_`|~0-9a-z-]+", name) for name in names), f"8.2.1: {fields}"
        assert all(re.fullmatch(r"(?![ \t])[^\0\r\n]*(?<![ \t])", value) for _, value in fields), f"8.2.1: {fields}"
        assert not OF_A_CONNECTION & set(names), f"8.2.2: {fields}"
        assert names.count("content-length") <= 1
        if stream in self.heads:
            assert ends and not any(name.startswith(":") for name in names), f"8.1: {fields}"
            self.trailers[stream] = fields
        else:
            assert names[0] == ":status" and not any(name.startswith(":") for name in names[1:]), f"8.3.2: {fields}"
            if fields[0][1].startswith("1"):
                assert not ends and fields[0][1] != "101", f"8.1, 8.6: {fields}"
                return
            self.heads[stream] = fields
        if ends:
            self._note_end(stream)

    def _note_data(self, one: hf.DataFrame) -> None:
        stream, size = one.stream_id, one.flow_controlled_length
        assert stream in self.heads, f"8.1: {one} in front of HEADERS"
        self.bodies[stream] = self.bodies.get(stream, b"") + one.data
        self.window -= size
        self.windows[stream] -= size
        assert not size or min(self.window, self.windows[stream]) >= 0, f"6.9.1: {one} goes beyond a window"
        if "END_STREAM" in one.flags:
            self._note_end(stream)
        if self.credits and size:
            self.send(update(0, size) + (b"" if stream in self.ended else update(stream, size)))

    def _note_end(self, stream: int) -> None:
        self.ended.add(stream)
        fields = dict(self.heads[stream])
        if "content-length" in fields and stream not in self.head_requests and fields[":status"] != "304":
            assert int(fields["content-length"]) == len(self.bodies.get(stream, b"")), f"8.1.1: {fields}"
