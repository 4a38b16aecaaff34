"""The pages of the manual word for word, each by itself: a page that says so begins where the README's five minutes end."""

import json
import re
import signal

from support.documents import section
from support.walk import README, Walk, alike, needs_list, read, steps, walk  # noqa: F401

HOOKS = "Sources/CallboardAPI/CallboardAPI.docc/HooksByExample.md"
CHANGING = "Sources/CallboardAPI/CallboardAPI.docc/ChangingAList.md"
ACCESS = "Sources/Access/Access.docc/WhoMayDoWhat.md"
CONFIGURING = "Sources/CallboardProgram/CallboardProgram.docc/Configuring.md"
EVENTS = "Sources/Directors/Directors.docc/Event-Hooks.md"
WEB = "Sources/WebAssets/WebAssets.docc/OnAWebPage.md"
TLS = "Sources/CallboardProgram/CallboardProgram.docc/TLS.md"
KEEPING = "Sources/JournalSQLite/JournalSQLite.docc/KeepingLists.md"
pytestmark = needs_list


def begin_with_the_readme(walk: Walk) -> None:  # noqa: F811
    """Does the five minutes of the README, with somebody who watches the list."""
    load, watch, change = read(README, "Five minutes", "sh")[1:4]
    walk.run(load)
    walk.begin(f"{watch.strip()} --log", "watch", "version 1")
    walk.run(change)
    walk.wait_for("watch", "-> 3")


def verify_signatures(walk: Walk) -> None:  # noqa: F811
    """The listener is ended, and another one is given the secret of one of the two hooks."""
    choose, put, listen = re.fullmatch(r"(export .*\n)(curl [^\0]*\n)(callboard .*\n)", read(HOOKS, "Signatures", "sh")[0]).groups()
    walk.end_last()
    walk.environment["CALLBOARD_LISTEN_SECRET"] = walk.run(f'{choose}echo "$CALLBOARD_LISTEN_SECRET"').strip()
    walk.run(put)
    walk.begin(listen, "verifier", "listening on")
    walk.compare(read(HOOKS, "Signatures", "console")[0])
    told = alike(walk.wait_for("verifier", "refused"))
    for line in read(HOOKS, "Signatures", "")[0].splitlines():
        assert alike(walk.here(line)) in told, line


def test_event_hooks(walk):  # noqa: F811
    begin_with_the_readme(walk)
    hook, register = read(HOOKS, "A listener", "sh")
    walk.begin(hook, "listener", "listening on")
    walk.run(register)
    walk.compare(read(HOOKS, "A listener", "console")[0])
    printed, seen = read(HOOKS, "A listener", "")
    told = walk.wait_for("listener", "removeElement")
    for line in printed.splitlines():
        if not line.startswith("signatures are not checked"):  # That goes to standard error.
            assert alike(walk.here(line)) in alike(told), line
    assert alike(seen) in alike(walk.wait_for("watch", "-> 4"))
    verify_signatures(walk)


def test_a_killed_server_loses_nothing(walk):  # noqa: F811
    begin_with_the_readme(walk)
    (change, expected), (killed, _), (started, _) = steps(KEEPING, "Overview")
    assert alike(walk.run(change)) == alike(expected)
    walk.place = walk.folder
    walk.run(killed)
    assert walk.running[0].wait(20) == -signal.SIGKILL
    assert walk.running[1].poll() is None, "nothing else is ended"
    walk.begin(started, "server again", "listening on")
    told = alike(walk.wait_for("watch", "resumed after"))
    for line in read(KEEPING, "Overview", "")[0].splitlines():
        assert alike(re.sub(r": transfer closed.*", "", line)) in told, line


def test_backup_check_and_restore(walk):  # noqa: F811
    walk.run(read(README, "Five minutes", "sh")[1])
    walk.place = walk.folder
    for command, expected in steps(KEEPING, "Backup, check, restore"):
        # The last is refused, and says so beside what it prints.
        assert alike(walk.run(f"{{ {command}; }} 2>&1 || test $? = 73")) == alike(expected), command


