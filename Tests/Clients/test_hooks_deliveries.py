"""Notifications that fail: tried again, shown, given up, tried when asked; and floods of which the latest counts."""

import datetime
import time

import pytest

from support.hooks import BOOK, HASTY, PATIENT, client_of, deliveries, done, eventually, fill, notify, register, report
from support.receiver import CLOSES, CUTS, CUTS_HEAD, FAILS, FINE, HANGS, Reply, content, one_after_another

SELECT = f"{BOOK}/adapters/Person/events/didSelect"
DESELECT = f"{BOOK}/adapters/Person/events/didDeselect"
SCROLL = f"{BOOK}/scroll-events/didScroll"


@pytest.fixture
def hasty(start):
    """A client of a server that gives a delivery up after three attempts."""
    with client_of(start(**HASTY)) as client:
        fill(client)
        yield client


@pytest.fixture
def patient(start):
    """A client of a server that tries again after at most a tenth of a second."""
    with client_of(start(**PATIENT)) as client:
        fill(client)
        yield client


def select(client, number: int = 0) -> str:
    return notify(client, "didSelect", indexPath=[0, 0], parameters={"number": number})


def dead(client, count: int, **filters) -> list[dict]:
    """The dead deliveries, once there are so many."""
    eventually(lambda: len(deliveries(client, status="dead", **filters)) >= count, f"{count} dead deliveries")
    return deliveries(client, status="dead", **filters)


@pytest.mark.parametrize("reply", [
    FAILS, CLOSES, CUTS, CUTS_HEAD, HANGS, Reply(404), Reply(400), Reply(302, fields={"Location": "/elsewhere"}),
    Reply(503),
], ids=str)
def test_a_delivery_that_fails_is_made_again_with_the_same_id(patient, receiver, reply):
    # What is fine has to come within it as well.
    register(patient, receiver, SELECT, timeout="1s" if reply is HANGS else "30s")
    receiver.on("/hook", one_after_another(reply, reply, FINE))
    delivery = select(patient, 7)
    calls = receiver.wait(3)
    assert {call.id for call in calls} == {delivery} and len({call.body for call in calls}) == 1
    assert all(int(call.fields["webhook-timestamp"]) >= int(calls[0].fields["webhook-timestamp"]) for call in calls)
    eventually(lambda: not deliveries(patient), "the delivery to be gone")
    assert len(receiver.at()) == 3


def test_what_comes_with_a_2xx_counts_as_delivered_whatever_it_is(patient, receiver):
    """The receiver has the event; a body that makes no sense shows in the hook's health."""
    for number, reply in enumerate([
        Reply(200, b"OK", {"Content-Type": "text/plain"}), Reply(202), content({}), content([1]), content({"value": 1}),
        Reply(200, b'{"operations": 4}', {"Content-Type": "application/json"}),
        Reply(200, b"[" * 50_000, {"Content-Type": "application/json"}),
        # More than hooks.maxAnswerBytes.
        Reply(200, b" " * (5 << 20), {"Content-Type": "application/json"}),
    ]):
        register(patient, receiver, SELECT, f"/{number}")
        receiver.on(f"/{number}", reply)
        select(patient)
        receiver.wait(1, f"/{number}")
        eventually(lambda: not deliveries(patient), f"delivery {number} to be gone")
        assert len(receiver.at(f"/{number}")) == 1
        # Health is that of the path: it begins anew with each.
        said = done(patient.get(SELECT)).json()["health"]["lastError"]
        assert bool(said) == reply.body.startswith((b'{"operations"', b" "))


def test_retry_after_is_honoured(patient, receiver):
    register(patient, receiver, SELECT)
    later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=4)
    date = later.strftime("%a, %d %b %Y %H:%M:%S GMT")
    receiver.on("/hook", one_after_another(
        Reply(429, fields={"Retry-After": "1"}), Reply(503, fields={"Retry-After": date}), FINE))
    select(patient)
    first, second, third = receiver.wait(3)
    assert second.at - first.at >= 0.95
    # A date is of whole seconds.
    assert third.at - first.at >= 2.9


