"""The audit: a line for each change whatever has caused it, each of them one line of JSON; and no credential anywhere."""

import json
import os
import subprocess

import pytest

from support.access import MENU, caller, first_token, make_menu, make_token
from support.entries import entries
from support.hooks import eventually
from support.rights import Wire

TICKET = "cbs_" + "Ab-9_" * 12
CREDENTIALS = {
    "a token": "cbt_" + "Zy9" * 12, "a ticket": TICKET, "a secret": "whsec_" + "c2VjcmV0" * 4,
    "a JSON Web Token": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJlLXNpZ25hdHVyZQ",
}
# A name that would break a line, a string, a terminal or the direction of the text.
NAME = 'a"b\\c\u2028d\u202ee, "outcome": "done"}'


def lines(server) -> list[dict]:
    """The audit, each line of which is JSON by itself."""
    text = (server.folder / "audit").read_bytes().decode()
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


def percent(text: str) -> str:
    return "".join(f"%{each:02x}" for each in text.encode())


@pytest.fixture
def audited(start):
    return start(AUTH_MODE="required", AUDIT_FILE="audit", LOG_LEVEL="trace", LOG_FORMAT="json")


@pytest.mark.parametrize("credential", CREDENTIALS.values(), ids=CREDENTIALS)
def test_a_credential_in_the_wrong_place_is_in_no_answer_log_metric_or_audit(audited, credential):
    """Where people put them: the request's own name, names and values of parameters, paths, names of tokens and lists."""
    server, told = audited, []
    admin, wire = first_token(server), Wire(server.port)
    with caller(server, admin) as client:
        reading = [{"actions": ["read"], "directors": [f"{credential}*"]}]
        nobody = make_token(client, reading, name=credential)["token"]
    grants = json.dumps({"name": credential, "grants": [{"actions": ["read"], "directors": ["x"]}]}).encode()
    for token, method, path, body, fields in [
        (admin, "GET", MENU, b"", {"X-Request-Id": credential}),
        (admin, "GET", MENU, b"", {"X-Request-Id": percent(credential)}),
        (admin, "GET", f"{MENU}/changesets?%74icket={credential}", b"", {}),
        (admin, "GET", f"{MENU}/changesets?ticket={percent(credential)}&since=0", b"", {}),
        (None, "GET", f"{MENU}/changesets?%74%69cket={credential}&since=0", b"", {}),
        (admin, "GET", f"{MENU}?other={credential}", b"", {}), (admin, "GET", f"{MENU}?{credential}=1", b"", {}),
        (admin, "GET", f"{MENU}/{percent(credential)}", b"", {}), (None, "GET", f"/v1/directors/{credential}", b"", {}),
        (nobody, "DELETE", f"/v1/directors/{credential}", b"", {}),
        (nobody, "DELETE", f"/v1/tokens/{credential}", b"", {}),
        (nobody, "PATCH", f"/v1/directors/{percent(credential)}", b"{}", {}),
        (admin, "POST", f"{MENU}/operations", json.dumps({"operations": [{"op": credential}]}).encode(), {}),
        (admin, "POST", f"{MENU}/operations", credential.encode(), {}),
        (admin, "POST", f"{MENU}/reload", b"{}", {"Callboard-Cause": f"{credential} "}),
        (admin, "GET", MENU, b"", {"Accept": credential}), (admin, "GET", MENU, b"", {"If-Match": f'"{credential}"'}),
        (admin, "POST", "/v1/tokens", grants.replace(b'"read"', json.dumps(credential).encode()), {}),
        (credential, "GET", MENU, b"", {}),
    ]:
        answer = wire.ask(token, method, path, body, fields=fields)
        assert credential not in answer.head, f"{method} {path} {fields}: {answer.head}"
        # A precondition is told as it was sent, and is no credential but for those who put one there.
        told.append((f"{method} {path} {fields}", answer.text))
    told.append(("the metrics", wire.ask(admin, "GET", "/metrics").text))
    wire.close()
    server.stop()
    told += [("the log", server.log.read_text()), ("the audit", (server.folder / "audit").read_text())]
    for place, text in told:
        # Half of one would be as bad.
        assert credential not in text and credential[-20:] not in text, f"{place}: {text[:600]}"
    assert "request" in told[-2][1] and "deleteDirector" in told[-1][1]


