"""Several nodes on three PostgreSQL servers, and one fault at a time."""

import asyncio
import itertools
import time

import nodes
from harness.async_http import cancel
from harness.node_faults import KILLED, STOPPED
from harness.node_writer import FIXED
from harness.postgres_cluster import NAMES
from harness.scene import Scene, catch_up, follow, outage, play
from harness.settled import holds

# What requests may take, at most, that have nothing to do with the fault.
UNHARMED = 1.0


def test_a_killed_owner_is_followed_by_another_node(cluster, seed):
    async def test(scene: Scene) -> None:
        victim = await scene.owner()
        await scene.add(victim, "before")
        found = await outage(scene, victim, victim.kill, KILLED)
        print(found)
        assert found.pause <= KILLED + found.late + found.others and found.others <= UNHARMED + found.late
        survivors = scene.others(victim)
        assert await scene.owner() in survivors
        assert (await scene.add(survivors[0], "after"))[0] == 201
        await scene.start(victim)
        for node in scene.nodes.members:
            assert await scene.shown(node) == ["before", "after"]

    play(cluster, seed, test)


def test_a_stopped_owner_hands_its_directors_over(cluster, seed):
    async def test(scene: Scene) -> None:
        victim, statuses = await scene.owner(), []
        await scene.add(victim, "before")
        found = await outage(scene, victim, lambda: statuses.append(victim.stop()), STOPPED)
        print(found)
        assert statuses == [0], victim.tail()
        assert found.pause <= STOPPED + found.late + found.others and found.others <= UNHARMED + found.late
        assert await scene.owner() in scene.others(victim)
        await scene.start(victim)
        for node in scene.nodes.members:
            assert await scene.shown(node) == ["before"]

    play(cluster, seed, test)


def test_an_event_whose_owner_is_killed_is_delivered(cluster, seed):
    async def test(scene: Scene) -> None:
        receiver = nodes.Receiver(scene.ledger, scene.rng, refuses=1)
        hook = await receiver.start(scene.nodes.network.host)
        assert (await scene.ask(scene.nodes.members[0], "PUT", "/adapters/Item/events/didSelect",
                                {"url": f"{hook}/{scene.director}"}))[0] in (200, 201)
        victim = await scene.owner()
        reporter = nodes.Reporter("reporter", [scene.director], scene.nodes, scene.ledger, scene.rng, 0)
        for _ in range(5):
            await reporter.report(scene.director)

        async def is_tried() -> bool:
            return scene.ledger.counts["calls of hooks that were refused"] > 0

        assert await holds(is_tried)
        victim.kill()
        receiver.refuses = 0

        async def have_come() -> bool:
            return not scene.ledger.check_deliveries()

        try:
            assert await holds(have_come), scene.ledger.check_deliveries()
        finally:
            reporter.close()
            await receiver.stop()
            await scene.start(victim)

    play(cluster, seed, test)


def test_a_paused_owner_that_comes_back_has_lost_its_directors(cluster, seed):
    async def test(scene: Scene) -> None:
        victim, (other, *_) = await scene.owner(), scene.others(await scene.owner())
        await scene.add(victim, "before")
        epoch, revision = (await scene.ask(victim, "GET"))[1]["epoch"], (await scene.ask(victim, "GET"))[1]["revision"]
        follower = scene.follower("at the paused node")
        await follow(follower, victim, 1)
        victim.pause()
        try:
            # Sent while it stands still, upon what it knows: when it goes on, that is not the list any more.
            writing = asyncio.create_task(scene.client("somebody").attempt(
                victim, "POST", f"{scene.path}/sections/{FIXED}/elements?reload=true", {"value": {"id": "late"}}, patience=60,
                If_Match=f'"{epoch}-r{revision}"'))
            reading = asyncio.create_task(scene.client("a reader").attempt(
                victim, "GET", f"{scene.path}/sections/{FIXED}", patience=60))

            async def is_taken() -> bool:
                return (await scene.add(other, "meanwhile"))[0] == 201

            assert await holds(is_taken)
            assert not writing.done() and not reading.done()
        finally:
            victim.go_on()
        # What it answers the first moment is not what it held.
        assert await scene.shown(victim) == ["before", "meanwhile"]
        status, content = await writing
        assert status in (412, 503), content
        status, content = await reading
        assert status in (200, 503) and (status != 200 or b"meanwhile" in content), content
        assert (await scene.add(victim, "after"))[0] == 201
        for node in scene.nodes.members:
            assert await scene.shown(node) == ["before", "meanwhile", "after"]
        await catch_up(scene, follower, victim)

    play(cluster, seed, test)


