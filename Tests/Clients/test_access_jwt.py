"""JSON Web Tokens that PyJWT and joserfc have made: good ones, the usual attacks, and keys that change under load."""

import base64
import hashlib
import hmac
import itertools
import json
import threading
import time
from types import SimpleNamespace

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from support.access import (
    AUDIENCE, EVERYTHING, MENU, PATIENCE, PUBLIC_ALGORITHMS, READ_MENUS, Issuer, Key, Listener, caller, change_price,
    decoded, encoded, key_address, make_menu, refusal)
from support.nodes import launch
from support.server import Server

ALGORITHMS = ["HS256", *PUBLIC_ALGORITHMS]
BOOK = "/v1/directors/book"
ADDRESSES = (f"127.0.{high}.{low}" for high in range(1, 20) for low in range(1, 250))


@pytest.fixture(scope="module")
def keys_url():
    with key_address() as address:
        yield address


@pytest.fixture(scope="module")
def guarded(program, tmp_path_factory, keys_url):
    """A running server with four issuers, two whose keys are in files and two whose keys are at addresses."""
    folder = tmp_path_factory.mktemp("guarded")
    issuers, settings = {}, []
    for kind, algorithms in (("secret", ["HS256"]), ("public", PUBLIC_ALGORITHMS)):
        for source in ("keysFile", "jwksURL"):
            issuer = issuers[kind, source] = Issuer(f"https://{kind}.{source}.example", algorithms)
            place = f"/{kind}"
            if source == "keysFile":
                place = folder / f"{kind}.json"
                place.write_text(json.dumps(issuer.key_set))
            else:
                keys_url.sets[place] = issuer.key_set
            settings.append(issuer.setting(**{source: str(place) if source == "keysFile" else keys_url.url(place)}))
    # With the default, a token of 64 kB is too large for a head and does not come as far as it should here.
    server = launch(
        program, folder, AUTH_MODE="required", AUTH_ISSUERS=json.dumps(settings), SERVER_MAX_HEAD=str(128 * 1024))
    try:
        with caller(server, issuers["public", "jwksURL"].token()) as client:
            # On a machine that is busy, the keys may come late: the server says then to ask again.
            deadline = time.monotonic() + 30
            while client.get("/v1/directors").status_code == 503 and time.monotonic() < deadline:
                time.sleep(0.5)
            make_menu(client)
            make_menu(client, BOOK)
        yield SimpleNamespace(server=server, issuers=issuers, keys_url=keys_url, signer=issuers["public", "keysFile"],
                              secret=issuers["secret", "keysFile"], other=issuers["public", "jwksURL"])
    finally:
        server.stop()


def asked(guarded, credential: str, path: str = f"{MENU}/sections"):
    """The answer to a credential that comes from an address of its own: failures of others do not slow it."""
    with caller(guarded.server, credential, next(ADDRESSES)) as client:
        return client.get(path)


