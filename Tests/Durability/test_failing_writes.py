"""The short form of failing_writes.py."""

import failing_writes


def test_a_failing_disk_loses_nothing_and_needs_no_restart(durable, shim, tmp_path, seed):
    faults, counts = failing_writes.play(durable, tmp_path / "round", seed, 0)
    print(counts)
    assert not faults, "\n".join(faults)
    assert counts["failed"] > 0
