"""A message between nodes is carried out once: what is recorded on its way and sent again changes nothing, anywhere."""

import contextlib

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres, until_stored
from support.hooks import done
from support.ports import free_ports
from support.recorder import Message, Recorder, is_change, send
from support.server import Server

MENU = "/v1/directors/menu"


class Recorded:
    """Three nodes that reach each other by way of a recorder each."""

    def __init__(self, program, folder, stack: contextlib.ExitStack, **settings: str):
        self.program, self.folder = program, folder
        self.shared = nodes.Nodes._cluster(folder) | {"LOG_LEVEL": "info"} | settings
        first = free_ports(3)
        self.ports = [first, first + 1, first + 2]
        self.recorders = [Recorder(port) for port in self.ports]
        self.servers = []
        stack.callback(self._stop)
        for number in range(3):
            (folder / f"node{number}").mkdir()
            self.servers.append(self._start(number))
        self.clients = [stack.enter_context(httpx.Client(trust_env=False, timeout=30)) for _ in self.servers]
        self._lead()

    def restart(self, number: int) -> None:
        """Ends a node and starts it again."""
        self.servers[number].stop()
        self.servers[number] = self._start(number)
        self._lead()

    def state(self) -> list:
        """Version and content, which are the same at each node."""
        states = [[done(client.get(path)).json() for path in (MENU, f"{MENU}/sections")] for client in self.clients]
        assert states[0] == states[1] == states[2]
        return states[0]

    def change(self, client: httpx.Client, name: str, **fields: str) -> httpx.Response:
        """A section of that name, published."""
        return client.post(f"{MENU}/sections?reload=true", json={"id": name, "elements": []}, headers=fields)

    def forwarded(self, name: str) -> tuple[int, int, Message]:
        """A change that a node passed on: the node that took it, the owner, and the message."""
        for number, client in enumerate(self.clients):
            before = [len(each.messages) for each in self.recorders]
            done(self.change(client, f"{name}-{number}"))
            for owner, (recorder, count) in enumerate(zip(self.recorders, before)):
                if found := [each for each in recorder.messages[count:] if is_change(each)]:
                    assert owner != number
                    return number, owner, found[-1]
        raise AssertionError("no change was passed on")

    def _start(self, number: int) -> Server:
        return Server(self.program, self.folder / f"node{number}", CLUSTER_NAME=f"node{number}", **self.shared | {
            "CLUSTER_LISTEN": f"127.0.0.1:{self.ports[number]}",
            "CLUSTER_URL": f"http://127.0.0.1:{self.recorders[number].port}"})

    def _lead(self) -> None:
        for client, server in zip(self.clients, self.servers):
            client.base_url = server.url

    def _stop(self) -> None:
        for server in self.servers:
            server.stop()
        for recorder in self.recorders:
            recorder.close()


@pytest.fixture
def three(program, tmp_path):
    """Three such nodes, with a director."""
    needs_postgres()
    with contextlib.ExitStack() as stack:
        made = Recorded(program, tmp_path, stack)
        done(made.clients[0].put(MENU, json={"kind": "table"}))
        yield made


def refused(three: Recorded, port: int, raw: bytes, what: str) -> None:
    assert send(port, raw) == 401, what


def test_a_recorded_change_is_carried_out_once_at_the_owner_elsewhere_and_after_a_restart(three):
    taker, owner, message = three.forwarded("first")
    state = three.state()
    for port in [*three.ports, *(each.port for each in three.recorders)]:
        for _ in range(3):
            refused(three, port, message.raw, "the same message again")
    assert three.state() == state
    three.restart(owner)
    for port in three.ports:
        refused(three, port, message.raw, "the same message after a restart of its receiver")
    assert three.state() == state
    three.restart(taker)
    for port in three.ports:
        refused(three, port, message.raw, "the same message after a restart of its sender")
    assert three.state() == state
    for number, client in enumerate(three.clients):
        until_stored(client, f"{MENU}/sections", {"id": f"after-{number}", "elements": []})


