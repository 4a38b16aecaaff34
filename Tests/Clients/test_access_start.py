"""How a server that asks for credentials gets its first ones: at its first start, and on the command line."""

import json
import os
import stat
import subprocess

import pytest

from support.access import EVERYTHING, MENU, caller, change_price, first_token, make_menu, refusal
from support.server import Server

REQUIRED = {"AUTH_MODE": "required"}


@pytest.fixture
def run(program, tmp_path):
    """Runs the program to its end, without the settings of whoever tests."""

    def run_program(*arguments: str, **settings: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
        return subprocess.run([program, *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True,
                              timeout=60, stdin=subprocess.DEVNULL, check=False)

    return run_program


def rest_of_log(server: Server) -> str:
    return server.log.read_text(errors="replace")


def test_the_first_start_leaves_a_token_that_its_owner_alone_can_read(start):
    server = start(**REQUIRED)
    file = server.folder / "data" / "first-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert first_token(server).startswith("cbt_") and len(first_token(server)) == 40
    assert str(file) in rest_of_log(server) and first_token(server) not in rest_of_log(server)
    with caller(server) as nobody:
        answer = nobody.get("/v1/directors")
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == 'Bearer realm="callboard"'
        assert nobody.get("/livez").status_code == 200


def test_the_first_token_allows_everything(start):
    with caller(server := start(**REQUIRED), first_token(server)) as client:
        make_menu(client)
        hook = {"url": "http://127.0.0.1:9/", "secret": "whsec_" + "QUJD" * 8}
        for status, method, path, body in [
            (200, "GET", f"{MENU}/sections", None),
            (200, "PATCH", f"{MENU}/sections/today/elements/Soup", {"price": 2}),
            (201, "PUT", f"{MENU}/adapters/Dish/events/didSelect", hook),
            (200, "GET", "/v1/tokens", None),
            (200, "GET", "/metrics", None),
            (200, "GET", "/readyz", None),
            (204, "DELETE", MENU, None),
        ]:
            answer = client.request(method, path, json=body)
            assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        assert client.get("/v1/tokens").json()["tokens"][0]["grants"] == EVERYTHING


def test_the_first_token_works_in_one_line_of_a_shell(start, tool):
    curl, server = tool("curl", "curl"), start(**REQUIRED)
    line = f'{curl} -fsS -H "Authorization: Bearer $(cat data/first-token)" {server.url}/v1/tokens'
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=server.folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["total"] == 1


@pytest.mark.parametrize("is_kept", [True, False], ids=["its file is there", "its file was removed"])
def test_a_second_start_makes_no_other_token(start, is_kept):
    server = start(**REQUIRED)
    token, file = first_token(server), server.folder / "data" / "first-token"
    server.stop()
    if not is_kept:
        file.unlink()
    server = start(folder=server.folder, **REQUIRED)
    assert file.exists() == is_kept and (not is_kept or first_token(server) == token)
    with caller(server, token) as client:
        assert client.get("/v1/tokens").json()["total"] == 1


def test_a_server_that_nobody_could_use_does_not_start(run):
    done = run("serve", "--port", "0", "--data", "memory", **REQUIRED)
    assert done.returncode == 78 and done.stdout == ""
    for words in ("auth.mode is required", "kept in memory", "auth.issuers"):
        assert words in done.stderr


def test_a_server_in_memory_starts_where_somebody_could_use_it(start):
    grants = json.dumps([{"actions": ["read"], "directors": ["menu-*"]}])
    server = start("--data", "memory", AUTH_ANONYMOUS=grants, **REQUIRED)
    with caller(server) as nobody:
        assert nobody.get("/v1/directors").status_code == 200
        assert nobody.put(MENU, json={"kind": "table"}).status_code == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "*"])
def test_a_server_that_asks_nobody_does_not_listen_to_other_machines(run, host):
    done = run("serve", "--port", "0", "--data", "data", "--host", host)
    assert done.returncode == 78 and done.stdout == ""
    for words in ("other machines", "auth.mode is none", "auth.openToAll", "CALLBOARD_AUTH_MODE=required"):
        assert words in done.stderr


