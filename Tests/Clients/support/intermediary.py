"""A proxy in front of a real server that answers in its place for a while: with each status and each content type, at each moment.

The path begins with the case, `/MOMENT/STATUS/TYPE/NUMBER`, by which the proxy knows whose request it is; what follows is passed
on. A case of the moment `before` is answered strangely from the first request on; one of `middle` and `end` follows the server
until `cut`, which ends its stream in the middle of an event, or behind the server's word that it closes. From then on every case
is answered strangely, until `mend`, and twice at least. What is passed on for the type `mixed` keeps that type's spelling.
"""

import asyncio
import contextlib
import threading
from dataclasses import dataclass, field

TYPES = {
    "html": ("text/html; charset=utf-8", b"<!DOCTYPE html><title>Sign in</title><p>Please sign in.</p>\n"),
    "json": ("application/json", b'{"status":404,"message":"no route matched"}'),
    "problem": ("application/problem+json", b'{"type":"https://router.example/not-found","title":"No route","status":404}'),
    "stream": ("text/event-stream", b"retry: 20\n\n"),
    "mixed": ("TEXT/Event-Stream ; charset=UTF-8", b": held\n\n"),
    "none": (None, b"portal\n"),
}
MOMENTS = ("before", "middle", "end")
# What a client gets that follows a redirection: a portal's page.
PORTAL = "/portal"
# Fewer answers than this would not tell that a client goes on trying.
LEAST = 2


@dataclass(eq=False)
class Case:
    """One client's way through the proxy."""

    moment: str
    status: int
    type: str
    strange: int = 0
    streams: set = field(default_factory=set)


class Intermediary:
    """The proxy, on a thread of its own; `port` is where it listens."""

    def __init__(self, target: int):
        self.target = target
        self.cases: dict[str, Case] = {}
        self.is_away = {moment: moment == "before" for moment in MOMENTS}
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self.thread.start()
        assert started.wait(10)

    def cut(self, moment: str) -> int:
        """Takes the server's place for a moment's cases; returns how many followed it."""
        return asyncio.run_coroutine_threadsafe(self._cut(moment), self.loop).result(30)

    def mend(self, moment: str) -> None:
        """Passes requests of a moment's cases again, each after the fewest strange answers."""
        self.is_away[moment] = False

    def close(self) -> None:
        """Ends everything."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=4096))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()

    async def _cut(self, moment: str) -> int:
        self.is_away[moment] = True
        count = 0
        for case in self.cases.values():
            for writer in case.streams if case.moment == moment else ():
                count += 1
                if moment == "end":
                    writer.write(b'event: end\ndata: {"reason":"closing"}\n\n')
                    writer.close()
                else:
                    writer.write(b'event: changeset\ndata: {"from":1,"vers')
                    with contextlib.suppress(ConnectionError):
                        await writer.drain()
                    writer.transport.abort()
        return count

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._take(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError):
            pass  # The client has left.
        finally:
            writer.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Takes one request; returns whether another may follow on its connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
        assert method == "GET", f"{method} {target}"
        if target == PORTAL:
            self._answer(writer, 200, *TYPES["html"])
            return True
        _, moment, status, kind, number, rest = target.split("/", 5)
        case = self.cases.setdefault(f"{moment}/{status}/{kind}/{number}", Case(moment, int(status), kind))
        has_begun = moment == "before" or case.strange > 0
        if not self.is_away[moment] and not (has_begun and case.strange < LEAST):
            await self._pass(case, head, rest, reader, writer)
            return False
        case.strange += "/changesets" in rest
        self._answer(writer, case.status, *TYPES[kind])
        return True

    @staticmethod
    def _answer(writer: asyncio.StreamWriter, status: int, kind: str | None, body: bytes) -> None:
        # Neither has content whatever is said of it (RFC 9110, sections 15.3.5 and 15.4.5).
        body = b"" if status in (204, 304) else body
        fields = [f"Content-Type: {kind}"] if kind else []
        if status in (301, 302, 303, 307, 308) and kind:
            fields.append(f"Location: {PORTAL}")
        if status != 204:
            fields.append(f"Content-Length: {len(body)}")
        lines = [f"HTTP/1.1 {status} Strange", *fields, "", ""]
        writer.write("\r\n".join(lines).encode() + body)

    async def _pass(self, case: Case, head: bytes, rest: str, reader, writer) -> None:
        """Passes one exchange on as HTTP/1.0 has it: the end of the connection is that of the answer."""
        fields = [line for line in head.split(b"\r\n")[1:-2] if not line.lower().startswith((b"connection:", b"accept-encoding:"))]
        up, down = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            down.write(b"\r\n".join([f"GET /{rest} HTTP/1.0".encode(), *fields, b"", b""]))
            answer = await up.readuntil(b"\r\n\r\n")
            if b"text/event-stream" in answer:
                case.streams.add(writer)
                if case.type == "mixed":
                    answer = answer.replace(b"text/event-stream", b"TEXT/Event-Stream ; charset=UTF-8")
            writer.write(answer.replace(b"HTTP/1.0", b"HTTP/1.1", 1))
            left = asyncio.ensure_future(reader.read())
            while True:
                piece = asyncio.ensure_future(up.read(1 << 16))
                await asyncio.wait({piece, left}, return_when=asyncio.FIRST_COMPLETED)
                if left.done() or not (data := piece.result()):
                    piece.cancel()
                    break
                writer.write(data)
        finally:
            case.streams.discard(writer)
            down.close()
