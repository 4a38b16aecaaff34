"""What `serve` prints where a person reads it, and where a machine does."""

import os
import pty
import re
import subprocess
import urllib.request

import pytest


def serve(program: str, folder, output: int, **settings: str) -> subprocess.Popen:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")} | settings
    return subprocess.Popen([program, "serve", "--port", "0", "--data", "memory"], cwd=folder, stdout=output,
                            stderr=subprocess.DEVNULL, env=environment)


@pytest.mark.parametrize("console", ["true", "false"])
def test_in_a_terminal_the_console_is_named_with_the_port_that_was_taken(program, tmp_path, console):
    reader, writer = pty.openpty()
    process = serve(program, tmp_path, writer, CALLBOARD_CONSOLE_ENABLED=console)
    os.close(writer)
    try:
        printed = b""
        while not re.search(rb"console: \S+\r\n" if console == "true" else rb"listening on \S+\r\n", printed):
            printed += os.read(reader, 4096)
        [server] = re.findall(rb"listening on (http://\S+)\r\n", printed)
        if console == "false":
            assert b"console" not in printed
            return
        [address] = re.findall(rb"console: (http://\S+)\r\n", printed)
        assert address == server + b"/console/"
        with urllib.request.urlopen(address.decode(), timeout=10) as answer:
            assert answer.status == 200 and b"<html" in answer.read()
    finally:
        process.terminate()
        process.wait(20)
        os.close(reader)


def test_a_machine_gets_one_line(program, tmp_path):
    process = serve(program, tmp_path, subprocess.PIPE)
    try:
        assert process.stdout.readline().startswith(b"listening on http://")
    finally:
        process.terminate()
        rest, _ = process.communicate(timeout=60)
    assert rest == b""
