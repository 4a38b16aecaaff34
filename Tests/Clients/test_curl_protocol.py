"""What curl can ask of an HTTP server beyond the everyday request."""

import json
import socket
import subprocess
from pathlib import Path

import pytest

from conftest import BOOK
from support import protocol


@pytest.fixture
def ask(tool):
    """Runs curl and returns the head's first line, the fields by lower-case name, and the body."""
    program = tool("curl", "curl")

    def run(*arguments: str, content: bytes | None = None):
        output = subprocess.run([program, "-sS", "-i", "--max-time", "20", *protocol.CURL, *arguments], input=content,
                                capture_output=True, timeout=30, check=True).stdout
        # An interim answer (100 Continue) has a head of its own in front.
        head, _, body = output.partition(b"\r\n\r\n")
        while head.split(b" ", 2)[1] == b"100":
            head, _, body = body.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        return lines[0], {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}, body

    return run


@protocol.only_h1("HTTP/2 has no older clients")
def test_an_old_client_is_answered_and_hung_up_on(ask, server):
    line, fields, body = ask("--http1.0", f"{server.url}/livez")
    assert line.startswith("HTTP/1.1 200") and fields["connection"] == "close" and body


def test_head_says_what_get_would(ask, book, server):
    line, fields, body = ask("--head", f"{server.url}{BOOK}")
    assert line.startswith(f"{protocol.STATUS_LINE} 200") and body == b""
    _, got, content = ask(f"{server.url}{BOOK}")
    assert fields["content-length"] == str(len(content)) == got["content-length"]
    assert fields["etag"] == got["etag"]


def test_options_names_the_methods(ask, server):
    line, fields, _ = ask("-X", "OPTIONS", f"{server.url}/v1/directors/book")
    assert line.split(" ")[1] in ("200", "204")
    assert {"GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} <= set(fields["allow"].split(", "))


def test_a_body_may_come_in_chunks_and_wait_for_100(ask, book, server):
    people = [{"name": f"person {number}", "note": "n" * 100} for number in range(2_000)]
    content = json.dumps(people).encode()
    line, _, _ = ask("-X", "POST", "-H", "Content-Type: application/json", "-H", "Transfer-Encoding: chunked",
                     "-H", "Expect: 100-continue", "--expect100-timeout", "15", "--data-binary", "@-",
                     f"{server.url}{BOOK}/sections/people/elements?model=Person", content=content)
    assert line.startswith(f"{protocol.STATUS_LINE} 20")
    _, _, body = ask(f"{server.url}{BOOK}/sections/people/elements?limit=1")
    assert json.loads(body)["total"] == 2_003


def test_the_newer_kind_of_address_is_listened_on(ask, start):
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    server = start("--host", "::1")
    assert server.url == f"http://[::1]:{server.port}"
    assert ask("-g", f"{server.url}/livez")[0].startswith(f"{protocol.STATUS_LINE} 200")


def test_a_unix_domain_socket_is_listened_on(ask, start, tmp_path):
    path = tmp_path / "callboard.sock"
    start("--unix-socket", str(path))
    assert ask("--unix-socket", str(path), "http://callboard/livez")[0].startswith(f"{protocol.STATUS_LINE} 200")


@protocol.only_h1("curl 7.88 cannot use a connection again that began with HTTP/2 known beforehand")
def test_one_connection_serves_many_requests(tool, server):
    program = tool("curl", "curl")
    urls = [f"{server.url}/livez"] * 20
    output = subprocess.run([program, "-sS", *protocol.CURL, "-w", "%{num_connects} ", "-o", "/dev/null", *urls[:1],
                             *sum((["-o", "/dev/null", url] for url in urls[1:]), [])],
                            capture_output=True, timeout=30, check=True).stdout.split()
    assert sum(int(count) for count in output) == 1


def test_metrics_are_text_that_prometheus_reads(ask, book, server):
    line, fields, body = ask(f"{server.url}/metrics")
    assert line.startswith(f"{protocol.STATUS_LINE} 200") and fields["content-type"].startswith("text/plain; version=0.0.4")
    names = set()
    for row in body.decode().splitlines():
        if row.startswith("#"):
            assert row.split()[1] in ("HELP", "TYPE")
        else:
            name, value = row.rsplit(" ", 1)
            float(value)
            names.add(name.split("{")[0])
    assert any(name.startswith("callboard_") for name in names) and len(names) > 8
