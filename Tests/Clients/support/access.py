"""Credentials as other programs make them, and what asks with them."""

import base64
import contextlib
import http.server
import json
import threading
import time
import warnings
from dataclasses import dataclass, field

import httpx
import httpx_sse
import joserfc.errors
import joserfc.jwk
import joserfc.jwt
import jwt

from support import protocol
from support.server import Server

MENU = "/v1/directors/menu-lunch"
AUDIENCE = "https://callboard.example"
RIGHTS = ["read", "report", "mutate", "define", "hooks", "operate"]
EVERYTHING = [{"actions": RIGHTS, "directors": ["*"]}]
READ_MENUS = [{"actions": ["read"], "directors": ["menu-*"]}]
PUBLIC_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"]
PATIENCE = 60.0


class Key:
    """A secret or a pair of keys with a name, for one algorithm."""

    def __init__(self, algorithm: str, name: str):
        self.algorithm, self.name = algorithm, name
        members = {"kid": name, "use": "sig", "alg": algorithm}
        kind, size = {"HS256": (joserfc.jwk.OctKey, 256), "ES256": (joserfc.jwk.ECKey, "P-256"),
                      "EdDSA": (joserfc.jwk.OKPKey, "Ed25519")}.get(algorithm, (joserfc.jwk.RSAKey, 2048))
        self.key = kind.generate_key(size, members, private=True)

    @property
    def public(self) -> dict:
        """What the issuer gives to servers: of a secret, the secret."""
        return self.key.as_dict(private=None if self.algorithm == "HS256" else False)

    def sign(self, claims: dict, library: str = "PyJWT", **header) -> str:
        """A token, made by either library."""
        header = {"kid": self.name} | header
        if library == "PyJWT":
            private = jwt.PyJWK(self.key.as_dict(private=True)).key
            return jwt.encode(claims, private, algorithm=self.algorithm, headers=header)
        with warnings.catch_warnings():
            # joserfc would like EdDSA to be called Ed25519 (RFC 9864).
            warnings.simplefilter("ignore", joserfc.errors.SecurityWarning)
            return joserfc.jwt.encode(
                {"alg": self.algorithm, "typ": "at+jwt"} | header, claims, self.key, algorithms=[self.algorithm])


@dataclass
class Issuer:
    """Whoever signs tokens for a server."""

    name: str
    algorithms: list[str]
    keys: list[Key] = field(default_factory=list)

    def __post_init__(self):
        self.keys = self.keys or [Key(each, f"{self.name} {each}") for each in self.algorithms]

    @property
    def key_set(self) -> dict:
        return {"keys": [key.public for key in self.keys]}

    def setting(self, **source: str) -> dict:
        """The issuer's entry in `auth.issuers`, for tests whose clocks agree."""
        return {"issuer": self.name, "audience": AUDIENCE, "algorithms": self.algorithms, "clockSkew": 0} | source

    def claims(self, grants: list[dict] = EVERYTHING, lasts: float = 600, **others) -> dict:
        now = int(time.time())
        details = [{"type": "urn:callboard:grant"} | grant for grant in grants]
        claims = {"iss": self.name, "aud": AUDIENCE, "sub": "somebody", "iat": now, "exp": now + lasts,
                  "authorization_details": details} | others
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, *arguments, key: Key | None = None, library: str = "PyJWT", header: dict = {}, **claims) -> str:
        """A good token, but for what is asked for otherwise; a claim that is None is left out."""
        return (key or self.keys[0]).sign(self.claims(*arguments, **claims), library, **header)


class KeyAddress(http.server.ThreadingHTTPServer):
    """Answers key sets at addresses of this machine, and notes when each was fetched."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _KeyHandler)
        self.sets: dict[str, dict] = {}
        self.fetched: list[tuple[str, float]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def times(self, path: str) -> list[float]:
        """When a set was fetched, in seconds since 1970."""
        return [when for each, when in list(self.fetched) if each == path]


class _KeyHandler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        # The time before the answer: the server's own note of when it began is no later.
        self.server.fetched.append((self.path, time.time()))
        found = self.server.sets.get(self.path)
        content = json.dumps(found or {}).encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "application/jwk-set+json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def key_address():
    """A `KeyAddress` for as long as it is needed."""
    address = KeyAddress()
    try:
        yield address
    finally:
        address.shutdown()
        address.server_close()


def encoded(part: dict | bytes) -> str:
    """A part of a token in base64url without padding."""
    part = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def caller(server: Server, credential: str | None = None, address: str = "127.0.0.1") -> httpx.Client:
    """A client that presents a credential with each request, from an address of this machine's many."""
    fields = {} if credential is None else {"Authorization": f"Bearer {credential}"}
    # There is no TLS here, and to read the certificates of authorities for each client takes long.
    transport = httpx.HTTPTransport(local_address=address, trust_env=False, verify=False, **protocol.VERSIONS)
    url = server.url.replace("0.0.0.0", "127.0.0.1")
    return httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False, transport=transport, headers=fields)


