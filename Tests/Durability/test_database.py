"""A server whose content is in PostgreSQL: who has the database, and what a client sees while it is away."""

import itertools
import json
import os
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.clock import Clock, library
from harness.postgres import Postgres
from harness.process import DidNotStart, Server
from harness.wire import EventStream


def server(program: str, folder: Path, database: Postgres, name: str, **settings: str) -> Server:
    """A server that keeps its content in the database, and would have its folder elsewhere."""
    return Server(program, str(folder / f"{name}-data"), folder / f"{name}.log",
                  settings={"JOURNAL_URL": database.url, **settings})


def call(port: int, method: str, path: str, body: object = None, **fields: str) -> tuple[int, dict[str, str], str]:
    """One request: the answer's status, header fields and text."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in fields.items()})
    try:
        answer = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, {key.lower(): value for key, value in answer.headers.items()}, answer.read().decode()


MENU = "/v1/directors/menu"


def until(condition: Callable[[], bool], limit: float = 20) -> None:
    """Waits until a condition holds."""
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture
def two(program, database, tmp_path):
    """Two servers on one database, neither of them started."""
    database.make_database()
    servers = [server(program, tmp_path, database, name) for name in ("first", "second")]
    yield servers
    for each in servers:
        each.kill()


def test_a_database_takes_one_server_at_a_time(two):
    first, second = two
    first.start()
    assert call(first.port, "PUT", "/v1/directors/menu", {"kind": "table"})[0] == 201
    with pytest.raises(DidNotStart) as refusal:
        second.start()
    assert refusal.value.status == 78 and "has the database" in refusal.value.log
    # What a killed server leaves is waited for, and nobody has to remove it.
    first.kill()
    second.start()
    assert "has the database until its lease runs out" in second.tail()
    assert call(second.port, "GET", "/v1/directors/menu")[0] == 200
    # One that is told to stop gives it back.
    assert second.stop() == 0
    begin = time.monotonic()
    first.start()
    assert time.monotonic() - begin < 6


def test_a_server_that_stood_still_stores_nothing_and_ends(two, database):
    first, second = two
    first.start()
    assert call(first.port, "PUT", "/v1/directors/menu", {"kind": "table"})[0] == 201
    first.pause()
    database.expire_lease()
    second.start()
    first.go_on()
    assert first.process.wait(timeout=20) == 75
    assert "another server has taken the database over" in first.tail()
    assert call(second.port, "PUT", "/v1/directors/other", {"kind": "table"})[0] == 201


def test_a_database_that_is_away_is_told_and_waited_for(program, database, tmp_path):
    database.make_database()
    one = server(program, tmp_path, database, "one", JOURNAL_PATIENCE="1")
    try:
        one.start()
        status, _, text = call(one.port, "GET", "/readyz")
        assert status == 200 and "synchronous_standby_names" in text
        assert call(one.port, "PUT", "/v1/directors/menu", {"kind": "table"})[0] == 201
        database.kill()
        # A change that is on its way before the server has noticed would be in doubt, and answered when that is settled.
        until(lambda: call(one.port, "GET", "/readyz")[0] == 503)
        status, fields, text = call(one.port, "PUT", "/v1/directors/menu/sections/a", {})
        assert status == 503 and int(fields["retry-after"]) >= 1 and "database" in text
        assert call(one.port, "GET", "/v1/directors/menu")[0] == 200
        status, _, text = call(one.port, "GET", "/readyz")
        assert status == 503 and "database" in text
        database.start()
        until(lambda: call(one.port, "GET", "/readyz")[0] == 200)
        assert call(one.port, "PUT", "/v1/directors/menu/sections/a", {})[0] == 201
    finally:
        one.kill()


def test_a_password_is_in_no_log(program, database, tmp_path):
    database.make_database()
    url = database.url.replace("owner@", "owner:s3cret@")
    one = server(program, tmp_path, database, "one", JOURNAL_URL=url, LOG_LEVEL="trace")
    try:
        one.start()
        assert one.stop() == 0
        bad = server(program, tmp_path, database, "bad", JOURNAL_URL=url.replace("/lists", "/nowhere"))
        with pytest.raises(DidNotStart) as refusal:
            bad.start()
        assert "nowhere" in refusal.value.log
        assert "s3cret" not in refusal.value.log + one.tail(1000)
    finally:
        one.kill()


def first_events(port: int, last_id: str | None, count: int) -> list[tuple[str, str, dict]]:
    """The first events of the menu's stream: name, id and data."""
    stream = EventStream(port, f"{MENU}/changesets", last_id)
    try:
        return list(itertools.islice(stream.events(), count))
    finally:
        stream.close()


