"""Whatever answers in the server's place, both clients and `watch` come back by themselves, and say so once."""

import itertools
import json
import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from conftest import BOOK
from support.intermediary import MOMENTS, TYPES, Intermediary

CHECKOUT = Path(__file__).resolve().parent.parent.parent
STATUSES = [200, 201, 203, 204, 206, *range(300, 600)]
# For `watch`, a process each: those of a CDN, a router, a portal and a gateway.
OFTEN = [200, 204, 302, 403, 404, 503, 522]


@pytest.fixture
def between(server):
    made = Intermediary(server.port)
    yield made
    made.close()


def wait_for(holds, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it has not come"
        time.sleep(0.02)


def publish(book) -> int:
    """Publishes another version, and returns its number."""
    name = f"n{time.monotonic_ns()}"
    book.post(f"{BOOK}/sections/people/elements", params={"reload": "true"}, json={"value": {"name": name, "age": 1}})
    return book.get(BOOK).json()["version"]


def check_javascript(moment: str, strange: int, told: list[str]) -> None:
    assert told.count("live") == 1 and told[-1] == "live" and told.count("waiting") <= 2, told
    assert set(told) <= {"live", "waiting", "connecting"}, told


def check_swift(moment: str, strange: int, told: list[str]) -> None:
    """Each attempt is told once, and then the list."""
    is_first = moment == "before"
    assert told == ["lost"] * (strange + (not is_first)) + ["replaced" if is_first else "changed"], (strange, told)


def command_for(client: str, tool, program: str, url: str) -> list:
    """The program that follows a list for each case."""
    if client == "javascript":
        return [tool("node", "nodejs"), CHECKOUT / "Tests/Clients/support/follow.mjs",
                (CHECKOUT / "Sources/WebAssets/client").as_uri() + "/", url]
    follow = Path(program).parent / "callboard-follow"
    assert follow.exists(), "swift build --product callboard-follow builds it, beside the program"
    return [follow, url]


@pytest.mark.parametrize("client, check, groups", [
    ("javascript", check_javascript, [list(TYPES)]),
    # Foundation takes far longer for many connections at once.
    ("swift", check_swift, [[kind] for kind in TYPES])], ids=["javascript", "swift"])
def test_a_client_comes_back(client, check, groups, tool, between, book, program):
    arguments = command_for(client, tool, program, f"http://127.0.0.1:{between.port}")
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        def say(message) -> None:
            driver.stdin.write(f"{message}\n")
            driver.stdin.flush()

        for moment, kinds in itertools.product(MOMENTS, groups):
            names = cases(moment, kinds, client)
            between.is_away[moment] = moment == "before"
            say(json.dumps({"cases": names, "begins": moment != "before"}))
            if moment != "before":
                assert json.loads(driver.stdout.readline()) == {"missing": []}
            assert json.loads(driver.stdout.readline()) == {"began": len(names)}
            if moment != "before":
                assert between.cut(moment) == len(names)
            version = publish(book)
            wait_for(lambda: all(name in between.cases and between.cases[name].strange > 0 for name in names))
            between.mend(moment)
            say(version)
            done = json.loads(driver.stdout.readline())
            assert not done["late"], f"{len(done['late'])} of {len(names)}: {done['late'][:20]}"
            assert min(between.cases[name].strange for name in names) >= 2
            assert len(done["told"]) == len(names)
            for name, told in done["told"].items():
                check(moment, between.cases[name].strange, told)
        driver.stdin.close()
        assert driver.wait(60) == 0


def cases(moment: str, kinds: list[str], client: str) -> list[str]:
    """Each status with each type at one of the moments: at each of them, a third of all with all.

    `CALLBOARD_TEST_LENGTH` above 1 has all with all at each moment.
    """
    if float(os.environ.get("CALLBOARD_TEST_LENGTH", "1")) > 1:
        return [f"{moment}/{status}/{kind}/{client}" for status in STATUSES for kind in kinds]
    turn, types = list(MOMENTS).index(moment), list(TYPES)
    return [f"{moment}/{status}/{kind}/{client}" for number, status in enumerate(STATUSES) for kind in kinds
            if (number + types.index(kind) + turn) % len(MOMENTS) == 0]


class Watcher:
    """A `callboard watch` whose lines are kept as they come."""

    def __init__(self, program: str, url: str, name: str):
        self.name = name
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [program, "watch", "book", "--server", f"{url}/{name}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=lambda: self.lines.extend(iter(self.process.stdout.readline, "")), daemon=True).start()

    def has(self, text: str) -> bool:
        return any(text in line for line in list(self.lines))

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


@pytest.mark.parametrize("moment", MOMENTS)
def test_watch_comes_back(between, book, program, moment):
    first = book.get(BOOK).json()["version"]
    names = [f"{moment}/{status}/{kind}/watch" for status in OFTEN for kind in TYPES]
    watchers = [Watcher(program, f"http://127.0.0.1:{between.port}", name) for name in names]
    try:
        if moment != "before":
            wait_for(lambda: all(each.has(f"snapshot at version {first}") for each in watchers))
            assert between.cut(moment) == len(names)
        version = publish(book)
        between.mend(moment)
        shown = f"snapshot at version {version}" if moment == "before" else f"version {first} -> {version}"
        end = time.monotonic() + 120
        while late := [each for each in watchers if not each.has(shown)]:
            assert time.monotonic() < end, f"{len(late)}: {[(each.name, each.process.poll(), each.lines) for each in late[:5]]}"
            time.sleep(0.02)
        for each in watchers:
            assert each.process.poll() is None, (each.name, each.lines)
            lost = [line for line in each.lines if "connection lost" in line]
            # One for the stream's end and one for what answered then.
            assert len(lost) <= 2 and len(lost) == len(set(lost)), (each.name, each.lines)
            assert sum(line.startswith("connected") for line in each.lines) <= 2, (each.name, each.lines)
    finally:
        for each in watchers:
            each.stop()
