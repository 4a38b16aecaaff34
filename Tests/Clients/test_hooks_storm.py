"""A thousand notifications arrive, in order for each hook, whatever happens to the receiver and the server."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable

import httpx
import pytest

from support import protocol
from support.hooks import BOOK, PATIENT, client_of, deliveries, done, eventually, fill, register
from support.receiver import CLOSES, CUTS, CUTS_HEAD, FAILS, FINE, HANGS, Call, Receiver, Reply

SEED = int(os.environ.get("CALLBOARD_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
HOOKS = {
    "/select": (f"{BOOK}/adapters/Person/events", "didSelect", {"indexPath": [0, 0]}),
    "/display": (f"{BOOK}/adapters/Pet/events", "willDisplay", {"indexPath": [1, 1]}),
    "/header": (f"{BOOK}/events", "willDisplayHeader", {"header": 0}),
    "/scroll": (f"{BOOK}/scroll-events", "didScroll", {}),
}
EACH = 250
# What a receiver does in one spell of bad weather.
WEATHER = {"fine": FINE, "500": FAILS, "hangs": HANGS, "closes": CLOSES, "cuts": CUTS, "cuts the head": CUTS_HEAD, "slow": Reply(wait=0.05),
           "404": Reply(404), "429": Reply(429, fields={"Retry-After": "0"})}


class Weather:
    """Changes what the receiver answers, and kills it and starts it again, until it is told to stop."""

    def __init__(self, receiver: Receiver, dice: random.Random):
        self.receiver, self.dice = receiver, dice
        self.now, self.kills, self.suffered = "fine", 0, Counter()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._change)
        for path in HOOKS:
            receiver.on(path, self._reply)
        self.thread.start()

    def _reply(self, _: Call) -> Reply:
        name = self.dice.choice(list(WEATHER)) if self.now == "mixed" else self.now
        self.suffered[name] += 1
        return WEATHER[name]

    def _change(self) -> None:
        spells = []
        while not self.stopped.wait(self.dice.uniform(0.1, 0.25)):
            # Every kind has its turn before one comes again.
            spells = spells or self.dice.sample([*WEATHER, "mixed", "killed", "killed"], len(WEATHER) + 3)
            spell = spells.pop()
            if spell == "killed":
                self.kills += 1
                self.receiver.kill()
                time.sleep(self.dice.uniform(0.02, 0.2))
                self.receiver.start()
            else:
                self.now = spell

    def clear(self) -> None:
        """Ends in fine weather."""
        self.stopped.set()
        self.thread.join()
        self.now = "fine"


class Reporter:
    """Reports the events of one hook, one after the other, each until it is acknowledged."""

    def __init__(self, path: str, url: Callable[[], str], faults: list[str]):
        self.path, self.url, self.faults = path, url, faults
        self.ids: list[str] = []
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        _, event, where = HOOKS[self.path]
        try:
            with protocol.client(timeout=60) as client:
                for number in range(EACH):
                    body = {"event": event, "parameters": {"number": number}} | where
                    self.ids.append(self._report(client, body, f"{self.path}-{number}"))
                    # Slowly enough that each kind of weather has its turn at least twice.
                    time.sleep(0.02)
        except Exception as error:
            self.faults.append(f"{self.path}: {error!r}")

    def _report(self, client: httpx.Client, body: dict, key: str) -> str:
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = client.post(f"{self.url()}{BOOK}/events", json=body, headers={"Idempotency-Key": key})
            except httpx.HTTPError:
                # The server was killed; whether it has taken the event is not known.
                assert time.monotonic() < deadline, "the server did not come back"
                time.sleep(0.02)
                continue
            assert answer.status_code == 202, answer.text
            return answer.json()["delivery"]


def check(receiver: Receiver, reporters: dict[str, Reporter], lives: list[float]) -> None:
    """Every event arrived under its one identifier; in one life of the server none came before or after its turn."""
    for path, reporter in reporters.items():
        calls = receiver.at(path)
        numbers = [call.data["parameters"]["number"] for call in calls]
        assert list(dict.fromkeys(numbers)) == list(range(EACH)), f"{path}: {numbers}"
        for call, number in zip(calls, numbers):
            assert call.id == reporter.ids[number], f"{path}: {number} came as {call.id}"
        for begin, end in zip(lives, [*lives[1:], float("inf")]):
            turn = [number for call, number in zip(calls, numbers) if begin <= call.at < end]
            steps = [after - before for before, after in zip(turn, turn[1:])]
            assert set(steps) <= {0, 1}, f"{path}, in one life of the server: {turn}"
    assert len({call.id for call in receiver.at()}) == len(HOOKS) * EACH


def prepare(client, receiver: Receiver) -> None:
    fill(client)
    for path, (target, event, _) in HOOKS.items():
        register(client, receiver, f"{target}/{event}", path, timeout="200ms")


def nothing_waits(client: httpx.Client) -> bool:
    """Whether no notification waits; asked twice, since at no node is for a moment what one hands to another."""
    if deliveries(client):
        return False
    time.sleep(0.5)
    return not deliveries(client)


@pytest.mark.parametrize("kills", [0, 6], ids=["the receiver fails", "the server is killed as well"])
def test_a_thousand_notifications_arrive_in_order(start, receiver, kills):
    print(f"seed: CALLBOARD_TEST_SEED={SEED}")
    dice = random.Random(SEED)
    server, lives, faults = start(**PATIENT), [0.0], []
    with client_of(server) as client:
        prepare(client, receiver)
    weather = Weather(receiver, random.Random(dice.random()))
    try:
        reporters = {path: Reporter(path, lambda: server.url, faults) for path in HOOKS}
        for _ in range(kills):
            time.sleep(dice.uniform(0.3, 0.9))
            server.terminate(signal.SIGKILL)
            server.wait()
            receiver.settle()
            lives.append(time.monotonic())
            server = start(folder=server.folder, **PATIENT)
        for reporter in reporters.values():
            reporter.thread.join()
    finally:
        weather.clear()
    assert faults == []
    with client_of(server) as client:
        eventually(lambda: nothing_waits(client), "everything to arrive", 60)
        assert {path: len(reporter.ids) for path, reporter in reporters.items()} == dict.fromkeys(HOOKS, EACH)
        check(receiver, reporters, lives)
        for path, (target, event, _) in HOOKS.items():
            health = done(client.get(f"{target}/{event}")).json()["health"]
            assert (health["pending"], health["consecutiveFailures"]) == (0, 0), path
    calls = len(receiver.at())
    print(f"{calls} calls for {len(HOOKS) * EACH} events, {weather.kills} kills of the receiver, "
          f"{kills} of the server, {dict(weather.suffered)}")
    assert weather.kills >= 2 and all(weather.suffered[name] for name in WEATHER), "the weather was too good"


def test_the_check_finds_what_it_is_for(receiver):
    """The check itself, on arrivals that must not be."""
    class Sent:
        def __init__(self, path: str):
            self.ids = [f"{path}-{number}" for number in range(EACH)]

    def holds(numbers: list[int], lives: list[float] = [0.0], renamed: int | None = None) -> bool:
        """Whether these arrivals pass, one each second; the call at `renamed` has another identifier."""
        receiver.calls[:] = [
            Call(path, {"webhook-id": f"{path}-{'other' if at == renamed else number}"},
                 b'{"data": {"parameters": {"number": %d}}}' % number, float(at), 1)
            for path in HOOKS for at, number in enumerate(numbers)]
        try:
            check(receiver, {path: Sent(path) for path in HOOKS}, lives)
        except AssertionError:
            return False
        return True

    right = list(range(EACH))
    assert holds(right)
    assert holds([0, 0, *right[1:10], 9, 9, *right[10:]]), "an attempt that is made again"
    assert not holds(right[:-1]), "one is missing"
    assert not holds([1, 0, *right[2:]]), "two have changed places"
    assert not holds([*right[:6], 3, *right[6:]]), "one comes again out of its turn"
    assert holds([*right[:6], 3, 4, 5, *right[6:]], [0.0, 5.5]), "a life begins with what it is not sure of"
    assert not holds([0, *right], renamed=0), "one comes under two identifiers"
