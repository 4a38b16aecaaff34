"""Hooks are registered at every level, kept, shown without their secrets, and refused where they make no sense."""

import signal

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from support.hooks import BOOK, ask, client_of, done, fill, followed, new_secret, notify, register
from support.receiver import value

SELECT = f"{BOOK}/adapters/Person/events/didSelect"
LEVELS = {
    SELECT: ("didSelect", {"indexPath": [0, 0]}),
    f"{BOOK}/header-footer-adapters/Banner/events/willDisplay": ("willDisplay", {"header": 0}),
    f"{BOOK}/events/willDisplayFooter": ("willDisplayFooter", {"footer": 0}),
    f"{BOOK}/scroll-events/didScroll": ("didScroll", {}),
}
HOOK = {"url": "http://127.0.0.1:9/hook"}


def masked(secret: str) -> str:
    return f"whsec_…{secret[-4:]}"


@pytest.mark.parametrize("target", LEVELS)
def test_a_hook_is_put_read_listed_replaced_and_removed(hooked, receiver, target):
    event, where = LEVELS[target]
    secret = new_secret()
    assert hooked.get(target).status_code == 404
    shown = register(hooked, receiver, target, "/first", secret=secret, timeout="2s", headers={"X-Team": "books"})
    assert shown["url"] == f"{receiver.url}/first" and shown["secret"] == [masked(secret)] and shown["timeout"] == "2s"
    assert (shown["event"], shown["kind"], shown["isDisabled"]) == (event, "notification", False)
    read = done(hooked.get(target)).json()
    assert read == shown and secret not in str(read)
    listed = done(hooked.get(target.rpartition("/")[0])).json()
    assert [each["event"] for each in listed["events"]] == [event]
    notify(hooked, event, **where)
    (call,) = receiver.wait(1, "/first")
    assert call.fields["x-team"] == "books"

    # Replaced without a secret, it keeps the one that it has.
    revision = hooked.get(BOOK).json()["revision"]
    receiver.secrets["/second"] = [secret]
    replaced = done(hooked.put(target, json={"url": f"{receiver.url}/second"}))
    assert replaced.json()["secret"] == [masked(secret)] and "timeout" not in replaced.json()
    assert hooked.get(BOOK).json()["revision"] == revision + 1
    notify(hooked, event, **where)
    (call,) = receiver.wait(1, "/second")
    assert "x-team" not in call.fields

    done(hooked.delete(target))
    assert hooked.get(target).status_code == 404 and hooked.delete(target).status_code == 404
    assert done(hooked.get(target.rpartition("/")[0])).json()["events"] == []


def test_what_was_read_can_be_sent_back(hooked, receiver):
    secret = new_secret()
    token = "Bearer " + "x" * 20
    register(hooked, receiver, SELECT, secret=secret, timeout="1s", coalesce="50ms", headers={"Authorization": token})
    read = done(hooked.get(SELECT)).json()
    assert "xxxxx" not in read["headers"]["Authorization"]
    again = done(hooked.put(SELECT, json=read)).json()
    assert again == read
    notify(hooked, "didSelect", indexPath=[0, 0])
    assert receiver.wait(1)[0].fields["authorization"] == token


def test_a_secret_is_made_where_none_is_given_and_shown_once(hooked, receiver):
    answer = done(hooked.put(SELECT, json={"url": f"{receiver.url}/hook"}))
    (secret,) = answer.json()["secret"]
    assert answer.status_code == 201 and "…" not in secret
    assert done(hooked.get(SELECT)).json()["secret"] == [masked(secret)]
    again = done(hooked.put(SELECT, json={"url": f"{receiver.url}/hook"}))
    assert again.status_code == 200 and again.json()["secret"] == [masked(secret)]
    # The receiver checks every call with it.
    receiver.secrets["/hook"] = [secret]
    notify(hooked, "didSelect", indexPath=[0, 0])
    receiver.wait(1)


def test_a_rotation_signs_with_both_secrets(hooked, receiver):
    old, new = new_secret(), new_secret()
    register(hooked, receiver, SELECT, secret=old)
    # The receiver verifies with each of the two, and counts the signatures.
    register(hooked, receiver, SELECT, secret=[new, old])
    notify(hooked, "didSelect", indexPath=[0, 0])
    receiver.wait(1)
    assert done(hooked.get(SELECT)).json()["secret"] == [masked(new), masked(old)]
    register(hooked, receiver, SELECT, secret=new)
    notify(hooked, "didSelect", indexPath=[0, 0])
    call = receiver.wait(2)[1]
    with pytest.raises(WebhookVerificationError):
        Webhook(old).verify(call.body, call.fields)


