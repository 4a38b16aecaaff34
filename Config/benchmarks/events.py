"""One subscriber to one director's stream, read event by event."""

import http.client
import json

from harness import HOST


class Events:
    """A stream of changesets that is read only when it is asked for the next event, by one call after the other."""

    def __init__(self, port: int, director: str):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=30)
        self.connection.request(
            "GET", f"/v1/directors/{director}/changesets?snapshot=none", headers={"Accept": "text/event-stream"})
        self.answer = self.connection.getresponse()
        if self.answer.status != 200:
            raise SystemExit(f"the stream of {director} answered {self.answer.status}: {self.answer.read(500)!r}")

    def next(self) -> tuple[str, dict]:
        """The name and data of the next event that has any, heartbeats left out."""
        name, data = "message", ""
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data += line[6:]
            elif not line and self.answer.isclosed():
                raise SystemExit("the stream was closed by the server")
            elif not line and data:
                if name != "heartbeat":
                    return name, json.loads(data)
                name, data = "message", ""

    def close(self) -> None:
        self.connection.close()
