"""Slow on purpose over HTTP/2 and in TLS handshakes: hundreds at once leave others served, and are gone in time."""

import contextlib
import subprocess
import time
from collections.abc import Callable
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
            "SERVER_WRITE_STALL_TIMEOUT": str(DEADLINE), "SERVER_KEEP_ALIVE_TIMEOUT": "2.5"}
# What most requests of others take, in seconds, of which each deadline is a multiple; and what an attack may leave behind in memory.
MOST, LEFT = 0.5, 40 * MIB
LONG = f"{BOOK}/variables/long"


@dataclass
class Mode:
    """What each connection of an attack does, and how many there are."""

    opening: bytes
    tick: Callable[[int], bytes] | None = None
    count: int = 500
    reads: bool = True
    # How many streams of each connection are ended by a deadline, besides or instead of the connection.
    streams: int = 1
    # For how many seconds something comes: where a little is progress, the deadline begins only then.
    lasts: float = 60


STUCK = [2 * number + 1 for number in range(30)]
MODES = {
    "field blocks that never end": Mode(hello() + unfinished_head(), lambda _: b"v"),
    "field blocks of which nothing more comes": Mode(hello() + head("GET", "/livez", 1) + unfinished_head(3)),
    "bodies byte by byte": Mode(hello() + head("POST", f"{BOOK}/operations", ends=False), lambda _: data(b" ")),
    "windows of one byte": Mode(hello(INITIAL_WINDOW_SIZE=1) + head("GET", LONG), lambda _: window(1, 1), lasts=1.5),
    "windows that stay shut": Mode(hello(INITIAL_WINDOW_SIZE=0) + head("GET", LONG)),
    "a connection's window that stays shut": Mode(hello(INITIAL_WINDOW_SIZE=WIDEST) + head("GET", LONG), count=200),
    "answers that nobody reads": Mode(
        hello(INITIAL_WINDOW_SIZE=WIDEST) + window(WIDEST - 65_535, 0) +
        b"".join(head("GET", LONG, stream) for stream in STUCK), count=15, reads=False),
    "prefaces alone": Mode(hello(), count=1000),
    "many streams, each stuck": Mode(
        hello(INITIAL_WINDOW_SIZE=0) + b"".join(head("GET", LONG, stream) for stream in STUCK), count=20, streams=30),
    "many bodies that never come": Mode(
        hello() + b"".join(head("POST", f"{BOOK}/operations", stream, ends=False) for stream in STUCK), count=40,
        streams=30),
}


def others(bystander: Bystander) -> int:
    """How many connections there are besides the bystander's two, of which one may have been idle for too long."""
    return max(0, int(bystander.metrics()["callboard_connections"]) - 2)


def attack(server: Server, bystander: Bystander, mode: Mode) -> tuple[int, float]:
    """Attacks until no connection is left or its time is over; how many are left, and how long it took."""
    began = time.monotonic()
    # Idle connections are closed by the keep-alive's deadline, once their streams were ended.
    limit = began + min(mode.lasts, DEADLINE) + DEADLINE + 2.5 + SLACK
    with Attackers(server, mode.count, mode.opening, mode.tick, reads=mode.reads) as attackers:
        while (left := attackers.work()) and time.monotonic() < limit:
            bystander.ask()
            if time.monotonic() - began > mode.lasts:
                attackers.tick = None
            if not mode.reads:
                left = others(bystander)
                if left == 0:
                    break
    return left, time.monotonic() - began


def check_aftermath(server: Server, bystander: Bystander, before: tuple[int, int], text: str) -> None:
    """Nothing is kept: connections, bytes, descriptors, memory; and others had their answers."""
    wait_for(lambda: bystander.metrics()["callboard_connections"] <= 2)
    wait_for(lambda: bystander.metrics()["callboard_buffered_bytes"] == 0)
    wait_for(lambda: taken(server)[1] <= before[1])
    grown = taken(server)[0] - before[0]
    print(f"{text}; {len(bystander.times)} requests of others, most of them {bystander.most() * 1000:.1f} ms, "
          f"slowest {max(bystander.times) * 1000:.1f} ms; memory {grown / MIB:+.1f} MiB")
    assert len(bystander.times) > 10 and bystander.most() < MOST
    assert grown < LEFT


