"""How long other requests wait while the server is at work on a list of 1,000,000 elements, and what memory that takes.

The server has one loop on one core. While another process makes it work on the list (a new subscriber is sent all of it,
a section is read whole, the director is deleted), this one sends small GETs for another director, each as soon as the
one before is answered, and notes the longest wait, and the most processor time that the server used within one. The
yardstick is the longest wait of the same GETs on the idle server; what may be waited at most is an absolute bound. On a
busy machine the waits have what other programs took; the processor time has not.
"""

import json
import multiprocessing
import os
import re
import socket
import time
from pathlib import Path

from harness import HOST, callboard, report, workspace
from large import SECTION, complete, fill

COUNT = 1_000_000
IDLE_SECONDS = 3.0
# The longest that a request may wait for the size of another's list, and the most that sending the list may take
# besides the list itself.
WAIT_MILLISECONDS = 10.0
MEMORY_MIB = 16.0


class Prober:
    """Sends small GETs over one connection, one after the other."""

    def __init__(self, server):
        # The clock of another process's processor time, as clock_getcpuclockid(3) makes it on Linux.
        self.clock = (~server.process.pid << 3) | 2
        self.socket = socket.create_connection((HOST, server.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = f"GET /v1/directors/small HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()

    def longest_wait(self, goes_on) -> "Waits":
        """Sends GETs while something goes on, and one after its end."""
        waits, is_last = Waits(), False
        while not is_last:
            is_last = not goes_on()
            begin, work = time.perf_counter_ns(), time.clock_gettime_ns(self.clock)
            self.socket.sendall(self.request)
            answer = self.socket.recv(1 << 16)
            while not complete(answer):
                answer += self.socket.recv(1 << 16)
            waits.add(time.perf_counter_ns() - begin, time.clock_gettime_ns(self.clock) - work)
            if not answer.startswith(b"HTTP/1.1 200 "):
                raise SystemExit(f"a small GET was answered {answer[:200]!r}")
        return waits


class Waits:
    """The longest wait for an answer, the most processor time within one, both in milliseconds, and their number."""

    def __init__(self):
        self.longest, self.work, self.count = 0.0, 0.0, 0

    def add(self, wait: int, work: int) -> None:
        self.longest, self.work, self.count = max(self.longest, wait / 1e6), max(self.work, work / 1e6), self.count + 1


def exchange(port: int, head: str, is_over) -> int:
    """Sends a request and reads until its answer is over, by its last bytes and their number; returns the number."""
    with socket.create_connection((HOST, port), timeout=120) as connection:
        connection.sendall(head.encode())
        tail, count = b"", 0
        while not is_over(tail, count):
            piece = connection.recv(1 << 20)
            if not piece:
                raise SystemExit("the server closed the connection within an answer")
            tail, count = (tail + piece)[-4096:] if count else piece, count + len(piece)
        return count


def request(method: str, path: str, accept: str = "*/*") -> str:
    return f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: {accept}\r\n\r\n"


def subscribe(port: int) -> None:
    """Follows the long list until its snapshot has arrived."""
    head = request("GET", "/v1/directors/large/changesets", "text/event-stream")
    count = exchange(port, head, lambda tail, _: re.search(rb"\nid: [^\n]+\n\n", tail) is not None)
    if count < 100 * COUNT:
        raise SystemExit(f"the snapshot had {count} bytes")


def plain(port: int, method: str, path: str) -> int:
    """Sends a request whose answer has a length, or no content."""
    lengths: list[int] = []

    def is_over(tail: bytes, count: int) -> bool:
        if not lengths and b"\r\n\r\n" in tail:
            start = tail.partition(b"\r\n\r\n")[0]
            found = re.search(rb"(?i)content-length: (\d+)", start)
            lengths.append(len(start) + 4 + (int(found.group(1)) if found else 0))
        return bool(lengths) and count >= lengths[0]

    return exchange(port, request(method, path), is_over)


def read_section(port: int) -> None:
    count = plain(port, "GET", f"/v1/directors/large/sections/{SECTION}")
    if count < 100 * COUNT:
        raise SystemExit(f"the section had {count} bytes")


def delete(port: int) -> None:
    plain(port, "DELETE", "/v1/directors/large")


def resident(server, field: str) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", status, re.M).group(1)) * 1024


def measure(name: str, work, server, prober: Prober, idle: Waits, bounds_memory: bool) -> None:
    """Has another process do the work, and reports the longest wait meanwhile."""
    before = resident(server, "VmRSS")
    # Sets the highest value of the resident memory back to the present one.
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    process = multiprocessing.Process(target=work, args=(server.port,))
    begin = time.monotonic()
    process.start()
    # What follows the answer, such as freeing a list, is part of the work.
    waits = prober.longest_wait(lambda: process.is_alive() or time.monotonic() < begin + 1)
    process.join()
    if process.exitcode != 0:
        raise SystemExit(f"{name}: the request failed")
    growth = (resident(server, "VmHWM") - before) / (1 << 20)
    report(f"a GET while {name}, longest wait of {waits.count:,}", f"{waits.longest:.2f} ms",
           f"idle {idle.longest:.2f} ms", waits.longest / idle.longest, None)
    report("  the same against the bound", f"{waits.longest:.2f} ms", f"{WAIT_MILLISECONDS:.0f} ms",
           waits.longest / WAIT_MILLISECONDS, 1.0, at_most=True)
    report("  processor time of the server within one GET", f"{waits.work:.2f} ms", f"idle {idle.work:.2f} ms",
           waits.work / idle.work, None)
    if bounds_memory:
        report("  memory that it takes besides the list", f"{growth:.1f} MiB", f"{MEMORY_MIB:.0f} MiB",
               growth / MEMORY_MIB, 1.0, at_most=True)


def main() -> None:
    cores = sorted(os.sched_getaffinity(0))
    # The server inherits the core; this process and those that it starts afterwards have the others.
    os.sched_setaffinity(0, cores[:1])
    with workspace() as name, callboard(Path(name), SERVER_LOOPS="1", LOG_LEVEL="warning") as server:
        os.sched_setaffinity(0, cores[1:] or cores)
        server.call("PUT", "/v1/directors/small", {"kind": "table"})
        fill(server, "large", COUNT)
        if json.loads(server.call("GET", "/v1/directors/large"))["version"] != 1:
            raise SystemExit("the long list is not published")
        server.settle()
        prober = Prober(server)
        end = time.monotonic() + IDLE_SECONDS
        idle = prober.longest_wait(lambda: time.monotonic() < end)
        measure("a subscriber is sent 1,000,000 elements", subscribe, server, prober, idle, True)
        measure("a section of 1,000,000 elements is read", read_section, server, prober, idle, False)
        measure("a director of 1,000,000 elements is deleted", delete, server, prober, idle, False)


if __name__ == "__main__":
    main()