def test_each_line_is_json_by_itself_whatever_names_say(audited):
    with caller(audited, first_token(audited)) as client:
        writer = make_token(client, [{"actions": ["read"], "directors": ["*"]}], name=NAME)["token"]
        assert client.put(f"/v1/directors/{percent(NAME)}", json={"kind": "table"}).status_code == 201
        with caller(audited, writer) as other:
            assert other.delete(f"/v1/directors/{percent(NAME)}").status_code == 403
    audited.stop()
    made, put, refused = lines(audited)[-3:]
    shown = NAME.replace("\u2028", "\\u{2028}").replace("\u202e", "\\u{202e}")
    assert (put["director"], refused["director"], put["outcome"], refused["outcome"]) == (shown, shown, "done", "refused")
    assert shown in refused["principal"] and made["token"].startswith("tok_")
    assert all(entry["message"] for entry in entries(audited.log)) and "\u202e" not in audited.log.read_text()


def test_a_repetition_is_no_second_change(audited):
    with caller(audited, first_token(audited)) as client:
        make_menu(client)
        for _ in range(2):
            answer = client.post(f"{MENU}/sections", json={"id": "new"}, headers={"Idempotency-Key": "once"})
            assert answer.status_code == 201
    audited.stop()
    first, second = lines(audited)[-2:]
    assert (first["outcome"], second["outcome"]) == ("done", "repeated") and first["etag"] == second["etag"]


def test_what_concerns_tokens_names_them_and_a_first_one_is_noted(audited):
    with caller(audited, first_token(audited)) as client:
        made = make_token(client, name="kitchen")
        assert client.delete(f"/v1/tokens/{made['id']}").status_code == 204
    audited.stop()
    told = [(line["principal"], line["operation"], line["token"], line["outcome"]) for line in lines(audited)]
    admin = told[0][2]
    assert told == [("server", "createToken", admin, "done"),
                    (f"{admin} (first token)", "createToken", made["id"], "done"),
                    (f"{admin} (first token)", "revokeToken", made["id"], "done")]


@pytest.mark.parametrize("where", ["settings", "environment"])
def test_tokens_that_a_command_makes_and_revokes_are_noted(start, program, tmp_path, where):
    server = start(AUTH_MODE="required", AUDIT_FILE="audit")
    server.stop()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    options = ["--data", str(server.folder / "data")]
    if where == "settings":
        (tmp_path / "settings.json").write_text(json.dumps({"audit": {"file": str(server.folder / "audit")}}))
        options += ["--config", str(tmp_path / "settings.json")]
    else:
        environment["CALLBOARD_AUDIT_FILE"] = str(server.folder / "audit")

    def run(*arguments: str, **others: str) -> subprocess.CompletedProcess:
        return subprocess.run([program, "token", *arguments, *options], env=environment | others, capture_output=True,
                              text=True, timeout=60, check=False)

    made = json.loads(run("create", "--name", "kitchen", "--read", "menu-*", "--json").stdout)
    assert run("revoke", made["id"]).returncode == 0
    *_, first, last = lines(server)
    for line, operation in [(first, "createToken"), (last, "revokeToken")]:
        assert (line["operation"], line["token"], line["outcome"]) == (operation, made["id"], "done")
        assert line["principal"].startswith("command of ")
    assert made["token"] not in (server.folder / "audit").read_text()
    if where == "environment":
        # What cannot be noted is not done.
        refused = run("create", "--name", "other", "--all", CALLBOARD_AUDIT_FILE=str(tmp_path / "none" / "audit"))
        assert refused.returncode == 73 and "audit.file" in refused.stderr and refused.stdout == ""
        assert "other" not in run("list").stdout


def test_a_change_of_which_nobody_heard_the_end_is_noted(audited):
    """The caller is gone before the answer: the change is made all the same, and the audit says so."""
    with caller(audited, first_token(audited)) as client:
        make_menu(client)
        wire = Wire(audited.port)
        wire.send(first_token(audited), "DELETE", MENU)
        wire.close()
        eventually(lambda: client.get(MENU).status_code == 404, "the director to go")
        eventually(lambda: lines(audited)[-1].get("operation") == "deleteDirector", "a line of it")
    assert lines(audited)[-1]["outcome"] == "done"
