"""The short form of mixed.py, half a minute (CALLBOARD_MIXED_SECONDS changes it), and the faults that it has to see."""

import os
import random

import pytest

import mixed
from harness.async_http import Address, Gone
from harness.gauges import compared
from harness.mixed_clients import Account, Orderly


def test_clients_of_every_kind_leave_nothing_behind(program, tmp_path, seed):
    duration = float(os.environ.get("CALLBOARD_MIXED_SECONDS", "30"))
    faults, shown = mixed.run(program, tmp_path / "mixed", seed, duration)
    print(shown)
    assert not faults, "\n".join([*faults, shown])


def test_connections_that_are_kept_are_noticed(program, tmp_path, seed):
    faults, shown = mixed.run(program, tmp_path / "mixed", seed, 14, keeps=True)
    assert any("descriptors is not level" in each for each in faults), (faults, shown)
    assert any("streams is not level" in each for each in faults), (faults, shown)


@pytest.mark.parametrize(("values", "is_level"), [
    ([50] * 30, True), ([50 + each % 10 for each in range(30)], True), ([50 - each for each in range(30)], True),
    ([50 + each for each in range(30)], False), ([50] * 15 + [70] * 15, False), ([50] * 25 + [75] * 5, False),
], ids=["level", "a saw", "downwards", "a slope", "a step", "a late step"])
def test_a_last_third_above_the_first_is_told(values, is_level):
    assert compared([{"descriptors": float(each)} for each in values], "descriptors")[0] is is_level


def event(first: int, last: int, epoch: str = "e") -> tuple[str, dict]:
    counts = {"sections": 0, "elements": 0}
    return "changeset", {"epoch": epoch, "from": first, "version": last, "stages": [], "counts": counts}


SNAPSHOT = ("snapshot", {"epoch": "e", "version": 1, "sections": []})


@pytest.mark.parametrize(("events", "fault"), [
    ([SNAPSHOT, event(1, 2), ("heartbeat", {"version": 2}), event(2, 3)], None),
    ([SNAPSHOT, event(1, 2), ("resumed", {"from": 2, "version": 3}), event(2, 3)], None),
    ([SNAPSHOT, event(1, 2), event(1, 2)], "is at version 2 and got a changeset from 1 to 2"),
    ([SNAPSHOT, event(2, 3)], "is at version 1 and got a changeset from 2 to 3"),
    ([SNAPSHOT, event(1, 3)], "is at version 1 and got a changeset from 1 to 3"),
    ([SNAPSHOT, event(1, 2, "another")], "does not fit"),
    ([SNAPSHOT, event(1, 2), ("resumed", {"from": 1, "version": 2})], "resumed from 1"),
    ([SNAPSHOT, SNAPSHOT], "got a snapshot"),
], ids=["in order", "resumed", "twice", "one missing", "two in one", "another life", "resumed elsewhere", "anew"])
def test_what_an_orderly_subscriber_must_not_see_is_a_fault(events, fault):
    account = Account()
    orderly = Orderly("somebody", Address(1, None, 1), "first", account, random.Random(1))
    try:
        for name, data in events:
            orderly.take(name, data)
    except Gone:
        pass
    assert (account.faults == []) if fault is None else (account.faults and fault in account.faults[0]), account.faults
