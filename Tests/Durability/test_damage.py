"""The short form of damage.py."""

import damage


def test_a_damaged_folder_is_whole_or_refused_by_name_and_place(durable, tmp_path, seed):
    faults, counts = damage.run(durable, tmp_path, seed, flips=15)
    print(counts)
    assert not faults, "\n".join(faults)
