"""HTTP/1.1 and HTTP/2 for many clients in one thread, with connections that can be left at any point."""

import asyncio
import contextlib
import socket
import ssl
import struct
import weakref
from collections.abc import AsyncIterator
from dataclasses import dataclass

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions

LIMIT = 20.0
LINGER_NONE = struct.pack("ii", 1, 0)
# Every connection that may not be closed yet.
writers: weakref.WeakSet[asyncio.StreamWriter] = weakref.WeakSet()


async def open_connection(
        port: int, context: ssl.SSLContext | None = None,
        host: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connects to a port of this machine, or of another address, over TLS where there is a context."""
    reader, writer = await asyncio.open_connection(
        host, port, ssl=context, server_hostname="localhost" if context else None)
    writers.add(writer)
    return reader, writer


async def close_all() -> None:
    """Ends what is still open, and waits until its descriptors are given back."""
    for writer in list(writers):
        writer.transport.abort()
    await asyncio.sleep(0.1)
    writers.clear()


async def cancel(tasks: list[asyncio.Task]) -> None:
    """Cancels tasks until they have ended: `asyncio.wait_for` loses a cancellation that comes as its own task is done."""
    while pending := [each for each in tasks if not each.done()]:
        for each in pending:
            each.cancel()
        await asyncio.wait(pending, timeout=1)


class Gone(Exception):
    """The connection or the stream ended before what was asked for had come."""


@dataclass(frozen=True)
class Address:
    """A server's port, how it is trusted (None in the clear), which HTTP it is spoken to in, 1 or 2, and where it is."""

    port: int
    authority: str | None = None
    version: int = 1
    host: str = "127.0.0.1"

    @property
    def name(self) -> str:
        return ("HTTP/1.1" if self.version == 1 else "HTTP/2") + (" over TLS" if self.authority else " in the clear")

    def context(self) -> ssl.SSLContext | None:
        """The settings of TLS, which offer this version of HTTP only."""
        if self.authority is None:
            return None
        context = ssl.create_default_context(cafile=self.authority)
        context.set_alpn_protocols(["h2" if self.version == 2 else "http/1.1"])
        return context

    async def connect(self) -> "Connection":
        """Opens a connection; raises `Gone` where the server does not take it."""
        context = self.context()
        try:
            reader, writer = await asyncio.wait_for(open_connection(self.port, context, self.host), LIMIT)
        except (OSError, TimeoutError) as error:
            raise Gone(f"no connection: {error}") from error
        return (Http2Connection if self.version == 2 else Http1Connection)(self, reader, writer)


class Incoming:
    """An answer of which the head has come; `read` gives the next piece of the body, empty at its end."""

    def __init__(self, status: int):
        self.status = status

    async def read(self) -> bytes:
        raise NotImplementedError

    async def whole(self) -> bytes:
        """The rest of the body."""
        pieces = []
        while piece := await asyncio.wait_for(self.read(), LIMIT):
            pieces.append(piece)
        return b"".join(pieces)

    async def events(self) -> AsyncIterator[tuple[str, str, str]]:
        """Name, id and data of the server-sent events that come whole; ends where the body does."""
        kept, identifier = b"", ""
        while piece := await self.read():
            *blocks, kept = (kept + piece).split(b"\n\n")
            for block in blocks:
                fields: dict[str, str] = {}
                for line in block.decode().split("\n"):
                    label, _, value = line.partition(":")
                    fields[label] = value.removeprefix(" ")
                identifier = fields.get("id", identifier)
                if "data" in fields:
                    yield fields.get("event", "message"), identifier, fields["data"]


class Connection:
    """A connection of either version."""

    def __init__(self, address: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        self.address, self.reader, self.writer = address, reader, writer
        self.host = f"localhost:{address.port}"

    async def ask(self, method: str, path: str, body: bytes | None = None, **fields: str) -> Incoming:
        """Sends a request and waits for the head of its answer."""
        raise NotImplementedError

    def cancel(self, incoming: Incoming) -> None:
        """Takes no more of an answer; over HTTP/1.1 that is the connection's end."""
        self.close()

    async def call(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        """Sends a request and waits for its whole answer."""
        incoming = await asyncio.wait_for(self.ask(method, path, body), LIMIT)
        return incoming.status, await incoming.whole()

    def write(self, data: bytes) -> None:
        """Sends bytes as they are, whatever they mean."""
        if not self.writer.transport.is_closing():
            self.writer.write(data)

    def close(self) -> None:
        """Ends the connection in good order as far as it need not wait for it."""
        self.writer.close()

    def abort(self) -> None:
        """Resets the connection."""
        if not self.writer.transport.is_closing():
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NONE)
        self.writer.transport.abort()


class Http1Incoming(Incoming):
    """A body with a length, or in chunks."""

    def __init__(self, status: int, reader: asyncio.StreamReader, length: int | None):
        super().__init__(status)
        self.reader, self.left = reader, length
        self.isChunked, self.isDone = length is None, False

    async def read(self) -> bytes:
        try:
            if self.isDone:
                return b""
            if self.isChunked:
                size = int((await self.reader.readuntil(b"\r\n"))[:-2], 16)
                self.isDone = size == 0
                return (await self.reader.readexactly(size + 2))[:-2]
            piece = await self.reader.read(min(self.left, 65536)) if self.left else b""
        except (OSError, EOFError, ValueError) as error:
            raise Gone(str(error)) from error
        if self.left and not piece:
            raise Gone("the body was cut off")
        self.left -= len(piece)
        return piece


class Http1Connection(Connection):
    """One request after the other."""

    async def ask(self, method: str, path: str, body: bytes | None = None, **fields: str) -> Incoming:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        try:
            self.write("\r\n".join([*lines, "", ""]).encode() + (body or b""))
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        except (OSError, EOFError, asyncio.LimitOverrunError) as error:
            raise Gone(str(error)) from error
        length = next((int(line[15:]) for line in head.split("\r\n") if line.startswith("content-length:")), None)
        status = int(head.split(" ", 2)[1])
        return Http1Incoming(status, self.reader, 0 if status in (204, 304) else length)


class Http2Incoming(Incoming):
    """The stream of one request; the window is given back for what is read, so that who reads nothing stalls it."""

    def __init__(self, connection: "Http2Connection", number: int):
        super().__init__(0)
        self.connection, self.number, self.isDone = connection, number, False
        self.queue: asyncio.Queue[h2.events.Event | None] = asyncio.Queue()

    async def head(self) -> None:
        """Waits for the status."""
        match await self.queue.get():
            case h2.events.ResponseReceived() as event:
                self.status = int(dict(event.headers)[":status"])
            case _:
                raise Gone(f"no head came: {self.connection.why}")

    async def read(self) -> bytes:
        while not self.isDone:
            match await self.queue.get():
                case h2.events.DataReceived() as event:
                    self.connection.give_back(event)
                    if event.data:
                        return event.data
                case h2.events.StreamEnded():
                    self.isDone = True
                case _:
                    self.queue.put_nowait(None)
                    raise Gone(f"the stream was reset, or its connection ended: {self.connection.why}")
        return b""

    def drop(self) -> None:
        """Gives back the connection's window for what was not read."""
        while not self.queue.empty():
            if isinstance(event := self.queue.get_nowait(), h2.events.DataReceived):
                self.connection.give_back(event)


class Http2Connection(Connection):
    """Many requests at a time; a task of its own takes in the frames."""

    def __init__(self, address: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        super().__init__(address, reader, writer)
        self.machine = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.machine.initiate_connection()
        self.streams: dict[int, Http2Incoming] = {}
        self.why = "the server has closed it"
        self.flush()
        self.task = asyncio.create_task(self._take_in())

    async def ask(self, method: str, path: str, body: bytes | None = None, **fields: str) -> Incoming:
        head = [(":method", method), (":path", path), (":scheme", "https" if self.address.authority else "http"),
                (":authority", self.host)]
        head += [(name.lower().replace("_", "-"), value) for name, value in fields.items()]
        if body is not None:
            head.append(("content-type", "application/json"))
        if self.task.done():
            raise Gone(f"the connection has ended: {self.why}")
        try:
            number = self.machine.get_next_available_stream_id()
            self.machine.send_headers(number, head, end_stream=body is None)
            if body is not None:
                self.machine.send_data(number, body, end_stream=True)
        except h2.exceptions.ProtocolError as error:
            raise Gone(str(error)) from error
        incoming = self.streams[number] = Http2Incoming(self, number)
        self.flush()
        await incoming.head()
        return incoming

    def cancel(self, incoming: Http2Incoming) -> None:
        incoming.drop()
        self.streams.pop(incoming.number, None)
        with contextlib.suppress(h2.exceptions.ProtocolError):
            self.machine.reset_stream(incoming.number, h2.errors.ErrorCodes.CANCEL)
            self.flush()

    def give_back(self, event: h2.events.DataReceived) -> None:
        with contextlib.suppress(h2.exceptions.ProtocolError):
            self.machine.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            self.flush()

    def flush(self) -> None:
        self.write(self.machine.data_to_send())

    def close(self) -> None:
        with contextlib.suppress(h2.exceptions.ProtocolError):
            self.machine.close_connection()
            self.flush()
        self.task.cancel()
        super().close()

    def abort(self) -> None:
        self.task.cancel()
        super().abort()

    async def _take_in(self) -> None:
        try:
            while data := await self.reader.read(65536):
                for event in self.machine.receive_data(data):
                    if isinstance(event, h2.events.ConnectionTerminated):
                        self.why = f"GOAWAY {event.error_code} {event.additional_data}"
                    if (number := getattr(event, "stream_id", None)) in self.streams:
                        self._note(event, number)
                self.flush()
        except (OSError, h2.exceptions.ProtocolError) as error:
            self.why = f"{type(error).__name__} {error}"
        finally:
            for stream in self.streams.values():
                stream.queue.put_nowait(None)

    def _note(self, event: h2.events.Event, number: int) -> None:
        kinds = (h2.events.ResponseReceived, h2.events.DataReceived, h2.events.StreamEnded, h2.events.StreamReset)
        if isinstance(event, kinds):
            stream = self.streams[number]
            if isinstance(event, h2.events.StreamEnded | h2.events.StreamReset):
                del self.streams[number]
            stream.queue.put_nowait(event)
