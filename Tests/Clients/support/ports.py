"""Ports for programs that have to be told theirs."""

import contextlib
import random
import socket
from pathlib import Path

_given: set[int] = set()


def _below_clients() -> int:
    """The first of the ports that the kernel gives to clients: any of those may be taken between a test's look and its
    program's start."""
    return int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])


def free_ports(count: int) -> int:
    """The first of so many free ports in a row, none of which this process was given before."""
    while True:
        first = random.randrange(10_000, _below_clients() - count)
        ports = range(first, first + count)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            for port in ports:
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            if _given.isdisjoint(ports):
                _given.update(ports)
                return first


def free_port() -> int:
    """A free port."""
    return free_ports(1)
