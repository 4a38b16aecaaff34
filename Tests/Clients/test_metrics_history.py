"""An hour of the server's figures, kept by the server: the same numbers as `/metrics`, at regular moments."""

import datetime
import time

from conftest import api
from support.hooks import client_of, done
from support.server import metric

HISTORY = "/v1/metrics/history"


def moments(body: dict) -> list[float]:
    return [datetime.datetime.fromisoformat(each).timestamp() for each in body["times"]]


def series(body: dict, name: str, **labels: str) -> list[float]:
    [values] = [each["values"] for each in body["series"] if each["metric"] == name and each["labels"] == labels]
    return values


def test_it_has_the_numbers_of_the_metrics_every_ten_seconds_and_now(start):
    server = start()
    [node] = server.nodes[:1]
    with api(node) as client:
        for number in range(3):
            done(client.put(f"/v1/directors/list{number}", json={"kind": "table"}))
        first = done(client.get(HISTORY)).json()
        assert first["interval"] == 10 and first["omitted"] == 0
        assert abs(moments(first)[-1] - time.time()) < 30
        for name in ("callboard_directors", "callboard_connections", "callboard_http_requests_total"):
            assert any(each["metric"] == name for each in first["series"]), name
        for each in first["series"]:
            assert len(each["values"]) == len(first["times"]), each
            assert not {"route", "method"} & set(each["labels"]), each
        assert series(first, "callboard_directors")[-1] == metric(node, client, "callboard_directors") == 3
        assert series(first, "callboard_http_requests_total", status="201")[-1] == 3

        # It goes on by itself, whoever asks.
        deadline = time.monotonic() + 60
        while len((later := done(client.get(HISTORY)).json())["times"]) < 3:
            assert time.monotonic() < deadline, later["times"]
            time.sleep(0.5)
        kept = moments(later)[:-1]
        assert all(9 < after - before < 30 for before, after in zip(kept, kept[1:])), kept
        assert series(later, "callboard_directors")[-1] == 3


def test_metrics_are_chosen_by_their_names_and_nodes_by_their_numbers(server):
    with client_of(server) as client:
        body = done(client.get(HISTORY, params={"metric": ["callboard_directors", "callboard_hook_call_duration_seconds"]})).json()
        parts = {f"callboard_hook_call_duration_seconds_{each}" for each in ("bucket", "sum", "count")}
        assert {each["metric"] for each in body["series"]} == {"callboard_directors"} | parts
        assert done(client.get(HISTORY, params={"metric": "nothing"})).json()["series"] == []
        for query, status in (("node=99", 404), ("node=x", 400), ("metric=", 400), ("since=1", 400)):
            assert client.get(f"{HISTORY}?{query}").status_code == status, query
        assert client.post(HISTORY).status_code == 405