def test_a_delivery_that_fails_holds_up_those_behind_it_and_nobody_elses(patient, receiver):
    register(patient, receiver, SELECT, "/select")
    register(patient, receiver, DESELECT, "/deselect")
    broken = [True]
    receiver.on("/select", lambda call: FAILS if broken[0] else FINE)
    ids = [select(patient, number) for number in range(5)]
    receiver.wait(3, "/select")
    notify(patient, "didDeselect", indexPath=[0, 0])
    receiver.wait(1, "/deselect")
    assert {call.id for call in receiver.at("/select")} == {ids[0]}
    waiting = deliveries(patient, status="pending", event="didSelect")
    assert [each["id"] for each in waiting] == ids
    assert waiting[0]["attempts"] >= 2 and "500" in waiting[0]["lastError"]
    assert waiting[1]["attempts"] == 0
    assert done(patient.get(SELECT)).json()["health"]["pending"] == 5
    broken[0] = False
    eventually(lambda: not deliveries(patient), "the deliveries to arrive")
    arrived = [call.id for call in receiver.at("/select")]
    assert list(dict.fromkeys(arrived)) == ids and arrived[-4:] == ids[1:]


def test_a_dead_delivery_is_shown_and_made_again_when_asked(hasty, receiver):
    register(hasty, receiver, SELECT)
    receiver.on("/hook", FAILS)
    ids = [select(hasty, number) for number in range(3)]
    letters = dead(hasty, 3)
    assert [each["id"] for each in letters] == ids
    assert [call.id for call in receiver.at()] == [each for each in ids for _ in range(3)]
    for each in letters:
        assert each["status"] == "dead" and each["attempts"] == 3 and "500" in each["lastError"]
        assert (each["director"], each["event"]) == ("book", "didSelect") and each["created"] <= each["lastAttempt"]
    one = done(hasty.get(f"/v1/deliveries/{ids[1]}")).json()
    assert one["id"] == ids[1] and one["message"]["data"]["parameters"] == {"number": 1}
    assert [each["error"] for each in one["history"]] == ["the target answered 500"] * 3
    assert all(each["took"].endswith("ms") for each in one["history"])
    starts = [each["at"] for each in one["history"]]
    assert starts == sorted(starts) and one["created"] <= starts[0] and starts[-1] <= one["lastAttempt"]
    latency = done(hasty.get(SELECT)).json()["health"]["latency"]
    assert latency["calls"] == 9 and latency["median"].endswith("ms") and latency["p95"].endswith("ms")

    receiver.forget()
    receiver.on("/hook", FINE)
    assert done(hasty.post(f"/v1/deliveries/{ids[1]}:retry")).status_code == 202
    (call,) = receiver.wait(1)
    assert call.id == ids[1] and call.data["parameters"] == {"number": 1}
    eventually(lambda: [each["id"] for each in deliveries(hasty)] == [ids[0], ids[2]], "the others to be left")
    assert hasty.get(f"/v1/deliveries/{ids[1]}").status_code == 404
    assert hasty.post(f"/v1/deliveries/{ids[1]}:retry").status_code == 404
    assert hasty.post("/v1/deliveries/msg_nothing:retry").status_code == 404


def test_a_dead_delivery_is_thrown_away_and_one_that_waits_is_not(hasty, receiver):
    register(hasty, receiver, SELECT)
    receiver.on("/hook", FAILS)
    ids = [select(hasty, number) for number in range(2)]
    dead(hasty, 2)
    assert hasty.delete(f"/v1/deliveries/{ids[0]}").status_code == 204
    assert hasty.get(f"/v1/deliveries/{ids[0]}").status_code == 404
    assert hasty.delete(f"/v1/deliveries/{ids[0]}").status_code == 404
    assert [each["id"] for each in deliveries(hasty)] == [ids[1]]
    assert done(hasty.get(SELECT)).json()["health"]["dead"] == 1
    assert hasty.delete("/v1/deliveries/msg_nothing").status_code == 404