@pytest.mark.parametrize("library", ["PyJWT", "joserfc"])
@pytest.mark.parametrize("source", ["keysFile", "jwksURL"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_token_by_another_program_is_accepted(guarded, algorithm, source, library):
    issuer = guarded.issuers["secret" if algorithm == "HS256" else "public", source]
    key = next(each for each in issuer.keys if each.algorithm == algorithm)
    for claims in ({}, {"aud": ["https://another.example", AUDIENCE]}, {"sub": None, "iat": None, "jti": "1"}):
        answer = asked(guarded, issuer.token(key=key, library=library, **claims))
        assert answer.status_code == 200, answer.text
        assert answer.json()["sections"][0]["elements"][0]["value"]["name"] == "Soup"


def test_issuers_are_listed_for_who_operates_the_server(guarded):
    issuer = guarded.issuers["public", "jwksURL"]
    assert asked(guarded, issuer.token(), "/v1/issuers").status_code == 200
    assert asked(guarded, guarded.signer.token([{"actions": ["read"], "directors": ["*"]}]), "/v1/issuers").status_code == 403
    listed = asked(guarded, issuer.token(), "/v1/issuers").json()["issuers"]
    assert [each["issuer"] for each in listed] == [each.name for each in guarded.issuers.values()]
    for each, (kind, source) in zip(listed, guarded.issuers, strict=True):
        assert each["algorithms"] == sorted(["HS256"] if kind == "secret" else PUBLIC_ALGORITHMS)
        assert each["audience"] == [AUDIENCE] and source in each
        assert each["keys"] == len(guarded.issuers[kind, source].keys) and each["fetchedAt"] and each["lastError"] is None


def test_a_folder_whose_server_takes_the_tokens_of_issuers_gets_no_first_token(guarded):
    assert not (guarded.server.folder / "data" / "first-token").exists()


def test_a_token_that_names_no_key_is_tried_with_those_of_its_algorithm(guarded):
    issuer = guarded.signer
    parts = [encoded({"alg": "RS256"}), encoded(issuer.claims())]
    signed = ".".join(parts)
    signature = issuer.keys[0].key.private_key.sign(signed.encode(), *rs256())
    assert asked(guarded, f"{signed}.{encoded(signature)}").status_code == 200


def rs256() -> tuple:
    return padding.PKCS1v15(), hashes.SHA256()


def test_a_token_gives_the_grants_that_it_names_and_no_others(guarded):
    server = guarded.server
    with caller(server, guarded.signer.token(READ_MENUS)) as client:
        assert [each["name"] for each in client.get("/v1/directors").json()["directors"]] == ["menu-lunch"]
        assert client.get(MENU).status_code == 200
        listener = Listener(server, guarded.signer.token(READ_MENUS))
        with caller(server, guarded.signer.token()) as cook:
            assert change_price(cook, 5).status_code == 200
        listener.wait(lambda: listener.events[-1][0] == "changeset")
        listener.close()
        for method, path, body in [
            ("PATCH", f"{MENU}/sections/today/elements/Soup", {"price": 3}), ("DELETE", MENU, None),
            ("POST", f"{MENU}/reload", None), ("GET", "/v1/tokens", None), ("POST", "/v1/tokens", {}),
            ("GET", "/metrics", None), ("PUT", "/v1/directors/other", {"kind": "table"}),
            ("PUT", "/v1/directors/menu-dinner", {"kind": "table"}), ("GET", f"{MENU}/events", None),
        ]:
            answer = client.request(method, path, json=body)
            assert answer.status_code == 403, f"{method} {path}: {answer.status_code} {answer.text}"
            assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]
        missing = client.get("/v1/directors/missing")
        for method, path in [("GET", ""), ("GET", "/sections"), ("DELETE", ""), ("GET", "/changesets")]:
            answer = client.request(method, BOOK + path)
            assert answer.status_code == 404, "what may not be read is as if it were not there"
            assert answer.json()["detail"] == missing.json()["detail"].replace("missing", "book")


@pytest.mark.parametrize("details", [[], None, [{"type": "payment"}]], ids=["empty", "none", "of others"])
def test_a_token_without_grants_is_known_and_may_do_nothing(guarded, details):
    claims = {"authorization_details": details}
    assert asked(guarded, guarded.signer.token(**claims), "/v1/directors").status_code == 403


# MARK: Attacks


def parts(token: str) -> tuple[dict, dict, bytes]:
    header, payload, signature = token.split(".")
    return json.loads(decoded(header)), json.loads(decoded(payload)), decoded(signature)


def joined(header, payload, signature: bytes) -> str:
    return f"{encoded(header)}.{encoded(payload)}.{encoded(signature)}"


def unsigned(given, algorithm: str, has_signature: bool) -> str:
    header, payload, signature = parts(given.signer.token())
    return joined(header | {"alg": algorithm}, payload, signature if has_signature else b"")


def hmac_by(given, secret: bytes, issuer: Issuer | None = None) -> str:
    """A token by HS256 with something that everybody knows for the secret."""
    issuer = issuer or given.signer
    signed = f"{encoded({'alg': 'HS256', 'kid': issuer.keys[0].name})}.{encoded(issuer.claims())}"
    return f"{signed}.{encoded(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"


def tampered(given) -> str:
    header, payload, signature = parts(given.signer.token(READ_MENUS))
    payload["authorization_details"][0]["actions"] = ["read", "mutate"]
    return joined(header, payload, signature)


def with_header(given, **members) -> str:
    return given.signer.token(header=members)


def by_a_stranger(given, **header) -> str:
    """A token in the issuer's name and its key's, signed with a key of the attacker's own."""
    name = given.signer.keys[2].name
    return given.signer.token(key=STRANGER, header={"kid": name} | header)


def resigned(given, change) -> str:
    """A token by ES256 whose signature is written in another way."""
    header, payload, signature = parts(given.signer.token(key=given.signer.keys[2]))
    return joined(header, payload, change(signature))


def der(signature: bytes) -> bytes:
    numbers = [signature[:32].lstrip(b"\0"), signature[32:].lstrip(b"\0")]
    numbers = [b"\0" + each if each[0] & 0x80 else each for each in numbers]
    body = b"".join(b"\x02" + bytes([len(each)]) + each for each in numbers)
    return b"\x30" + bytes([len(body)]) + body


def twice(given) -> str:
    """A payload with two `sub`, signed by the issuer itself."""
    payload = json.dumps(given.signer.claims()).replace("{", '{"sub": "root", ', 1)
    return by_hand(given, {}, payload.encode())


def by_hand(given, header: dict, payload: bytes) -> str:
    """What no library would make, signed by the issuer itself."""
    key = given.signer.keys[0]
    signed = f"{encoded({'alg': 'RS256', 'kid': key.name} | header)}.{encoded(payload)}"
    return f"{signed}.{encoded(key.key.private_key.sign(signed.encode(), *rs256()))}"


STRANGER = Key("ES256", "stranger")

ATTACKS = {
    "alg none": lambda given: unsigned(given, "none", False),
    "alg None with a signature": lambda given: unsigned(given, "None", True),
    "no signature": lambda given: given.signer.token().rsplit(".", 1)[0] + ".",
    "two parts": lambda given: given.signer.token().rsplit(".", 1)[0],
    "HS256 with the public key in PEM": lambda given: hmac_by(given, given.signer.keys[0].key.as_pem(private=False)),
    "HS256 with the public key in JSON": lambda given: hmac_by(
        given, json.dumps(given.signer.keys[0].public).encode()),
    "HS256 with the modulus": lambda given: hmac_by(given, decoded(given.signer.keys[0].public["n"])),
    "HS256 with an empty secret": lambda given: hmac_by(given, b"", given.secret),
    "HS256 with the secret in base64url": lambda given: hmac_by(
        given, given.secret.keys[0].public["k"].encode(), given.secret),
    "an algorithm that the issuer is not set up for": lambda given: given.secret.token(key=given.signer.keys[0]),
    "another audience": lambda given: given.signer.token(aud="https://another.example"),
    "an audience that begins alike": lambda given: given.signer.token(aud=AUDIENCE + "/"),
    "no audience": lambda given: given.signer.token(aud=None),
    "expired": lambda given: given.signer.token(exp=int(time.time()) - 1),
    "no end": lambda given: given.signer.token(exp=None),
    "an end that is no number": lambda given: given.signer.token(exp=1e300),
    "not before tomorrow": lambda given: given.signer.token(nbf=int(time.time()) + 86_400),
    "made tomorrow": lambda given: given.signer.token(iat=int(time.time()) + 86_400),
    "no issuer": lambda given: given.signer.token(iss=None),
    "an unknown issuer": lambda given: given.signer.token(iss="https://evil.example"),
    "another issuer's key": lambda given: given.signer.token(key=given.other.keys[0]),
    "another issuer's key under this one's name": lambda given: given.signer.token(
        key=given.other.keys[0], header={"kid": given.signer.keys[0].name}),
    "a stranger's key": by_a_stranger,
    "a stranger's key in the header": lambda given: by_a_stranger(given, jwk=STRANGER.public),
    "a stranger's key at an address": lambda given: by_a_stranger(given, jku=given.keys_url.url("/evil")),
    "a stranger's certificate at an address": lambda given: by_a_stranger(given, x5u=given.keys_url.url("/evil")),
    "a kid that leads to a file": lambda given: given.signer.token(key=STRANGER, header={"kid": "../../../dev/null"}),
    "a kid that is SQL": lambda given: given.signer.token(key=STRANGER, header={"kid": "' OR 1=1 --"}),
    "critical extensions": lambda given: with_header(given, crit=["exp"], exp=0),
    "a payload that is not encoded": lambda given: by_hand(
        given, {"b64": True}, json.dumps(given.signer.claims()).encode()),
    "compressed": lambda given: with_header(given, zip="DEF"),
    "a token of another type": lambda given: with_header(given, typ="secevent+jwt"),
    "a tampered payload": tampered,
    "a tampered header": lambda given: (lambda header, payload, signature: joined(
        header | {"typ": "at+jwt"}, payload, signature))(*parts(given.signer.token())),
    "a signature cut short": lambda given: given.signer.token()[:-8],
    "a signature of zeros": lambda given: resigned(given, lambda _: bytes(64)),
    "a signature in DER": lambda given: resigned(given, der),
    "another algorithm of the same key": lambda given: (lambda header, payload, signature: joined(
        header | {"alg": "PS256"}, payload, signature))(*parts(given.signer.token())),
    "a claim twice": twice,
    "padded base64": lambda given: given.signer.token() + "==",
    "64 kB": lambda given: given.signer.token(padding="x" * 48 * 1024),
    "five parts": lambda given: given.signer.token() + ".AAAA.AAAA",
    "JSON": lambda given: json.dumps({"payload": encoded(given.signer.claims()), "signatures": []}),
    "a grant that does not exist": lambda given: given.signer.token([{"actions": ["everything"], "directors": ["*"]}]),
    "a good grant and a bad one": lambda given: given.signer.token(EVERYTHING + [{"actions": ["read"]}]),
    "a static token": lambda given: "cbt_" + "0" * 36,
    "no token at all": lambda given: "nonsense",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_token_that_is_not_good_is_refused(guarded, name):
    credential = ATTACKS[name](guarded)
    address = next(ADDRESSES)
    with caller(guarded.server, credential, address) as attacker, \
            caller(guarded.server, guarded.signer.token(), address) as good:
        for method, path in [("GET", f"{MENU}/sections"), ("GET", f"{MENU}/changesets"), ("DELETE", MENU)]:
            answer = attacker.request(method, path)
            challenge = refusal(answer)
            assert credential[-20:] not in answer.text + challenge
        assert good.get(f"{MENU}/sections").status_code == 200
    assert guarded.keys_url.times("/evil") == [], "nobody makes the server ask at an address of theirs"


def test_what_is_open_to_everybody_is_not_open_to_a_bad_token(start):
    server = start(AUTH_MODE="required", AUTH_ANONYMOUS=json.dumps([{"actions": ["read"], "directors": ["*"]}]))
    with caller(server) as nobody, caller(server, "cbt_" + "0" * 36) as somebody:
        assert nobody.get("/v1/directors").status_code == 200
        refusal(somebody.get("/v1/directors"))


def test_a_token_that_is_larger_than_a_head_may_be_is_not_read(start):
    server = start(AUTH_MODE="required")
    with caller(server, "x" * 64 * 1024) as client:
        assert client.get("/v1/directors").status_code == 431


def test_an_address_that_guesses_is_slowed_and_others_are_not(guarded):
    token = guarded.signer.token()
    address, other = next(ADDRESSES), next(ADDRESSES)
    with caller(guarded.server, token, address) as good, caller(guarded.server, address=address) as guessing, \
            caller(guarded.server, guarded.signer.token(), other) as elsewhere:
        assert good.get(MENU).status_code == 200
        for number in itertools.count():
            answer = guessing.get(MENU, headers={"Authorization": f"Bearer cbt_{number:036}"})
            if answer.status_code == 429:
                break
            refusal(answer)
            assert number < 200, "it may guess for ever"
        assert number >= 20 and int(answer.headers["retry-after"]) >= 1
        assert good.get(MENU).status_code == 200, "a credential that was good is no guess"
        assert elsewhere.get(MENU).status_code == 200


# MARK: Rotation


class Load:
    """Threads that send requests with fresh and with old tokens until they are told to stop."""

    def __init__(self, server: Server):
        self.server, self.stopping, self.threads = server, threading.Event(), []
        self.answers: dict[str, list[tuple[float, int, str]]] = {}

    def add(self, name: str, make_token, count: int = 2) -> None:
        self.answers[name] = []
        for number in range(count):
            # In turn, so that each process is asked, where there are several.
            process = self.server.nodes[number % len(self.server.nodes)]
            arguments = (process, self.answers[name], make_token)
            self.threads.append(threading.Thread(target=self._send, args=arguments, daemon=True))
            self.threads[-1].start()

    def _send(self, process: Server, answers: list, make_token) -> None:
        with caller(process, address=next(ADDRESSES)) as client:
            while not self.stopping.wait(0.02):
                began = time.time()
                answer = client.get(f"{MENU}/sections", headers={"Authorization": f"Bearer {make_token()}"})
                answers.append((began, answer.status_code, answer.text if answer.is_error else ""))

    def stop(self) -> None:
        self.stopping.set()
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

    def statuses(self, name: str, since: float = 0) -> set[int]:
        return {status for began, status, _ in self.answers[name] if began >= since}


def until(holds, seconds: float = PATIENCE) -> None:
    """Waits for a condition."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it has not come true"
        time.sleep(0.02)


def test_keys_change_under_load_and_no_good_token_is_refused(start):
    """One issuer has the old key beside the new one, the other has the new one alone: one fetch each brings both.

    The server does not ask within 30 seconds of its start again, so that the test takes as long.
    """
    rolling, ending = Issuer("https://rolling.example", ["ES256"]), Issuer("https://ending.example", ["EdDSA"])
    with key_address() as address:
        for path, issuer in (("/rolling", rolling), ("/ending", ending)):
            address.sets[path] = issuer.key_set
        server = start(AUTH_MODE="required", AUTH_ISSUERS=json.dumps(
            [rolling.setting(jwksURL=address.url("/rolling")), ending.setting(jwksURL=address.url("/ending"))]))
        with caller(server, rolling.token()) as client:
            make_menu(client)
        # Each process asks by itself.
        each = len(server.nodes)
        until(lambda: len(address.times("/rolling")) == len(address.times("/ending")) == each)
        old = {"rolling": rolling.keys[0], "ending": ending.keys[0]}
        load = Load(server)
        load.add("rolling, old", lambda: rolling.token(key=old["rolling"], jti=str(time.time_ns())))
        kept = ending.token()
        load.add("ending, old", lambda: kept, 1)
        stays, leaves = Listener(server, rolling.token()), Listener(server, ending.token())

        new = {"rolling": Key("ES256", "rolling 2"), "ending": Key("EdDSA", "ending 2")}
        rolling.keys.append(new["rolling"])
        ending.keys = [new["ending"]]
        address.sets = {"/rolling": rolling.key_set, "/ending": ending.key_set}
        # Whole seconds, as the server counts them.
        until(lambda: int(time.time()) - int(max(when for _, when in address.fetched)) >= 31, 60)
        for name in ("rolling", "ending"):
            assert load.statuses(f"{name}, old") == {200} and len(address.times(f"/{name}")) == each

        for name, issuer in (("rolling", rolling), ("ending", ending)):
            load.add(f"{name}, new", lambda issuer=issuer, key=new[name]: issuer.token(key=key), 4)
        until(lambda: all(len(load.answers[f"{name}, new"]) >= 50 for name in new))
        brought = time.time()
        reason, ended = leaves.ended()
        late = ended - address.times("/ending")[each]
        print(f"the stream of the key that is gone ended {late:.2f} s after the fetch began")
        assert reason == "revoked" and ended - brought < 5
        until(lambda: load.statuses("ending, old", brought) or not load.threads)
        load.stop()

        for name in ("rolling, old", "rolling, new", "ending, new"):
            assert load.statuses(name) == {200}, [each for each in load.answers[name] if each[1] != 200][:3]
        # Its address fails often, and has to wait in the end.
        assert load.statuses("ending, old", brought) <= {401, 429}
        answers = [text for began, status, text in load.answers["ending, old"] if status == 401]
        assert any("credential-refused" in text for text in answers), answers[:1]
        with caller(server, kept, next(ADDRESSES)) as client:
            refusal(client.get(f"{MENU}/sections"))
        with caller(server, rolling.token(key=new["rolling"])) as client:
            assert change_price(client, 9).status_code == 200
        stays.wait(lambda: stays.events[-1][0] == "changeset")
        stays.close()
        assert len(address.times("/rolling")) == len(address.times("/ending")) == 2 * each, address.fetched


def test_tokens_that_come_before_the_keys_wait_for_them(start):
    """The first keys are fetched when the server starts: nobody is refused meanwhile."""
    issuer = Issuer("https://slow.example", ["ES256"])
    with key_address() as address:
        held = threading.Event()

        class Held(dict):
            def get(self, path):
                held.wait(PATIENCE)
                return issuer.key_set

        address.sets = Held()
        server = start(AUTH_MODE="required", AUTH_ISSUERS=json.dumps([issuer.setting(jwksURL=address.url("/slow"))]))
        load = Load(server)
        load.add("early", issuer.token, 4)
        until(lambda: address.times("/slow"))
        with caller(server) as client:
            assert client.get("/livez").status_code == 200, "it serves others meanwhile"
        assert load.answers["early"] == []
        held.set()
        until(lambda: len(load.answers["early"]) >= 20)
        load.stop()
        assert load.statuses("early") <= {200, 404} and 404 in load.statuses("early"), load.answers["early"][:3]
        assert len(address.times("/slow")) == len(server.nodes)


def test_tokens_of_an_issuer_without_keys_are_not_called_bad(start):
    """A client that is told 401 throws its token away, and this one may be good."""
    issuer = Issuer("https://down.example", ["ES256"])
    with key_address() as address:
        settings = json.dumps([issuer.setting(jwksURL=address.url("/down"))])
        server = start(AUTH_MODE="required", AUTH_ISSUERS=settings)
        with caller(server, issuer.token()) as client:
            for _ in range(30):
                answer = client.get(f"{MENU}/sections")
                assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0, answer.text
            assert answer.json()["type"].endswith("keys-missing")
        assert len(address.times("/down")) == len(server.nodes)
    # The same where nobody is asked, so that the list can be read.
    server = start(AUTH_ISSUERS=settings)
    with caller(server) as client:
        until(lambda: client.get("/v1/issuers").json()["issuers"][0]["lastError"])
        (listed,) = client.get("/v1/issuers").json()["issuers"]
        assert listed["keys"] is None and listed["fetchedAt"] is None, listed


def test_the_secret_of_base64_is_decoded_as_everybody_does():
    """The oracle itself: a test of signatures that takes anything would prove nothing."""
    key = Key("HS256", "a")
    header, payload, signature = key.sign({"a": 1}).split(".")
    secret = base64.urlsafe_b64decode(key.public["k"] + "=" * (-len(key.public["k"]) % 4))
    assert hmac.new(secret, f"{header}.{payload}".encode(), hashlib.sha256).digest() == decoded(signature)
