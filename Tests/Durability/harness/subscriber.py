"""A client that follows directors, keeps its copies by changesets alone, and comes back at its last id."""

import random
import threading
import time

from harness.model import digest
from harness.process import Server
from harness.view import VIEW, is_id_of
from harness.wire import Cut, EventStream
from harness.witness import Witness
from support.replica import DoesNotFit, Replica

RETRY = 0.02


class Subscriber:
    """Follows until `close`; it drops its own connection now and then, besides what the server's end does to it."""

    def __init__(self, name: str, directors: list[str], server: Server, witness: Witness, rng: random.Random):
        self.name, self.directors, self.server, self.witness, self.rng = name, directors, server, witness, rng
        self.copies: dict[str, Replica] = {}
        self.last_id: str | None = None
        self.changesets = self.resumed = 0
        self._closing = threading.Event()
        self._stream: EventStream | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the stream, whatever it is doing at the moment."""
        self._closing.set()
        while self._thread.is_alive():
            if stream := self._stream:
                stream.close()
            self._thread.join(timeout=0.1)

    def is_at(self, versions: dict[str, int]) -> bool:
        """Whether all copies are at these versions."""
        return all(name in self.copies and self.copies[name].version == versions[name] for name in self.directors)

    def _run(self) -> None:
        while not self._closing.is_set():
            port = self.server.port
            if port is None:
                time.sleep(RETRY)
                continue
            try:
                self._follow(port)
            except Cut:
                time.sleep(RETRY)
            except DoesNotFit as misfit:
                self.fault(f"a changeset does not fit: {misfit}")
                self._start_anew()
            except Exception as error:
                self.fault(f"{type(error).__name__}: {error}")
                self._start_anew()

    def _start_anew(self) -> None:
        self.copies.clear()
        self.last_id = None
        time.sleep(RETRY)

    def _follow(self, port: int) -> None:
        query = ["catchup=each"] if (each := self.rng.random() < 0.3) else []
        target = f"/v1/directors/{self.directors[0]}/changesets"
        if len(self.directors) > 1:
            target, query = "/v1/changesets", query + [f"director={name}" for name in self.directors]
        if query:
            target += "?" + "&".join(query)
        self._opened: set[str] = set()
        # Up to which version a stream that was asked for each changeset brings them one by one; later it may be late.
        self._each: dict[str, int] = {}
        self._stream = stream = EventStream(port, target, self.last_id)
        left = self.rng.randint(3, 80)
        try:
            if stream.status != 200:
                if self.last_id and self.server.port == port:
                    self.fault(f"came back at {self.last_id} and was answered {stream.status}")
                raise Cut(f"status {stream.status}")
            for name, identifier, data in stream.events():
                if name == "resumed" and each:
                    self._each[data["director"]] = data["version"]
                self._take(name, identifier, data)
                left -= 1
                if left == 0 or self._closing.is_set():
                    return
        finally:
            stream.close()
            stream.release()
            self._stream = None

    def _take(self, name: str, identifier: str, data: dict) -> None:
        director = data.get("director", self.directors[0])
        copy = self.copies.get(director)
        match name:
            case "snapshot":
                if copy is not None and not self._is_too_late(copy, data):
                    self.fault(f"came back to {director} at {self.last_id} and got a snapshot: {data.get('reset')}")
                copy = self.copies[director] = Replica()
                copy.snapshot(data)
            case "resumed":
                if copy is None or director in self._opened:
                    return self.fault(f"`resumed` for {director}, of which there is no copy, or a second time")
                self.resumed += 1
                if data["from"] != copy.version or data["version"] < data["from"]:
                    self.fault(f"came back at {self.last_id} and resumed from {data['from']} to {data['version']}")
                self._opened.add(director)
                self.last_id = identifier
                return self.witness.version(self.name, director, copy.epoch, data["version"])
            case "changeset":
                if director not in self._opened:
                    self.fault(f"a changeset of {director} came before `snapshot` or `resumed`")
                # A view has no number for a version of its source that has left it as it was.
                if director != VIEW and data["from"] + 1 < data["version"] <= self._each.get(director, 0):
                    self.fault(f"asked for each changeset, got one from {data['from']} to {data['version']}")
                copy.changeset(data)
                self.changesets += 1
            case "heartbeat" if director in self._opened and self.directors == [VIEW]:
                self.last_id = identifier
                return
            case _:
                return
        self._opened.add(director)
        if not is_id_of(identifier, director, copy.epoch, copy.version):
            self.fault(f"{director} is at {copy.epoch}-{copy.version} and the event's id is {identifier!r}")
        self.last_id = identifier
        self.witness.version(self.name, director, copy.epoch, copy.version, digest(copy.sections))

    def _is_too_late(self, copy: Replica, data: dict) -> bool:
        """Whether the copy is so old that the server need not know its version any more, and says so."""
        behind = data["version"] - copy.version
        return data["epoch"] == copy.epoch and "reset" in data and behind >= self.witness.retained - 1

    def fault(self, text: str) -> None:
        self.witness.fault(f"{self.name}: {text}")
