"""`callboard health`, and what a service manager is told."""

import json
import os
import signal
import socket
import subprocess

import pytest

from support.certificates import Authority
from support.server import Server


@pytest.fixture
def health(program, tmp_path):
    def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()} | {"http_proxy": "http://127.0.0.1:1"}
        return subprocess.run([program, "health", *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True,
                              timeout=60, check=False)

    return run


def test_it_follows_the_port_of_the_environment_the_file_and_the_flag(start, health, tmp_path):
    server = start(AUTH_MODE="required", SERVER_ALLOWED_HOSTS="shop.example")
    (tmp_path / "settings.json").write_text(json.dumps({"server": {"port": server.port, "host": "0.0.0.0"}, "auth": {"mode": "required"}}))
    for done in [health(SERVER_PORT=str(server.port)), health("--config", "settings.json"), health(CONFIG="settings.json"),
                 health("--port", str(server.port)), health(SERVER_PORT=str(server.port), SERVER_HOST="*", AUTH_MODE="required")]:
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    server.stop()
    done = health(SERVER_PORT=str(server.port))
    assert done.returncode == 69 and f"no answer from http://127.0.0.1:{server.port}/livez" in done.stderr
    assert health("--config", "gone.json").returncode == 66
    assert health(SERVER_PORT="0").returncode == 78


def test_it_asks_over_tls_also_where_clients_have_to_show_certificates(start, health, tmp_path):
    authority = Authority(tmp_path)
    chain, key = authority.issue("board.example")
    tls = {"TLS_CERTIFICATE": str(chain), "TLS_KEY": str(key)}
    required = tls | {"TLS_CLIENT_CA": str(authority.path), "TLS_CLIENT_CERTIFICATES": "required"}
    for settings in (tls, required):
        server = start(**settings)
        done = health(SERVER_PORT=str(server.port), **settings)
        assert done.returncode == 0, done.stderr
        assert health(SERVER_PORT=str(server.port)).returncode == 69, "the port speaks TLS"
    # A server that lives and speaks no TLS is not the one that is meant.
    plain = start()
    assert health(SERVER_PORT=str(plain.port), **required).returncode == 69


def test_a_server_that_says_nothing_does_not_live(health):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        done = health("--timeout", "0.5", SERVER_PORT=str(silent.getsockname()[1]))
        assert done.returncode == 69 and "no answer" in done.stderr


@pytest.mark.parametrize("is_abstract", [False, True], ids=["a path", "an abstract name"])
def test_a_service_manager_is_told_of_the_start_and_the_stop(program, tmp_path, monkeypatch, is_abstract):
    name = f"@callboard-test-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name.replace("@", "\0", 1))
        manager.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", name)
        server = Server(program, tmp_path)
        try:
            told = manager.recv(4096).decode().splitlines()
            assert told[0] == "READY=1" and told[1].startswith(f"STATUS=Listening on {server.url}")
            server.process.send_signal(signal.SIGTERM)
            assert manager.recv(4096) == b"STOPPING=1"
            assert server.process.wait(30) == 0
        finally:
            server.stop()
