"""The tests of several nodes themselves: they find nothing where nothing is wrong, and each of the faults planted here."""

import http.server
import json
import random
import re
import threading
import time
import types

import pytest

import nodes
from harness.async_http import Address
from harness.ledger import Ledger
from harness.measured import Measured
from harness.node_follower import Follower
from harness.node_hooks import Receiver
from harness.node_reader import Reader
from harness.node_writer import Writer
from harness.probe import Probe, longest_pause
from harness.records import Record, Records, missing_faults, sequence_faults
from harness.register import Register
from support.replica import DoesNotFit

# One server, which has no other to be wrong about: what is found is planted.
ALONE = nodes.Terms(seconds=1, writers=4, subscribers=12, nodes=1, directors=3, kinds=[])


def found(program: str, folder, seed: int) -> str:
    """What a run with one server finds."""
    faults, shown = nodes.run(program, folder, seed, ALONE)
    return "\n".join([*faults, shown]) if faults else ""


def test_nothing_is_found_where_nothing_is_wrong(program, database_folder, seed):
    faults, shown = nodes.run(program, database_folder, seed, ALONE)
    assert not faults, shown
    for what in ("acknowledged", "changesets", "reads", "resumed", "events"):
        assert re.search(rf"\b[1-9]\d* {what}\b", shown), shown


def test_nothing_is_found_without_namespaces(program, database_folder, seed):
    faults, shown = nodes.run(program, database_folder, seed, nodes.Terms(**vars(ALONE) | {"loopback": True}))
    assert not faults, shown
    assert "nothing was cut" in shown


def test_a_subscriber_that_loses_a_version_is_found(program, database_folder, seed, monkeypatch):
    class Losing(Follower):
        lost = False

        def take(self, name, identifier, text, each=False):
            if name == "changeset" and self.name == "subscriber3" and not self.lost:
                self.lost = True
                return
            super().take(name, identifier, text, each)

        def _take_known(self, identifier, text):
            return self.name != "subscriber3" and super()._take_known(identifier, text)

    monkeypatch.setattr(nodes, "Follower", Losing)
    assert "subscriber3" in (text := found(program, database_folder, seed)) and "does not fit" in text


def test_a_subscriber_whose_copy_is_wrong_is_found(program, database_folder, seed, monkeypatch):
    class Wrong(Follower):
        def take(self, name, identifier, text, each=False):
            if self.name == "subscriber3":
                text = text.replace('-fixed"', '-wrong"')
            super().take(name, identifier, text, each)

        def _take_known(self, identifier, text):
            return self.name != "subscriber3" and super()._take_known(identifier, text)

    monkeypatch.setattr(nodes, "Follower", Wrong)
    text = found(program, database_folder, seed)
    assert re.search(r"is one list to subscriber3|and another to subscriber3|subscriber3 has another list", text), text


def test_an_acknowledged_change_that_is_missing_is_found(program, database_folder, seed, monkeypatch):
    class Boasting(Writer):
        async def until_answered(self, method, path, body=None, **fields):
            if self.name == "w2" and self.number == 2:
                return b""
            return await super().until_answered(method, path, body, **fields)

    monkeypatch.setattr(nodes, "Writer", Boasting)
    # Whoever reads the section misses it; so does the change that is to take it away again.
    text = found(program, database_folder, seed)
    assert re.search(r"w2 of .* which nobody has written|w2-2.*was acknowledged|w2: POST .* 404 .*there is no element .*w2-2", text), text


def test_a_change_that_is_done_twice_is_found(program, database_folder, seed, monkeypatch):
    class Repeating(Writer):
        async def until_answered(self, method, path, body=None, **fields):
            if self.name == "w2" and self.number == 2:
                await super().until_answered(method, path, body)
            return await super().until_answered(method, path, body, **fields)

    monkeypatch.setattr(nodes, "Writer", Repeating)
    # The second time, what has been taken away is not there any more.
    text = found(program, database_folder, seed)
    assert re.search("'w2-2', 'w2-2'|w2: POST .* 409 .*w2-2", text), text


def test_an_event_that_never_comes_is_found(program, database_folder, seed, monkeypatch):
    class Deaf(Receiver):
        def took(self, director, delivery):
            if self.ledger.arrived.get(director):
                super().took(director, delivery)
            else:
                self.ledger.arrived[director] = ["another"]

    monkeypatch.setattr(nodes, "Receiver", Deaf)
    monkeypatch.setattr("harness.settled.LIMIT", 2.0)
    assert "acknowledged and never came" in found(program, database_folder, seed)