def test_a_folder_moves_into_a_database_and_streams_resume(program, database, tmp_path):
    database.make_database()
    place = tmp_path / "old-data"
    old = Server(program, str(place), tmp_path / "old.log")
    new = server(program, tmp_path, database, "new")

    def migrate() -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        return subprocess.run([program, "migrate", "--from", str(place), "--to", database.url], env=environment,
                              capture_output=True, text=True, timeout=60)

    try:
        old.start()
        assert call(old.port, "PUT", MENU, {"kind": "table"})[0] == 201
        assert call(old.port, "PUT", f"{MENU}/adapters/Dish", {"cell": "DishCell"})[0] == 201
        assert call(old.port, "PUT", f"{MENU}/adapters/Dish/events/didSelect", {"url": "http://127.0.0.1:9/taps"})[0] == 201
        assert call(old.port, "POST", f"{MENU}/sections?reload=true", {"id": "soups", "elements": [{"value": {"id": "a"}}]})[0] == 201
        (name, seen, _), = first_events(old.port, None, 1)
        assert name == "snapshot"
        assert call(old.port, "POST", f"{MENU}/events", {"event": "didSelect", "indexPath": [0, 0]})[0] == 202
        added = call(old.port, "POST", f"{MENU}/sections/soups/elements?reload=true", {"value": {"id": "b"}}, Idempotency_Key="once")
        assert added[0] == 201
        assert migrate().returncode != 0, "a server has the folder open"
        before = {path: call(old.port, "GET", MENU + path)[2] for path in ("", "/sections", "/sections?state=published&version=1")}
        waiting = json.loads(call(old.port, "GET", "/v1/deliveries")[2])["deliveries"]
        assert old.stop() == 0

        moved = migrate()
        assert moved.returncode == 0 and "1 director" in moved.stdout and "1 notification" in moved.stdout, moved
        new.start()
        assert {path: call(new.port, "GET", MENU + path)[2] for path in before} == before
        assert [each["id"] for each in json.loads(call(new.port, "GET", "/v1/deliveries")[2])["deliveries"]] == [
            each["id"] for each in waiting]
        resumed, changeset = first_events(new.port, seen, 2)
        assert resumed[0] == "resumed" and changeset[0] == "changeset" and changeset[2]["from"] == 1
        again = call(new.port, "POST", f"{MENU}/sections/soups/elements?reload=true", {"value": {"id": "b"}}, Idempotency_Key="once")
        assert again[0] == 201 and again[2] == added[2]
        assert json.loads(call(new.port, "GET", MENU)[2])["counts"]["elements"] == 2
        refused = migrate()
        assert refused.returncode != 0 and "empty" in refused.stderr, refused
    finally:
        old.kill()
        new.kill()


def test_a_clock_that_is_set_holds_no_change_up(program, database, tmp_path):
    """The pauses between two attempts to reach the database end by the time that has passed, and not by the wall clock."""
    database.make_database()
    clock, answers = Clock(library(tmp_path), tmp_path / "clock"), []
    one = Server(program, str(tmp_path / "data"), tmp_path / "one.log", {"JOURNAL_URL": database.url}, clock.environment)
    try:
        one.start()
        assert call(one.port, "PUT", MENU, {"kind": "table"})[0] == 201
        clock.set(40)
        database.kill()
        caller = threading.Thread(target=lambda: answers.append(call(one.port, "PUT", f"{MENU}/variables/day", 1)))
        caller.start()
        time.sleep(1)
        database.start()
        caller.join(15)
        assert answers and answers[0][0] in (200, 201), answers or one.tail()
    finally:
        one.kill()
