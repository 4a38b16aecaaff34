"""A server that is told to stop ends its streams and its process in order."""

import json
import signal
import socket
import time

import httpx_sse
import pytest

from conftest import BOOK, api
from support import protocol


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_streams_are_told_and_the_exit_status_is_0(start, number):
    server = start()
    with api(server) as client:
        client.put(BOOK, json={"kind": "table"})
    with protocol.client(timeout=60) as client:
        with httpx_sse.connect_sse(client, "GET", f"{server.url}{BOOK}/changesets") as source:
            stream = (event for event in source.iter_sse() if event.data)
            assert next(stream).event == "snapshot"
            began = time.monotonic()
            server.terminate(number)
            last = next(stream)
            assert last.event == "end" and json.loads(last.data)["reason"]
            assert next(stream, None) is None, "the connection is closed in order, not cut"
    assert server.wait() == 0
    assert time.monotonic() - began < 10


def test_a_request_that_is_half_sent_holds_up_the_end_until_the_deadline_at_most(start):
    server = start(SERVER_SHUTDOWN_DEADLINE="2")
    with socket.create_connection(("127.0.0.1", server.port)) as idle, \
            socket.create_connection(("127.0.0.1", server.port)) as half:
        idle.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.recv(4096).startswith(b"HTTP/1.1 200")
        half.sendall(b"POST /v1/directors HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        began = time.monotonic()
        server.terminate()
        assert server.wait() == 0
        assert time.monotonic() - began < 10


def test_nobody_is_accepted_after_the_end(start):
    server = start()
    server.terminate()
    assert server.wait() == 0
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), timeout=2)
