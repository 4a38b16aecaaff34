"""Registering hooks and reporting events, as a script and a UI do."""

import base64
import contextlib
import json
import os
import time
from collections.abc import Callable

import httpx
import httpx_sse

from support import protocol
from support.receiver import Receiver
from support.server import Server

BOOK = "/v1/directors/book"
# Retries that a test can wait for, a hundred of them, so that no delivery dies of a receiver that is down for long.
PATIENT = {"HOOKS_RETRY_DELAYS": ",".join(["0.02", "0.05", *["0.1"] * 98])}
# Three attempts and no more.
HASTY = {"HOOKS_RETRY_DELAYS": "0.02,0.02"}


def client_of(server: Server) -> httpx.Client:
    """A client that leaves it to the test to look at the status."""
    return protocol.client(base_url=server.url, timeout=60)


def fill(client: httpx.Client, kind: str = "table", path: str = BOOK) -> None:
    """A director with two published sections of people and pets, the first of them with views."""
    name = [{"value": {"name": name}, "model": "Person"} for name in ("Ada", "Grace", "Alan")]
    pets = [{"value": {"name": name}, "model": "Pet"} for name in ("Rex", "Tom")]
    sections = [{"id": "people", "headerView": "Banner", "footerView": "Banner", "elements": name},
                {"id": "pets", "headerTitle": "Pets", "elements": pets}]
    if kind == "table":
        sections[1]["indexTitle"] = "P"
    for method, where, body in [
        ("PUT", "", {"kind": kind}),
        ("PUT", "/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"}),
        ("PUT", "/adapters/Pet", {"cell": "PetCell", "identifier": "{name}"}),
        ("PUT", "/header-footer-adapters/Banner", {}),
        ("PUT", "/sections?reload=true", {"sections": sections}),
    ]:
        done(client.request(method, path + where, json=body))


def new_secret() -> str:
    return "whsec_" + base64.b64encode(os.urandom(24)).decode()


def done(answer: httpx.Response) -> httpx.Response:
    """The answer, where it is a success."""
    assert answer.is_success, f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text}"
    return answer


def register(client: httpx.Client, receiver: Receiver, target: str, path: str = "/hook", **members) -> dict:
    """Puts a hook that leads to `path` of the receiver, with a secret of its own unless it is given one."""
    secrets = members.setdefault("secret", new_secret())
    receiver.secrets[path] = secrets if isinstance(secrets, list) else [secrets]
    return done(client.put(target, json={"url": receiver.url + path} | members)).json()


def report(client: httpx.Client, event: str, path: str = BOOK, **members) -> httpx.Response:
    """Posts an event as a UI does."""
    return client.post(f"{path}/events", json={"event": event} | members)


def ask(client: httpx.Client, event: str, path: str = BOOK, **members) -> dict:
    """The answer to a question."""
    answer = done(report(client, event, path, **members))
    assert answer.status_code == 200
    return answer.json()


def notify(client: httpx.Client, event: str, path: str = BOOK, **members) -> str:
    """Reports a notification; its delivery's id."""
    answer = done(report(client, event, path, **members))
    assert answer.status_code == 202
    return answer.json()["delivery"]


def deliveries(client: httpx.Client, **filters) -> list[dict]:
    """The deliveries that are waiting or dead."""
    return done(client.get("/v1/deliveries", params=filters)).json()["deliveries"]


@contextlib.contextmanager
def followed(url: str):
    """The events of the director's stream that have data: the name and the data of each."""
    with protocol.client(timeout=60) as client:
        with httpx_sse.connect_sse(client, "GET", f"{url}{BOOK}/changesets") as source:
            yield ((event.event, json.loads(event.data)) for event in source.iter_sse() if event.data)


def eventually(holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
    """Returns when something holds that only asking shows."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.02)