def test_a_record_that_is_missing_in_the_database_is_found(program, database_folder, seed, monkeypatch):
    class Thieving(Records):
        def check(self, acknowledged):
            self.database.execute("DELETE FROM audit.records WHERE seen = (SELECT max(seen) - 2 FROM audit.records)")
            return super().check(acknowledged)

    monkeypatch.setattr(nodes, "Records", Thieving)
    text = found(program, database_folder, seed)
    assert re.search("is missing before|and its head is", text), text


@pytest.mark.parametrize(("rows", "fault"), [
    ([(1, 1, 1), (1, 2, 1), (1, 3, 4), (2, 1, 1)], None),
    ([(1, 1, 1), (1, 3, 1)], "record 2 of life 1 is missing before 3"),
    ([(1, 2, 1)], "record 1 of life 1 is missing before 2"),
    ([(1, 1, 1), (1, 1, 2)], "record 1 of life 1 was stored twice"),
    ([(1, 1, 3), (1, 2, 2)], "the term of life 1 falls from 3 to 2 at record 2"),
], ids=["in order", "a gap", "a gap at the beginning", "twice", "a term that falls"])
def test_records_that_are_not_a_sequence_are_found(rows, fault):
    records, half = [Record(*row) for row in rows], len(rows) // 2
    for pieces in ([records], [records[:half], records[half:]]):
        ends: dict[int, tuple[int, int]] = {}
        wrong = [each for piece in pieces for each in sequence_faults(piece, ends)]
        assert wrong == ([fault] if fault else [])


def test_acknowledged_changes_without_a_record_are_found():
    assert missing_faults({"w1-1", "w1-2"}, {"w1-1", "w1-2", "w1-3"}) == []
    assert "w1-2" in missing_faults({"w1-1", "w1-2"}, {"w1-1"})[0]


@pytest.mark.parametrize(("arrived", "fault"), [
    (["a", "b", "c"], None), (["a", "a", "b", "a", "c", "x"], None),
    (["a", "c"], "never came"), ([], "3 events of list were acknowledged and never came"),
    (["b", "a", "c"], "event 2 of list came before event 1"),
], ids=["in order", "again", "one missing", "none", "another order"])
def test_events_that_are_missing_or_out_of_order_are_found(arrived, fault):
    ledger = Ledger()
    ledger.reported, ledger.arrived = {"list": {"a": 1, "b": 2, "c": 3}}, {"list": arrived}
    wrong = ledger.check_deliveries()
    assert wrong == [] if fault is None else fault in wrong[0], wrong


def test_a_read_that_is_behind_is_found(program, database_folder, seed, monkeypatch):
    class Behind(Reader):
        """Is told by one server what it was told before."""

        kept = {}

        async def attempt(self, node, method, path, *rest, **fields):
            if method == "GET" and "/elements" not in path and self.name.startswith("reader"):
                if path not in self.kept:
                    self.kept[path] = await super().attempt(node, method, path, *rest, **fields)
                return self.kept[path]
            return await super().attempt(node, method, path, *rest, **fields)

    monkeypatch.setattr(nodes, "Reader", Behind)
    assert re.search(r"although .* (was acknowledged|had been seen) before the request",
                     text := found(program, database_folder, seed)), text


# What happens to a value that is "a" first: at which time it is written, acknowledged, seen or read (from then to then).
@pytest.mark.parametrize(("history", "fault"), [
    ([("write", "b", 1), ("read", "a", 2, 3), ("acknowledge", 4), ("read", "b", 5, 6)], None),
    ([("write", "b", 1), ("read", "b", 0, 3), ("read", "b", 4, 5)], None),
    ([("write", "b", 1), ("acknowledge", 2), ("read", "a", 1.5, 3)], None),
    ([("write", "b", 1), ("read", "b", 2, 4), ("read", "a", 3, 5)], None),
    ([("write", "b", 1), ("acknowledge", 2), ("read", "a", 3, 4)], "although b was acknowledged before"),
    ([("write", "b", 1), ("read", "b", 2, 3), ("read", "a", 4, 5)], "although b had been seen before"),
    ([("write", "b", 1), ("see", "b", 2), ("read", "a", 3, 4)], "although b had been seen before"),
    ([("write", "b", 1), ("acknowledge", 2), ("write", "c", 3), ("read", "c", 4, 5), ("acknowledge", 6), ("read", "b", 7, 8)],
     "although c was acknowledged before"),
    ([("write", "b", 4), ("read", "b", 2, 3)], "only after the answer"),
    ([("read", "x", 2, 3)], "which nobody has written"),
], ids=["one after the other", "not acknowledged yet", "beside the answer", "beside each other", "behind an answer",
        "back again", "behind a stream", "behind the newest", "ahead", "another value"])
