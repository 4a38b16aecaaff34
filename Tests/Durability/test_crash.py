"""The short form of crash.py; the long one is `crash.py --rounds 500`."""

import time

import pytest

import crash
from harness.process import DidNotStart, Server

# Seconds that the short forms may take together, about.
KILLS, POWER, DATABASE = 45, 15, 25


def test_what_was_told_is_true_after_a_kill(durable, tmp_path, seed):
    results = crash.run(durable, seed, range(25), tmp_path, crash.Terms(), until=time.monotonic() + KILLS)
    print(crash.report(results, seed))
    assert not any(result.faults for result in results), crash.report(results, seed)


def test_what_was_told_is_true_after_a_loss_of_power(durable, shim, tmp_path, seed):
    terms = crash.Terms(loses_power=True)
    results = crash.run(durable, seed, range(10), tmp_path, terms, until=time.monotonic() + POWER)
    print(crash.report(results, seed, " --power"))
    assert not any(result.faults for result in results), crash.report(results, seed, " --power")


def test_what_was_told_is_true_after_kills_of_a_server_and_of_its_database(program, database, tmp_path, seed):
    terms = crash.Terms(database=database)
    results = crash.run(program, seed, range(8), tmp_path, terms, until=time.monotonic() + DATABASE)
    text = crash.report(results, seed, " --database")
    print(text)
    assert not any(result.faults for result in results), text
    assert sum(result.counts["kills of the database"] for result in results) > 0, text


def test_a_server_that_is_left_alone_is_found_in_order(program, tmp_path, seed):
    """With or without a disk: the model and the server agree on what every mutation does."""
    results = crash.run(program, seed, range(3), tmp_path, crash.Terms(kills=0, in_memory=True))
    assert not any(result.faults for result in results), crash.report(results, seed)
    assert sum(result.counts["acknowledged"] for result in results) > 100


def test_a_server_that_forgets_is_caught(program, tmp_path, seed):
    results = crash.run(program, seed, range(3), tmp_path, crash.Terms(kills=1, in_memory=True))
    assert "the director is gone" in crash.report(results, seed)


def test_a_data_folder_takes_one_server_at_a_time(durable, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    first, second = (Server(durable, str(data), tmp_path / f"{name}.log") for name in ("first", "second"))
    try:
        first.start()
        with pytest.raises(DidNotStart) as refusal:
            second.start()
        assert refusal.value.status > 0 and str(data) in refusal.value.log
        # A lock that outlived its server would need a hand to remove it.
        first.kill()
        second.start()
    finally:
        first.kill()
        second.kill()
