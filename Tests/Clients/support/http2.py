"""A client of HTTP/2 that shows every frame, on h2 of PyPI."""

import socket
import ssl
import time

import h2.config
import h2.connection
import h2.events
import h2.settings

PATIENCE = 60.0


class Connection:
    """One connection, in the clear with prior knowledge or over TLS; answers are gathered by stream."""

    def __init__(self, port: int, trust: ssl.SSLContext | None = None, window: int | None = None,
                 delay: float = 0):
        """`delay` is the time between two bytes of what is sent first."""
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.authority, self.scheme = f"localhost:{port}", "http"
        if trust:
            trust.set_alpn_protocols(["h2"])
            self.socket = trust.wrap_socket(self.socket, server_hostname="localhost")
            assert self.socket.selected_alpn_protocol() == "h2"
            self.scheme = "https"
        self.machine = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        if window is not None:
            self.machine.local_settings = h2.settings.Settings(
                client=True, initial_values={h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: window})
        self.machine.initiate_connection()
        if delay:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for byte in self.machine.data_to_send():
                self.socket.sendall(bytes([byte]))
                time.sleep(delay)
        self.flush()
        self.heads: dict[int, dict[str, str]] = {}
        self.bodies: dict[int, bytes] = {}
        self.ended: set[int] = set()
        self.resets: dict[int, int] = {}
        self.goaway: int | None = None
        self.isClosed = False
        self.acknowledges = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def flush(self) -> None:
        if data := self.machine.data_to_send():
            self.socket.settimeout(PATIENCE)
            self.socket.sendall(data)

    def request(self, method: str, path: str, body: bytes | None = None, ends: bool = True, **fields: str) -> int:
        stream = self.machine.get_next_available_stream_id()
        head = [(":method", method), (":path", path), (":scheme", self.scheme), (":authority", self.authority)]
        head += [(name.replace("_", "-"), value) for name, value in fields.items()]
        if body is not None:
            head.append(("content-type", "application/json"))
        self.machine.send_headers(stream, head, end_stream=body is None and ends)
        if body:
            self.machine.send_data(stream, body, end_stream=ends)
        self.flush()
        return stream

    def follow(self, path: str) -> int:
        return self.request("GET", path, accept="text/event-stream")

    def receive(self, seconds: float = PATIENCE) -> bool:
        """Takes in what comes next; false where nothing does, or the server has closed."""
        self.socket.settimeout(seconds)
        try:
            data = self.socket.recv(65536)
        except (TimeoutError, ssl.SSLWantReadError):
            return False
        except ConnectionResetError:
            data = b""
        if not data:
            self.isClosed = True
            return False
        for event in self.machine.receive_data(data):
            self.note(event)
        self.flush()
        return True

    def note(self, event) -> None:
        match event:
            case h2.events.ResponseReceived():
                self.heads[event.stream_id] = dict(event.headers)
            case h2.events.DataReceived():
                self.bodies[event.stream_id] = self.bodies.get(event.stream_id, b"") + event.data
                if self.acknowledges:
                    self.machine.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                self.ended.add(event.stream_id)
            case h2.events.StreamReset():
                self.resets[event.stream_id] = int(event.error_code)
            case h2.events.ConnectionTerminated():
                self.goaway = int(event.error_code)

    def wait(self, condition, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            left = deadline - time.monotonic()
            assert left > 0 and (self.receive(left) or condition()), (
                f"waited in vain: {self.heads} {self.resets} goaway {self.goaway} closed {self.isClosed}")

    def answer(self, stream: int) -> tuple[int, bytes]:
        """The status and the content of a stream that ends."""
        self.wait(lambda: stream in self.ended or stream in self.resets)
        assert stream in self.ended, f"reset with {self.resets[stream]}"
        return int(self.heads[stream][":status"]), self.bodies.get(stream, b"")
