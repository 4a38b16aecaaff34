"""An element that moves between two directors stands in exactly one of them, whatever happens meanwhile."""

import contextlib
import random
import signal
import threading

import httpx

from support import nodes
from support.cluster import needs_postgres
from support.entries import entries
from support.hooks import client_of, done, eventually

FIELDS = {"Content-Type": "application/json"}


def make(client: httpx.Client, name: str, identifiers: list[str]) -> None:
    """A published list of one section."""
    done(client.put(f"/v1/directors/{name}", json={"kind": "table"}))
    done(client.put(f"/v1/directors/{name}/adapters/Card", json={"cell": "CardCell", "identifier": "{id}"}))
    done(client.put(f"/v1/directors/{name}/sections?reload=true", json=[
        {"id": "all", "elements": [{"value": {"id": each, "note": f"of {name}"}} for each in identifiers]}]))


def transfer(client: httpx.Client, source: str, element: str | int, target: str, **fields: str) -> httpx.Response:
    """Moves an element to the end of another list and publishes both."""
    return client.post(f"/v1/directors/{source}/sections/all/elements:transfer?reload=true", headers=fields,
                       json={"from": element, "toDirector": target, "toSection": "all"})


def elements(client: httpx.Client, name: str, state: str = "working") -> list[str]:
    """The identifiers in a list."""
    listed = done(client.get(f"/v1/directors/{name}/elements", params={"limit": 1000, "state": state})).json()["elements"]
    return [each["element"]["id"] if "element" in each else each["id"] for each in listed]


class Movers:
    """Clients that move elements between lists, one after the other, until they are told to stop."""

    def __init__(self, urls: list[str], names: list[str], seed: int):
        self.stopped, self.moved, self.statuses = threading.Event(), 0, set()
        self.threads = [threading.Thread(target=self.move, args=(urls, names, random.Random(f"{seed}/{number}")))
                        for number in range(4)]
        for each in self.threads:
            each.start()

    def move(self, urls: list[str], names: list[str], dice: random.Random) -> None:
        while not self.stopped.is_set():
            with contextlib.suppress(httpx.TransportError), httpx.Client(base_url=dice.choice(urls), trust_env=False, timeout=60) as client:
                while not self.stopped.is_set():
                    source, target = dice.sample(names, 2)
                    answer = transfer(client, source, dice.randrange(4), target)
                    self.statuses.add(answer.status_code)
                    self.moved += answer.status_code == 200

    def stop(self) -> None:
        self.stopped.set()
        for each in self.threads:
            each.join()


def test_after_each_kill_every_element_stands_in_one_list_and_its_versions_say_the_same(program, tmp_path):
    names, cards = ["todo", "doing", "finished"], [f"card{number}" for number in range(12)]
    server = nodes.Server(program, tmp_path)
    try:
        with client_of(server) as client:
            for number, name in enumerate(names):
                make(client, name, cards[number::3])
        moved = 0
        for round in range(6):
            movers = Movers([server.url], names, round)
            eventually(lambda: movers.moved > 60, "elements to move")
            server.terminate(signal.SIGKILL)
            server.wait()
            movers.stop()
            moved += movers.moved
            assert movers.statuses <= {200, 404}
            server.stop()
            server = nodes.Server(program, tmp_path)
            with client_of(server) as client:
                for state in ("working", "published"):
                    assert sorted(sum((elements(client, name, state) for name in names), [])) == sorted(cards), (round, state)
        assert moved > 300
    finally:
        server.stop()


