"""One changeset to thousands of subscribers, against a bare loop of send and against nginx with the nchan module.

The time is from the request that publishes to the moment the last subscriber has read the message; one C program
(fanout.c) receives for all three, and the rounds are interleaved. All three send the same bytes, but for the few that
nchan puts around an event in its own way. The server has one loop, as nchan has one worker and the bare loop one thread.
"""

import contextlib
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

from harness import HOST, callboard, nginx, raise_descriptor_limit, report, running, workspace

# Subscribers and rounds: the fewer there are, the shorter a round is, and the more its noise weighs.
SUBSCRIBERS = {1_000: 60, 10_000: 20}
BARE_TARGET = 0.7
NCHAN_TARGET = 1.0
MEMORY_LIMIT = 1024
ELEMENTS = 20
STREAM = "/v1/directors/bench/changesets"


def marker(number: int) -> str:
    """Sixteen bytes that stand nowhere else in a message."""
    return f"~{number:015d}"


class Receiver:
    """The program that holds the subscribers, told over pipes what to wait for."""

    def __init__(self, process: subprocess.Popen, count: int):
        self.process = process
        self.count = count

    def expect_line(self, word: str) -> list[str]:
        line = self.process.stdout.readline().split()
        if not line or line[0] != word:
            raise SystemExit(f"fanout: expected '{word}', read {line}")
        return line[1:]

    def arm(self, text: str) -> None:
        """Makes every subscriber wait for `text`."""
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        self.expect_line("armed")

    def finish(self) -> int:
        """Waits until every subscriber has read the marker, and says when the last one had, in nanoseconds."""
        received, _, last = (int(part) for part in self.expect_line("received"))
        if received != self.count:
            raise SystemExit(f"fanout: only {received} of {self.count} subscribers received the message in time")
        return last


@contextlib.contextmanager
def receiver(folder: Path, port: int, path: str, count: int):
    command = [os.environ["FANOUT_BIN"], "receive", HOST, str(port), path, str(count)]
    log = folder / f"receiver-{port}.log"
    with running(command, log, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        self = Receiver(process, count)
        try:
            self.expect_line("ready")
        except SystemExit as error:
            raise SystemExit(f"{error}: {log.read_text()}") from None
        yield self


def prepare(server) -> None:
    server.call("PUT", "/v1/directors/bench", {"kind": "table"})
    server.call("PUT", "/v1/directors/bench/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"})
    people = [{"value": {"name": f"person {n}", "note": marker(0), "age": n}} for n in range(ELEMENTS)]
    server.call("POST", "/v1/directors/bench/sections", {"id": "people", "elements": people})
    server.call("POST", "/v1/directors/bench/reload")


def change(server, text: str) -> None:
    """Puts the marker into one element and moves another, without publishing."""
    person = "/v1/directors/bench/sections/people/elements/person%207"
    server.call("PATCH", person, {"note": text}, "application/merge-patch+json")
    server.call("POST", "/v1/directors/bench/sections/people/elements:move", {"from": 2, "to": 12})


def record_frame(server) -> bytes:
    """The bytes of one changeset as they stand on the wire, the chunk's framing included."""
    with socket.create_connection((HOST, server.port), timeout=10) as stream:
        stream.sendall(f"GET {STREAM} HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n\r\n".encode())
        stream.settimeout(1)
        with contextlib.suppress(TimeoutError):
            while stream.recv(1 << 16):
                pass
        change(server, marker(1))
        server.call("POST", "/v1/directors/bench/reload")
        frame = b""
        with contextlib.suppress(TimeoutError):
            while piece := stream.recv(1 << 16):
                frame += piece
    if frame.count(marker(1).encode()) != 1:
        raise SystemExit(f"the changeset does not hold its marker once: {frame!r}")
    return frame


class OurRounds:
    def __init__(self, server):
        self.server = server

    def publish(self, text: str) -> int:
        start = time.monotonic_ns()
        self.server.call("POST", "/v1/directors/bench/reload")
        return start


