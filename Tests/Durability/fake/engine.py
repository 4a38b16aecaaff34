"""The fake server's directors: the harness's own model, stored record by record, with the faults that are asked for."""

import os
import random
import secrets
import sqlite3
import threading
import time
from dataclasses import dataclass, field

from fake.store import Store
from harness.model import ListModel, Refused

# Every way in which the fake can fail, and what a user would have seen.
FAULTS = {
    "": "nothing is wrong",
    "forget-one": "an acknowledged mutation is not stored",
    "no-sync": "mutations are acknowledged before they are on disk: a loss of power takes them",
    "store-late": "mutations are acknowledged before they are stored",
    "reorder-records": "two mutations come back in the other order",
    "keep-refused": "a batch that was refused is there after a restart",
    "half-batch": "a batch is stored one operation at a time",
    "repeat-changeset": "a changeset is sent twice",
    "skip-changeset": "a changeset is left out",
    "swap-changesets": "two changesets are sent in the other order",
    "ignore-keys": "a repeated POST is performed again",
    "forget-keys": "a POST repeated after a restart is performed again",
    "show-first": "a version is shown before it is stored",
    "new-epoch": "a director begins another life at a restart",
    "forget-hidden": "a row that is hidden comes back without its elements",
    "evaluate-late": "a restart evaluates rows with the variables that are set by then",
    "reset-version": "versions count from the beginning after a restart",
    "leak": "descriptors and memory are never given back",
    "acknowledge-failed": "a mutation that could not be stored is acknowledged",
    "keep-failed": "a mutation that could not be stored is shown all the same",
    "guess": "a mutation whose sync failed is refused, and is there after a kill",
    "stay-down": "after a failed write nothing is stored any more",
    "say-ready": "readiness does not know of failed writes",
    "careless": "damage to the folder goes unnoticed",
}


@dataclass
class Director:
    """One director with all its versions and answers."""

    model: ListModel
    versions: dict[int, list[dict]] = field(default_factory=lambda: {0: []})
    answers: dict[str, tuple[int, tuple]] = field(default_factory=dict)


