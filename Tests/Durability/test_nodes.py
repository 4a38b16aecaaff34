"""Several nodes on three PostgreSQL servers: one fault each, and the short form of nodes.py."""

import asyncio
import json
import os
from pathlib import Path

import pytest

import nodes
from harness.async_http import cancel
from harness.node_writer import FIXED
from harness.scene import Scene, follow, play
from harness.settled import holds

# The rounds that are played, and how long each of these runs is.
SEEDS, SECONDS = (1, 2), float(os.environ.get("CALLBOARD_NODES_SECONDS", "25"))


def test_each_node_knows_all(cluster, seed):
    async def test(scene: Scene) -> None:
        for node in scene.nodes.members:
            status, content = await scene.caller.attempt(node, "GET", "/v1/nodes", patience=30)
            listed = json.loads(content)["nodes"]
            assert status == 200 and {each["name"] for each in listed} == {each.name for each in scene.nodes.members}, content
            assert [each["name"] for each in listed if each["self"]] == [node.name], content
            status, content = await scene.caller.attempt(node, "GET", "/readyz", patience=30)
            assert status == 200 and f"({node.name})".encode() in content, content

    play(cluster, seed, test)


def test_a_change_at_any_node_is_read_at_once_at_every_other(cluster, seed):
    async def test(scene: Scene) -> None:
        added = []
        for number in range(60):
            node = scene.nodes.members[number % len(scene.nodes.members)]
            status, answer = await scene.add(node, f"e{number}")
            assert status == 201, answer
            added.append(f"e{number}")
            for other in scene.nodes.members:
                for state in ("working", "published"):
                    assert await scene.shown(other, state) == added, f"{other.name} after a change at {node.name}"
        for other in scene.nodes.members:
            # A new stream begins with what was acknowledged.
            await follow(follower := scene.follower("new"), other, 1)
            assert [each["id"] for each in follower.copies[scene.director].sections[0]["elements"]][1:] == added

    play(cluster, seed, test)


def test_a_director_that_is_deleted_is_gone_at_every_node(cluster, seed):
    async def test(scene: Scene) -> None:
        epochs = set()
        for number in range(6):
            node, other = scene.rng.sample(scene.nodes.members, min(2, len(scene.nodes.members)))
            epochs.add((await scene.ask(node, "GET"))[1]["epoch"])
            assert (await scene.ask(node, "DELETE"))[0] == 204
            assert {(await scene.ask(each, "GET"))[0] for each in scene.nodes.members} == {404}
            assert (await scene.ask(other, "PUT", "", {"kind": "table"}))[0] == 201
            assert {(await scene.ask(each, "GET"))[0] for each in scene.nodes.members} == {200}
        assert len(epochs) == 6, "a new life has another epoch"

    play(cluster, seed, test)


def test_a_stream_moves_from_node_to_node(cluster, seed):
    async def test(scene: Scene) -> None:
        follower = scene.follower("wanderer")
        for number in range(30):
            status, _ = await scene.add(scene.rng.choice(scene.nodes.members), f"e{number}")
            assert status == 201
            # The beginning, and the changeset since the node before; the first time a snapshot alone.
            await follow(follower, scene.nodes.members[number % len(scene.nodes.members)], 1 if number == 0 else 2)
        _, found = await scene.ask(scene.nodes.members[0], "GET")
        assert follower.copies[scene.director].version == found["version"] and scene.ledger.counts["resumed"] == 29

    play(cluster, seed, test)


def test_a_key_that_is_repeated_at_another_node_has_the_same_answer(cluster, seed):
    async def test(scene: Scene) -> None:
        body, path = {"value": {"id": "once"}}, f"/sections/{FIXED}/elements?reload=true"
        first = await scene.ask(scene.nodes.members[0], "POST", path, body, Idempotency_Key="the-key")
        assert first[0] == 201
        for node in scene.nodes.members:
            assert await scene.ask(node, "POST", path, body, Idempotency_Key="the-key") == first, node.name
            other = await scene.ask(node, "POST", path, {"value": {"id": "twice"}}, Idempotency_Key="the-key")
            assert other[0] == 422, (node.name, other)
        # At all nodes at the same moment, it is done once.
        body = {"value": {"id": "again"}}
        answers = await asyncio.gather(*[
            scene.client(each.name).until_answered(
                "POST", scene.path + path, body, Idempotency_Key="another")
            for each in scene.nodes.members])
        assert len(set(answers)) == 1, answers
        for node in scene.nodes.members:
            assert await scene.shown(node) == ["once", "again"]

    play(cluster, seed, test)


def test_a_refresh_reaches_the_subscribers_of_all_nodes(cluster, seed):
    async def test(scene: Scene) -> None:
        followers = [scene.follower(each.name) for each in scene.nodes.members]
        following = [asyncio.create_task(follow(follower, node, 1000))
                     for follower, node in zip(followers, scene.nodes.members)]

        async def are_there() -> bool:
            return all(scene.director in each.copies for each in followers)

        assert await holds(are_there)
        for count, node in enumerate(scene.nodes.members, start=1):
            status, answer = await scene.ask(node, "POST", "/refresh", {})
            assert status in (200, 202, 204), answer

            async def are_told() -> bool:
                return all(each.refreshes >= count for each in followers)

            assert await holds(are_told), [each.refreshes for each in followers]
        assert {each.refreshes for each in followers} == {len(scene.nodes.members)}, "each is told once"
        await cancel(following)

    play(cluster, seed, test)


def test_the_internal_listener_wants_the_secret(cluster, seed):
    async def test(scene: Scene) -> None:
        listed = json.loads((await scene.caller.attempt(scene.nodes.members[0], "GET", "/v1/nodes", patience=30))[1])["nodes"]
        for each in listed:
            host, _, port = each["url"].removeprefix("http://").rpartition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"DELETE {scene.path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.read(), 60)
            writer.close()
            assert not answer or answer.split(b" ")[1][:1] == b"4", answer
        assert (await scene.ask(scene.nodes.members[0], "GET"))[0] == 200

    play(cluster, seed, test)


@pytest.mark.parametrize("fixed", SEEDS)
def test_what_was_told_is_true_after_faults_of_every_kind(program, database_folder, fixed):
    terms = nodes.Terms(seconds=SECONDS, subscribers=60)
    faults, shown = nodes.run(program, database_folder, fixed, terms)
    print(shown)
    assert not faults, "\n".join([*faults, shown, *logs(database_folder)])


def logs(folder: Path) -> list[str]:
    """The ends of the nodes' logs."""
    return [f"{file.name}:\n" + "\n".join(file.read_text(errors="replace").splitlines()[-15:]) for file in folder.glob("*.log")]