def test_a_server_listens_to_other_machines_where_everybody_may_do_everything_on_purpose(start):
    server = start("--host", "0.0.0.0", AUTH_OPEN_TO_ALL="true")
    with caller(server) as anybody:
        make_menu(anybody)


def test_a_server_that_asks_for_credentials_listens_to_other_machines(start):
    server = start("--host", "0.0.0.0", **REQUIRED)
    with caller(server) as nobody, caller(server, first_token(server)) as client:
        assert nobody.put(MENU, json={"kind": "table"}).status_code == 401
        make_menu(client)


@pytest.mark.parametrize("is_object", [False, True], ids=["plain", "--json"])
def test_tokens_are_made_listed_and_revoked_without_a_server(start, run, tmp_path, is_object):
    folder = tmp_path / "made"
    data, options = str(folder / "data"), ["--json"] if is_object else []
    folder.mkdir()
    rights = ["--read", "menu-*", "--mutate", "menu-lunch"]
    made = run("token", "create", "--data", data, "--name", "kitchen", *rights, *options)
    assert made.returncode == 0, made.stderr
    secret = json.loads(made.stdout)["token"] if is_object else made.stdout.removesuffix("\n")
    assert secret.startswith("cbt_") and len(secret) == 40
    admin = run("token", "create", "--data", data, "--name", "admin", "--all").stdout.strip()
    outputs = [made.stderr]

    server = start(folder=folder, **REQUIRED)
    assert not (folder / "data" / "first-token").exists(), "there is a token already"
    with caller(server, admin) as all_rights, caller(server, secret) as kitchen:
        make_menu(all_rights)
        assert change_price(kitchen, 7).status_code == 200
        assert kitchen.delete(MENU).status_code == 403
        outputs.append(all_rights.get("/v1/tokens").text)
    server.stop()

    listed = run("token", "list", "--data", data)
    as_json = run("token", "list", "--data", data, "--json")
    ids = {each["name"]: each["id"] for each in map(json.loads, as_json.stdout.splitlines())}
    assert ids.keys() == {"kitchen", "admin"} and "kitchen" in listed.stdout
    revoked = run("token", "revoke", ids["kitchen"], "--data", data)
    again = run("token", "revoke", ids["kitchen"], "--data", data)
    assert (revoked.returncode, again.returncode) == (0, 66), again.stderr
    server = start(folder=folder, **REQUIRED)
    with caller(server, admin) as all_rights, caller(server, secret) as kitchen:
        outputs.append(kitchen.get(MENU).text)
        refusal(kitchen.get(MENU))
        assert all_rights.get("/v1/tokens").json()["total"] == 1
    outputs += [text for done in (listed, as_json, revoked, again) for text in (done.stdout, done.stderr)]
    outputs.append(rest_of_log(server))
    assert all(secret[4:] not in text for text in outputs), "only the command that made it has told it"


def test_the_text_of_a_token_where_its_id_belongs_is_not_repeated(run, tmp_path):
    data = str(tmp_path / "data")
    secret = run("token", "create", "--data", data, "--name", "admin", "--all").stdout.strip()
    done = run("token", "revoke", secret, "--data", data)
    assert done.returncode != 0 and "text of a token" in done.stderr
    assert secret[-20:] not in done.stdout + done.stderr
    assert "admin" in run("token", "list", "--data", data).stdout


@pytest.mark.parametrize(
    "arguments, advice",
    [
        (["create", "--name", "x", "--all"], "POST /v1/tokens"),
        (["list"], "GET /v1/tokens"),
        (["revoke", "tok_0123456789abcdef"], "DELETE /v1/tokens"),
    ], ids=["create", "list", "revoke"])
def test_the_folder_of_a_running_server_is_left_alone(start, run, arguments, advice):
    server = start(**REQUIRED)
    done = run("token", *arguments, "--data", str(server.folder / "data"))
    assert done.returncode == 78 and done.stdout == ""
    assert advice in done.stderr and str(server.process.pid) in done.stderr
    with caller(server, first_token(server)) as client:
        assert client.get("/v1/tokens").json()["total"] == 1
