#!/usr/bin/env python3
"""The fake server's HTTP side: `server.py serve --port 0 --data FOLDER|memory` and `server.py check FOLDER`.

The environment's FAKE_FAULT says what goes wrong.
"""

import argparse
import json
import os
import re
import signal
import sqlite3
import sys
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fake.engine import FAULTS, Engine  # noqa: E402
from fake.store import Damaged, Store  # noqa: E402
from fake.stream import follow  # noqa: E402
from harness.model import ListModel, Refused  # noqa: E402

# Path below the director, by method, and the operation it does: named groups become members.
S, E = r"/sections/(?P<section>[^/:]+)", r"/elements/(?P<element>[^/:]+)"
R = S + r"/rows/(?P<row>[^/:]+)"
# The holder of elements: a section, or a row of it.
H = S + r"(?:/rows/(?P<row>[^/:]+))?"
ROUTES = [
    ("PUT", "", "createDirector", None), ("DELETE", "", "deleteDirector", None), ("PATCH", "", "patchDirector", None),
    ("PUT", r"/adapters/(?P<model>[^/]+)", "putAdapter", None),
    ("PUT", r"/variables/(?P<name>[^/]+)", "setVariable", "value"),
    ("DELETE", r"/variables/(?P<name>[^/]+)", "removeVariable", None),
    ("POST", "/sections", "addSections", "sections"), ("PATCH", S, "patchSection", "patch"),
    ("DELETE", S, "removeSection", None), ("DELETE", "/sections", "removeSections", None),
    ("POST", "/sections:move", "moveSection", None), ("POST", "/sections:swap", "swapSections", None),
    ("PUT", H + "/elements", "setElements", "elements"), ("POST", H + "/elements", "addElements", "elements"),
    ("DELETE", H + "/elements", "removeElements", None), ("PUT", H + E, "setElement", "value"),
    ("PATCH", H + E, "patchElement", "patch"), ("DELETE", H + E, "removeElement", None),
    ("POST", H + "/elements:move", "moveElement", None), ("POST", H + "/elements:swap", "swapElements", None),
    ("PUT", S + "/rows", "setRows", "rows"), ("POST", S + "/rows", "addRows", "rows"),
    ("PUT", R, "setRow", "value"), ("PATCH", R, "patchRow", "patch"), ("DELETE", R, "removeRow", None),
    ("POST", S + "/rows:move", "moveRow", None), ("POST", S + "/rows:swap", "swapRows", None),
]


def operation(method: str, path: str, query: dict, body) -> dict | None:
    """The operation that a request asks for, in the contract's form or the model's."""
    for verb, pattern, name, member in ROUTES:
        if verb == method and (found := re.fullmatch(pattern, path)):
            result = {"op": name} | {key: unquote(value) for key, value in found.groupdict().items() if value}
            if member:
                result[member] = body
            elif name == "patchDirector":
                result["rowHeight"] = body["properties"]["rowHeight"]
            elif isinstance(body, dict) and name != "createDirector":
                result |= body
            if "at" in query:
                places = [int(each) for each in query["at"].split(",")]
                result["at"] = places if name.startswith("remove") else places[0]
            return result
    return None


