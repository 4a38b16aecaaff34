"""What all connections together keep for their clients is bounded, as the process's resident memory shows."""

import contextlib
import re
import resource
import socket
import time

import httpx
import pytest

from conftest import BOOK, api

MIB = 1 << 20
BODY = 16 * MIB
# The program, its lists, what is in work, and what the allocator keeps for the next time.
SLACK = 100 * MIB


def resident(server) -> int:
    """The resident memory of the server's process in bytes."""
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read()).group(1)) * 1024


def metric(server, name: str) -> int:
    page = httpx.get(f"{server.url}/metrics", trust_env=False).text
    return sum(int(value) for value in re.findall(rf"^{name}(?:{{[^}}]*}})? (\d+)$", page, re.M))


def connect(server, receive_buffer: int | None = None) -> socket.socket:
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(60)
    client.connect(("127.0.0.1", server.port))
    return client


def begin_body(server, stack) -> socket.socket:
    """Sends all of a body of 16 MiB but its last byte, or as much as the server takes."""
    client = stack.enter_context(connect(server))
    with contextlib.suppress(OSError):
        client.sendall(f"POST {BOOK}/operations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       f"Content-Length: {BODY}\r\n\r\n".encode() + b" " * (BODY - 1))
    return client


def refusals(clients) -> list[bytes]:
    """The answers of those that were answered."""
    answers = []
    for client in clients:
        client.setblocking(False)
        with contextlib.suppress(OSError):
            if answer := client.recv(4096):
                answers.append(answer)
    return answers


@pytest.mark.parametrize("bound", [256, 64])
def test_30_unfinished_bodies_of_16_MiB_hold_the_bound_and_not_480_MiB(start, bound):
    server = start(SERVER_MAX_BUFFERED_BYTES=str(bound * MIB), SERVER_BODY_TIMEOUT="60").nodes[0]
    before = resident(server)
    with contextlib.ExitStack() as stack, api(server) as other:
        other.put(BOOK, json={"kind": "table"})
        clients = [begin_body(server, stack) for _ in range(30)]
        wanted, deadline = 30 - bound // 16, time.monotonic() + 60
        while metric(server, "callboard_buffer_refusals_total") < wanted:
            assert time.monotonic() < deadline, "too few were refused"
            time.sleep(0.1)
        held, counted = resident(server) - before, metric(server, "callboard_buffered_bytes")
        answers = refusals(clients)
        print(f"30 bodies of 16 MiB, bound {bound} MiB: {held / MIB:.0f} MiB resident more, {counted / MIB:.0f} MiB "
              f"counted, {len(answers)} refused")
        assert counted <= bound * MIB and held < bound * MIB + SLACK
        assert len(answers) >= wanted and metric(server, "callboard_buffer_refusals_total") >= len(answers)
        for answer in answers:
            assert answer.startswith(b"HTTP/1.1 503 ") and b"\r\nRetry-After: 1\r\n" in answer
        # Everyone else is served, changes included.
        began = time.monotonic()
        other.post(f"{BOOK}/sections", json={"id": "s"})
        assert other.get("/livez").status_code == 200 and time.monotonic() - began < 10
    deadline = time.monotonic() + 60
    while (left := metric(server, "callboard_buffered_bytes")) > 0:
        assert time.monotonic() < deadline, f"{left} bytes are still counted"
        time.sleep(0.1)
    with contextlib.ExitStack() as stack:
        client = begin_body(server, stack)
        client.sendall(b" ")
        # Blanks are no JSON, but all of them were taken.
        assert client.recv(4096).startswith(b"HTTP/1.1 400 ")


def test_60_unread_reads_of_a_list_of_8_MB_hold_the_bound_and_not_460_MiB(start):
    bound = 128
    server = start(SERVER_MAX_BUFFERED_BYTES=str(bound * MIB), SERVER_WRITE_STALL_TIMEOUT="60").nodes[0]
    with contextlib.ExitStack() as stack, api(server) as other:
        other.put(BOOK, json={"kind": "table"})
        other.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
        people = [{"value": {"name": f"person {number}", "note": "n" * 4000}} for number in range(2_000)]
        other.post(f"{BOOK}/sections", json={"id": "people", "elements": people}, headers={"Prefer": "return=minimal"})
        path = f"{BOOK}/sections?limit=10000"
        size = len(other.get(path).content)
        before = resident(server)
        clients = []
        for _ in range(60):
            client = stack.enter_context(connect(server, receive_buffer=4096))
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            clients.append(client)
        deadline = time.monotonic() + 60
        kept = bound * MIB // size
        while metric(server, "callboard_buffer_refusals_total") < 60 - kept:
            assert time.monotonic() < deadline, "too few were refused"
            time.sleep(0.1)
        held, counted = resident(server) - before, metric(server, "callboard_buffered_bytes")
        answers = [answer for answer in refusals(clients) if answer.startswith(b"HTTP/1.1 503 ")]
        print(f"60 unread answers of {size / MIB:.1f} MiB, bound {bound} MiB: {held / MIB:.0f} MiB resident more, "
              f"{counted / MIB:.0f} MiB counted, {len(answers)} refused")
        assert counted <= bound * MIB and held < bound * MIB + SLACK
        assert len(answers) >= 60 - kept and all(b"\r\nRetry-After: 1\r\n" in answer for answer in answers)
        other.patch(f"{BOOK}/sections/people/elements/person%201", json={"age": 7})
        assert other.get("/livez").status_code == 200
    with api(server) as other:
        assert len(other.get(path).content) > size - 4096


def test_a_server_without_descriptors_says_so_once_and_goes_on(start):
    server = start().nodes[0]
    with contextlib.ExitStack() as stack:
        limit = 40
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
        clients = [stack.enter_context(connect(server)) for _ in range(60)]
        deadline = time.monotonic() + 60
        while "connections cannot be accepted" not in server.tail():
            assert time.monotonic() < deadline, server.tail()
            time.sleep(0.1)
        time.sleep(1)
        lines = [line for line in server.tail().splitlines() if "connections cannot be accepted" in line]
        assert len(lines) == 1 and f"limit={limit}" in lines[0] and "LimitNOFILE" in lines[0]
        assert len(clients) == 60
    assert httpx.get(f"{server.url}/livez", trust_env=False, timeout=60).status_code == 200
