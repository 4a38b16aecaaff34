"""Webhooks: what a receiver that hangs on every call costs the others, and what a question takes.

Rounds in which such a receiver has hooks, with events waiting for it and questions to it going on, take turns with
rounds in which it has none; in both a client changes elements and fires events of other hooks, one after the other.
Then questions, against POSTs of the same message to the same receiver.
"""

import contextlib
import json
import os
import socket
import statistics
import subprocess
import time
from pathlib import Path

from harness import HOST, callboard, report, running, workspace
from large import complete

ROUNDS = 12
# In one round, of each of three kinds: ten of them are beyond the 99th percentile.
SAMPLES = 1000
WARM_UP = 200
TARGET = 1.2
BENCH = "/v1/directors/bench"
ADAPTER = f"{BENCH}/adapters/Person/events"
# Hooks that hang, events that wait for each of them, and clients that ask the last one over and over.
HANGING = ["tapOnAccessory", "didHighlight", "didUnhighlight", "willDisplay"]
WAITING = 200
HANGING_QUESTION = "canFocus"
# More than the 16 calls of one target that go on at a time, so that some wait for others as well.
ASKING = 24
# The default for a question.
HANG_TIMEOUT = 5.0
QUESTIONS = 300


class Client:
    """One connection, with as little of our own between a request and its answer as there can be."""

    def __init__(self, port: int):
        self.socket = socket.create_connection((HOST, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def call(self, request: bytes) -> int:
        """Sends a request; the nanoseconds until its answer was whole. Anything but a success ends the benchmark."""
        begin = time.monotonic_ns()
        self.socket.sendall(request)
        answer = self.socket.recv(1 << 16)
        while not complete(answer):
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise SystemExit(f"the connection was closed within an answer: {answer!r}")
            answer += piece
        nanoseconds = time.monotonic_ns() - begin
        if not answer.startswith(b"HTTP/1.1 2"):
            raise SystemExit(f"{request[:100]!r} was answered {answer[:500]!r}")
        if b'"source"' in answer and b'"source":"hook"' not in answer:
            raise SystemExit(f"a question was not answered by its hook: {answer[-200:]!r}")
        return nanoseconds


def request(method: str, path: str, body: bytes, kind: str = "application/json") -> bytes:
    return (f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
            ).encode() + body


def event(name: str, **members) -> bytes:
    body = json.dumps({"event": name, "indexPath": [0, 7]} | members, separators=(",", ":"))
    return request("POST", f"{BENCH}/events", body.encode())


class Receiver:
    """The program at the other end of the hooks."""

    def __init__(self, process: subprocess.Popen):
        self.process = process
        quick, hanging = process.stdout.readline().split()
        self.quick, self.hanging = int(quick), int(hanging)

    def age(self) -> int:
        """How many nanoseconds the notification took that arrives next."""
        return int(self.process.stdout.readline())

    def hung(self) -> tuple[int, int]:
        """How many requests have come that are never answered, and how many connections wait there now."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        requests, connections = self.process.stdout.readline().split()
        return int(requests), int(connections)

    def wait_until_nothing_hangs(self) -> None:
        deadline = time.monotonic() + 3 * HANG_TIMEOUT
        while self.hung()[1] > 0:
            if time.monotonic() > deadline:
                raise SystemExit("calls of hooks that are gone went on for longer than they may take")
            time.sleep(0.1)


class Subject:
    """A server with hooks that are quick, and how long what a client does takes."""

    def __init__(self, server, receiver: Receiver, folder: Path):
        self.server, self.receiver, self.folder = server, receiver, folder
        self.client = Client(server.port)
        self.age = 0
        self.readings = {False: [], True: []}
        server.call("PUT", BENCH, {"kind": "table"})
        server.call("PUT", f"{BENCH}/adapters/Person", {"cell": "PersonCell"})
        people = [{"value": {"id": f"e{number}", "name": "Ada Lovelace", "age": 36}} for number in range(1000)]
        server.call("POST", f"{BENCH}/sections?reload=true", {"id": "people", "elements": people})
        for name in ("didSelect", "shouldHighlight"):
            server.call("PUT", f"{ADAPTER}/{name}", {"url": f"http://{HOST}:{receiver.quick}/{name}"})

    def change(self) -> int:
        self.age += 1
        path = f"{BENCH}/sections/people/elements/e{self.age * 7 % 1000}"
        return self.client.call(request("PATCH", path, b'{"age":%d}' % self.age, "application/merge-patch+json"))

    def question(self) -> int:
        return self.client.call(event("shouldHighlight"))

    def notification(self) -> int:
        self.client.call(event("didSelect", parameters={"sent": time.monotonic_ns()}))
        return self.receiver.age()

    def round(self, count: int) -> dict[str, list[int]]:
        """`count` of each kind, one after the other."""
        readings = {"PATCH": [], "question": [], "notification": []}
        for _ in range(count):
            readings["PATCH"].append(self.change())
            readings["question"].append(self.question())
            readings["notification"].append(self.notification())
        return readings

    @contextlib.contextmanager
    def hanging(self):
        """For the block there are hooks that hang, with all the calls going on that the server allows."""
        for name in [*HANGING, HANGING_QUESTION]:
            hook = {"url": f"http://{HOST}:{self.receiver.hanging}/{name}", "timeout": HANG_TIMEOUT}
            self.server.call("PUT", f"{ADAPTER}/{name}", hook)
        for name in HANGING:
            for _ in range(WAITING):
                self.client.call(event(name))
        file = self.folder / "question"
        file.write_bytes(event(HANGING_QUESTION))
        # Spread over the time that each call hangs: those of many users do not begin at one moment.
        apart = str(int(HANG_TIMEOUT * 1000 / ASKING))
        command = [os.environ["HOOKS_BIN"], "load", HOST, str(self.server.port), str(ASKING), str(file), apart]
        with running(command, self.folder / "load.log") as load:
            before, _ = self.receiver.hung()
            yield
            after, connections = self.receiver.hung()
            if load.poll() is not None:
                raise SystemExit((self.folder / "load.log").read_text())
        if after == before or connections < len(HANGING):
            raise SystemExit(f"hardly anything hung: {after - before} requests, {connections} connections")
        for name in [*HANGING, HANGING_QUESTION]:
            self.server.call("DELETE", f"{ADAPTER}/{name}")

    def measure(self, hangs: bool) -> None:
        """One round; what goes on for the sake of the one before is over when it begins."""
        self.receiver.wait_until_nothing_hangs()
        self.server.settle()
        with self.hanging() if hangs else contextlib.nullcontext():
            # As long as it takes until all ask.
            time.sleep(HANG_TIMEOUT)
            self.round(WARM_UP)
            self.readings[hangs].append(self.round(SAMPLES))


def percentile(values: list[int]) -> float:
    """The 99th, in microseconds."""
    return sorted(values)[len(values) * 99 // 100] / 1000


def compare(subject: Subject, where: str) -> None:
    """The median of the rounds' 99th percentiles with a receiver that hangs, against those without."""
    subject.round(SAMPLES)
    for pair in range(ROUNDS):
        # Neither kind is always the first.
        for hangs in (True, False) if pair % 2 else (False, True):
            subject.measure(hangs)
    names = {"PATCH": "PATCH", "question": "question to another hook", "notification": "notification of another hook"}
    for kind, what in names.items():
        alone, beside = (
            statistics.median(percentile(each[kind]) for each in subject.readings[hangs]) for hangs in (False, True))
        report(f"p99 of a {what}, {where}", f"{beside:.0f} us", f"without it {alone:.0f} us", beside / alone, TARGET,
               at_most=True)


def compare_questions(subject: Subject, captured: bytes) -> None:
    """Questions, and POSTs of a message of that size by curl and by the client that asks, in turn."""
    path = subject.folder / "message"
    path.write_bytes(captured)
    url = f"http://{HOST}:{subject.receiver.quick}/"
    command = ["curl", "-sS", "-o", "/dev/null", "-w", "%{time_total}\n", "-H", "Content-Type: application/json",
               "--data-binary", f"@{path}", f"{url}[1-{QUESTIONS}]"]
    bare, posted = Client(subject.receiver.quick), request("POST", "/", captured)
    asked, curled, direct = [], [], []
    for _ in range(ROUNDS):
        asked += [subject.question() for _ in range(QUESTIONS)]
        output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        # The first one has the connection to make.
        curled += [float(line) * 1e9 for line in output.split()[1:]]
        direct += [bare.call(posted) for _ in range(QUESTIONS)]
    mine, curl, loop = (statistics.median(values) / 1000 for values in (asked, curled, direct))
    report("question, client to server to receiver and back", f"{mine:.0f} us", f"curl to receiver {curl:.0f} us",
           mine / curl, None, at_most=True)
    report("question, client to server to receiver and back", f"{mine:.0f} us", f"client to receiver {loop:.0f} us",
           mine / loop, None, at_most=True)


def main() -> None:
    for where in ("on the disk", "in memory"):
        with workspace(Path(os.environ["HOOKS_BIN"]).parent) as name:
            folder = Path(name)
            receiver = running([os.environ["HOOKS_BIN"], "receive"], folder / "receiver.log", stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
            data = folder / "data" if where == "on the disk" else "memory"
            server = callboard(folder, data, LOG_LEVEL="error", HOOKS_RETRY_DELAYS=",".join(["0.05"] * 50))
            with receiver as process, server as running_server:
                subject = Subject(running_server, Receiver(process), folder)
                compare(subject, where)
                if where == "in memory":
                    compare_questions(subject, b'{"type":"shouldHighlight","data":{"filler":"' + b"x" * 400 + b'"}}')


if __name__ == "__main__":
    main()