def test_a_signature_says_when_and_whose(hooked, receiver):
    """The verification itself: with anything changed it fails."""
    secret = new_secret()
    register(hooked, receiver, SELECT, secret=secret)
    notify(hooked, "didSelect", indexPath=[0, 0])
    (call,) = receiver.wait(1)
    Webhook(secret).verify(call.body, call.fields)
    for body, fields in [
        (call.body + b" ", call.fields),
        (call.body, call.fields | {"webhook-id": "msg_other"}),
        (call.body, call.fields | {"webhook-timestamp": str(int(call.fields["webhook-timestamp"]) - 1)}),
        (call.body, call.fields | {"webhook-timestamp": str(int(call.fields["webhook-timestamp"]) - 3600)}),
    ]:
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(body, fields)


@pytest.mark.parametrize("target, event, others", [
    (f"{BOOK}/adapters/Person/events", "itemSize", ["rowHeight", "didSelect"]),
    (f"{BOOK}/header-footer-adapters/Banner/events", "referenceSize", ["headerHeight", "footerHeight"]),
    (f"{BOOK}/events", "targetOffset", ["sectionForSectionIndex"]),
    (f"{BOOK}/scroll-events", "didSelect", ["didScroll"]),
])
def test_an_event_of_another_kind_is_refused_with_the_names_of_those_there_are(hooked, target, event, others):
    answer = hooked.put(f"{target}/{event}", json=HOOK)
    assert answer.status_code in (404, 422) and answer.headers["content-type"] == "application/problem+json"
    assert all(other in answer.json()["detail"] for other in others)


@pytest.mark.parametrize("target, body, pointer", [
    (SELECT, {}, ""),
    (SELECT, HOOK | {"sercet": "x"}, "/sercet"),
    (SELECT, HOOK | {"secret": "secret"}, "/secret"),
    (SELECT, HOOK | {"secret": "whsec_c2hvcnQ="}, "/secret"),
    (SELECT, HOOK | {"secret": [new_secret() for _ in range(9)]}, "/secret"),
    (SELECT, HOOK | {"secret": []}, "/secret"),
    (SELECT, HOOK | {"timeout": "soon"}, "/timeout"),
    (SELECT, HOOK | {"timeout": -1}, "/timeout"),
    (SELECT, HOOK | {"default": True}, "/default"),
    (SELECT, HOOK | {"cache": True}, "/cache"),
    (SELECT, HOOK | {"headers": {"Host": "example.org"}}, "/headers/Host"),
    (SELECT, HOOK | {"headers": {"content-LENGTH": "3"}}, "/headers/content-LENGTH"),
    (SELECT, HOOK | {"headers": {"Webhook-Signature": "v1,x"}}, "/headers/Webhook-Signature"),
    (SELECT, HOOK | {"headers": {"X-A": "a\r\nX-B: b"}}, "/headers/X-A"),
    (f"{BOOK}/adapters/Person/events/shouldHighlight", HOOK | {"default": "yes"}, "/default"),
    (f"{BOOK}/adapters/Person/events/shouldHighlight", HOOK | {"coalesce": "1s"}, "/coalesce"),
    (f"{BOOK}/adapters/Person/events/rowHeight", HOOK | {"default": -20}, "/default"),
    (f"{BOOK}/scroll-events/shouldScrollToTop", HOOK | {"cache": True}, "/cache"),
])
def test_nonsense_is_refused_with_its_place(hooked, target, body, pointer):
    answer = hooked.put(target, json=body)
    assert answer.status_code == 422, answer.text
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]
    assert hooked.get(target).status_code == 404


def test_a_hook_needs_its_adapter(hooked):
    assert hooked.put(f"{BOOK}/adapters/Nobody/events/didSelect", json=HOOK).status_code == 404
    assert hooked.put(f"{BOOK}/header-footer-adapters/Nobody/events/willDisplay", json=HOOK).status_code == 404
    assert hooked.put("/v1/directors/nobody/events/willDisplayHeader", json=HOOK).status_code == 404


