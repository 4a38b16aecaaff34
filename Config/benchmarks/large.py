"""PATCH with reload of one element among 1,000,000, against the same among 1,000 on the same server.

The requests go to the two directors in turn, over one connection each time, so that both see the machine in the same
state. Each director has a subscriber, which has to get each changeset: one update, of that element, and nothing else.
"""

import json
import random
import socket
import statistics
import time
from pathlib import Path

from events import Events
from harness import HOST, callboard, report, workspace

SIZES = {"large": 1_000_000, "small": 1_000}
REQUESTS = 1_000
# A server that does not keep its promise may take a second for each: what there was time for is reported then.
SECONDS = 40
BATCH = 10_000
TARGET = 2.0
SECTION = "people"


def identifier(number: int) -> str:
    return f"e{number:08d}"


def value(number: int) -> dict:
    """About a hundred bytes."""
    return {"id": identifier(number), "name": "Ada Lovelace", "email": "ada.lovelace@example.org",
            "age": 36, "score": 1_000_000 + number}


def fill(server, director: str, count: int) -> None:
    """Makes a director and brings its elements in bodies of about a megabyte."""
    path = f"/v1/directors/{director}"
    server.call("PUT", path, {"kind": "table"})
    server.call("PUT", f"{path}/adapters/Person", {"cell": "PersonCell"})
    server.call("POST", f"{path}/sections", {"id": SECTION})
    for start in range(0, count, BATCH):
        elements = [{"value": value(number)} for number in range(start, min(start + BATCH, count))]
        server.call("POST", f"{path}/elements?section={SECTION}", elements, prefer="return=minimal")
    server.call("POST", f"{path}/reload", prefer="return=minimal")
    counts = json.loads(server.call("GET", path))["counts"]
    if counts != {"sections": 1, "elements": count}:
        raise SystemExit(f"{director} holds {counts}")


class KeepAlive:
    """One connection, with as little of our own between a request and its answer as there can be."""

    def __init__(self, port: int):
        self.socket = socket.create_connection((HOST, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def patch(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Sends a merge patch, and returns the nanoseconds until its answer was whole, and the answer."""
        request = (f"PATCH {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/merge-patch+json\r\n"
                   f"Content-Length: {len(body)}\r\n\r\n").encode() + body
        begin = time.perf_counter_ns()
        self.socket.sendall(request)
        answer = self.socket.recv(1 << 16)
        while not complete(answer):
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise SystemExit(f"the connection was closed within an answer: {answer!r}")
            answer += piece
        return time.perf_counter_ns() - begin, answer


def complete(answer: bytes) -> bool:
    head, found, body = answer.partition(b"\r\n\r\n")
    if not found:
        return False
    fields = head.lower().split(b"\r\n")
    length = next((int(field.split(b":")[1]) for field in fields if field.startswith(b"content-length:")), None)
    if length is None:
        raise SystemExit(f"an answer without a length: {head!r}")
    return len(body) >= length


def check(change: tuple[str, dict], version: int, number: int, score: int, director: str) -> None:
    """Stops the benchmark unless a subscriber got the update of one element and nothing else."""
    name, data = change
    element = {"id": identifier(number), "model": "Person", "value": value(number) | {"score": score}}
    expected = {
        "director": director, "epoch": data.get("epoch"), "from": version - 1, "version": version,
        "stages": [{"elementUpdated": [{"at": [0, number], "element": element}]}],
        "counts": {"sections": 1, "elements": SIZES[director]},
    }
    if name != "changeset" or data != expected:
        raise SystemExit(f"the subscriber of {director} got {name} {str(data)[:1000]}, expected {expected}")


class Subject:
    """A director under measurement, with its subscriber."""

    def __init__(self, server, director: str):
        self.director = director
        self.events = Events(server.port, director)
        self.version = json.loads(server.call("GET", f"/v1/directors/{director}"))["version"]
        self.generator = random.Random(1)
        self.score = 5_000_000

    def measure(self, connection: KeepAlive, by_position: bool) -> int:
        """Changes one element, chosen at random, and publishes it; returns the nanoseconds."""
        number = self.generator.randrange(SIZES[self.director])
        self.score += 1
        self.version += 1
        address = f"@{number}" if by_position else identifier(number)
        path = f"/v1/directors/{self.director}/sections/{SECTION}/elements/{address}?reload=true"
        nanoseconds, answer = connection.patch(path, b'{"score":%d}' % self.score)
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"PATCH {path} answered {answer[:500]!r}")
        if json.loads(answer.partition(b"\r\n\r\n")[2])["id"] != identifier(number):
            raise SystemExit(f"PATCH {path} changed another element: {answer[:500]!r}")
        check(self.events.next(), self.version, number, self.score, self.director)
        return nanoseconds


def compare(subjects: list[Subject], connection: KeepAlive, by_position: bool) -> None:
    """Sends the requests to both in turn and reports the medians."""
    readings = {subject.director: [] for subject in subjects}
    end = time.monotonic() + SECONDS
    while len(readings["small"]) < REQUESTS and time.monotonic() < end:
        for subject in subjects:
            readings[subject.director].append(subject.measure(connection, by_position))
    large, small = (statistics.median(readings[name]) / 1000 for name in ("large", "small"))
    how = "position" if by_position else "identifier"
    report(f"PATCH?reload=true by {how} in 1 x {SIZES['large']:,}, median of {len(readings['large']):,}",
           f"{large:.1f} us", f"in 1 x {SIZES['small']:,} {small:.1f} us", large / small, TARGET, at_most=True)


def main() -> None:
    with workspace() as name, callboard(Path(name), SERVER_LOOPS="1", LOG_LEVEL="warning") as server:
        for director, count in SIZES.items():
            fill(server, director, count)
        subjects = [Subject(server, director) for director in SIZES]
        connection = KeepAlive(server.port)
        for by_position in (False, True):
            compare(subjects, connection, by_position)


if __name__ == "__main__":
    main()