def test_deliveries_are_filtered_and_paged(hasty, receiver):
    fill(hasty, path="/v1/directors/other")
    register(hasty, receiver, SELECT, "/select")
    register(hasty, receiver, DESELECT, "/deselect")
    register(hasty, receiver, "/v1/directors/other/adapters/Pet/events/didSelect", "/other")
    for path in ("/select", "/deselect", "/other"):
        receiver.on(path, FAILS)
    selected = [select(hasty, number) for number in range(5)]
    deselected = [notify(hasty, "didDeselect", indexPath=[0, 0]) for _ in range(2)]
    other = [notify(hasty, "didSelect", path="/v1/directors/other", indexPath=[1, 0])]
    assert {each["id"] for each in dead(hasty, 8)} == {*selected, *deselected, *other}
    assert [each["id"] for each in deliveries(hasty, director="other")] == other
    assert [each["id"] for each in deliveries(hasty, event="didDeselect")] == deselected
    assert [each["id"] for each in deliveries(hasty, director="book", event="didSelect")] == selected
    assert deliveries(hasty, status="pending") == [] == deliveries(hasty, director="nobody")
    page = done(hasty.get("/v1/deliveries", params={"director": "book", "offset": 2, "limit": 3})).json()
    assert (page["offset"], page["limit"], page["total"]) == (2, 3, 7)
    everything = [each["id"] for each in deliveries(hasty, director="book")]
    assert [each["id"] for each in page["deliveries"]] == everything[2:5]
    for parameters in ({"status": "lost"}, {"limit": 0}, {"limit": 10_001}, {"offset": -1}):
        assert hasty.get("/v1/deliveries", params=parameters).status_code in (400, 422)
    # Those of a director that is gone are gone with it.
    done(hasty.delete("/v1/directors/other"))
    eventually(lambda: not deliveries(hasty, director="other"), "the deliveries to be forgotten")


def test_410_disables_the_hook_until_it_is_put_again(hasty, receiver):
    register(hasty, receiver, SELECT)
    receiver.on("/hook", Reply(410))
    first = select(hasty)
    receiver.wait(1)
    eventually(lambda: done(hasty.get(SELECT)).json()["isDisabled"], "the hook to be disabled")
    assert "410" in done(hasty.get(SELECT)).json()["disabledReason"]
    # What waited and what comes now is not sent; it can be when the hook is in use again.
    second = report(hasty, "didSelect", indexPath=[0, 0]).json().get("delivery")
    eventually(lambda: not deliveries(hasty, status="pending"), "nothing to wait")
    time.sleep(0.3)
    assert len(receiver.at()) == 1
    receiver.on("/hook", FINE)
    body = {"url": f"{receiver.url}/hook"}
    assert done(hasty.put(SELECT, json=body)).json()["isDisabled"] is False
    for each in [each for each in (first, second) if each]:
        done(hasty.post(f"/v1/deliveries/{each}:retry"))
    third = select(hasty)
    eventually(lambda: receiver.at()[-1].id == third, "the last one to arrive")
    assert [call.id for call in receiver.at()[1:]] == [each for each in (first, second, third) if each]


def test_a_hook_that_is_disabled_stays_so_over_a_restart(start, receiver):
    server = start(**HASTY)
    with client_of(server) as client:
        fill(client)
        register(client, receiver, SELECT)
        receiver.on("/hook", Reply(410))
        select(client)
        eventually(lambda: done(client.get(SELECT)).json()["isDisabled"], "the hook to be disabled")
    server.terminate()
    server.wait()
    with client_of(start(folder=server.folder, **HASTY)) as client:
        assert done(client.get(SELECT)).json()["isDisabled"]


def test_what_waits_goes_where_the_hook_leads_now(patient, receiver):
    """A new address, or a new secret, counts for what was accepted before."""
    register(patient, receiver, SELECT, "/old")
    receiver.on("/old", FAILS)
    ids = [select(patient, number) for number in range(3)]
    receiver.wait(1, "/old")
    register(patient, receiver, SELECT, "/new")
    receiver.wait(3, "/new")
    assert [call.id for call in receiver.at("/new")] == ids
    assert {call.id for call in receiver.at("/old")} == {ids[0]}


