"""The harness itself: it finds nothing where nothing is wrong, and each of the faults that the fake server can have."""

import random
import re

import pytest

import crash
import damage
import failing_writes
import soak
from fake.engine import FAULTS
from harness.dice import Dice, performed
from harness.disk import SYNCS
from harness.model import ListModel, Refused
from harness.mutation import Expected

LOST = (
    "is lost|should not be there|another value|other attributes|the order differs|revision is|is gone|another list|got a snapshot"
    r"|variable \S+ is|version is|server (is )?at"
)

# What is said of each fault of the fake server; which of the programs says it.
CRASH = {
    "forget-one": LOST, "store-late": LOST, "reorder-records": LOST, "keep-refused": LOST,
    "half-batch": LOST,
    "repeat-changeset": "does not fit", "swap-changesets": "does not fit",
    # Where the one that is left out is the last, nothing follows that does not fit.
    "skip-changeset": "does not fit|, the server at",
    "ignore-keys": "Idempotency-Key|with their keys", "forget-keys": "Idempotency-Key|with their keys",
    "forget-hidden": LOST, "evaluate-late": LOST + "|one list to",
    "show-first": "was shown version|one list to|another list|got a snapshot", "new-epoch": "epoch",
    "reset-version": "version is 0|server is at 0",
}
WRITES = {
    "acknowledge-failed": "every mutation was accepted", "keep-failed": "while the disk fails|fits and was answered",
    "stay-down": "nothing is accepted", "say-ready": "/readyz answers 200", "guess": LOST + "|goes on behind",
}
OTHERS = {"", "no-sync", "careless", "leak"}


def test_every_fault_of_the_fake_server_is_tried():
    assert CRASH.keys() | WRITES.keys() | OTHERS == FAULTS.keys()


def test_the_dice_throw_every_operation_and_hide_rows(seed):
    """A director's life without a server: what is never thrown is never tested."""
    dice, model = Dice(random.Random(seed), "list", "writer"), ListModel(exists=False)
    thrown, hidden = set(), 0
    for _ in range(3_000):
        mutation = dice.mutation(model)
        if mutation.expected is Expected.REFUSED:
            if mutation.if_match is None:
                with pytest.raises(Refused):
                    performed(mutation, model)
            continue
        model = performed(mutation, model)
        model.epoch = "epoch"
        thrown |= {(each["op"], "row" in each) for each in mutation.operations}
        hidden += mutation.reload and len(model.published) < len(model.sections)
    of_rows = {"setRows", "addRows", "setRow", "patchRow", "removeRow", "moveRow", "swapRows"}
    of_elements = {"setElements", "addElements", "setElement", "patchElement", "removeElement", "removeElements",
                   "moveElement", "swapElements"}
    assert of_rows <= {name for name, _ in thrown}
    assert {(name, has_row) for name in of_elements for has_row in (False, True)} <= thrown
    assert hidden > 30, "sections are not there since all their rows are hidden"


def test_a_row_of_the_model_is_evaluated():
    model = ListModel()
    items = [{"value": {"id": name, "n": number}} for name, number in [("a", 1), ("b", 5)]]
    rows = [
        {"id": "r", "type": "model", "model": "Item", "elements": items,
         "height": {"if": [{"<": [{"var": "model.n"}, 3]}, 44, 60]}, "hideWhen": {"var": "variables.flag"}},
        {"id": "c", "type": "constant", "cell": "C", "value": 1, "estimatedHeight": {"var": "variables.flag.n"},
         "additionalConfig": {"on": {"$logic": {"var": "variables.flag"}}}},
    ]
    constant = {"id": "c", "row": "c", "cell": "C", "reuseIdentifier": "C", "value": 1}
    model.perform([{"op": "addSections", "sections": [{"id": "s", "rows": rows}]}])
    (section,) = model.shown()
    assert [(each["id"], each.get("height")) for each in section["elements"]] == [("a", 44), ("b", 60), ("c", None)]
    assert section["elements"][2] == constant | {"config": {"on": None}}
    model.perform([{"op": "setVariable", "name": "flag", "value": {"n": 7}}])
    assert model.shown()[0]["elements"] == [constant | {"estimatedHeight": 7, "config": {"on": {"n": 7}}}]
    model.perform([{"op": "removeRow", "section": "s", "row": "c"}])
    assert model.shown() == []
    for operation in [
        {"op": "addElements", "section": "s", "elements": items},
        {"op": "removeRow", "section": "s", "row": "c"},
        {"op": "addRows", "section": "s", "rows": [{"id": "x", "type": "model", "model": "Unknown"}]},
    ]:
        with pytest.raises(Refused):
            model.copy().perform([operation])