def director_shown(name: str, model: ListModel) -> dict:
    return {"name": name, "kind": "table", "epoch": model.epoch, "revision": model.revision, "version": model.version,
            "properties": {"rowHeight": model.row_height}}


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    engine: Engine

    def log_message(self, *_) -> None:
        pass

    def answer(self, status: int, body: bytes = b"", kind: str = "application/json", tag: str | None = None) -> None:
        fields = [f"HTTP/1.1 {status} -", f"Content-Length: {len(body)}", f"Content-Type: {kind}"]
        if tag:
            fields.append(f'ETag: "{tag}"')
        self.wfile.write("\r\n".join(fields).encode() + b"\r\n\r\n" + body)

    def problem(self, status: int, detail: str) -> None:
        body = {"type": "about:blank", "status": status, "detail": detail}
        self.answer(status, json.dumps(body).encode(), "application/problem+json")

    def parse(self) -> tuple[str | None, str, dict]:
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        found = re.fullmatch(r"/v1/directors/([^/]+)(.*)", parts.path)
        return (unquote(found[1]), found[2], query) if found else (None, parts.path, query)

    def do_GET(self) -> None:
        name, path, query = self.parse()
        if path.endswith("/changesets"):
            return follow(self, self.engine, name, path)
        if path == "/readyz":
            return self.answer(200) if self.engine.is_ready() else self.problem(503, "the disk takes nothing")
        with self.engine.lock:
            director = self.engine.directors.get(name)
            if director is None or not director.model.exists:
                return self.problem(404, "no such director")
            model, tag = director.model, f"{director.model.epoch}-r{director.model.revision}"
            match path:
                case "":
                    shown = director_shown(name, model)
                case "/variables":
                    shown = {"variables": model.variables}
                case "/adapters":
                    shown = {"adapters": [{"model": each, "cell": cell} for each, cell in model.adapters.items()]}
                case "/sections" if query.get("state") == "published":
                    version = int(query.get("version", model.version))
                    if version not in director.versions:
                        return self.problem(404, "no such version")
                    shown = {"sections": director.versions[version]}
                case "/sections":
                    shown = {"sections": model.sections}
                case _:
                    return self.problem(404, "nothing there")
            body = json.dumps(shown).encode()
        self.answer(200, body, tag=tag)

    def mutate(self) -> None:
        name, path, query = self.parse()
        content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = json.loads(content) if content else None
        reload = query.get("reload") == "true"
        is_batch, is_reload = path == "/operations", path == "/reload"
        if is_batch:
            operations, reload = body["operations"], body["reload"]
        elif is_reload:
            operations, reload = [], True
        else:
            operations = [operation(self.command, path, query, body)]

        def made(model: ListModel, changed: bool) -> tuple:
            if (is_batch and reload) or is_reload:
                shown = {"director": name, "version": model.version, "changed": changed}
            else:
                shown = director_shown(name, model)
            return (200 if model.exists else 204, json.dumps(shown) if model.exists else "", model.revision)

        key = self.headers.get("Idempotency-Key") if self.command == "POST" else None
        match = self.headers.get("If-Match")
        try:
            status, text, revision = self.engine.perform(
                name, operations, reload, key, zlib.crc32(self.path.encode() + content),
                int(match[1:-1].rsplit("-r", 1)[1]) if match else None, made)
        except Refused as refusal:
            return self.problem(refusal.status, str(refusal))
        except sqlite3.Error as error:
            return self.problem(507 if "full" in str(error) else 503, str(error))
        self.answer(status, text.encode(), tag=f"fake-r{revision}")

    do_POST = do_PUT = do_PATCH = do_DELETE = mutate


class FakeServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def handle_error(self, *_) -> None:
        pass


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="Run a server.")
    serve.add_argument("--port", type=int, default=0)
    serve.add_argument("--data", default="memory")
    commands.add_parser("check", help="Verify a data folder.").add_argument("data")
    options = parser.parse_args()
    fault = os.environ.get("FAKE_FAULT", "")
    if fault not in FAULTS:
        sys.exit(f"FAKE_FAULT is one of {sorted(FAULTS)}")
    try:
        store = None if options.data == "memory" else Store(Path(options.data), fault == "careless", fault != "no-sync")
        Handler.engine = Engine(store, fault)
    except Damaged as damage:
        print(f"error: {damage}", file=sys.stderr)
        return 1
    if options.command == "check":
        store.close()
        return 0

    def stop(*_) -> None:
        with Handler.engine.lock:
            if store:
                store.close()
            os._exit(0)

    signal.signal(signal.SIGTERM, stop)
    server = FakeServer(("127.0.0.1", options.port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
