"""Ports for programs that have to be told theirs."""

import contextlib
import random
import socket
from pathlib import Path

# A name for each port that was given, in the machine's abstract sockets: they go with this process.
_given: dict[int, socket.socket] = {}


def _below_clients() -> int:
    """The first of the ports that the kernel gives to clients: any of those may be taken between a test's look and its
    program's start."""
    return int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])


def _give(port: int) -> None:
    """Names a port as given; fails where a test of any process was given it, or somebody listens on it."""
    name = socket.socket(socket.AF_UNIX)
    try:
        name.bind(f"\0callboard-test-port-{port}")
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        name.close()
        raise
    _given[port] = name


def free_ports(count: int) -> int:
    """The first of so many free ports in a row, none of which any test of this machine was given."""
    while True:
        first = random.randrange(10_000, _below_clients() - count)
        with contextlib.suppress(OSError):
            for port in range(first, first + count):
                _give(port)
            return first


def free_port() -> int:
    """A free port."""
    return free_ports(1)