def test_both_rights_and_the_right_to_read_the_element_are_needed(start, tmp_path):
    server = start(AUTH_MODE="required", AUDIT_FILE="audit")
    admin = (server.folder / "data/first-token").read_text().strip()
    with client_of(server) as client:
        client.headers["Authorization"] = f"Bearer {admin}"
        make(client, "from", ["a", "b"])
        make(client, "into", ["c"])
        before = [elements(client, name) for name in ("from", "into")]

        def token(**rights: list[str]) -> str:
            grants = [{"actions": actions, "directors": [name]} for name, actions in rights.items()]
            return done(client.post("/v1/tokens", json={"name": "mover", "grants": grants})).json()["token"]

        def ask(bearer: str, element: str = "a", target: str = "into") -> httpx.Response:
            return transfer(client, "from", element, target, Authorization=f"Bearer {bearer}")

        full = {"from": ["read", "mutate"], "into": ["mutate"]}
        for lacking, named in [({"into": ["read"]}, "into"), ({"into": ["define", "read"]}, "into"), ({"from": ["mutate"]}, "from"),
                               ({"from": ["read"]}, "from")]:
            answer = ask(token(**full | lacking))
            assert answer.status_code == 403 and named in answer.text, (lacking, answer.text)
        assert ask(token(**{"into": ["read", "mutate"]})).status_code == 404
        # Whether a director is there is told only to those who may change it.
        assert ask(token(**full), target="nobody").status_code == 403
        assert [elements(client, name) for name in ("from", "into")] == before
        # What the other director holds is told to its readers alone.
        blind, seeing = token(**full), token(**full | {"into": ["read", "mutate"]})
        body = {"from": "a", "toDirector": "into", "toSection": "none"}
        path = "/v1/directors/from/sections/all/elements:transfer"
        told = [client.post(path, json=body, headers={"Authorization": f"Bearer {each}"}) for each in (blind, seeing)]
        assert [each.status_code for each in told] == [404, 404]
        assert "none" not in told[0].json()["detail"] and "none" in told[1].json()["detail"]
        assert ask(blind).status_code == 200
        assert [elements(client, name) for name in ("from", "into")] == [["b"], ["c", "a"]]
        # The audit names both directors; it is written behind the answer.
        def moves(outcome: str) -> list[dict]:
            lines = [line for each in server.nodes for line in entries(each.folder / "audit")]
            return [line for line in lines if line.get("operation") == "transferElement" and line["outcome"] == outcome]

        eventually(lambda: moves("done") and moves("refused"), "the audit of the moves")
        assert [(line["director"], line["toDirector"]) for line in moves("done")] == [("from", "into")]


def test_one_node_owns_both_directors_or_refuses_and_nothing_is_lost_when_it_is_killed(program, tmp_path):
    needs_postgres()
    with contextlib.ExitStack() as stack:
        three = nodes.Nodes(program, tmp_path, LOG_LEVEL="warning")
        stack.callback(three.stop)
        clients = [stack.enter_context(httpx.Client(base_url=each.url, trust_env=False, timeout=60)) for each in three.nodes]
        names, cards = [f"list{number}" for number in range(6)], [f"card{number}" for number in range(24)]
        for number, name in enumerate(names):
            make(clients[number % 3], name, cards[number::6])
        results = {}
        for source in names:
            for target in names:
                if source == target:
                    continue
                # Of any node, each of which has heard of the other director by then.
                answer = transfer(clients[hash(source + target) % 3], source, 0, target)
                results[source, target] = answer.status_code
                if answer.status_code == 409:
                    assert "different nodes" in answer.json()["detail"], answer.text
                    continue
                assert answer.status_code in (200, 404), answer.text
        assert {200, 409} <= set(results.values()), results
        movers = Movers([each.url for each in three.nodes[:2]], names, 1)
        eventually(lambda: movers.moved > 40, "elements to move")
        three.nodes[2].terminate(signal.SIGKILL)
        before = movers.moved
        eventually(lambda: movers.moved > before + 200, "elements to move at the other nodes")
        three.nodes[1].terminate(signal.SIGKILL)
        eventually(lambda: all(clients[0].post(f"/v1/directors/{name}/reload").is_success for name in names), "the lists to be taken over")
        movers.stop()
        assert sorted(sum((elements(clients[0], name) for name in names), [])) == sorted(cards)
        # One node owns everything now.
        for name in names[1:]:
            if elements(clients[0], name):
                done(transfer(clients[0], name, 0, names[0]))
