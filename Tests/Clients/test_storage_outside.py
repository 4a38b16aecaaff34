"""What others may have done to a data folder, a socket's path, a settings file or the environment, from outside."""

import os
import sqlite3
import stat
import subprocess

import httpx
import pytest

from support.access import caller, first_token
from support.server import Server, ServerDied

REQUIRED = {"AUTH_MODE": "required"}

@pytest.fixture
def run(program, tmp_path):
    """Runs the program to its end, which must come by itself."""

    def run_program(*arguments: str, **settings: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
        return subprocess.run([program, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True,
                              timeout=60, stdin=subprocess.DEVNULL, check=False)

    return run_program


def test_texts_with_a_zero_are_refused_and_those_that_are_there_do_not_keep_the_folder_from_starting(program, tmp_path, run):
    server = Server(program, tmp_path, **REQUIRED)
    try:
        with caller(server, first_token(server)) as client:
            for name in ("a\0b", "a\nb", "\x1b[2J", "\x7f"):
                token = {"name": name, "grants": [{"actions": ["read"], "directors": ["*"]}]}
                assert client.post("/v1/tokens", json=token).status_code == 422
            client.put("/v1/directors/menu", json={"kind": "table"})
            client.put("/v1/directors/menu/adapters/Dish", json={"cell": "Dish", "identifier": "{name}"})
            hook = {"url": "http://127.0.0.1:9/", "secret": "whsec_" + "QUJD" * 8, "disabled": True, "disabledReason": "a\0b"}
            answer = client.put("/v1/directors/menu/adapters/Dish/events/didSelect", json=hook)
            assert answer.status_code == 422 and "disabledReason" in answer.text, answer.text
    finally:
        server.stop()
    assert run("check", str(tmp_path / "data")).returncode == 0


def test_a_damaged_token_stops_the_start_until_it_is_set_aside(program, tmp_path, run):
    server = Server(program, tmp_path, **REQUIRED)
    server.stop()
    with sqlite3.connect(tmp_path / "data/callboard.db") as database:
        database.execute("UPDATE tokens SET name = 'other'")
    database.close()
    with pytest.raises(ServerDied, match="--set-aside"):
        Server(program, tmp_path, **REQUIRED)
    server = Server(program, tmp_path, ["--set-aside"], AUTH_ANONYMOUS='[{"actions": ["operate"]}]', **REQUIRED)
    try:
        assert "a damaged row was set aside" in server.tail()
        assert httpx.get(f"{server.url}/readyz").status_code == 200
    finally:
        server.stop()
    done = run("check", str(tmp_path / "data"))
    assert done.returncode == 0 and "1 damaged row set aside" in done.stdout, done.stdout


@pytest.mark.parametrize("command", [["serve", "--port", "0", "--data", "data"], ["check", "data"], ["backup", "data", "copy"]])
def test_a_link_in_place_of_the_lock_changes_nothing(run, tmp_path, command):
    run("token", "create", "--name", "x", "--all", "--data", "data")
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "data/lock").unlink()
    (tmp_path / "data/lock").symlink_to(victim)
    done = run(*command)
    assert done.returncode == 78 and "symbolic link" in done.stderr, done.stderr
    assert victim.read_text() == "precious"


def test_a_pipe_in_place_of_a_file_hangs_nothing(run, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkdir(tmp_path / "data", 0o700)
    os.mkfifo(tmp_path / "data/callboard.db")
    for command in (["check", "data"], ["check", "pipe"], ["backup", "data", "copy"], ["restore", "pipe", "other"],
                    ["serve", "--port", "0", "--data", "data"],
                    ["serve", "--port", "0", "--data", "memory", "--config", "pipe"],
                    ["serve", "--port", "0", "--data", "memory", "--tls-certificate", "pipe", "--tls-key", "pipe"]):
        done = run(*command)
        assert done.returncode in (66, 78), f"{command}: {done.returncode} {done.stderr}"
    done = run("serve", "--port", "0", "--data", "memory", AUDIT_FILE=str(tmp_path / "pipe"))
    assert done.returncode not in (0, -9), done.stderr


@pytest.mark.parametrize("name, meant", [("TLS_CLIENTCA", "TLS_CLIENT_CA"), ("AUTHMODE", "AUTH_MODE"), ("SERVER_PROT", "SERVER_PORT")])
def test_a_variable_that_means_nothing_stops_the_start(run, name, meant):
    done = run("serve", "--port", "0", "--data", "memory", **{name: "x"})
    assert done.returncode == 78
    assert f"CALLBOARD_{name} is unknown" in done.stderr and f"did you mean CALLBOARD_{meant}?" in done.stderr


@pytest.mark.parametrize("access, mode", [(None, 0o600), ("group", 0o660), ("all", 0o666)])
def test_the_socket_has_its_permissions_whatever_the_umask(program, tmp_path, access, mode):
    path = tmp_path / "s"
    before = os.umask(0)
    try:
        server = Server(program, tmp_path, ["--unix-socket", str(path)], **({"SERVER_UNIX_SOCKET_ACCESS": access} if access else {}))
    finally:
        os.umask(before)
    try:
        assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        server.stop()


def test_the_folder_of_certificates_is_its_owners_alone_whatever_the_umask(run, tmp_path):
    before = os.umask(0)
    try:
        assert run("certificate", "localhost", "--out", "tls").returncode == 0
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "tls").iterdir()}
    assert modes == {"authority.pem": 0o644, "authority-key.pem": 0o600, "certificate.pem": 0o644, "key.pem": 0o600}
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700
    (tmp_path / "tls").chmod(0o777)
    assert run("certificate", "localhost", "--out", "tls").returncode == 78