class BareRounds:
    def __init__(self, process):
        self.process = process

    def publish(self, text: str) -> int:
        start = time.monotonic_ns()
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return start


class NchanRounds:
    def __init__(self, port: int, payload: str):
        self.connection = http.client.HTTPConnection(HOST, port, timeout=60)
        self.payload = payload

    def publish(self, text: str) -> int:
        body = self.payload.replace(marker(1), text).encode()
        start = time.monotonic_ns()
        self.connection.request("POST", "/pub", body)
        answer = self.connection.getresponse()
        answer.read()
        if answer.status >= 300:
            raise SystemExit(f"nchan answered {answer.status}")
        return start


def one_round(target, ends: Receiver, text: str) -> float:
    """Milliseconds from the publication to the last subscriber."""
    ends.arm(text)
    start = target.publish(text)
    return (ends.finish() - start) / 1e6


def measure(count: int, rounds: int, folder: Path) -> None:
    nchan_locations = """
        location = /pub { nchan_publisher; nchan_channel_id bench; nchan_message_buffer_length 5; }
        location = /sub { nchan_subscriber eventsource; nchan_channel_id bench; nchan_subscriber_first_message newest; }
    """
    nchan_module = next(
        path for path in ("/usr/lib/nginx/modules/ngx_nchan_module.so", "/usr/share/nginx/modules/ngx_nchan_module.so")
        if Path(path).exists()
    )
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(callboard(
            folder, SERVER_LOOPS="1", SERVER_MAX_CONNECTIONS="20000", FEED_HEARTBEAT="600", LOG_LEVEL="warning"))
        prepare(server)
        frame = record_frame(server)
        payload = next(line[6:] for line in frame.decode().splitlines() if line.startswith("data: "))
        (folder / "frame").write_bytes(frame)

        before = server.resident_bytes()
        our_ends = stack.enter_context(receiver(folder, server.port, STREAM, count))
        each = (server.resident_bytes() - before) / count
        report_memory(count, each)

        bare = stack.enter_context(running(
            [os.environ["FANOUT_BIN"], "send", str(count), str(folder / "frame")], folder / "sender.log",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        bare_port = int(bare.stdout.readline().split()[1])
        bare_ends = stack.enter_context(receiver(folder, bare_port, "/", count))

        nchan_port = stack.enter_context(nginx(
            folder, nchan_locations, modules=f"load_module {nchan_module};",
            settings="nchan_shared_memory_size 256M;"))
        nchan_ends = stack.enter_context(receiver(folder, nchan_port, "/sub", count))

        ours, bares, nchans = OurRounds(server), BareRounds(bare), NchanRounds(nchan_port, payload)
        times = {"ours": [], "bare": [], "nchan": []}
        for number in range(2, 2 + rounds + 2):
            text = marker(number)
            change(server, text)
            times["ours"].append(one_round(ours, our_ends, text))
            times["bare"].append(one_round(bares, bare_ends, text))
            times["nchan"].append(one_round(nchans, nchan_ends, text))
        # The first two rounds of each warm the caches and are not counted.
        mine, send_loop, module = (statistics.median(values[2:]) for values in times.values())
        name = f"fan-out of {len(frame)} bytes to {count:,}"
        report(name, f"{mine:.1f} ms", f"bare send loop {send_loop:.1f} ms", send_loop / mine, BARE_TARGET)
        report(name, f"{mine:.1f} ms", f"nginx nchan {module:.1f} ms", module / mine, NCHAN_TARGET)


def report_memory(count: int, each: float) -> None:
    if count == max(SUBSCRIBERS):
        report(f"memory of one of {count:,} idle subscribers", f"{each / 1024:.2f} KiB",
               f"limit {MEMORY_LIMIT // 1024} KiB", MEMORY_LIMIT / max(each, 1), 1.0)


def main() -> None:
    raise_descriptor_limit()
    for count, rounds in SUBSCRIBERS.items():
        with workspace() as name:
            measure(count, rounds, Path(name))


if __name__ == "__main__":
    sys.exit(main())