def altered(message: Message, other: int) -> dict[str, bytes]:
    """A message with one thing changed each, under its own signature."""
    envelope, raw = message.envelope, message.raw
    method, target = envelope["request"].split(" ")
    at = raw.index(b"\r\n\r\n") + 4
    return {
        "content": raw[:at] + raw[at:].replace(b"held", b"hexd", 1),
        "content's end": raw.replace(f"Content-Length: {len(raw) - at}".encode(), f"Content-Length: {len(raw) - at - 1}".encode())[:-1],
        "method": message.with_envelope(request=f"DELETE {target}"),
        "path": message.with_envelope(request=f"{method} {target.replace('menu', 'menv')}"),
        "query": message.with_envelope(request=f"{method} {target.replace('reload=true', 'reload=false')}"),
        "who asks": message.with_envelope(name="somebody"),
        "rights": message.with_envelope(grants="[]"),
        "address": message.with_envelope(address="192.0.2.1"),
        "field": message.with_envelope(fields=envelope["fields"] | {"if-match": '"other"'}),
        "key": message.with_envelope(fields=envelope["fields"] | {"idempotency-key": "another"}),
        "receiver": message.with_envelope(to=other),
        "sender": message.with_envelope(sender="00000000-0000-4000-8000-000000000000"),
        "epoch": message.with_envelope(epoch="00000000-0000-4000-8000-000000000000"),
        "number": message.with_envelope(number=envelope["number"] + 1),
        "time": message.with_envelope(time=envelope["time"] + 1),
        "version": message.with_envelope(version=1),
        "signature": message.with_field("callboard-signature", "A" * 43 + "="),
        "HTTP target": raw.replace(b"POST /forward", b"POST /forward?a=1", 1),
        "HTTP path": raw.replace(b"POST /forward", b"POST /v1/directors/menu/sections", 1),
        "HTTP method": raw.replace(b"POST /forward", b"PUT /forward", 1),
    }


def test_a_changed_message_is_refused_before_the_real_one_which_is_carried_out(three):
    taker, owner, _ = three.forwarded("first")
    state, tried = three.state(), []

    def meddle(message: Message) -> None:
        if not is_change(message) or b"held" not in message.body or tried:
            return
        for what, raw in altered(message, message.envelope["to"] + 1).items():
            assert raw != message.raw, what
            tried.append((what, send(three.ports[owner], raw)))
        for number in {0, 1, 2} - {owner}:
            tried.append((f"node {number}", send(three.ports[number], message.raw)))
        meanwhile.append(three.state())

    meanwhile = []
    three.recorders[owner].before = meddle
    answer = done(three.change(three.clients[taker], "held", **{"Idempotency-Key": "held"}))
    assert len(tried) == 22 and {status for _, status in tried} <= {400, 401, 405} and meanwhile == [state], tried
    assert [each for each in tried if each[1] != 401] == [], tried
    after = three.state()
    assert [each["id"] for each in after[1]["sections"]].count("held") == 1
    again = done(three.change(three.clients[taker], "held", **{"Idempotency-Key": "held"}))
    assert again.json() == answer.json() and three.state() == after


def test_what_is_added_beside_a_signed_message_has_no_effect(three):
    """A first delivery with more fields does what was signed; the delivery that comes after it is the repetition."""
    taker, owner, _ = three.forwarded("first")
    version = three.state()[0]["version"]
    statuses = []

    def add(message: Message) -> None:
        if is_change(message) and b"added" in message.body and not statuses:
            fields = b'\r\nIf-Match: "other"\r\nIdempotency-Key: other\r\nPrefer: return=minimal\r\nAuthorization: Bearer x\r\n\r\n'
            statuses.append(send(three.ports[owner], message.raw.replace(b"\r\n\r\n", fields, 1)))

    three.recorders[owner].before = add
    answer = three.change(three.clients[taker], "added", **{"Idempotency-Key": "added"})
    assert answer.status_code == 504 and statuses == [201], (answer.text, statuses)
    done(three.change(three.clients[taker], "added", **{"Idempotency-Key": "added"}))
    after = three.state()
    assert after[0]["version"] == version + 1 and [each["id"] for each in after[1]["sections"]].count("added") == 1
