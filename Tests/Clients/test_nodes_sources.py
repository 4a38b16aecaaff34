"""Sources on a node among several: the director's owner asks, and another node once it has taken the director over."""

import re
import signal
import time

import httpx

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually, register
from support.receiver import content

LISTS = [f"/v1/directors/list-{number}" for number in range(6)]
SOURCE = "/sections/people/events/models"


def people(*names: str) -> dict:
    return {"elements": [{"value": {"name": name}} for name in names]}


def shown(node, path: str) -> list[str]:
    return re.findall(r'"id":"(\w+)","model"', httpx.get(f"{node.url}{path}/elements?state=published", timeout=60).text)


def test_the_owner_of_a_list_asks_and_who_takes_it_over_goes_on(program, tmp_path, receiver):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path)
    try:
        first = three.nodes[0]
        eventually(lambda: httpx.get(f"{first.url}/v1/nodes", timeout=60).text.count('"serving"') == 3, "every node taking part")
        with httpx.Client(base_url=first.url, trust_env=False, timeout=60) as client:
            for number, path in enumerate(LISTS):
                done(client.put(path, json={"kind": "table"}))
                done(client.put(f"{path}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"}))
                done(client.put(f"{path}/sections/people", json={}))
                receiver.on(f"/{number}", content(people("Ada")))
                register(client, receiver, path + SOURCE, f"/{number}", every="1s")
        for node in three.nodes:
            eventually(lambda: all(shown(node, path) == ["Ada"] for path in LISTS), "each node showing what was answered")
        # One node asks for each list, whoever they are.
        receiver.forget()
        time.sleep(3)
        counts = [len(receiver.at(f"/{number}")) for number in range(len(LISTS))]
        assert all(count <= 4 for count in counts), counts
        for number in range(len(LISTS)):
            receiver.wait(1, f"/{number}")
        for node in three.nodes[:2]:
            node.terminate(signal.SIGKILL)
        for number in range(len(LISTS)):
            receiver.on(f"/{number}", content(people("Zoe")))
        last = three.nodes[2]
        eventually(lambda: all(shown(last, path) == ["Zoe"] for path in LISTS), "the node that is left asking for every list")
        # A reload at the node that is left, and a source that is asked for it.
        with httpx.Client(base_url=last.url, trust_env=False, timeout=60) as client:
            receiver.on("/0", content(people("Yves")))
            register(client, receiver, LISTS[0] + SOURCE, "/0")
            done(client.post(f"{LISTS[0]}/reload"))
            assert shown(last, LISTS[0]) == ["Yves"]
    finally:
        three.stop()


def test_whichever_node_is_read_from_the_owner_asks_and_the_reader_sees_the_answer(program, tmp_path, receiver):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path)
    try:
        with httpx.Client(base_url=three.nodes[0].url, trust_env=False, timeout=60) as client:
            path = LISTS[0]
            done(client.put(path, json={"kind": "table"}))
            done(client.put(f"{path}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"}))
            done(client.put(f"{path}/sections/people", json={}))
            register(client, receiver, path + SOURCE, "/0", every="read")
        for number, node in enumerate([*three.nodes, *three.nodes]):
            name = f"Ada{number}"
            receiver.on("/0", content(people(name)))
            receiver.forget()
            # The first read may be the one by which a node loads the list and learns of its source.
            eventually(lambda node=node, name=name: shown(node, path) == [name], "the answer at each node")
            assert len(receiver.at("/0")) <= 2
        # Who follows at any node is told by a changeset.
        for number, node in enumerate(three.nodes):
            receiver.on("/0", content(people(f"Bea{number}")))
            with httpx.stream("GET", f"{node.url}{path}/changesets", headers={"Accept": "text/event-stream"}, timeout=60) as stream:
                for line in stream.iter_lines():
                    if f"Bea{number}" in line:
                        break
    finally:
        three.stop()
