"""A client that changes a list and keeps account of what it was told."""

import json
import random
from collections import deque
from pathlib import Path
from threading import Event

from harness.dice import Dice, performed
from harness.model import ListModel, digest
from harness.mutation import Expected, Mutation
from harness.wire import Answer, Connection, Cut
from harness.witness import Witness

# Answers that are asked for again; far fewer than a server remembers for each director.
REMEMBERED = 300


class Writer:
    """One writer, and all it knows of its director or, in a director that it shares, of its section and variables.

    `sure` is what was acknowledged. `pending` was sent and not answered yet: after a cut those are unknown, and the
    server may have performed the first of them up to some point, each as a whole.
    """

    def __init__(self, name: str, dice: Dice, model: ListModel, witness: Witness, log: Path | None,
                 depth: int = 3, is_exact: bool = True, tolerates_failures: bool = False):
        self.name, self.dice, self.sure, self.witness = name, dice, model, witness
        self.depth, self.is_exact, self.tolerates_failures = depth, is_exact, tolerates_failures
        self.pending: list[Mutation] = []
        self.remembered: deque[tuple[Mutation, bytes, Answer]] = deque(maxlen=REMEMBERED)
        self.acknowledged = self.refused = self.failed = self.repeated = self.keyed = 0
        self.pause = 0.0
        # What could not be stored and is sent once more as it was, with its key; only for a depth of 1.
        self.again: Mutation | None = None
        self._log = log.open("a") if log else None

    @property
    def director(self) -> str:
        return self.dice.director

    @property
    def rng(self) -> random.Random:
        return self.dice.rng

    def run(self, port: int, stop: Event) -> None:
        """Sends mutations over one connection until `stop` or until the connection ends."""
        try:
            with Connection(port) as connection:
                while not stop.wait(self.pause) if self.pause else not stop.is_set():
                    self.step(connection)
                while self.pending:
                    self.settle(connection.receive())
        except Cut as cut:
            self.note("cut", reason=str(cut), unknown=[each.number for each in self.pending])

    def step(self, connection: Connection) -> None:
        """One turn: something is repeated, or requests are sent and one answer is taken."""
        if not self.pending and self.remembered and self.rng.random() < 0.05:
            return self.repeat(connection, *self.rng.choice(self.remembered))
        ahead = self.sure
        for each in self.pending:
            ahead = self.after(each, ahead)
        while len(self.pending) < self.rng.randint(1, self.depth):
            mutation, self.again = self.again or self.dice.mutation(ahead), None
            ahead = self.after(mutation, ahead)
            self.send(connection, mutation)
        self.settle(connection.receive())

    def send(self, connection: Connection, mutation: Mutation) -> None:
        self.pending.append(mutation)
        self.note("sent", **mutation.describe())
        connection.send(mutation.request())

    @staticmethod
    def after(mutation: Mutation, model: ListModel) -> ListModel:
        """The model after a mutation was answered as it should be."""
        return performed(mutation, model) if mutation.expected is Expected.ACCEPTED else model

    def settle(self, answer: Answer) -> None:
        """Books the answer to the oldest request."""
        mutation = self.pending.pop(0)
        self.note("answered", number=mutation.number, status=answer.status, tag=answer.fields.get("etag"))
        if answer.status >= 500:
            return self._book_failure(mutation, answer)
        if mutation.expected is Expected.REFUSED:
            self.refused += 1
            if answer.is_success:
                self.fault(f"mutation {mutation.number} has to be refused and was answered {answer.status}")
        elif not answer.is_success:
            self.fault(f"mutation {mutation.number} fits and was answered {answer.status}: {answer.body[:300]!r}")
        else:
            self._book(mutation, answer)
        if mutation.is_keyed:
            self.keyed += 1
            self.remembered.append((mutation, mutation.request(), answer))

    def _book(self, mutation: Mutation, answer: Answer) -> None:
        self.acknowledged += 1
        self.sure = performed(mutation, self.sure)
        self.forget_if_deleted(mutation)
        if mutation.operations and mutation.operations[0]["op"] == "createDirector":
            self.sure.epoch = answer.json()["epoch"]
        if not self.sure.exists:
            return
        revision = answer.revision
        if mutation.operations:
            self.witness.acknowledged(f"{self.name}/{mutation.number}", self.director, self.sure.epoch, revision)
        if not self.is_exact:
            return
        if revision != self.sure.revision:
            self.fault(f"mutation {mutation.number} was answered r{revision}; it leads to r{self.sure.revision}")
        if mutation.reload:
            self.witness.version(
                self.name, self.director, self.sure.epoch, self.sure.version, digest(self.sure.published))
            if (mutation.is_batch or not mutation.operations) and answer.json()["version"] != self.sure.version:
                self.fault(f"mutation {mutation.number} published {answer.json()['version']}, not {self.sure.version}")

    def _book_failure(self, mutation: Mutation, answer: Answer) -> None:
        """A 5xx: nothing was done, as if it had been refused, and the key is as good as new."""
        self.failed += 1
        if self.depth == 1 and self.rng.random() < 0.5:
            self.again = mutation
        if not self.tolerates_failures:
            return self.fault(f"mutation {mutation.number} was answered {answer.status}: {answer.body[:300]!r}")
        kind = answer.fields.get("content-type", "")
        if answer.status not in (503, 507) or kind != "application/problem+json":
            self.fault(f"a mutation that could not be stored was answered {answer.status} as {kind}; 503 or 507 and "
                       "application/problem+json are due")
        elif answer.json().get("status") != answer.status:
            self.fault(f"the problem of a {answer.status} says status {answer.json().get('status')}")

    def repeat(self, connection: Connection, mutation: Mutation, request: bytes, first: Answer) -> None:
        """Sends a request with its Idempotency-Key once more: the first answer has to come again.

        A refusal changes nothing, so it may be found anew instead, in other words, but it stays one.
        """
        answer = connection.call(request)
        self.repeated += 1
        if not (answer.same_as(first) if first.is_success else 400 <= answer.status < 500):
            self.fault(f"the Idempotency-Key of mutation {mutation.number} was answered {first.status} "
                       f"{first.fields.get('etag')} and now {answer.status} {answer.fields.get('etag')}: "
                       f"{answer.body[:200]!r}")
        head, _, body = request.partition(b"\r\n\r\n")
        if first.is_success and body.startswith(b"{") and self.rng.random() < 0.3:
            # A space less or more is another body.
            other = head.replace(b"Content-Length: %d" % len(body), b"Content-Length: %d" % (len(body) + 1))
            answer = connection.call(other + b"\r\n\r\n" + body + b" ")
            if answer.status != 422:
                self.fault(f"the Idempotency-Key of mutation {mutation.number} with another body: {answer.status}")

    def forget_if_deleted(self, mutation: Mutation) -> None:
        """The answers of a director that is gone are gone with it."""
        if any(operation["op"] == "deleteDirector" for operation in mutation.operations):
            self.remembered.clear()

    def fault(self, text: str) -> None:
        self.note("fault", text=text)
        self.witness.fault(f"{self.name} ({self.director}): {text}")

    def note(self, what: str, **members) -> None:
        """One line of the round's log."""
        if self._log:
            self._log.write(json.dumps({"what": what, **members}) + "\n")

    def close(self) -> None:
        if self._log:
            self._log.close()