def test_an_adapter_brings_its_hooks_along(hooked, receiver):
    secret = new_secret()
    receiver.secrets["/hook"] = [secret]
    adapter, hook = f"{BOOK}/adapters/Person", {"url": f"{receiver.url}/hook", "secret": secret}
    body = {"cell": "PersonCell", "identifier": "{name}"}
    done(hooked.put(adapter, json=body | {"events": {"didSelect": hook}}))
    notify(hooked, "didSelect", indexPath=[0, 0])
    receiver.wait(1)
    shown = done(hooked.get(adapter)).json()
    assert shown["events"]["didSelect"]["secret"] == [masked(secret)]
    # Left out, they stay; given, they are all that there are.
    done(hooked.put(adapter, json=body))
    assert list(done(hooked.get(adapter)).json()["events"]) == ["didSelect"]
    done(hooked.put(adapter, json=body | {"events": {"didDeselect": hook}}))
    assert list(done(hooked.get(adapter)).json()["events"]) == ["didDeselect"]
    answer = hooked.put(adapter, json=body | {"events": {"itemSize": hook}})
    assert answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == "/events/itemSize"
    assert list(done(hooked.get(adapter)).json()["events"]) == ["didDeselect"]


def test_whoever_shows_the_list_learns_what_to_report_and_not_where_it_goes(hooked, receiver, server):
    hidden = [receiver.url, "whsec"]
    with followed(server.url) as stream:
        name, data = next(stream)
        assert name == "snapshot" and (data["events"], data["scrollEvents"]) == ({}, {})
        for target, (event, _) in LEVELS.items():
            register(hooked, receiver, target)
            name, data = next(stream)
            assert name == "definition" and not any(each in str(data) for each in hidden)
            assert str({event: {"kind": "notification"}}) in str(data)
        register(hooked, receiver, f"{BOOK}/adapters/Person/events/rowHeight")
        kinds = {"didSelect": {"kind": "notification"}, "rowHeight": {"kind": "question"}}
        assert kinds in [adapter["events"] for adapter in next(stream)[1]["adapters"]]
    with followed(server.url) as stream:
        name, data = next(stream)
        assert name == "snapshot" and not any(each in str(data) for each in hidden)
        assert data["events"] == {"willDisplayFooter": {"kind": "notification"}}
        assert data["scrollEvents"] == {"didScroll": {"kind": "notification"}}


def test_an_adapter_takes_its_hooks_with_it(hooked):
    done(hooked.put(f"{BOOK}/adapters/Ghost", json={"cell": "GhostCell"}))
    target = f"{BOOK}/adapters/Ghost/events/didSelect"
    done(hooked.put(target, json=HOOK))
    done(hooked.delete(f"{BOOK}/adapters/Ghost"))
    done(hooked.put(f"{BOOK}/adapters/Ghost", json={"cell": "GhostCell"}))
    assert hooked.get(target).status_code == 404


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGKILL], ids=["a restart", "a kill"])
def test_hooks_survive(start, receiver, with_signal):
    server, before = start(), {}
    with client_of(server) as client:
        fill(client)
        for number, target in enumerate(LEVELS):
            register(client, receiver, target, f"/{number}", timeout="3s", headers={"X-Number": str(number)})
            before[target] = done(client.get(target)).json()
        register(client, receiver, f"{BOOK}/adapters/Person/events/rowHeight", "/height", default=31.50, cache=True)
        # Removed, it does not come back.
        gone = f"{BOOK}/adapters/Person/events/didDeselect"
        register(client, receiver, gone, "/gone")
        done(client.delete(gone))
        revision = done(client.get(BOOK)).json()["revision"]
    server.terminate(with_signal)
    server.wait()
    with client_of(start(folder=server.folder)) as client:
        assert done(client.get(BOOK)).json()["revision"] == revision
        assert {target: done(client.get(target)).json() for target in LEVELS} == before
        assert client.get(gone).status_code == 404
        for number, (event, where) in enumerate(LEVELS.values()):
            notify(client, event, **where)
            assert receiver.wait(1, f"/{number}")[0].fields["x-number"] == str(number)
        receiver.on("/height", value("high"))
        assert ask(client, "rowHeight", indexPath=[0, 0])["value"] == 31.5