def test_410_of_an_earlier_target_does_not_disable_the_hook(patient, receiver):
    register(patient, receiver, SELECT)
    receiver.on("/hook", Reply(410, wait=0.5))
    ids = [select(patient, number) for number in range(3)]
    receiver.wait(1)
    receiver.on("/new", FINE)
    register(patient, receiver, SELECT, path="/new")
    eventually(lambda: not deliveries(patient), "the deliveries to arrive at the new target")
    assert [call.id for call in receiver.at("/new")] == ids
    assert not done(patient.get(SELECT)).json()["isDisabled"]


def test_a_hook_that_is_removed_gets_nothing_more(patient, receiver):
    register(patient, receiver, SELECT)
    receiver.on("/hook", FAILS)
    select(patient)
    receiver.wait(1)
    done(patient.delete(SELECT))
    eventually(lambda: not deliveries(patient, status="pending"), "nothing to wait")
    count = len(receiver.at())
    # Four more would come meanwhile; one may have been under way.
    time.sleep(0.4)
    assert len(receiver.at()) <= count + 1
    assert done(report(patient, "didSelect", indexPath=[0, 0])).json()["delivery"] is None


def test_a_full_queue_is_said(start, receiver):
    with client_of(start(HOOKS_MAX_PENDING="10", **PATIENT)) as client:
        fill(client)
        register(client, receiver, SELECT)
        receiver.on("/hook", FAILS)
        ids = [select(client, number) for number in range(10)]
        answer = report(client, "didSelect", indexPath=[0, 0])
        assert answer.status_code == 429 and int(answer.headers["retry-after"]) > 0
        assert answer.headers["content-type"] == "application/problem+json"
        receiver.on("/hook", FINE)
        eventually(lambda: not deliveries(client), "the deliveries to arrive")
        assert list(dict.fromkeys(call.id for call in receiver.at())) == ids
        select(client)


def test_an_event_reported_twice_with_a_key_is_delivered_once(patient, receiver):
    register(patient, receiver, SELECT)
    body = {"event": "didSelect", "indexPath": [0, 0]}
    answers = [done(patient.post(f"{BOOK}/events", json=body, headers={"Idempotency-Key": "tap-1"})) for _ in range(3)]
    assert len({answer.json()["delivery"] for answer in answers}) == 1
    select(patient)
    receiver.wait(2)
    assert len(receiver.at()) == 2
    answer = patient.post(f"{BOOK}/events", json=body | {"indexPath": [0, 1]}, headers={"Idempotency-Key": "tap-1"})
    assert answer.status_code == 422


def test_a_flood_is_coalesced_and_the_latest_wins(patient, receiver):
    register(patient, receiver, SCROLL, coalesce="100ms")
    began = time.monotonic()
    for number in range(200):
        notify(patient, "didScroll", parameters={"contentOffset": {"x": 0, "y": number}})
    seconds = time.monotonic() - began

    def offsets() -> list[int]:
        return [call.data["parameters"]["contentOffset"]["y"] for call in receiver.at()]

    receiver.wait_until(lambda: 199 in offsets(), "the last position")
    arrived = offsets()
    assert arrived == sorted(set(arrived)), "each position once, in order"
    assert 1 <= len(arrived) <= seconds / 0.1 + 3
    time.sleep(0.3)
    assert offsets() == arrived and deliveries(patient) == []


def test_what_is_not_coalesced_is_delivered_each(patient, receiver):
    register(patient, receiver, SCROLL)
    ids = [notify(patient, "didScroll", parameters={"contentOffset": {"x": 0, "y": number}}) for number in range(200)]
    receiver.wait(200)
    assert [call.id for call in receiver.at()] == ids
    # One connection carries them.
    assert receiver.connections <= 2