def test_changing_a_list(walk):  # noqa: F811
    examples = read(CHANGING, "Overview", "sh")
    assert examples[1:] == read(CHANGING, "Working and published state", "sh") + read(
        CHANGING, "Several changes at once", "sh") + read(CHANGING, "From one director to another", "sh")
    for commands in examples:
        walk.run(commands)
    for address in ("", '--json \'{"elements": [{"section": "friends", "element": "@0"}]}\''):
        walk.run(f'curl -X POST "$D/refresh" {address}')
    assert "Ada" in walk.run('curl "${D%contacts}colleagues/elements"')
    walk.run('curl "$D/elements?id=Ada_Lovelace"\ncurl "$D/changesets?from=1&to=2"')


def test_a_hook_that_calls_nobody(walk):  # noqa: F811
    walk.run(read(CHANGING, "Overview", "sh")[0])
    [register] = read(EVENTS, "Registering", "sh")
    walk.run(register)
    asked = '{"event": "rowHeight", "section": "friends", "element": "Ada_Lovelace"}'
    assert json.loads(walk.run(f"curl -X POST $D/events --json '{asked}'"))["value"] == 64
    [source] = read(EVENTS, "Sources", "sh")
    assert json.loads(walk.run(source))["every"] == "30s"


def test_pages_of_the_origin_that_is_named_may_call(walk):  # noqa: F811
    walk.end_last()
    [serve] = read(WEB, "Overview", "sh")[:1]
    walk.begin(serve, "allowing", "listening on")
    [origin] = re.findall(r"=(http\S+) ", serve)
    assert f"access-control-allow-origin: {origin}" in walk.run(f"curl -D - -H 'Origin: {origin}' http://127.0.0.1:8080/v1/directors").lower()


def test_who_may_do_what(walk):  # noqa: F811
    """The first start, a token by the API and one by the command, and the settings for tokens of others."""
    walk.end_last()
    serve, commands = read(ACCESS, "Overview", "sh")[0].split("\n", 1)
    walk.begin(serve.split("#")[0], "guarded", "listening on")
    made = json.loads(walk.run(commands))
    assert made["name"] == "kitchen" and made["token"].startswith("cbt_")
    text = section(ACCESS, "Who may do what")
    for method, path in re.findall(r"`(GET|DELETE) (/v1/(?:tokens|session)[^`]*)`", text):
        walk.run(f'{commands.split("curl")[0]}curl -X {method} -H "$A" {walk.environment["CALLBOARD_SERVER"]}'
                 + path.replace("{id}", made["id"]))
    walk.end_last()
    (command,) = re.findall(r"`(callboard token create [^`]*)`", text)
    for each in (command, "callboard token list"):
        printed = walk.run(f"export CALLBOARD_DATA=lists\n{each}")
        assert "cbt_" in printed or "kitchen" in printed
    settings, claims = (json.loads(each) for each in read(ACCESS, "Tokens of others", "json")[0].split("\n\n"))
    (walk.folder / "settings.json").write_text(json.dumps(settings))
    walk.begin("callboard serve --data lists --config settings.json", "guarded again", "listening on")
    ask = f'{commands.split("curl")[0]}curl -H "$A" {walk.environment["CALLBOARD_SERVER"]}'
    assert "https://id.example" in walk.run(f"{ask}/v1/issuers")
    grants = [{name: each[name] for name in ("actions", "directors")} for each in claims["authorization_details"]]
    walk.run(f"{ask}/v1/tokens --json '{json.dumps({'name': 'as the claims say', 'grants': grants})}'")


def test_the_settings_are_printed_and_taken(walk):  # noqa: F811
    commands = read(CONFIGURING, "Overview", "sh")[0].splitlines()
    assert commands[-1] == "callboard serve --config callboard.json"
    walk.place = walk.folder
    walk.run("\n".join(commands[:-1]))
    walk.begin(f"CALLBOARD_SERVER_PORT=0 CALLBOARD_DATA=memory {commands[-1]}", "configured", "listening on")


def test_tls(walk):  # noqa: F811
    walk.place = walk.folder
    walk.run('curl -X PUT http://127.0.0.1:8080/v1/directors/contacts --json \'{"kind": "table"}\'')
    make, serve, ask, watch = read(TLS, "Overview", "sh")[0].splitlines()
    walk.run(make)
    walk.running[0].terminate()
    assert walk.running[0].wait(20) == 0
    walk.begin(serve, "encrypted", "listening on https://")
    walk.run(ask)
    walk.begin(f"{watch} --log", "watch", "snapshot at version")
