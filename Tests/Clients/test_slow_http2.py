"""Slow on purpose over HTTP/2 and in TLS handshakes: hundreds at once leave others served, and are gone in time."""

import json
import subprocess
import time
from dataclasses import dataclass

import pytest

from conftest import BOOK, api
from support.certificates import Authority
from support.http2 import Connection
from support.server import Server
from support.slow import (
    WIDEST, Attackers, Bystander, data, head, hello, taken, unfinished_head, window)
from test_tls import Recorder, connect, files, trust, wait_for

MIB = 1 << 20
# The server's deadlines in seconds, and how long after them the last attacker may still be there on a busy machine.
DEADLINE, SLACK = 1.5, 8.0
SETTINGS = {"SERVER_HEAD_TIMEOUT": str(DEADLINE), "SERVER_BODY_TIMEOUT": str(DEADLINE), "SERVER_LINGER_TIMEOUT": "0.5",
            "SERVER_WRITE_STALL_TIMEOUT": str(DEADLINE), "SERVER_KEEP_ALIVE_TIMEOUT": "4"}
# What 99 of 100 requests of others take at most, in seconds; and what an attack may leave behind in memory.
P99, LEFT = 0.5, 40 * MIB
LONG = f"{BOOK}/variables/long"


@dataclass
class Mode:
    """What each connection of an attack does; `endures` where it may go on for as long as something comes."""

    opening: bytes
    tick: bytes | None = None
    count: int = 500
    reads: bool = True
    # How many streams of each connection are ended by a deadline, besides or instead of the connection.
    streams: int = 1
    # For how many seconds something comes: where a little is progress, the deadline begins only then.
    lasts: float = 60


STUCK = [2 * number + 1 for number in range(50)]
MODES = {
    "field blocks that never end": Mode(hello() + unfinished_head(), b"\0"),
    "field blocks of which nothing more comes": Mode(hello() + head("GET", "/livez", 1) + unfinished_head().replace(
        b"\0\0\0\1", b"\0\0\0\3")),
    "bodies byte by byte": Mode(hello() + head("POST", f"{BOOK}/operations", ends=False), data(b" "), lasts=1.5),
    "windows of one byte": Mode(hello(INITIAL_WINDOW_SIZE=1) + head("GET", LONG), window(1, 1), lasts=1.5),
    "windows that stay shut": Mode(hello(INITIAL_WINDOW_SIZE=0) + head("GET", LONG)),
    "a connection's window that stays shut": Mode(hello(INITIAL_WINDOW_SIZE=WIDEST) + head("GET", LONG), count=200),
    "answers that nobody reads": Mode(
        hello(INITIAL_WINDOW_SIZE=WIDEST) + window(WIDEST - 65_535, 0) +
        b"".join(head("GET", LONG, stream) for stream in STUCK), count=50, reads=False),
    "prefaces alone": Mode(hello(), count=1000),
    "many streams, each stuck": Mode(
        hello(INITIAL_WINDOW_SIZE=0) + b"".join(head("GET", LONG, stream) for stream in STUCK), count=40, streams=50),
    "many bodies that never come": Mode(
        hello() + b"".join(head("POST", f"{BOOK}/operations", stream, ends=False) for stream in STUCK), count=40,
        streams=50),
}


def attack(server: Server, bystander: Bystander, mode: Mode) -> tuple[int, float]:
    """Attacks until no connection is left or its time is over; how many are left, and how long it took."""
    began = time.monotonic()
    # Idle connections are closed by the keep-alive's deadline, once their streams were ended.
    limit = began + min(mode.lasts, DEADLINE) + DEADLINE + 4 + SLACK
    with Attackers(server, mode.count, mode.opening, mode.tick and (lambda _: mode.tick), reads=mode.reads) as attackers:
        while (left := attackers.work()) and time.monotonic() < limit:
            bystander.ask()
            if time.monotonic() - began > mode.lasts:
                attackers.tick = None
    return left, time.monotonic() - began


def check_aftermath(server: Server, bystander: Bystander, before: tuple[int, int], text: str) -> None:
    """Nothing is kept: connections, bytes, descriptors, memory; and others had their answers."""
    wait_for(lambda: bystander.metrics()["callboard_connections"] <= 2)
    wait_for(lambda: bystander.metrics()["callboard_buffered_bytes"] == 0)
    wait_for(lambda: taken(server)[1] <= before[1])
    grown = taken(server)[0] - before[0]
    print(f"{text}; {len(bystander.times)} requests of others, p99 {bystander.p99() * 1000:.1f} ms, "
          f"slowest {max(bystander.times) * 1000:.1f} ms; memory {grown / MIB:+.1f} MiB")
    assert len(bystander.times) > 100 and bystander.p99() < P99
    assert grown < LEFT


@pytest.mark.parametrize("name", MODES, ids=[name.replace(" ", "-") for name in MODES])
def test_slow_clients_of_http2_are_gone_in_time(start, name):
    mode, server = MODES[name], start(HTTP2_CLEARTEXT="true", **SETTINGS)
    with api(server) as client:
        client.put(BOOK, json={"kind": "table"})
        client.put(f"/v1/directors/book/variables/long", json="x" * 300_000)
    with Bystander(server) as bystander:
        bystander.ask()
        before, counted = taken(server), bystander.metrics()["callboard_connections_timed_out_total"]
        left, took = attack(server, bystander, mode)
        ended = bystander.metrics()["callboard_connections_timed_out_total"] - counted
        text = f"{mode.count} connections, gone after {took:.1f} s, {ended:.0f} ended by deadlines"
        assert left == 0, f"{left} of {text}"
        assert ended >= mode.count * mode.streams, text
        check_aftermath(server, bystander, before, text)
