"""How long other requests wait while the server is at work on a list of 1,000,000 elements, and what memory that takes.

The server has one loop on one core. While another process makes it work on the list (a new subscriber is sent all of it,
a section is read whole, the director is deleted), this one sends small GETs for another director, each as soon as the
one before is answered, and notes the longest wait. The yardstick is the longest wait of the same GETs on the idle
server; what may be waited at most is an absolute bound.
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

    def __init__(self, port: int):
        self.socket = socket.create_connection((HOST, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = f"GET /v1/directors/small HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()

    def longest_wait(self, goes_on) -> tuple[float, int]:
        """The longest wait in milliseconds, and the number of requests; one is always under way while it goes on."""
        longest, count, is_last = 0, 0, False
        while not is_last:
            is_last = not goes_on()
            begin = time.perf_counter_ns()
            self.socket.sendall(self.request)
            answer = self.socket.recv(1 << 16)
            while not complete(answer):
                answer += self.socket.recv(1 << 16)
            longest, count = max(longest, time.perf_counter_ns() - begin), count + 1
            if not answer.startswith(b"HTTP/1.1 200 "):
                raise SystemExit(f"a small GET was answered {answer[:200]!r}")
        return longest / 1e6, count


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


def subscribe(port: int) -> int:
    """Follows the long list until its snapshot has arrived."""
    head = request("GET", "/v1/directors/large/changesets", "text/event-stream")
    return exchange(port, head, lambda tail, _: re.search(rb"\nid: [^\n]+\n\n", tail) is not None)


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


def read_section(port: int) -> int:
    return plain(port, "GET", f"/v1/directors/large/sections/{SECTION}")


def delete(port: int) -> int:
    return plain(port, "DELETE", "/v1/directors/large")


def resident(server, field: str) -> int:
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", status, re.M).group(1)) * 1024


def measure(name: str, work, server, prober: Prober, idle: float, bounds_memory: bool) -> None:
    """Has another process do the work, and reports the longest wait meanwhile."""
    before = resident(server, "VmRSS")
    # Sets the highest value of the resident memory back to the present one.
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    process = multiprocessing.Process(target=work, args=(server.port,))
    begin = time.monotonic()
    process.start()
    longest, count = prober.longest_wait(process.is_alive)
    seconds = time.monotonic() - begin
    process.join()
    if process.exitcode != 0:
        raise SystemExit(f"{name}: the request failed")
    # What follows the answer, such as freeing a list, is part of the work.
    after, more = prober.longest_wait(lambda end=time.monotonic() + 0.5: time.monotonic() < end)
    longest = max(longest, after)
    growth = (resident(server, "VmHWM") - before) / (1 << 20)
    print(f"{name}: {seconds:.2f} s, {count + more} GETs meanwhile, the longest {longest:.2f} ms (idle {idle:.2f} ms, "
          f"ratio {longest / idle:.1f}), memory +{growth:.1f} MiB", flush=True)
    report(f"a GET while {name}, longest wait", f"{longest:.2f} ms", f"idle {idle:.2f} ms", longest / idle, None)
    report(f"the same against the bound", f"{longest:.2f} ms", f"bound {WAIT_MILLISECONDS:.0f} ms",
           longest / WAIT_MILLISECONDS, 1.0, at_most=True)
    if bounds_memory:
        report(f"memory while {name}", f"{growth:.1f} MiB", f"bound {MEMORY_MIB:.0f} MiB", growth / MEMORY_MIB, 1.0,
               at_most=True)


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
        prober = Prober(server.port)
        end = time.monotonic() + IDLE_SECONDS
        idle, _ = prober.longest_wait(lambda: time.monotonic() < end)
        measure("a subscriber is sent 1,000,000 elements", subscribe, server, prober, idle, True)
        measure("a section of 1,000,000 elements is read", read_section, server, prober, idle, False)
        measure("a director of 1,000,000 elements is deleted", delete, server, prober, idle, False)


if __name__ == "__main__":
    main()
