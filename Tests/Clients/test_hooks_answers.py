"""A receiver that changes the list in its answer, which is what a closure of FlowKit does with its director."""

import dataclasses
import signal

import pytest

from support.hooks import BOOK, PATIENT, ask, client_of, deliveries, done, eventually, fill, followed, notify, register
from support.receiver import FINE, content, one_after_another
from support.replica import Replica

SELECT = f"{BOOK}/adapters/Person/events/didSelect"


@pytest.fixture
def server(start):
    return start(**PATIENT)


def names(client) -> list[str]:
    section = done(client.get(f"{BOOK}/sections/people", params={"state": "published"})).json()
    return [element["id"] for element in section["elements"]]


def removal(call):
    """Removes the element that was tapped."""
    data = call.data
    return content({"reload": True, "operations": [
        {"op": "removeElement", "section": data["section"]["id"], "element": data["element"]["id"]}]})


def test_whoever_taps_a_row_sees_it_go(hooked, receiver, server):
    register(hooked, receiver, SELECT)
    receiver.on("/hook", removal)
    with followed(server.url) as stream:
        replica = Replica()
        name, data = next(stream)
        assert name == "snapshot"
        replica.snapshot(data)
        notify(hooked, "didSelect", indexPath=[0, 1], version=replica.version)
        name, data = next(stream)
        assert name == "changeset" and data["stages"] == [{"elementDeleted": [[0, 1]]}]
        replica.changeset(data)
        assert [element["id"] for element in replica.sections[0]["elements"]] == ["Ada", "Alan"] == names(hooked)
    eventually(lambda: not deliveries(hooked), "the delivery to be done")
    assert len(receiver.at()) == 1


def test_an_answer_that_comes_again_is_applied_once(hooked, receiver):
    """The receiver has changed the list with an answer of which the end was lost; its second answer is the same."""
    barbara = {"model": "Person", "value": {"name": "Barbara"}}
    register(hooked, receiver, SELECT)
    receiver.on("/hook", content({"reload": True, "operations": [
        {"op": "addElements", "section": "people", "elements": [barbara]}]}))
    first = notify(hooked, "didSelect", indexPath=[0, 0])
    eventually(lambda: not deliveries(hooked), "the delivery to be done")
    assert names(hooked) == ["Ada", "Grace", "Alan", "Barbara"]
    revision = done(hooked.get(BOOK)).json()["revision"]
    # Another event is another batch, whatever its content.
    second = notify(hooked, "didSelect", indexPath=[0, 0])
    eventually(lambda: not deliveries(hooked), "the delivery to be done")
    assert second != first and names(hooked) == ["Ada", "Grace", "Alan", "Barbara", "Barbara"]
    assert done(hooked.get(BOOK)).json()["revision"] > revision


def test_an_answer_that_is_cut_off_changes_nothing_and_is_asked_for_again(hooked, receiver):
    register(hooked, receiver, SELECT)
    script = iter([25, 60, 100])

    def reply(call):
        cut = next(script, None)
        return dataclasses.replace(removal(call), cut=cut)

    receiver.on("/hook", reply)
    delivery = notify(hooked, "didSelect", indexPath=[0, 0])
    eventually(lambda: names(hooked) == ["Grace", "Alan"], "the row to go")
    assert [call.id for call in receiver.at()] == [delivery] * 4


@pytest.mark.parametrize("body", [
    {"operations": [{"op": "removeElement", "section": "people", "element": "Nobody"}]},
    {"operations": [{"op": "removeElement", "section": "people", "element": "Ada"}, {"op": "explode"}]},
    {"operations": {}}, {"reload": "yes"},
])
def test_a_batch_that_does_not_fit_changes_nothing_and_is_told(hooked, receiver, body):
    register(hooked, receiver, SELECT)
    receiver.on("/hook", one_after_another(content(body), FINE))
    before = done(hooked.get(BOOK)).json()
    notify(hooked, "didSelect", indexPath=[0, 0])
    eventually(lambda: not deliveries(hooked), "the delivery to be done")
    after = done(hooked.get(BOOK)).json()
    assert (after["version"], names(hooked)) == (before["version"], ["Ada", "Grace", "Alan"])
    assert done(hooked.get(SELECT)).json()["health"]["lastError"]["detail"]
    assert len(receiver.at()) == 1, "the receiver has the event; nothing is gained by telling it again"


def test_operations_without_a_reload_wait_for_one(hooked, receiver):
    register(hooked, receiver, SELECT)
    receiver.on("/hook", content({"operations": [{"op": "removeElement", "section": "people", "element": "Ada"}]}))
    notify(hooked, "didSelect", indexPath=[0, 0])
    eventually(lambda: len(done(hooked.get(f"{BOOK}/sections/people")).json()["elements"]) == 2, "the operation")
    assert names(hooked) == ["Ada", "Grace", "Alan"]
    done(hooked.post(f"{BOOK}/reload"))
    assert names(hooked) == ["Grace", "Alan"]


def test_a_question_may_change_the_list_as_well(hooked, receiver, server):
    register(hooked, receiver, f"{BOOK}/adapters/Person/events/willSelect")
    receiver.on("/hook", content({"value": [0, 1], "reload": True, "operations": [
        {"op": "patchElement", "section": "people", "element": "Grace", "patch": {"seen": True}}]}))
    with followed(server.url) as stream:
        assert next(stream)[0] == "snapshot"
        assert ask(hooked, "willSelect", indexPath=[0, 0]) == {"value": [0, 1], "source": "hook"}
        name, data = next(stream)
        assert name == "changeset"
        (update,) = data["stages"][0]["elementUpdated"]
        assert update["at"] == [0, 1] and update["element"]["value"] == {"name": "Grace", "seen": True}


def test_a_batch_survives_a_kill_and_is_applied_once(start, receiver):
    """The server is killed while the receiver works on its answer; the event comes again and so does its batch."""
    server = start(**PATIENT)
    with client_of(server) as client:
        fill(client)
        register(client, receiver, SELECT)
        receiver.on("/hook", lambda call: server.terminate(signal.SIGKILL) or removal(call))
        delivery = notify(client, "didSelect", indexPath=[0, 0])
        server.wait()
    receiver.on("/hook", removal)
    with client_of(start(folder=server.folder, **PATIENT)) as client:
        eventually(lambda: not deliveries(client), "the delivery to be done")
        assert names(client) == ["Grace", "Alan"]
        assert [call.id for call in receiver.at()] == [delivery] * 2


def test_a_batch_that_was_seen_is_not_applied_again_after_a_kill(start, receiver):
    """The moment between the batch, which subscribers see, and the note that its event has been delivered."""
    rounds, server = 5, start(**PATIENT)
    with client_of(server) as client:
        fill(client)
        register(client, receiver, SELECT)
    receiver.on("/hook", lambda call: content({"reload": True, "operations": [
        {"op": "addElements", "section": "people", "elements": [
            {"model": "Person", "value": {"name": f"added {call.data['parameters']['round']}"}}]}]}))
    for number in range(rounds):
        with client_of(server) as client, followed(server.url) as stream:
            assert next(stream)[0] == "snapshot"
            notify(client, "didSelect", indexPath=[0, 0], parameters={"round": number})
            assert next(stream)[0] == "changeset"
            server.terminate(signal.SIGKILL)
            server.wait()
        server = start(folder=server.folder, **PATIENT)
    with client_of(server) as client:
        eventually(lambda: not deliveries(client), "the deliveries to be done")
        assert names(client) == ["Ada", "Grace", "Alan", *(f"added {number}" for number in range(rounds))]
    assert len({call.id for call in receiver.at()}) == rounds
