"""A server whose content is in PostgreSQL: who has the database, and what a client sees while it is away."""

import json
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from harness.postgres import Postgres
from harness.process import DidNotStart, Server


def server(program: str, folder: Path, database: Postgres, name: str, **settings: str) -> Server:
    """A server that keeps its content in the database, and would have its folder elsewhere."""
    return Server(program, str(folder / f"{name}-data"), folder / f"{name}.log",
                  settings={"JOURNAL_URL": database.url, **settings})


def call(port: int, method: str, path: str, body: object = None) -> tuple[int, dict[str, str], str]:
    """One request: the answer's status, header fields and text."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    try:
        answer = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, {key.lower(): value for key, value in answer.headers.items()}, answer.read().decode()


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
    first.process.send_signal(signal.SIGSTOP)
    database.expire_lease()
    second.start()
    first.process.send_signal(signal.SIGCONT)
    assert first.process.wait(timeout=20) == 1
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
        # Whether the first one was stored is not known while the database is away; it may have been on its way.
        status, fields, text = call(one.port, "PUT", "/v1/directors/menu/sections/a", {})
        assert status == 503 and int(fields["retry-after"]) >= 1 and "database" in text
        assert call(one.port, "GET", "/v1/directors/menu")[0] == 200
        status, _, text = call(one.port, "GET", "/readyz")
        assert status == 503 and "database" in text
        database.start()
        deadline = time.monotonic() + 20
        while call(one.port, "GET", "/readyz")[0] != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
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
