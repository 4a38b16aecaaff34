"""Tokens that the server keeps: what ends a stream, what a kill leaves, and where no secret is ever found."""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import threading
import time
from datetime import datetime, timezone

import httpx
import pytest

from support.access import (
    MENU, PATIENCE, READ_MENUS, Issuer, Key, Listener, caller, change_price, decoded, encoded, first_token,
    key_address, make_menu, make_token, refusal)
from support.nodes import Nodes
from support.replica import Replica
from support.server import Server

ROUNDS = 5
# What a subscriber is promised is two seconds; a machine that is busy with other tests may need more.
PROMISE, BUSY = 2.0, 5.0


@contextlib.contextmanager
def changing(server: Server, credential: str, followers: list[Listener]):
    """Publishes version after version, as fast as the followers that are still there come along."""
    stopping, failures = threading.Event(), []

    def change() -> None:
        try:
            with caller(server, credential) as client:
                for price in itertools.count(2):
                    if stopping.is_set():
                        return
                    answer = change_price(client, price)
                    assert answer.status_code == 200, answer.text
                    version = client.get(MENU).json()["version"]
                    for each in followers:
                        each.wait(lambda each=each: each.is_over or each.version >= version - 20)
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(PATIENCE)
    assert not failures, failures


def test_a_stream_ends_with_its_credential_and_others_miss_nothing(start, tmp_path):
    issuer, keys = Issuer("https://issuer.example", ["EdDSA"]), tmp_path / "keys.json"
    keys.write_text(json.dumps(issuer.key_set))
    admin_issuer = issuer.token()
    server = start(AUTH_MODE="required", FEED_WINDOW="100000",
                   AUTH_ISSUERS=json.dumps([issuer.setting(keysFile=str(keys))]))
    with caller(server, admin_issuer) as client:
        make_menu(client)
        steady = Listener(server, make_token(client, READ_MENUS)["token"])
        with changing(server, admin_issuer, [steady]):
            steady.wait(lambda: len(steady.events) > 20)
            lasting = 12
            end = int(time.time()) + lasting
            at_end = datetime.fromtimestamp(end, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            revoked = make_token(client, READ_MENUS)
            leaving = {
                "revoked": Listener(server, revoked["token"]),
                "a JWT that ends": Listener(server, issuer.token(READ_MENUS, exp=end)),
                "a token that ends": Listener(server, make_token(client, READ_MENUS, expiresAt=at_end)["token"]),
            }
            for each in leaving.values():
                each.wait(lambda each=each: len(each.events) > 5)
            assert client.delete(f"/v1/tokens/{revoked['id']}").status_code == 204
            due = {name: end for name in leaving} | {"revoked": time.time()}
            for name, each in leaving.items():
                reason, ended = each.ended()
                late = ended - due[name]
                print(f"{name}: `end` came after {late:.3f} s of {PROMISE} s, and {len(each.events)} events")
                assert reason == ("revoked" if name == "revoked" else "expired")
                # A credential is good until its last second is over; a stream ends by a tenth of what was left early.
                assert (name == "revoked" or late >= -(lasting // 10)) and late < BUSY
            seen = steady.version
            steady.wait(lambda: steady.version > seen + 20)
        steady.wait(lambda: steady.version == client.get(MENU).json()["version"])
        page = client.get(f"{MENU}/sections", params={"state": "published"}).json()["sections"]
        for each in leaving.values():
            follow(each)
        assert follow(steady).sections == page
        steady.close()
        with caller(server, revoked["token"]) as gone:
            refusal(gone.get(f"{MENU}/changesets"))


def follow(listener: Listener) -> Replica:
    """The copy that a listener's events make, none of which was left out."""
    replica = Replica()
    for name, data in listener.events:
        if name == "snapshot":
            assert replica.version is None, "there is one snapshot, at the beginning"
            replica.snapshot(data)
        elif name == "changeset":
            assert data["version"] == data["from"] + 1, "each version comes by itself"
            replica.changeset(data)
    return replica


def test_a_token_is_refused_at_once_when_it_is_revoked(start):
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        for number in range(10):
            made = make_token(client)
            # Several connections, so that each event loop has seen it.
            others = [caller(server, made["token"]) for _ in range(4)]
            for each in others:
                assert each.get("/v1/directors").status_code == 200
            assert client.delete(f"/v1/tokens/{made['id']}").status_code == 204
            for at, each in enumerate(others):
                if number == 0 or at == number % 4:
                    refusal(each.get("/v1/directors"))
                each.close()
        assert client.get("/v1/tokens").json()["total"] == 1


def test_a_credential_may_revoke_itself(start):
    server = start(AUTH_MODE="required")
    token = first_token(server)
    with caller(server, token) as client:
        make_menu(client)
        listener = Listener(server, token)
        own = client.get("/v1/tokens").json()["tokens"][0]["id"]
        assert client.delete(f"/v1/tokens/{own}").status_code == 204
        assert listener.ended()[0] == "revoked"
        refusal(client.get("/v1/tokens"))


# MARK: Kills


class Kept:
    """What a server has acknowledged of tokens, while they are made and revoked until it is killed."""

    def __init__(self):
        self.made: dict[str, str] = {}
        self.revoked: dict[str, str] = {}
        # What was asked for and not answered may have happened or not.
        self.revoking: set[str] = set()
        self.unanswered = 0
        self.acknowledged = 0

    def churn(self, client: httpx.Client) -> None:
        """Makes three tokens and revokes two of them, again and again."""
        with contextlib.suppress(httpx.TransportError):
            for number in itertools.count():
                if number % 5 < 3:
                    self.unanswered += 1
                    entry = make_token(client, READ_MENUS, name=f"token {number}")
                    self.unanswered -= 1
                    self.made[entry["id"]] = entry["token"]
                else:
                    name = list(self.made)[-2]
                    self.revoking.add(name)
                    assert client.delete(f"/v1/tokens/{name}").status_code == 204
                    self.revoking.discard(name)
                    self.revoked[name] = self.made.pop(name)
                self.acknowledged += 1


def test_what_was_acknowledged_of_tokens_survives_kills(start):
    server = start(AUTH_MODE="required")
    admin, kept, folder = first_token(server), [Kept() for _ in range(3)], server.folder
    addresses = (f"127.1.{high}.{low}" for high in range(1, 250) for low in range(1, 250))
    for _ in range(ROUNDS):
        with contextlib.ExitStack() as closing:
            clients = [closing.enter_context(caller(server, admin)) for _ in kept]
            threads = [threading.Thread(target=each.churn, args=(client,)) for each, client in zip(kept, clients)]
            goal = sum(each.acknowledged for each in kept) + 120
            for thread in threads:
                thread.start()
            deadline = time.monotonic() + PATIENCE
            while sum(each.acknowledged for each in kept) < goal and time.monotonic() < deadline:
                assert all(thread.is_alive() for thread in threads)
                time.sleep(0.005)
            server.terminate(signal.SIGKILL)
            for thread in threads:
                thread.join(PATIENCE)
        server.wait()
        assert sum(each.acknowledged for each in kept) >= goal
        server = start(folder=folder, AUTH_MODE="required")
        assert first_token(server) == admin
        compare(server, admin, kept, addresses)
    print(f"{sum(len(each.made) for each in kept)} tokens kept, {sum(len(each.revoked) for each in kept)} revoked")


def compare(server: Server, admin: str, kept: list[Kept], addresses) -> None:
    """The server knows what was acknowledged, and of the rest at most what was under way."""
    with caller(server, admin) as client:
        page = client.get("/v1/tokens", params={"limit": 10_000}).json()
    listed = {each["id"]: each for each in page["tokens"]}
    assert page["total"] == len(listed)
    known = {name for each in kept for name in each.made}
    for each in kept:
        for name in each.revoking & each.made.keys():
            # The answer to this one was lost: it is the one or the other from now on.
            if name not in listed:
                each.revoked[name] = each.made.pop(name)
        each.revoking.clear()
        assert each.made.keys() <= listed.keys(), "a token that was acknowledged is gone"
        assert not each.revoked.keys() & listed.keys(), "a token that was revoked is back"
        for name, text in list(each.made.items())[-10:]:
            with caller(server, text) as client:
                answer = client.get("/v1/directors")
                assert answer.status_code == 200, answer.text
            assert listed[name]["grants"] == READ_MENUS
        for text in list(each.revoked.values())[-10:]:
            with caller(server, text, next(addresses)) as client:
                refusal(client.get("/v1/directors"))
    unknown = listed.keys() - known
    assert len(unknown) <= 1 + sum(each.unanswered for each in kept), "there are tokens that nobody asked for"


# MARK: Secrets


class Everything:
    """All that a server has shown, by where it was."""

    def __init__(self):
        self.places: dict[str, bytes] = {}

    def note(self, place: str, answer: httpx.Response) -> httpx.Response:
        fields = "\n".join(f"{name}: {value}" for name, value in answer.headers.multi_items())
        self.add(place, f"{fields}\n{answer.text}".encode())
        return answer

    def add(self, place: str, content: bytes) -> None:
        self.places[place] = self.places.get(place, b"") + b"\n" + content

    def finds(self, secret: str | bytes) -> list[str]:
        secret = secret if isinstance(secret, bytes) else secret.encode()
        return [place for place, content in self.places.items() if secret in content]


def bad_credentials(issuer: Issuer, good: str) -> dict[str, str]:
    """Values of Authorization that are refused, by what they are."""
    token = issuer.token()
    header, payload, signature = token.split(".")
    another = Key("HS256", issuer.keys[0].name)
    return {
        "another scheme": "Basic " + encoded(b"admin:a password that nobody may see"),
        "no scheme": "cbt_thatHasNoSchemeAtAll000000000000000000",
        "a wrong checksum": "Bearer " + good[:-6] + "".join("b" if each == "a" else "a" for each in good[-6:]),
        "a character too much": "Bearer " + good + "x",
        "a space too much": "Bearer  " + good,
        "an unknown token": "Bearer cbt_" + "Z" * 36,
        "a password": "Bearer correct-horse-battery-staple-and-more",
        "expired": "Bearer " + issuer.token(exp=int(time.time()) - 100),
        "another audience": "Bearer " + issuer.token(aud="https://another.example"),
        "another secret": "Bearer " + issuer.token(key=another),
        "tampered": f"Bearer {header}.{encoded(decoded(payload) + b' ')}.{signature}",
        "two parts": f"Bearer {header}.{payload}",
        "a bad grant": "Bearer " + issuer.token([{"actions": ["everything"], "directors": ["*"]}]),
        "a large one": "Bearer " + issuer.token(padding="y" * 20_000),
    }


def test_no_secret_is_found_anywhere(start, program, tmp_path):
    """The log at its most talkative, metrics, problems, lists, streams, the printed settings, and the files."""
    secret_issuer, web_issuer = Issuer("https://secret.example", ["HS256"]), Issuer("https://web.example", ["ES256"])
    keys, seen, secrets = tmp_path / "keys.json", Everything(), {}
    keys.write_text(json.dumps(secret_issuer.key_set))
    with key_address() as address:
        address.sets["/keys"] = web_issuer.key_set
        settings = {
            "AUTH_MODE": "required", "LOG_LEVEL": "trace", "AUTH_ISSUERS": json.dumps(
                [secret_issuer.setting(keysFile=str(keys)), web_issuer.setting(jwksURL=address.url("/keys"))])}
        # Issuers that come later: the first start is one that leaves a token.
        server = start(AUTH_MODE="required", LOG_LEVEL="trace")
        server.stop()
        server = start(folder=server.folder, **settings)
        secrets["first token"] = first_token(server)
        secrets["the secret of HS256"] = secret_issuer.keys[0].public["k"]
        with caller(server, secrets["first token"]) as client:
            make_menu(client)
            made, revoked = make_token(client, name="kept for secrets"), make_token(client)
            secrets |= {"a token": made["token"], "a revoked token": revoked["token"],
                        "a JWT by a secret": secret_issuer.token(), "a JWT by a key": web_issuer.token()}
            listeners = [Listener(server, each) for name, each in secrets.items() if name != "the secret of HS256"]
            seen.note("revoked", client.delete(f"/v1/tokens/{revoked['id']}"))
            change_price(client, 3)
            listeners[2].ended()
            for name, credential in secrets.items():
                with caller(server, credential) as each:
                    # Those that are good may look at everything, so that their uses leave what traces they leave.
                    for path in ("/v1/tokens", f"/v1/tokens/{made['id']}", "/metrics", "/readyz", f"{MENU}/sections",
                                 "/v1/directors/missing", "/v1/nothing", "/openapi.json"):
                        seen.note(f"{path} with {name}", each.get(path))
                    seen.note(f"a wrong body with {name}", each.post("/v1/tokens", json={"name": credential * 9}))
            ask_badly(server, seen, secrets, bad_credentials(secret_issuer, made["token"]))
            for path in ("/metrics", "/v1/tokens"):
                seen.note(f"{path} at the end", client.get(path))
        for each in listeners:
            seen.add("streams", json.dumps(each.events).encode())
            each.close()
        look_at_what_stays(server, seen, program, settings)
    assert seen.finds("kept for secrets") and seen.finds("a token was made"), "what is there is found"
    for name, secret in list(secrets.items()):
        # Half of one would be as bad.
        found = seen.finds(secret) + seen.finds(secret[-20:])
        assert found == [], f"{name} is found in {found}"
    raw = decoded(secrets["the secret of HS256"])
    assert seen.finds(raw) == seen.finds(raw.hex()) == []


@pytest.mark.parametrize("name", ["access_token", "token", "ticket"])
def test_a_credential_in_an_address_is_not_taken_and_not_logged(start, name):
    """RFC 6750, section 2.3, lets clients try it, and pages with an EventSource do."""
    server = start(AUTH_MODE="required", LOG_LEVEL="trace")
    with caller(server) as nobody:
        answer = nobody.get(f"{MENU}/changesets", params={name: first_token(server)})
        if answer.status_code not in (400, 401) or first_token(server) in answer.text:
            raise RuntimeError("this is another fault than the known one")
    server.stop()
    assert first_token(server) not in server.log.read_text()


def test_the_text_of_a_token_where_its_id_belongs_is_not_repeated_or_logged(start):
    """The command `token revoke` says that it is no id, and does not repeat it."""
    server = start(AUTH_MODE="required", LOG_LEVEL="trace")
    with caller(server, first_token(server)) as client:
        secret = make_token(client)["token"]
        answer = client.delete(f"/v1/tokens/{secret}")
        if answer.status_code not in (400, 404):
            raise RuntimeError("this is another fault than the known one")
    server.stop()
    assert secret not in answer.text + server.log.read_text()


def ask_badly(server: Server, seen: Everything, secrets: dict[str, str], bad: dict[str, str]) -> None:
    """Presents what is refused, in all the places in which people put credentials."""
    good = secrets["a token"]
    for number, (name, value) in enumerate(bad.items(), 1):
        secrets[name] = value.split(" ", 1)[-1].strip()
        # An address that fails often is not listened to for a while.
        with caller(server, address=f"127.0.0.{number + 10}") as nobody:
            answer = seen.note(name, nobody.get(f"{MENU}/sections", headers={"Authorization": value}))
            assert answer.status_code in (400, 401), f"{name}: {answer.status_code}"
    with caller(server, address="127.0.0.10") as nobody:
        twice = [("Authorization", f"Bearer {good}"), ("Authorization", f"Bearer {good}")]
        assert seen.note("twice", nobody.get(MENU, headers=twice)).status_code == 400
        cookie = {"Cookie": f"__Host-callboard={good}"}
        assert seen.note("a session", nobody.get(MENU, headers=cookie)).status_code == 200
        assert seen.note("a session's change", nobody.post(f"{MENU}/reload", headers=cookie)).status_code == 403
        assert seen.note("a bad session", nobody.get(MENU, headers={"Cookie": cookie["Cookie"] + "x"})).status_code == 401
        assert seen.note("who", nobody.get("/v1/session", headers=cookie)).status_code == 200
        # What gives the secret out is not looked at, and the secret is looked for elsewhere.
        bearer = {"Authorization": f"Bearer {good}"}
        made = nobody.post("/v1/stream-tickets", json={"directors": ["menu-lunch"]}, headers=bearer)
        secrets["a ticket"] = ticket = made.raise_for_status().json()["ticket"]
        for path, status in [(MENU, 400), (f"{MENU}/changesets", 400), ("/v1/directors/other/changesets", 404)]:
            query = {"ticket": ticket, "since": 0}
            assert seen.note(f"{path} with a ticket", nobody.get(path, params=query)).status_code == status
        assert nobody.get(f"{MENU}/changesets", params={"ticket": ticket[:-3]}).status_code == 401
        seen.note("an address with a password", nobody.get(
            f"{server.url.replace('://', f'://token:{good}@')}{MENU}"))
        seen.note("another method", nobody.request("BREW", MENU, headers={"Authorization": f"Bearer {good}"}))


def look_at_what_stays(server: Server, seen: Everything, program: str, settings: dict[str, str]) -> None:
    """The files while it runs and after it has stopped, the log, and what the program prints of settings and tokens."""
    def look() -> None:
        for data in server.folder.rglob("data"):
            for file in data.rglob("*"):
                if file.is_file() and file.name != "first-token":
                    seen.add(f"the file {file.name}", file.read_bytes())

    look()
    server.stop()
    look()
    seen.add("the log", server.log.read_bytes())
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
    data = str(server.folder / "data")
    commands = [["serve", "--print-config", "--data", data]]
    if isinstance(server, Nodes):
        seen.add("the database", server.dump())
    else:
        commands += [["token", "list", "--data", data], ["token", "list", "--json", "--data", data], ["check", data]]
    for arguments in commands:
        done = subprocess.run([program, *arguments], env=environment, capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        seen.add(" ".join(arguments[:2]), done.stdout + done.stderr)
    assert b"issuers" in seen.places["serve --print-config"]
