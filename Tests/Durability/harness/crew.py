"""Writers, subscribers and a reader at work on one server."""

import contextlib
import random
import threading
import time
from pathlib import Path

from harness.dice import Dice
from harness.model import ListModel, digest
from harness.mutation import Mutation
from harness.process import Server
from harness.subscriber import Subscriber
from harness.verify import check_sightings, differences, read, verify
from harness.view import VIEW, check, definition, derived
from harness.wire import Connection, Cut
from harness.witness import Witness
from harness.writer import Writer

CONVERGE_LIMIT = 20.0
SHARED_WRITERS = 3


class Crew:
    """Makes the directors, then works in phases between which the server may be killed.

    Two directors have one writer each, who knows all about them; one is shared by writers that own a section each, so
    that mutations of one director meet in one commit; one is deleted and made again all the time. A view of the first of them is
    followed as well, where the server has views.
    """

    def __init__(self, server: Server, folder: Path, rng: random.Random, tolerates_failures: bool = False,
                 depth: int = 3, retained: int = 1024, logs: bool = True, has_views: bool = False):
        """`retained` is how many versions the server keeps; without `logs`, no request is written down."""
        self.server, self.folder, self.rng, self.retained, self.logs = server, folder, rng, retained, logs
        self.witness = Witness(retained)
        self.writers: list[Writer] = []
        self.subscribers: list[Subscriber] = []
        self.directors = ["alpha", "beta", "shared"]
        self.views = [VIEW] if has_views else []
        self._threads: list[threading.Thread] = []
        self._stop = threading.Event()
        options = {"depth": depth, "tolerates_failures": tolerates_failures}
        for name in ("alpha", "beta"):
            self._add_writer(f"sole-{name}", Dice(self._rng(), name, f"sole-{name}"), ListModel(exists=False), options)
        churning = Dice(self._rng(), "churning", "churn", churns=True)
        self._add_writer("churn", churning, ListModel(exists=False), options)
        for number in range(SHARED_WRITERS):
            name = f"share{number}"
            dice = Dice(self._rng(), "shared", name, scope=f"section-{number}")
            self._add_writer(name, dice, ListModel(), options | {"is_exact": False})

    def set_up(self) -> None:
        """Makes the directors and begins to follow them."""
        with Connection(self.server.port) as connection:
            for writer in self.writers:
                if writer.is_exact:
                    for _ in range(2):
                        writer.send(connection, writer.dice.mutation(writer.sure))
                        writer.settle(connection.receive())
            self._set_up_shared(connection)
            for view in self.views:
                assert connection.put(f"/v1/directors/{view}", definition("alpha")).status == 201
        follow = [["alpha"], ["beta"], ["shared"], ["alpha", "shared"]] + [names for each in self.views
                                                                           for names in ([each], ["alpha", each])]
        self.subscribers = [
            Subscriber(f"subscriber-{number}", names, self.server, self.witness, self._rng())
            for number, names in enumerate(follow)]

    def _set_up_shared(self, connection: Connection) -> None:
        def perform(operation: dict):
            answer = connection.call(Mutation("shared", [operation]).request())
            assert answer.is_success, answer
            return answer

        epoch = perform({"op": "createDirector"}).json()["epoch"]
        perform({"op": "putAdapter", "model": "Item", "cell": "Cell"})
        for writer in self.writers:
            if not writer.is_exact:
                perform({"op": "addSections", "sections": [{"id": writer.dice.scope}]})
                writer.sure = ListModel(epoch=epoch, adapters={"Item": "Cell"})
                writer.sure.perform([{"op": "addSections", "sections": [{"id": writer.dice.scope}]}])

    def begin(self) -> None:
        """Lets the writers and the reader work; returns at once."""
        self._stop.clear()
        port = self.server.port
        runs = [(writer.run, (port, self._stop)) for writer in self.writers] + [(self._watch, (port,))]
        self._threads = [threading.Thread(target=self._guarded, args=run, daemon=True) for run in runs]
        for thread in self._threads:
            thread.start()

    def rest(self, limit: float) -> bool:
        """Asks the writers to stop; whether all have within the limit. What was sent is waited for, in any case."""
        self._stop.set()
        deadline = time.monotonic() + limit
        for thread in self._threads:
            thread.join(timeout=max(0, deadline - time.monotonic()))
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        return not self._threads

    def end(self) -> None:
        """Stops the writers and waits until they are done; what a killed server did not answer stays unknown."""
        if not self.rest(60):
            self.witness.fault("a writer hangs: the server neither answers nor ends the connection")
            self._threads = []

    def verify(self) -> None:
        """Checks a server that has just started; the writers rest."""
        try:
            verify(self.writers, self.witness, self.server.port)
            if self.views:
                with Connection(self.server.port) as connection:
                    check(self.witness, connection, "alpha")
        except (Cut, AssertionError, KeyError, ValueError) as error:
            self.witness.fault(f"while checking: {type(error).__name__}: {error}")

    def check_reads(self) -> None:
        """Checks by reading alone that a server shows what was acknowledged and nothing else.

        The writers rest. One may still wait for an answer: what it has sent must not be seen before that.
        """
        waiting = len(self._threads)
        try:
            with Connection(self.server.port) as connection:
                for writer in self.writers:
                    if writer.pending and not waiting:
                        writer.fault("the connection ended without an answer, and nobody had killed the server")
                    found = read(connection, writer.director)
                    if wrong := differences(writer, writer.sure, found):
                        writer.fault(f"while the disk fails, {writer.failed} refused: " + "; ".join(wrong[:6]))
                    elif found.exists:
                        check_sightings(self.witness, connection, writer.director, found)
        except (Cut, AssertionError, KeyError, ValueError) as error:
            self.witness.fault(f"while reading: {type(error).__name__}: {error}")

    def converge(self) -> None:
        """Publishes everything and waits until every subscriber shows it."""
        versions, shown = {}, {}
        with Connection(self.server.port) as connection:
            for name in self.directors:
                connection.call(Mutation(name, []).request())
            for name in [*self.directors, *self.views]:
                versions[name] = connection.get(f"/v1/directors/{name}").json()["version"]
                page = connection.get(f"/v1/directors/{name}/sections?limit=10000&state=published").json()
                shown[name] = digest(page["sections"])
            for view in self.views:
                page = connection.get("/v1/directors/alpha/sections?limit=10000&state=published").json()
                shown[view] = digest(derived(page["sections"]))
            for writer in self.writers:
                if writer.is_exact and writer.sure.exists:
                    writer.sure.publish()
        deadline = time.monotonic() + CONVERGE_LIMIT
        for subscriber in self.subscribers:
            while not subscriber.is_at(versions) and time.monotonic() < deadline:
                time.sleep(0.01)
            for name in subscriber.directors:
                copy = subscriber.copies.get(name)
                if copy is None or copy.version != versions[name]:
                    at = copy.version if copy else None
                    self.witness.fault(f"{subscriber.name} is at {at} of {name}, the server at {versions[name]}")
                elif digest(copy.sections) != shown[name]:
                    self.witness.fault(f"{subscriber.name} shows another list than {name} at {versions[name]}")

    def close(self) -> None:
        """Ends all clients."""
        self.end()
        for subscriber in self.subscribers:
            subscriber.close()
        for writer in self.writers:
            writer.close()

    def counts(self) -> dict[str, int]:
        """What was done, for a line of the report."""
        total = {name: sum(getattr(each, name) for each in self.writers)
                 for name in ("acknowledged", "refused", "failed", "repeated")}
        return total | {name: sum(getattr(each, name) for each in self.subscribers)
                        for name in ("changesets", "resumed")}

    def _watch(self, port: int) -> None:
        """Reads directors all the time and notes how far each was shown to be."""
        rng = random.Random(port)
        with contextlib.suppress(Cut), Connection(port) as connection:
            while not self._stop.wait(0.005):
                name = rng.choice(self.directors)
                director = connection.get(f"/v1/directors/{name}").json()
                self.witness.revision("a reader", name, director["epoch"], director["revision"])
                self.witness.version("a reader", name, director["epoch"], director["version"])

    def _guarded(self, run, arguments: tuple) -> None:
        try:
            run(*arguments)
        except Exception as error:
            self.witness.fault(f"{type(error).__name__} in a client: {error}")

    def _add_writer(self, name: str, dice: Dice, model: ListModel, options: dict) -> None:
        log = self.folder / f"{name}.jsonl" if self.logs else None
        self.writers.append(Writer(name, dice, model, self.witness, log, **options))

    def _rng(self) -> random.Random:
        return random.Random(self.rng.getrandbits(64))
