"""The short form of soak.py: about two minutes, the first part for the filling. CALLBOARD_SOAK_SECONDS changes it."""

import os

import soak
from harness.process import keeps_content


def test_memory_disk_and_descriptors_level_off(program, tmp_path, tmp_path_factory, seed):
    in_memory = keeps_content(program, tmp_path_factory.mktemp("probe")) is not None
    duration = float(os.environ.get("CALLBOARD_SOAK_SECONDS", "90"))
    faults, shown = soak.run(program, tmp_path / "soak", seed, duration, in_memory)
    print(shown)
    assert not faults, "\n".join([*faults, shown])