class Engine:
    """All directors, under one lock; `changed` tells the streams."""

    def __init__(self, store: Store | None, fault: str):
        self.store, self.fault = store, fault
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.directors: dict[str, Director] = {}
        self.is_failing = self.is_in_doubt = False
        self.leaked: list = []
        self._rng = random.Random()
        self._late: list[dict] = []
        self._recover()
        if fault == "leak":
            threading.Thread(target=self._leak, daemon=True).start()
        if fault == "store-late":
            threading.Thread(target=self._store_late, daemon=True).start()

    def _recover(self) -> None:
        records = [each for each in self.store.records() if "probe" not in each] if self.store else []
        if self.fault == "reorder-records" and len(records) > 30:
            place = next((index for index in range(len(records) - 8, 0, -1) if records[index]["director"] == "alpha"
                          and records[index - 1]["director"] == "alpha"), 1)
            records[place - 1:place + 1] = reversed(records[place - 1:place + 1])
        for record in records:
            try:
                self._apply(record)
            except (Refused, AttributeError):
                if self.fault == "":
                    raise
        for director in self.directors.values():
            if self.fault == "new-epoch":
                director.model.epoch = secrets.token_hex(5)
            if self.fault == "forget-hidden":
                forget_hidden(director.model)
            if self.fault == "evaluate-late" and director.model.version:
                director.model.published = director.versions[director.model.version] = director.model.shown()
            if self.fault == "reset-version":
                director.versions = {0: director.model.published}
                director.model.version = 0

    def _apply(self, record: dict) -> None:
        """One stored record."""
        director = self.directors.setdefault(record["director"], Director(ListModel(exists=False)))
        model = director.model.copy()
        model.perform(record["operations"])
        self._take(record["director"], model, record)

    def _take(self, name: str, model: ListModel, record: dict) -> None:
        """The state after a record, which is stored."""
        if not model.exists:
            self.directors.pop(name, None)
            return
        before = self.directors[name]
        if not before.model.exists or "epoch" in record:
            before = self.directors[name] = Director(model)
            model.epoch = record["epoch"]
        if record["reload"] and model.publish():
            before.versions[model.version] = model.published
        before.model = model
        if record["key"] and self.fault != "forget-keys":
            before.answers[record["key"]] = record["fingerprint"], tuple(record["answer"] or ())

    def perform(self, name: str, operations: list[dict], reload: bool, key: str | None, fingerprint: int,
                if_match: int | None, answer) -> tuple:
        """A mutation: `answer` makes the answer from the new model. Raises `Refused`, or `sqlite3.Error`."""
        with self.lock:
            director = self.directors.get(name)
            creates = operations and operations[0]["op"] == "createDirector"
            if director is None and not creates:
                raise Refused(404, f"no director {name}")
            director = director or Director(ListModel(exists=False))
            if key in director.answers and self.fault != "ignore-keys":
                stored, first = director.answers[key]
                if stored != fingerprint:
                    raise Refused(422, "the key was used for another request")
                return first
            if if_match is not None and if_match != director.model.revision:
                raise Refused(412, "another revision")
            record = {"director": name, "operations": operations, "reload": reload, "key": key,
                      "fingerprint": fingerprint} | ({"epoch": secrets.token_hex(5)} if creates else {})
            model = director.model.copy()
            try:
                model.perform(operations)
            except Refused:
                if self.fault == "keep-refused" and len(operations) > 2:
                    self._append(record | {"operations": operations[:2], "reload": False, "answer": ()})
                raise
            after = model.copy()
            if creates:
                after.epoch = record["epoch"]
            changed = reload and after.exists and after.publish()
            record["answer"] = answer(after, changed)
            self._store(name, director, model, record)
            return record["answer"]

    def _store(self, name: str, director: Director, model: ListModel, record: dict) -> None:
        self.directors[name] = director
        if self.fault == "show-first" and record["reload"]:
            self._take(name, model, record)
            self.changed.notify_all()
            self.lock.release()
            time.sleep(0.05)
            self.lock.acquire()
            return self._append(record)
        try:
            self._append(record)
        except sqlite3.Error:
            self.is_failing = self.fault != "say-ready"
            if self.fault == "keep-failed":
                director.model = model
            if self.fault != "acknowledge-failed":
                if not director.model.exists:
                    self.directors.pop(name, None)
                raise
        self._take(name, model, record)
        self.changed.notify_all()

    def _append(self, record: dict) -> None:
        if self.store is None or self.fault == "forget-one" and self._rng.random() < 0.03 and record["operations"]:
            return
        if self.fault == "stay-down" and self.is_failing:
            raise sqlite3.OperationalError("disk I/O error")
        if self.is_in_doubt:
            raise sqlite3.OperationalError("an earlier record is in doubt")
        if self.fault == "store-late":
            self._late.append(record)
        elif self.fault == "half-batch" and len(record["operations"]) > 1:
            for each in record["operations"]:
                self.store.append(record | {"operations": [each], "reload": False, "key": None})
                time.sleep(0.01)
            self.store.append(record | {"operations": []})
        else:
            self._append_or_wait(record)
        self.is_failing = False

    def _append_or_wait(self, record: dict) -> None:
        """Stores a record; after a failure waits, without the lock, until it is known whether it is stored."""
        try:
            return self.store.append(record)
        except sqlite3.Error as error:
            if self.fault in ("guess", "stay-down") or "full" in str(error) or "readonly" in str(error):
                raise
            failure = error
        self.is_in_doubt = self.is_failing = True
        while True:
            self.lock.release()
            time.sleep(0.02)
            self.lock.acquire()
            try:
                is_stored = self.store.settle(record)
            except sqlite3.Error:
                continue
            self.is_in_doubt = False
            if not is_stored:
                raise failure
            return None

    def _store_late(self) -> None:
        while True:
            time.sleep(0.1)
            with self.lock:
                late, self._late = self._late, []
                for record in late:
                    self.store.append(record)

    def is_ready(self) -> bool:
        """Whether mutations can be stored, as far as is known; asks the disk again where they could not."""
        with self.lock:
            if self.is_in_doubt:
                return False
            if self.is_failing and self.fault != "stay-down":
                try:
                    self.store.probe()
                    self.is_failing = False
                except sqlite3.Error:
                    return False
            return not self.is_failing

    def _leak(self) -> None:
        """Holds on to a descriptor and some memory, ten times a second however fast the machine is."""
        while True:
            self.leaked.append((os.dup(0), b"x" * 500_000))
            time.sleep(0.1)


def forget_hidden(model: ListModel) -> None:
    """Empties the model rows that show nothing."""
    shown = {each.get("row") for section in model.shown() for each in section["elements"]}
    for section in model.sections:
        for row in section.get("rows", []):
            if row["id"] not in shown and row["type"] == "model":
                row["elements"].clear()
