"""Clients that follow lists, on one node after the other, by changesets alone."""

import asyncio
import json
import random
import time

from harness.async_http import Gone
from harness.ledger import Ledger
from harness.nodes import Node, Nodes
from harness.view import VIEW, is_id_of
from support.replica import DoesNotFit, Replica

# A node that says nothing for this long, not even a heartbeat, is left. (The nodes of these tests send one a second.)
SILENCE = 4.0


class Follower:
    """Follows one director, or several on one stream, and moves to another node all the time; comes back at its last id.

    It has to see every version once and in order, by way of one changeset each or one that spans several.
    """

    def __init__(self, name: str, directors: list[str], nodes: Nodes, ledger: Ledger, rng: random.Random):
        self.name, self.directors, self.nodes, self.ledger, self.rng = name, directors, nodes, ledger, rng
        self.copies: dict[str, Replica] = {}
        self.last_id: str | None = None
        self.node: Node | None = None
        self.refreshes = 0
        self._opened: set[str] = set()
        self._each: dict[str, int] = {}
        # When the last event came, and whether the stream has broken off since.
        self._heard = time.monotonic()
        self._is_away = False

    async def run(self) -> None:
        """Follows until it is cancelled."""
        while True:
            self.node = self.rng.choice(self.nodes.members)
            try:
                if (address := self.node.address) is not None:
                    await self.follow(self.node, address, self.rng.randint(3, 60))
            except (Gone, TimeoutError):
                self.ledger.counts["streams that broke off"] += 1
                self._is_away = True
            except DoesNotFit as misfit:
                self.fault(f"a changeset does not fit: {misfit}")
                self.copies.clear()
                self.last_id = None
            await asyncio.sleep(self.rng.uniform(0.02, 0.2))

    async def follow(self, node: Node, address, count: int) -> None:
        """Takes some events from one node."""
        query = ["catchup=each"] if (each := self.rng.random() < 0.3) else []
        target = f"/v1/directors/{self.directors[0]}/changesets"
        if len(self.directors) > 1:
            target, query = "/v1/changesets", query + [f"director={name}" for name in self.directors]
        self._opened, self._each = set(), {}
        async with asyncio.timeout(SILENCE) as limit:
            connection = await address.connect()
            try:
                fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last_id} if self.last_id else {})
                stream = await connection.ask("GET", f"{target}?{'&'.join(query)}", **fields)
                if stream.status != 200:
                    if stream.status != 503:
                        self.fault(f"came back at {self.last_id} and was answered {stream.status}")
                    raise Gone(f"status {stream.status}")
                async for name, identifier, text in stream.events():
                    self._hear()
                    # Where this program itself was late, the limit may be over although there is an event.
                    if not limit.expired():
                        limit.reschedule(asyncio.get_running_loop().time() + SILENCE)
                    if name != "changeset" or not self._take_known(identifier, text):
                        self.take(name, identifier, text, each)
                    if (count := count - 1) <= 0:
                        self.ledger.counts["moves to another node"] += 1
                        return
            finally:
                connection.abort()

    def _hear(self) -> None:
        """Notes that an event has come, and how long none did where the stream had broken off."""
        now = time.monotonic()
        if self._is_away:
            self.ledger.outages.append(now - self._heard)
        self._heard, self._is_away = now, False

    def _take_known(self, identifier: str, text: str) -> bool:
        """Goes on as somebody else has before, with the very same changeset; whether there was one."""
        director = self.directors[0]
        copy = self.copies.get(director)
        if len(self.directors) > 1 or copy is None or director not in self._opened or self._each:
            return False
        epoch, _, version = identifier.rpartition("-")
        if epoch != copy.epoch or not version.isdigit():
            return False
        sections = self.ledger.step(director, epoch, copy.version, int(version), text)
        if sections is None:
            return False
        copy.version, copy.sections, self.last_id = int(version), sections, identifier
        self.ledger.counts["changesets"] += 1
        return True

    def take(self, name: str, identifier: str, text: str, each: bool = False) -> None:
        """Notes one event, and a fault where it is not one that may come next; raises `DoesNotFit`."""
        data = json.loads(text)
        director = data.get("director", self.directors[0])
        copy = self.copies.get(director)
        match name:
            case "snapshot":
                if copy is not None:
                    self.fault(f"came back to {director} at {self.last_id} and got a snapshot: {data.get('reset')}")
                copy = self.copies[director] = Replica()
                copy.snapshot(data)
            case "resumed":
                if copy is None or director in self._opened:
                    return self.fault(f"`resumed` for {director}, of which there is no copy, or a second time")
                # Of a view, several numbers stand for one list: the checks by number below compare the lists.
                if director != VIEW and data["from"] != copy.version or data["version"] < data["from"]:
                    self.fault(f"came back at {self.last_id} and resumed from {data['from']} to {data['version']}")
                copy.version = data["from"]
                if each:
                    self._each[director] = data["version"]
                self._opened.add(director)
                self.last_id = identifier
                self.ledger.counts["resumed"] += 1
                return
            case "changeset":
                self._take_changeset(director, copy, data, text)
            case "heartbeat" if director in self._opened and self.directors == [VIEW]:
                self.last_id = identifier
                return
            case "refresh":
                self.refreshes += 1
                return
            case _:
                return
        self._opened.add(director)
        if not is_id_of(identifier, director, copy.epoch, copy.version):
            self.fault(f"{director} is at {copy.epoch}-{copy.version} and the event's id is {identifier!r}")
        self.last_id = identifier
        self.ledger.shown(f"{self.name} at {self.node.name if self.node else 'nowhere'}", director, copy.epoch, copy.version,
                          copy.sections)

    def _take_changeset(self, director: str, copy: Replica | None, data: dict, text: str) -> None:
        if copy is None or director not in self._opened:
            raise DoesNotFit(f"one of {director} came before `snapshot` or `resumed`")
        # A view has no number for a version of its source that has left it as it was.
        if director != VIEW and data["from"] + 1 < data["version"] <= self._each.get(director, 0):
            self.fault(f"asked for each changeset, got one from {data['from']} to {data['version']}")
        first = copy.version
        copy.changeset(data)
        self.ledger.counts["changesets"] += 1
        self.ledger.keep_step(director, copy.epoch, first, copy.version, text, copy.sections)

    def fault(self, text: str) -> None:
        self.ledger.fault(f"{self.name} at {self.node.name if self.node else 'nowhere'}: {text}")
