"""A stand-in for a server that tells of its streams, as far as one in front of it can."""

import http.server
import json
import threading
import urllib.parse

from support.front import relay

STREAM = {
    "id": "s1", "since": "2026-01-02T03:04:05Z", "directors": [{"name": "book", "version": 7, "lag": 3}],
    "address": "127.0.0.1:5000", "protocol": "h2", "principal": {"kind": "token", "name": "till"},
}


class StreamTeller(http.server.ThreadingHTTPServer):
    """Answers `/v1/streams`; everything else is the server's."""

    daemon_threads = True

    def __init__(self, server, streams: list[dict]):
        super().__init__(("127.0.0.1", 0), Handler)
        self.target, self.streams = server.port, streams
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path != "/v1/streams":
            return relay(self, self.server.target)
        name = urllib.parse.parse_qs(query).get("director", [""])[0]
        found = [each for each in self.server.streams if not name or any(list["name"] == name for list in each["directors"])]
        return self._answer(200, json.dumps({"total": len(found), "streams": found}).encode())

    def do_DELETE(self):
        path = urllib.parse.unquote(self.path)
        if not path.startswith("/v1/streams/"):
            return relay(self, self.server.target)
        self.server.streams[:] = [each for each in self.server.streams if each["id"] != path.removeprefix("/v1/streams/")]
        return self._answer(204, b"")

    def do_POST(self):
        relay(self, self.server.target)

    do_PUT = do_PATCH = do_POST

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass
