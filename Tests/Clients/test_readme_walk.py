"""The README word for word: its commands are taken out of it and run in their order in a fresh folder, on one server, and
what the text says is printed is compared. Numbers, times and made names differ from run to run and are not compared."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest
from support.documents import CHECKOUT, section
from support.ports import free_port

LIST = Path("/usr/share/iso-codes/json/iso_3166-2.json")
pytestmark = pytest.mark.skipif(not LIST.exists(), reason="no ISO 3166-2 here (Config/setup demo)")


def alike(text: str) -> str:
    """The text without what differs from run to run."""
    text = re.sub(r"(?m)^\d{4}-\S+Z info: .*\n", "", text)
    text = re.sub(r"msg_\w+", "msg_…", text)
    text = re.sub(r"\d+(,\d{3})*(\.\d+)?", "0", text)
    return text.strip()


class Walk:
    """A reader with a terminal for the server, one for what goes on beside it, and one for the commands."""

    def __init__(self, program: str, folder: Path):
        self.program, self.folder, self.place, self.director = program, folder, folder, ""
        self.port, self.listener = free_port(), free_port()
        self.running: list[subprocess.Popen] = []
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")} | {
            "CALLBOARD_SERVER": f"http://127.0.0.1:{self.port}", "CALLBOARD_SERVER_PORT": str(self.port), "PROGRAM": program,
            "CALLBOARD_FEED_RETRY_MIN": "100", "CALLBOARD_FEED_RETRY_MAX": "200", "LC_ALL": "C.UTF-8"}

    def here(self, text: str) -> str:
        """The commands with the ports of this run."""
        return text.replace(":8080", f":{self.port}").replace("9000", str(self.listener))

    def begin(self, command: str, log: str, until: str) -> None:
        """Has a command go on beside the others, once it has printed `until`."""
        path = self.folder / log
        with path.open("ab") as file:
            self.running.append(subprocess.Popen(
                ["bash", "-c", f'callboard() {{ exec "$PROGRAM" "$@"; }}\n{self.here(command)}'], cwd=self.folder, stdout=file,
                stderr=subprocess.DEVNULL, env=self.environment, start_new_session=True))
        self.wait_for(log, until)

    def wait_for(self, log: str, text: str) -> str:
        """What a command beside the others has printed, once `text` is in it."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if text in (printed := (self.folder / log).read_text()):
                return printed
            select.select([], [], [], 0.02)
        raise AssertionError(f"{text!r} is not in {log}:\n{printed}")

    def run(self, commands: str) -> str:
        """What commands print; each has to succeed, and no request is refused."""
        for name in re.findall(r"^D=(\S+)$", commands, re.M):
            self.director = name
        script = ('callboard() { "$PROGRAM" "$@"; }\ncurl() { command curl --fail-with-body --silent --show-error --max-time 20 "$@"; }\n'
                  f"D={self.director}\n{commands}")
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", self.here(script)], cwd=self.place, env=self.environment, text=True,
                              capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
        for folder in re.findall(r"^cd (\S+)$", commands, re.M):
            self.place = Path(folder)
        return done.stdout

    def compare(self, console: str) -> None:
        """Runs the commands of a console's example, and compares what each prints with what stands below it."""
        for step in re.split(r"^\$ ", console, flags=re.M)[1:]:
            command, _, expected = step.partition("\n")
            assert alike(self.run(command)) == alike(expected), command

    def end_last(self) -> None:
        """Ends what was begun last, as Ctrl-C does."""
        os.killpg(self.running[-1].pid, signal.SIGINT)
        self.running[-1].wait(20)

    def end(self) -> None:
        for process in self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def walk(program, tmp_path):
    walk = Walk(program, tmp_path)
    walk.begin("callboard serve", "server", "listening on")
    yield walk
    walk.end()


def read(title: str, language: str) -> list[str]:
    """The examples of a section in a language, in their order; those in none are what a program prints."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", section("README.md", title), re.M | re.S)
    return [text for name, text in found if name == language]


def verify_signatures(walk: Walk) -> None:
    """The listener is ended, and another one is given the secret of one of the two hooks."""
    choose, put, listen = re.fullmatch(r"(export .*\n)(curl [^\0]*\n)(callboard .*\n)", read("Signatures", "sh")[0]).groups()
    walk.end_last()
    walk.environment["CALLBOARD_LISTEN_SECRET"] = walk.run(f'{choose}echo "$CALLBOARD_LISTEN_SECRET"').strip()
    walk.run(put)
    walk.begin(listen, "verifier", "listening on")
    walk.compare(read("Signatures", "console")[0])
    told = alike(walk.wait_for("verifier", "refused"))
    for line in read("Signatures", "")[0].splitlines():
        assert alike(walk.here(line)) in told, line


def test_the_readme_word_for_word(walk):
    load, watch, change, stream = read("Five minutes", "sh")[1:]
    walk.run(load)
    walk.begin(f"{watch.strip()} --log", "watch", "version 1")
    changed = walk.run(change)
    assert '"elementMoved"' in changed and "Andorra la Vieja" in changed
    walk.wait_for("watch", "-> 3")
    walk.begin(f"D={walk.director}\n{stream}", "stream", "retry:")

    hook, register = read("Event hooks", "sh")[:2]
    walk.begin(hook, "listener", "listening on")
    walk.run(register)
    walk.compare(read("Event hooks", "console")[0])
    printed, seen = read("Event hooks", "")[:2]
    told = walk.wait_for("listener", "removeElement")
    for line in printed.splitlines():
        if not line.startswith("signatures are not checked"):  # That goes to standard error.
            assert alike(walk.here(line)) in alike(told), line
    assert alike(seen) in alike(walk.wait_for("watch", "-> 4"))

    verify_signatures(walk)

    changed, killed, started = re.split(r"^\$ ", read("Nothing that was acknowledged is lost", "console")[0], flags=re.M)[1:]
    command, expected = changed.split("\n", 1)
    assert alike(walk.run(command)) == alike(expected)
    walk.place = walk.folder
    walk.run(killed)
    assert walk.running[0].wait(20) == -signal.SIGKILL
    _, watching, _, _, listening, *_ = walk.running
    assert watching.poll() is None and listening.poll() is None, "nothing else is ended"
    walk.begin(started.split("\n")[0], "server again", "listening on")
    said = read("Nothing that was acknowledged is lost", "")[0]
    told = alike(walk.wait_for("watch", "resumed after"))
    for line in said.splitlines():
        assert alike(re.sub(r": transfer closed.*", "", line)) in told, line


def test_a_list_of_your_own_word_for_word(walk):
    for commands in read("A list of your own", "sh"):
        walk.run(commands)
    for address in ("", '--json \'{"elements": [{"section": "friends", "element": "@0"}]}\''):
        walk.run(f'curl -X POST "$D/refresh" {address}')
    walk.run('curl "$D/elements?id=Ada_Lovelace"\ncurl "$D/changesets?from=1&to=2"')


def test_rows_that_hide_word_for_word(walk):
    make, hide = read("Rows that hide and come back", "sh")
    walk.run(make)
    printed = walk.run(hide)
    assert '"elementDeleted"' in printed
    published = walk.run('curl "$D/sections?state=published"')
    assert "Ada" in published and "Grace" in published


def test_who_may_do_what_word_for_word(walk):
    """The first start, a token by the API and one by the command, and the settings for tokens of others."""
    walk.end_last()
    serve, commands = read("Who may do what", "sh")[0].split("\n", 1)
    walk.begin(serve.split("#")[0], "guarded", "listening on")
    made = json.loads(walk.run(commands))
    assert made["name"] == "kitchen" and made["token"].startswith("cbt_")
    text = section("README.md", "Who may do what")
    for method, path in re.findall(r"`(GET|DELETE) (/v1/(?:tokens|session)[^`]*)`", text):
        walk.run(f'{commands.split("curl")[0]}curl -X {method} -H "$A" {walk.environment["CALLBOARD_SERVER"]}'
                 + path.replace("{id}", made["id"]))
    walk.end_last()
    (command,) = re.findall(r"`(callboard token create [^`]*)`", text)
    for each in (command, "callboard token list"):
        printed = walk.run(f"export CALLBOARD_DATA=lists\n{each}")
        assert "cbt_" in printed or "kitchen" in printed
    settings, claims = (json.loads(each) for each in read("Who may do what", "json")[0].split("\n\n"))
    (walk.folder / "settings.json").write_text(json.dumps(settings))
    walk.begin("callboard serve --data lists --config settings.json", "guarded again", "listening on")
    ask = f'{commands.split("curl")[0]}curl -H "$A" {walk.environment["CALLBOARD_SERVER"]}'
    assert "https://id.example" in walk.run(f"{ask}/v1/issuers")
    grants = [{name: each[name] for name in ("actions", "directors")} for each in claims["authorization_details"]]
    walk.run(f"{ask}/v1/tokens --json '{json.dumps({'name': 'as the claims say', 'grants': grants})}'")


def test_each_change_of_the_readme_changes_something(walk):
    """The same element is never given the value that it was given last."""
    values = re.findall(r"AD-07\?reload=true\"[^']*'(\{[^']*\})'", (CHECKOUT / "README.md").read_text())
    assert len(values) >= 3
    assert all(first != second for first, second in zip(values, values[1:])) and len(set(values[:3])) == 3


def test_backup_check_and_restore_word_for_word(walk):
    walk.run(read("Five minutes", "sh")[1])
    walk.place = walk.folder
    for step in re.split(r"^\$ ", read("Backup, check, restore", "console")[0], flags=re.M)[1:]:
        command, _, expected = step.partition("\n")
        # The last is refused, and says so beside what it prints.
        assert alike(walk.run(f"{{ {command}; }} 2>&1 || test $? = 73")) == alike(expected), command


def test_the_settings_are_printed_and_taken(walk):
    commands = read("Running it", "sh")[0].splitlines()
    assert commands[-1] == "callboard serve --config callboard.json"
    walk.place = walk.folder
    walk.run("\n".join(commands[:-1]))
    walk.begin(f"CALLBOARD_SERVER_PORT=0 CALLBOARD_DATA=memory {commands[-1]}", "configured", "listening on")


def test_tls_word_for_word(walk):
    walk.place = walk.folder
    walk.run('curl -X PUT http://127.0.0.1:8080/v1/directors/contacts --json \'{"kind": "table"}\'')
    make, serve, ask, watch = read("TLS and HTTP/2", "sh")[0].splitlines()
    walk.run(make)
    walk.running[0].terminate()
    assert walk.running[0].wait(20) == 0
    walk.begin(serve, "encrypted", "listening on https://")
    walk.run(ask)
    walk.begin(f"{watch} --log", "watch", "snapshot at version")