def first_token(server: Server) -> str:
    """What the first start of a server has left in its data folder."""
    return (server.folder / "data" / "first-token").read_text().strip()


def make_token(client: httpx.Client, grants: list[dict] = EVERYTHING, name: str = "made", **members) -> dict:
    answer = client.post("/v1/tokens", json={"name": name, "grants": grants} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


def make_menu(client: httpx.Client, path: str = MENU) -> None:
    """A director with one published dish."""
    for method, where, body in [
        ("PUT", "", {"kind": "table"}),
        ("PUT", "/adapters/Dish", {"cell": "DishCell", "identifier": "{name}"}),
        ("PUT", "/sections?reload=true",
         {"sections": [{"id": "today", "elements": [{"model": "Dish", "value": {"name": "Soup", "price": 1}}]}]}),
    ]:
        answer = client.request(method, path + where, json=body)
        assert answer.is_success, answer.text


def change_price(client: httpx.Client, price: int, path: str = MENU) -> httpx.Response:
    """Publishes another version."""
    return client.patch(f"{path}/sections/today/elements/Soup", params={"reload": "true"}, json={"price": price})


def refusal(answer: httpx.Response) -> str:
    """What the challenge of a 401 for a credential that is not good says (RFC 6750, section 3)."""
    challenge = answer.headers.get("www-authenticate", "")
    assert answer.status_code == 401 and answer.json()["status"] == 401, f"{answer.status_code} {answer.text}"
    assert challenge.startswith("Bearer ") and 'error="invalid_token"' in challenge, challenge
    assert len(answer.headers.get_list("www-authenticate")) == 1
    return challenge


class Listener:
    """Follows a director in a thread of its own and notes each event with the time at which it came."""

    def __init__(self, server: Server, credential: str, path: str = MENU):
        self.events: list[tuple[str, dict]] = []
        self.times: list[float] = []
        self.is_over, self.failure = False, None
        self._news = threading.Condition()
        self._client = caller(server, credential)
        self._thread = threading.Thread(target=self._follow, args=(f"{path}/changesets",), daemon=True)
        self._thread.start()
        self.wait(lambda: self.events)
        assert self.events[0][0] == "snapshot"

    def _follow(self, url: str) -> None:
        try:
            with httpx_sse.connect_sse(self._client, "GET", url) as source:
                for event in source.iter_sse():
                    if event.data:
                        with self._news:
                            self.events.append((event.event, json.loads(event.data)))
                            self.times.append(time.time())
                            self._news.notify_all()
        except Exception as error:
            self.failure = error
        finally:
            with self._news:
                self.is_over = True
                self._news.notify_all()

    def wait(self, found, seconds: float = PATIENCE) -> None:
        """Waits until something holds of what has come; fails where the stream is over before."""
        with self._news:
            self._news.wait_for(lambda: found() or self.is_over, timeout=seconds)
            assert found(), f"it has not come: {self.failure!r}, over: {self.is_over}, last: {self.events[-1:]}"

    def ended(self, seconds: float = PATIENCE) -> tuple[str, float]:
        """The reason and the time of the `end` after which nothing came and the connection was closed in order."""
        self.wait(lambda: self.is_over, seconds)
        assert self.failure is None, f"the connection was cut: {self.failure!r}"
        assert [name for name, _ in self.events].index("end") == len(self.events) - 1, self.events[-3:]
        return self.events[-1][1]["reason"], self.times[-1]

    @property
    def version(self) -> int:
        return self.events[-1][1].get("version", 0)

    def close(self) -> None:
        self._client.close()
