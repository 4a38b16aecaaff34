"""The Swift client in a process of its own: follows and cancels, a list that stands still, and many reports over a bad network.

`CALLBOARD_TEST_LENGTH=10` has the numbers of the long form: 1,000 follows twice, a minute of a list that stands still, and
100,000 reports of 1,000 clients.
"""

import json
import os
import random
import subprocess
import threading
from pathlib import Path

import pytest

from conftest import BOOK
from support.hooks import PATIENT, client_of, eventually, fill, register
from support.proxy import Relay

LENGTH = max(1, float(os.environ.get("CALLBOARD_TEST_LENGTH", "1")))
LISTS = 10


@pytest.fixture
def load(program):
    """Runs the client under a load; what it tells."""
    follow = Path(program).parent / "callboard-follow"
    assert follow.exists(), "swift build --product callboard-follow builds it, beside the program"

    def run(*arguments) -> list[dict]:
        done = subprocess.run([follow, *map(str, arguments)], capture_output=True, text=True, timeout=800, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_follows_that_end_leave_nothing(load, server, book):
    told = load("churn", server.url, round(100 * LENGTH))
    print(told[0], told[-1])
    # The first tenth has made what the client keeps: its threads, and connections that wait to be used again.
    first, last = told[0], told[-1]
    # One that is left behind by each follow would be many more; some connections may still be closing.
    assert last["descriptors"] <= first["descriptors"] + 20
    assert last["threads"] <= first["threads"] + 8
    assert last["resident"] <= first["resident"] + (4 << 20)


def test_a_list_that_stands_still_costs_nothing(load, server, book):
    seconds = round(6 * LENGTH)
    begin, end = load("idle", server.url, seconds)
    used = end["processor"] - begin["processor"]
    print(f"{used * 1000:.1f} ms of the processor in {seconds} s")
    assert used / seconds < 0.005


class Weather:
    """Cuts all connections again and again, until it is told to stop."""

    def __init__(self, relay: Relay):
        self.relay, self.cuts, self.stopped = relay, 0, threading.Event()
        self.thread = threading.Thread(target=self._change)
        self.thread.start()

    def _change(self) -> None:
        while not self.stopped.wait(random.uniform(0.05, 0.3)):
            self.relay.cut()
            self.cuts += 1
            self.stopped.wait(random.uniform(0, 0.1))
            self.relay.mend()

    def stop(self) -> None:
        self.stopped.set()
        self.thread.join()
        self.relay.mend()


def test_reports_over_a_bad_network_arrive_once_and_in_order(load, start, receiver):
    clients, each = round(100 * LENGTH), round(10 * LENGTH)
    bound = str(2 * clients * each)
    server = start(HOOKS_MAX_PENDING=bound, HOOKS_MAX_PENDING_TOTAL=bound, **PATIENT)
    with client_of(server) as client:
        for number in range(LISTS):
            path = f"{BOOK}{number}"
            fill(client, path=path)
            register(client, receiver, f"{path}/adapters/Person/events/didSelect", f"/hook{number}")
        relay = Relay(server.port)
        weather = Weather(relay)
        try:
            told = load("report", f"http://127.0.0.1:{relay.port}", clients, each)
        finally:
            weather.stop()
            relay.close()
        assert [line for line in told if "refused" in line] == []
        eventually(lambda: client.get("/v1/deliveries", params={"limit": 1}).json()["total"] == 0, "the deliveries", 600)
    calls, first = receiver.at(), {}
    for call in calls:
        first.setdefault(call.id, call.data["parameters"])
    seen = {}
    for parameters in first.values():
        seen.setdefault(parameters["client"], []).append(parameters["number"])
    print(f"{len(calls)} calls of {clients * each} reports, {weather.cuts} cuts")
    assert seen == {number: list(range(each)) for number in range(clients)}
    assert weather.cuts >= 2