def fake_terms(fault: str = "", **more) -> crash.Terms:
    return crash.Terms(longest=0.4, environment={"FAKE_FAULT": fault}, has_views=False, **more)


def test_nothing_is_found_where_nothing_is_wrong(fake, tmp_path, seed):
    results = crash.run(fake, seed, range(3), tmp_path, fake_terms())
    assert not any(result.faults for result in results), crash.report(results, seed)
    assert all(result.counts["acknowledged"] and result.counts["resumed"] for result in results)


@pytest.mark.parametrize("fault", CRASH)
def test_a_server_that_breaks_its_word_is_caught(fake, tmp_path, seed, fault):
    results = crash.run(fake, seed, range(12), tmp_path, fake_terms(fault))
    text = crash.report(results, seed)
    assert results[-1].faults, f"{FAULTS[fault]}, and nobody noticed: {text}"
    assert re.search(CRASH[fault], text), text


def test_nothing_is_found_after_a_loss_of_power_where_everything_is_synced(fake, shim, tmp_path, seed):
    results = crash.run(fake, seed, range(3), tmp_path, fake_terms(loses_power=True))
    assert not any(result.faults for result in results), crash.report(results, seed)


def test_a_server_that_does_not_sync_is_caught(fake, shim, tmp_path, seed):
    results = crash.run(fake, seed, range(12), tmp_path, fake_terms("no-sync", loses_power=True))
    # What is missing may lie in the middle, and then a server that looks refuses to start.
    text = crash.report(results, seed)
    assert results[-1].faults and re.search(f"{LOST}|did not start", text), text


def test_a_disk_that_fails_below_a_good_server_is_no_fault(fake, shim, tmp_path, seed):
    faults, counts = failing_writes.play(fake, tmp_path / "round", seed, 0)
    assert not faults, "\n".join(faults)
    assert counts["failed"] > 0


@pytest.mark.parametrize("fault", WRITES)
def test_a_server_that_fails_badly_is_caught(fake, shim, tmp_path, seed, fault):
    # A failed sync is what a guess is about; the others are about what is plain.
    cases = [each for each in failing_writes.CASES
             if (each.kinds == SYNCS if fault == "guess" else not each.kinds & SYNCS)]
    if fault == "acknowledge-failed":
        cases = cases[:1]
    for number in range(12):
        faults, _ = failing_writes.play(
            fake, tmp_path / str(number), seed, number, {"FAKE_FAULT": fault}, cases, patience=0.15)
        if faults:
            break
    assert faults, f"{FAULTS[fault]}, and nobody noticed"
    assert re.search(WRITES[fault], "\n".join(faults)), faults


def test_damage_that_is_told_is_no_fault(fake, tmp_path, seed):
    faults, counts = damage.run(fake, tmp_path, seed, flips=5, mutations=40)
    assert not faults, "\n".join(faults)
    assert counts["refused"] > 0 and counts["started"] > 0


def test_damage_that_goes_unnoticed_is_caught(fake, tmp_path, seed):
    faults, _ = damage.run(fake, tmp_path, seed, flips=5, mutations=40, environment={"FAKE_FAULT": "careless"})
    assert any("without" in fault for fault in faults), faults


@pytest.mark.parametrize(("values", "is_level"), [
    ([50.0] * 60, True),
    ([float(each) for each in range(60)], False),
    ([min(50.0, 2.0 * each) for each in range(60)], True),
    ([50 + each % 10 for each in range(60)], True),
    ([50 + each % 10 + each / 3 for each in range(60)], False),
    ([50 - each / 3 for each in range(60)], True),
], ids=["level", "a slope", "a slope that ends", "a saw", "a saw on a slope", "downwards"])
def test_a_slope_of_the_second_half_is_told_from_a_level(values, is_level):
    assert soak.levels_off(values, soak.Measure("", 0.05, 2, 1))[0] is is_level


def test_a_server_that_leaks_is_caught(fake, tmp_path, seed):
    faults, shown = soak.run(fake, tmp_path / "soak", seed, 6, keyed=20, environment={"FAKE_FAULT": "leak"})
    assert "descriptors does not level off" in faults and "memory (MiB) does not level off" in faults, (faults, shown)