@pytest.mark.parametrize("name", MODES, ids=[name.replace(" ", "-") for name in MODES])
def test_slow_clients_of_http2_are_gone_in_time(start, name):
    mode, server = MODES[name], start(HTTP2_CLEARTEXT="true", **SETTINGS).nodes[0]
    with api(server) as client:
        client.put(BOOK, json={"kind": "table"})
        client.put(LONG, json="x" * 300_000)
    with Bystander(server) as bystander:
        bystander.ask()
        before, counted = taken(server), bystander.metrics()["callboard_connections_timed_out_total"]
        left, took = attack(server, bystander, mode)
        ended = bystander.metrics()["callboard_connections_timed_out_total"] - counted
        text = f"{mode.count} connections, gone after {took:.1f} s, {ended:.0f} ended by deadlines"
        assert left == 0, f"{left} of {text}"
        assert ended >= mode.count * mode.streams, text
        check_aftermath(server, bystander, before, text)


def test_a_connection_that_is_used_outlives_the_keep_alive_time(start):
    server = start(HTTP2_CLEARTEXT="true", SERVER_KEEP_ALIVE_TIMEOUT="2")
    with Connection(server.port) as connection:
        for _ in range(20):
            assert connection.answer(connection.request("GET", "/livez"))[0] == 200
            time.sleep(0.2)
        assert connection.goaway is None


@pytest.fixture
def authority(tmp_path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def secure(start, authority) -> Server:
    return start(**files(*authority.issue("localhost", "127.0.0.1")), **SETTINGS).nodes[0]


HELLOS = ["byte by byte", "whole, and nothing behind it", "finished, and nothing behind it"]


@pytest.mark.parametrize("name", HELLOS, ids=[name.split(",")[0].replace(" ", "-") for name in HELLOS])
def test_handshakes_that_come_to_nothing_are_gone_in_time(secure, authority, name):
    hello_bytes = Recorder(authority).hello
    with Bystander(secure, lambda: trust(authority)) as bystander:
        bystander.ask()
        before, counted = taken(secure), bystander.metrics()["callboard_connections_timed_out_total"]
        if name == HELLOS[2]:
            # The socket's own end of TLS is left as it is: what comes is not read.
            count = 100
            with contextlib.ExitStack() as stack:
                for _ in range(count):
                    stack.enter_context(connect(secure, authority))
                limit = time.monotonic() + DEADLINE + SLACK
                while (left := others(bystander)) > 0 and time.monotonic() < limit:
                    bystander.ask()
        else:
            count = 500
            mode = (Mode(hello_bytes) if name == HELLOS[1] else
                    Mode(hello_bytes[:1], lambda turn: hello_bytes[turn + 1:turn + 2] or b"", lasts=60))
            left, _ = attack(secure, bystander, mode)
        ended = bystander.metrics()["callboard_connections_timed_out_total"] - counted
        assert left == 0 and ended == count, f"{left} of {count} are left, {ended} were ended by deadlines"
        check_aftermath(secure, bystander, before, f"{count} handshakes {name}")


def test_a_flood_of_client_hellos_delays_others_little(secure, authority):
    """Each costs the server a key exchange and a signature; the client throws the answer away."""
    hello_bytes = Recorder(authority).hello
    with Bystander(secure, lambda: trust(authority)) as bystander:
        bystander.ask()
        before = taken(secure)
        for _ in range(40):
            with Attackers(secure, 50, hello_bytes) as attackers:
                bystander.ask()
                attackers.work()
        check_aftermath(secure, bystander, before, "2,000 hellos")


def test_renegotiation_is_refused_and_others_do_not_notice(secure, authority, tool):
    command = [tool("openssl", "openssl"), "s_client", "-connect", f"127.0.0.1:{secure.port}", "-tls1_2", "-servername",
               "localhost", "-CAfile", str(authority.path), "-legacy_renegotiation"]
    with Bystander(secure, lambda: trust(authority)) as bystander:
        before = taken(secure)
        pipe = subprocess.PIPE
        clients = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True)
                   for _ in range(5)]
        time.sleep(0.5)
        for client in clients:
            # A line with an R alone has openssl ask for a new handshake.
            client.stdin.write("R\n")
            client.stdin.flush()
        bystander.ask()
        for client in clients:
            printed = client.communicate(timeout=30)[0]
            assert "RENEGOTIATING" in printed and "no renegotiation" in printed, printed[-1500:]
            assert "Verify return code: 0 (ok)" in printed
        for _ in range(40):
            bystander.ask()
        check_aftermath(secure, bystander, before, "5 renegotiations")