def test_a_node_that_is_cut_from_the_database_goes_on_for_its_lease(cluster, cuts, seed):
    async def test(scene: Scene) -> None:
        victim, (other, *_) = await scene.owner(), scene.others(await scene.owner())
        await scene.add(victim, "before")
        follower = scene.follower("at the node that is cut off")
        following = asyncio.create_task(follow(follower, victim, 10_000))
        began = time.monotonic()
        cuts.cut(*[pair for name in NAMES for pair in ((victim.name, name), (name, victim.name))])
        try:
            # Reads go on for a while, and then it says that it does not know any more.
            assert await scene.shown(victim) == ["before"]

            async def is_refused() -> bool:
                return (await scene.ask(victim, "GET"))[0] == 503

            async def is_taken() -> bool:
                return (await scene.add(other, "meanwhile"))[0] == 201

            assert await holds(is_refused)
            assert time.monotonic() - began < 15, "a lease is 8 s"
            assert (await scene.ask(victim, "PUT", f"/sections/{FIXED}x", {}))[0] == 503
            assert (await scene.caller.attempt(victim, "GET", "/readyz", patience=30))[0] == 503
            assert await holds(is_taken)
            # Its streams have ended, so that clients go elsewhere.
            await asyncio.wait_for(following, 60)
        finally:
            cuts.heal()
        assert await holds(scene.are_ready)
        assert await scene.shown(victim) == ["before", "meanwhile"]
        await catch_up(scene, follower, victim)

    play(cluster, seed, test)


def test_nodes_that_are_cut_from_each_other_say_so(cluster, cuts, seed):
    async def test(scene: Scene) -> None:
        owner, (one, *rest) = await scene.owner(), scene.others(await scene.owner())
        cuts.cut((one.name, owner.name), (owner.name, one.name))
        try:
            status, answer = await scene.caller.attempt(
                one, "POST", f"{scene.path}/sections/{FIXED}/elements?reload=true", {"value": {"id": "lost"}}, patience=30)
            # 504 leaves open whether it has been done: the owner may have it and cannot answer.
            assert status in (503, 504), answer
            for node in [owner, *rest]:
                assert (await scene.add(node, f"at-{node.name}"))[0] == 201
            # It still follows by way of the database.
            assert await scene.shown(one) == await scene.shown(owner)
        finally:
            cuts.heal()

        async def is_heard() -> bool:
            return (await scene.add(one, "found"))[0] == 201

        assert await holds(is_heard)

    play(cluster, seed, test)


def test_a_promoted_standby_has_all_that_was_acknowledged(cluster, seed):
    async def test(scene: Scene) -> None:
        added: list[str] = []
        writer = scene.client("the writer")

        async def write() -> None:
            for number in itertools.count():
                await writer.until_answered("POST", f"{scene.path}/sections/{FIXED}/elements?reload=true",
                                            {"value": {"id": f"e{number}"}}, Idempotency_Key=f"k{number}")
                added.append(f"e{number}")

        task = asyncio.create_task(write())
        for _ in range(2):
            await asyncio.sleep(0.5)
            await asyncio.to_thread(scene.nodes.database.primary.kill)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(scene.nodes.database.promote)
            before = len(added)

            async def goes_on() -> bool:
                return len(added) > before + 5

            assert await holds(goes_on) and not task.done()
        await cancel([task])
        assert await holds(scene.are_ready)
        for node in scene.nodes.members:
            # One may have been under way.
            assert (await scene.shown(node))[:len(added)] == added

    play(cluster, seed, test)