def test_reads_that_no_order_explains_are_found(history, fault):
    register, wrong = Register("a"), None
    for what, *terms in history:
        wrong = getattr(register, what)(*terms) or wrong
    assert wrong is None if fault is None else fault in wrong, wrong


def test_a_version_that_differs_from_node_to_node_is_found():
    ledger = Ledger()
    ledger.shown("one at node1", "list", "e", 7, [{"id": "a"}])
    ledger.shown("two at node2", "list", "e", 7, [{"id": "a"}])
    assert not ledger.faults
    ledger.shown("three at node3", "list", "e", 7, [{"id": "b"}])
    assert "version 7 of list (e) is one list to three at node3 and another to one at node1" in ledger.faults[0]


def changeset(first: int, last: int, epoch: str = "e") -> tuple[str, str, dict]:
    counts = {"sections": 0, "elements": 0}
    return "changeset", f"{epoch}-{last}", {"epoch": epoch, "from": first, "version": last, "stages": [], "counts": counts}


def snapshot(version: int) -> tuple[str, str, dict]:
    return "snapshot", f"e-{version}", {"epoch": "e", "version": version, "sections": []}


def resumed(first: int, last: int) -> tuple[str, str, dict]:
    return "resumed", f"e-{first}", {"from": first, "version": last}


MOVE = None


@pytest.mark.parametrize(("events", "fault"), [
    ([snapshot(1), changeset(1, 2), MOVE, resumed(2, 4), changeset(2, 4)], None),
    ([snapshot(1), changeset(2, 3)], "does not fit"),
    ([snapshot(1), changeset(1, 2), changeset(1, 2)], "does not fit"),
    ([snapshot(1), MOVE, changeset(1, 2)], "came before `snapshot` or `resumed`"),
    ([snapshot(1), changeset(1, 2), MOVE, resumed(1, 2)], "came back at e-2 and resumed from 1"),
    ([snapshot(2), MOVE, resumed(2, 1)], "resumed from 2 to 1"),
    ([snapshot(1), MOVE, snapshot(1)], "got a snapshot"),
    ([snapshot(1), changeset(1, 2, "f")], "does not fit"),
    ([snapshot(1), ("changeset", "e-3", changeset(1, 2)[2])], "the event's id is 'e-3'"),
], ids=["in order", "one missing", "twice", "no beginning", "resumed elsewhere", "a node that is behind", "anew",
        "another life", "another id"])
def test_what_a_follower_must_not_see_is_found(events, fault):
    ledger = Ledger()
    follower = Follower("somebody", ["list"], None, ledger, random.Random(1))
    try:
        for event in events:
            if event is MOVE:
                follower._opened.clear()
            else:
                follower.take(event[0], event[1], json.dumps(event[2]))
    except DoesNotFit as misfit:
        ledger.fault(f"does not fit: {misfit}")
    assert (ledger.faults == []) if fault is None else (ledger.faults and fault in ledger.faults[0]), ledger.faults


def test_the_longest_time_without_acknowledgements_is_told():
    answers = [1.0, 2.0, 2.5, 7.5, 8.0, 8.1]
    assert longest_pause(answers, since=7.6, until=8.2) == 0.5
    assert longest_pause(answers, since=2.6, until=8.2) == 5.0
    assert longest_pause(answers, since=8.1, until=20.1) == pytest.approx(12)


def test_a_probe_tells_of_each_request():
    class Node(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PATCH(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(503 if "lost" in self.path else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        node = types.SimpleNamespace(name="a", address=Address(server.server_port))
        began = time.monotonic()
        probe = Probe("/element", ["found", "lost"], [node], random.Random(1))
        while min(sum(each.director == name for each in list(probe.requests)) for name in ("found", "lost")) < 5:
            assert time.monotonic() < began + 20
            time.sleep(0.01)
        probe.close()
        server.shutdown()
    assert {(each.director, each.status) for each in probe.requests} == {("found", 200), ("lost", 503)}
    assert len(probe.answers("found")) >= 5 and not probe.answers("lost")
    assert all(each.node == "a" and each.at >= began and 0 < each.took < 5 for each in probe.requests)


def test_the_table_has_the_longest_waits_of_each_fault():
    measured = Measured()
    measured.add_round(["killed"], [0.1, 2.0, 0.3], [1.5])
    measured.add_round(["killed"], [1.0], [])
    measured.add_round(["all_killed"], [7.04], [3.0, 2.0])
    measured.add_round(["killed", "primary_killed"], [4.0], [5.0])
    assert list(measured.table())[2:] == [
        "| all killed | 1 | 7.0, 7.0 | 3.0, 3.0 |", "| killed | 2 | 1.5, 2.0 | 0.8, 1.5 |",
        "| two faults at a time | 1 | 4.0, 4.0 | 5.0, 5.0 |"]
