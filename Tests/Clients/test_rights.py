"""Rights belong to what is done: each way to cause an effect, beside each set of rights."""

import contextlib
import json
import os
import re
import tempfile
from pathlib import Path

import pytest

from support.entries import entries
from support.hooks import eventually
from support.receiver import content
from support.rights import (
    ANSWERS, AT, CHANGES, CONTENT, DIRECTOR, FEW, FILTERED, HOOK, HOOKS, NEW, OPEN, OPERATIONS, RIGHTS, SETS, Way, Wire,
    TRANSFERS, batches, element, operation, others, routes)

SECRET = "whsec_" + "c2VjcmV0" * 4
# What shows every change: a director's revision counts those of its content, its definition and its hooks.
STATE = [AT, f"{AT}/adapters", f"/v1/hooks?director={DIRECTOR}"]
ELSEWHERE = ["/v1/tokens?limit=1000", f"/v1/deliveries?director={DIRECTOR}", "/v1/directors/d-new"]


class Guarded:
    """A server that asks for credentials, a token for each set of rights, and what its audit has to say."""

    def __init__(self, start, receiver, data: str):
        self.server = start("--data", data, AUTH_MODE="required", AUDIT_FILE="audit", HOOKS_RETRY_DELAYS="0.001")
        self.receiver = receiver
        self.receiver.secrets["/markhook"] = [SECRET]
        self.wire = Wire(self.server.port)
        self.admin = (Path(data) / "first-token").read_text().strip()
        self.tokens: dict[frozenset, str] = {}
        for each in SETS:
            self.token(each)
        self.fill()

    def token(self, rights: frozenset) -> str:
        """A token with these rights to directors of these names."""
        if rights not in self.tokens:
            grants = [{"actions": sorted(rights - {"operate"}), "directors": ["d-*"]}] if rights - {"operate"} else []
            grants += [{"actions": ["operate"]}] if "operate" in rights else []
            # Somebody without a right to this director has every one to another.
            grants = grants or [{"actions": list(RIGHTS[:-1]), "directors": ["elsewhere"]}]
            name = "+".join(sorted(rights)) or "none"
            self.tokens[rights] = self.ask("POST", "/v1/tokens", {"name": name, "grants": grants}).json["token"]
        return self.tokens[rights]

    def ask(self, method: str, path: str, body=None):
        """One request with every right, which is not to be refused."""
        answer = self.wire.ask(self.admin, method, path, b"" if body is None else json.dumps(body).encode())
        assert answer.status < 300, f"{method} {path}: {answer.status} {answer.text}"
        return answer

    def fill(self, name: str = DIRECTOR, mark: str = "mark", more: int = 0) -> None:
        """Makes the director anew: of everything something, and something that is not published yet.

        `mark` and `more` make another one, of other names and of more elements.
        """
        at, hook = f"/v1/directors/{name}", {"url": f"{self.receiver.url}/markhook", "secret": SECRET}
        elements = [element(mark + each) for each in ("one", "two", *map(str, range(more)))]
        rows = [{"id": f"{mark}row", "type": "constant", "cell": f"{mark}cell"},
                {"id": f"{mark}model", "type": "model", "model": "Markmodel",
                 "elements": [element(mark + each) for each in ("three", "four", *map(str, range(more)))]}]
        view = {"willDisplay": hook}
        requests = [
            ("DELETE", "", None), ("PUT", "", {"kind": "table"}),
            ("PUT", "/adapters", {"adapters": [
                {"model": "Markmodel", "cell": f"{mark}cell", "identifier": "{id}",
                 "events": {"didSelect": hook, "shouldHighlight": {"default": False}}},
                {"model": "Unused", "cell": "unused"}, {"model": "Plain", "cell": "plain"},
                {"model": "Hooked", "cell": "hooked", "events": {"didSelect": hook}}]}),
            ("PUT", "/header-footer-adapters/Markview", {"events": view}),
            ("PUT", "/header-footer-adapters/Spare", {}), ("PUT", "/header-footer-adapters/Hookedview", {"events": view}),
            ("PUT", "/events/willDisplayFooter", hook), ("PUT", "/scroll-events/didScroll", hook),
            ("POST", "/operations", {"reload": True, "operations": [
                {"op": "setVariable", "name": "markvariable", "value": f"{mark}value"},
                {"op": "setSections", "sections": [
                    {"id": f"{mark}section", "headerTitle": f"{mark}title", "footerTitle": f"{mark}title", "headerView": "Markview",
                     "elements": elements},
                    {"id": "rows", "rows": rows}]}]}),
            ("PUT", f"/sections/rows/rows/{mark}row/events/didSelect", hook),
            ("PUT", f"/sections/{mark}section/events/models", hook),
            ("PATCH", f"/sections/{mark}section/elements/{mark}two", {"text": f"{mark}text, new"}),
        ]
        for method, path, body in requests:
            self.wire.send(self.admin, method, at + path, b"" if body is None else json.dumps(body).encode())
        answers = [self.wire.receive() for _ in requests]
        failed = [(request[:2], answer.text) for request, answer in zip(requests[1:], answers[1:]) if answer.status >= 300]
        assert not failed, failed

    def state(self, paths) -> list[str]:
        """What is kept, as somebody with every right reads it; how targets are doing is left out."""
        for path in paths:
            self.wire.send(self.admin, "GET", path)
        read = [self.wire.receive() for _ in paths]
        # When a token was used is kept as well.
        return [json.dumps(without(each.json, "health", "lastUsedAt", "instance")) for each in read]

    def has_settled(self) -> bool:
        """Whether each delivery has been taken or given up."""
        kept = self.ask("GET", f"/v1/deliveries?director={DIRECTOR}").json["deliveries"]
        return all(each["status"] == "dead" for each in kept)

    def lines(self) -> list[dict]:
        """The audit so far, but for a line that is being written."""
        return entries(self.server.folder / "audit")

    def notes(self) -> list[tuple]:
        """What the audit says of all but the one with every right: who, what, of which director, with what outcome."""
        principals = [(line, line["principal"].partition(" (")[2].rstrip(")")) for line in self.lines()]
        return [(name, line.get("operation"), line.get("director"), line["outcome"])
                for line, name in principals if name and name != "first token"]

    def deeds(self) -> list[tuple]:
        """What the audit says of hooks' answers."""
        return [(line["operation"], line["director"], line["outcome"])
                for line in self.lines() if line["principal"].startswith("hook ")]


def without(node, *names):
    """A value without some members, at whatever depth."""
    if isinstance(node, dict):
        return {name: without(value, *names) for name, value in node.items() if name not in names}
    return [without(each, *names) for each in node] if isinstance(node, list) else node


@pytest.fixture
def guarded(start, receiver):
    # Thousands of commits, none of which is to survive: in memory, where there is a folder of it.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as data:
        made = Guarded(start, receiver, data)
        yield made
        made.wire.close()
        made.server.stop()


def test_each_way_beside_each_set_of_rights(guarded):
    document = guarded.wire.ask(None, "GET", "/openapi.json").json
    kinds = document["components"]["schemas"]["Operation"]["discriminator"]["mapping"].keys()
    assert kinds == OPERATIONS.keys(), "an operation that is not written down"
    tried = [Tried(guarded, each, SETS) for each in routes(document)]
    tried += [Tried(guarded, each, FEW) for each in [*batches(), *others()]]
    print(f"{sum(each.count for each in tried)} requests by {len(SETS)} sets of rights")
    faults = [fault for each in tried for fault in each.faults]
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:60])
    notes = [note for each in tried for note in each.notes]
    # Where a line is missing, which one it is tells more than that it does not come.
    with contextlib.suppress(AssertionError):
        eventually(lambda: len(guarded.notes()) >= len(notes), "the last line of the audit")
    for noted, expected in zip(guarded.notes(), notes):
        assert noted == expected
    assert len(guarded.notes()) == len(notes)


class Tried:
    """One way, tried with every set of rights: first with those that do not have them."""

    def __init__(self, guarded: Guarded, way: Way, sets: list[frozenset]):
        self.guarded, self.way, self.count = guarded, way, 0
        self.faults: list[str] = []
        # What the audit is to say of each request.
        self.notes: list[tuple] = []
        self.names = self.prepared()
        state = self.state()
        refused = [each for each in sets if not way.needs <= each]
        for rights in refused:
            self.ask(rights)
        for rights in refused:
            self.refused(rights, guarded.wire.receive())
        if self.state() != state:
            self.fault("one of those who are refused", "something has changed")
        # Every larger set has these rights as well.
        allowed = [each for each in sets if way.needs <= each]
        if way.changes:
            allowed = [way.needs, way.needs | {"read"}][: 2 if sets is SETS else 1]
        for number, rights in enumerate(allowed):
            if way.changes and number:
                self.names = self.prepared()
                state = self.state()
            self.ask(rights)
            self.done(rights, guarded.wire.receive())
            if way.changes and self.state() == state:
                self.fault(rights, "nothing has changed")
        if not way.changes and way.operation != "reportEvent" and self.state() != state:
            self.fault("those who may", "something has changed")
        if way.changes:
            guarded.fill()

    def state(self) -> list[str]:
        return self.guarded.state(STATE if self.way.path.startswith(AT) else STATE + ELSEWHERE)

    def prepared(self) -> dict[str, str]:
        """Makes what the way needs; its names."""
        guarded, way, names = self.guarded, self.way, {}
        if self.count and way.changes:
            guarded.fill()
        if way.path.startswith("/v1/directors/d-new"):
            guarded.wire.ask(guarded.admin, "DELETE", "/v1/directors/d-new")
        if "TOKEN" in way.path:
            grants = [{"actions": ["read"], "directors": ["elsewhere"]}]
            names["TOKEN"] = guarded.ask("POST", "/v1/tokens", {"name": "to go", "grants": grants}).json["id"]
        if "DELIVERY" in way.path:
            guarded.ask("PUT", f"{AT}/events/willDisplayFooter", {"url": "http://127.0.0.1:9/markhook", "secret": SECRET})
            made = guarded.ask("POST", f"{AT}/events", {"event": "willDisplayFooter", "footer": 0}).json["delivery"]
            names["DELIVERY"] = made
        if not way.path.startswith(AT):
            # Deliveries of earlier ways may still be under way, and would go between two looks.
            eventually(guarded.has_settled, "no delivery that is still to be tried")
        return names

    def ask(self, rights) -> None:
        self.count += 1
        path = self.way.path
        for name, value in self.names.items():
            path = path.replace(name, value)
        self.guarded.wire.send(
            self.guarded.token(rights), self.way.method, path, self.way.text, fields=self.way.fields)

    def fault(self, rights, what: str) -> None:
        named = rights if isinstance(rights, str) else "+".join(sorted(rights)) or "none"
        self.faults.append(f"{self.way.name} ({self.way.method} {self.way.path}) with {named}: {what}")

    def note(self, rights, outcome: str) -> None:
        path = self.way.path.split("?")[0].split("/")
        director = path[3] if path[1:3] == ["v1", "directors"] and len(path) > 3 else None
        self.notes.append(("+".join(sorted(rights)) or "none", self.way.operation, director, outcome))

    def refused(self, rights, answer):
        """With `read`, that a right is missing; without, as if there were no such director."""
        if not rights and self.way.operation in FILTERED:
            # There is one to another director.
            is_empty = answer.json["total"] == 0 if answer.status == 200 else answer.status == 404
            return None if is_empty else self.fault(rights, f"{answer.status} {answer.text[:200]}")
        statuses = (403,) if "read" in rights else (403, 404)
        if answer.status not in statuses:
            self.fault(rights, f"{answer.status} {answer.text[:200]}")
        self.note(rights, "refused")
        self.look(rights, answer)

    def done(self, rights, answer) -> None:
        """It is done; who may not read sees nothing of it."""
        way = self.way
        if way.operation in OPEN or way.operation == "closeStream":
            if answer.status in (401, 403):
                self.fault(rights, f"{answer.status} {answer.text[:200]}")
        elif answer.status >= 300:
            self.fault(rights, f"{answer.status} {answer.text[:300]}")
        if way.method != "GET" and answer.status < 400:
            self.note(rights, "tried" if b"dryRun" in way.text else "done")
        if "location:" in answer.head.lower() and not {"read", "hooks", "operate"} & rights and way.operation not in OPEN:
            self.fault(rights, f"it tells where: {answer.head}")
        self.look(rights, answer)

    def look(self, rights, answer) -> None:
        """Nothing is told of what may not be read, but for what the request itself says."""
        told, said = answer.head + answer.text, self.way.path + self.way.text.decode()
        # Where hooks are registered is told to who may see hooks: models, views and rows.
        marks = [each for each in CONTENT if "hooks" not in rights or "text" in each or "value" in each]
        # A delivery is what is sent, to who may see that.
        if "read" not in rights and "elivery" not in self.way.operation and "eliveries" not in self.way.operation:
            self.faults += [f"{self.way.name} with {sorted(rights)} tells {each}: {told[-300:]}"
                            for each in marks if each in told and each not in said]
        if "hooks" not in rights:
            self.faults += [f"{self.way.name} with {sorted(rights)} tells {each}: {told[-300:]}"
                            for each in HOOKS if each in told and each not in said]
        is_command = self.way.changes or self.way.operation in ("refresh", "scroll")
        if is_command and answer.status < 300 and not rights & {"read", "hooks", "operate"} and answer.body:
            self.fault(rights, f"it is answered with {answer.text[:200]}")


# MARK: What hooks' targets bring about


@pytest.mark.parametrize("event", ["shouldHighlight", "didSelect"])
def test_a_hooks_answer_does_what_was_granted_with_it_and_nothing_else(guarded, receiver, event):
    """A question's answer is applied before the question is answered, a notification's later."""
    element_at = {"section": "marksection", "element": "markone"}
    kinds = OPERATIONS if event == "shouldHighlight" else ["setVariable", "removeAdapter"]
    answers = [([operation(each)], {OPERATIONS[each][0]}) for each in kinds]
    adapter, variable = operation("setAdapter"), operation("setVariable")
    answers += [([adapter, variable], {"mutate", "define"}), ([variable, adapter], {"mutate", "define"}),
                ([adapter, "reload"], {"mutate", "define"}), (["reload"], {"mutate"}),
                # Hooks go with it, which no answer may do away with.
                ([{"op": "removeAdapter", "model": "Hooked"}], {"hooks"})]
    expected = []
    for operations, needs in answers:
        receiver.on("/markhook", content({"value": True, "reload": "reload" in operations, "operations": [
            each for each in operations if each != "reload"]}))
        for granted in (needs - {"hooks"}, {"mutate", "define"} - needs):
            registers = guarded.token(frozenset({"hooks", *granted}))
            hook = json.dumps({"url": f"{receiver.url}/markhook", "secret": SECRET}).encode()
            path = f"{AT}/adapters/Markmodel/events/{event}"
            guarded.wire.ask(guarded.admin, "DELETE", path)
            # Its answers may do what whoever registers it may do.
            assert guarded.wire.ask(registers, "PUT", path, hook).status == 201
            state = guarded.state([AT])
            body = json.dumps({"event": event} | element_at).encode()
            assert guarded.wire.ask(guarded.token(frozenset({"report"})), "POST", f"{AT}/events", body).status < 300
            expected.append(("applyHookAnswer", DIRECTOR, "done" if needs <= granted else "refused"))
            eventually(lambda: len(guarded.deeds()) >= len(expected), "a line in the audit")
            has_changed = guarded.state([AT]) != state
            assert has_changed is (needs <= granted), f"{operations} of a hook that may {granted or 'nothing'}"
            if has_changed:
                guarded.fill()
    assert guarded.deeds() == expected


# MARK: What refusals tell

MISSING = [
    *[(right, "POST", "/operations", {"operations": [body]}) for right, body in [
        ("mutate", {"op": "removeSection", "section": "@99"}), ("mutate", {"op": "moveSection", "from": 99, "to": 0}),
        ("mutate", {"op": "swapSections", "at": 99, "with": 0}), ("mutate", {"op": "removeSections", "at": [99]}),
        ("mutate", {"op": "addSections", "sections": [], "at": 99}),
        ("mutate", {"op": "patchSection", "section": "@0", "patch": {"headerView": "None"}}),
        ("mutate", {"op": "patchSection", "section": "@0", "patch": {"headerTitle": 1}}),
        ("mutate", {"op": "removeElement", "section": "@0", "element": "@99"}),
        ("mutate", {"op": "moveElement", "section": "@0", "from": 99, "to": 0}),
        ("mutate", {"op": "addElements", "section": "@0", "elements": [], "at": 99}),
        ("mutate", {"op": "setElement", "section": "@0", "element": "@99", "value": element("x")}),
        ("mutate", {"op": "patchElement", "section": "@0", "element": "@0", "patch": {"id": None}}),
        ("mutate", {"op": "patchElement", "section": "@1", "element": "@0", "patch": {}}),
        ("mutate", {"op": "removeAllElements", "section": "@1"}), ("mutate", {"op": "removeAllRows", "section": "@0"}),
        ("mutate", {"op": "removeRow", "section": "@1", "row": "@99"}),
        ("mutate", {"op": "moveRow", "section": "@1", "from": 0, "to": 99}),
        ("mutate", {"op": "patchRow", "section": "@1", "row": "@0", "patch": {"type": "model"}}),
        ("mutate", {"op": "patchRow", "section": "@1", "row": "@0", "patch": {"model": "None"}}),
        ("mutate", {"op": "setElements", "section": "@1", "row": "@0", "elements": []}),
        ("mutate", {"op": "addElements", "section": "@0", "elements": [{"value": 1}]}),
        ("mutate", {"op": "addElements", "section": "@0", "elements": [{"model": "None", "value": 1}]}),
        ("mutate", {"op": "removeVariable", "name": "none"}),
        ("define", {"op": "removeAdapter", "model": "Markmodel"}), ("define", {"op": "removeAdapter", "model": "None"}),
        ("define", {"op": "setAdapter", "model": "Markmodel", "value": {"cell": "x", "identifier": "{none}"}}),
        ("define", {"op": "setAdapter", "model": "Markmodel", "value": {"cell": "x", "identifier": "x", "unique": True}}),
    ]],
    ("mutate", "POST", "/operations", {"reload": True, "operations": [
        {"op": "patchRow", "section": "@1", "row": "@0", "patch": {"height": {"var": "variables.markvariable"}}}]}),
    ("mutate", "POST", "/operations", {"reload": True, "operations": [
        {"op": "patchRow", "section": "@1", "row": "@0", "patch": {"height": {"+": [{"var": "variables.markvariable"}, 1]}}}]}),
    ("mutate", "DELETE", "/sections/@99", None), ("mutate", "DELETE", "/sections?at=99", None),
    ("mutate", "PATCH", "/sections/none", {}), ("mutate", "PATCH", "/sections/@0/elements/@99", {}),
    ("mutate", "PUT", "/sections/@0/elements/@99", element("x")), ("mutate", "PUT", "/sections/@99", {}),
    ("mutate", "PUT", "/sections/@0/elements/none", element("other")),
    ("mutate", "POST", "/sections?at=99", {"id": "x"}), ("mutate", "POST", "/sections/@0/elements?at=99", element("x")),
    ("mutate", "POST", "/sections/@0/elements:move", {"from": 99, "to": 0}),
    ("mutate", "POST", "/sections/@1/elements:move", {"from": 0, "to": 0}),
    ("mutate", "POST", "/sections/@1/rows:move", {"from": 0, "to": 99}),
    ("mutate", "POST", "/sections/@1/rows/@1/elements:move", {"from": 99, "to": 0}),
    ("mutate", "POST", "/sections/@1/rows/@0/elements", element("x")), ("mutate", "PATCH", "/sections/@1/rows/@99", {}),
    ("mutate", "PUT", "/sections/@1/rows/@99", {"type": "constant", "cell": "x"}),
    ("mutate", "DELETE", "/variables/none", None), ("mutate", "POST", "/elements?section=none", element("x")),
    ("mutate", "PUT", "/content", []), ("mutate", "PUT", "/content?maxRemoved=0", [{"id": "new", "elements": [NEW]}]),
    ("mutate", "PUT", "/content?section=rows&row=none", [NEW]),
    ("mutate", "PUT", "/content", [{"id": "new", "elements": [{"model": "None", "value": 1}]}]),
    ("mutate", "PUT", "/content?allowEmpty=true", [{"id": "new", "headerView": "None"}]),
    ("mutate", "POST", "/refresh", {"indexPaths": [[0, 99]]}),
    ("mutate", "POST", "/refresh", {"elements": [{"section": "@0", "element": "@99"}]}),
    ("mutate", "POST", "/refresh", {"rows": [{"section": "@1", "row": "none"}]}),
    ("mutate", "POST", "/scroll", {"to": {"indexPath": [0, 99]}}), ("mutate", "POST", "/scroll", {"to": {"section": "none"}}),
    ("mutate", "POST", "/scroll", {"to": {"section": "@1", "row": "none"}}),
    ("define", "DELETE", "/adapters/Markmodel", None), ("define", "DELETE", "/adapters/None", None),
    ("define", "DELETE", "/header-footer-adapters/Markview", None), ("define", "DELETE", "/header-footer-adapters/None", None),
    ("define", "PUT", "/adapters/Markmodel", {"cell": "x", "identifier": "{none}"}),
    ("define", "PUT", "/adapters", {"adapters": [{"model": "Markmodel", "cell": "x", "identifier": "{none}"}]}),
    ("define", "PUT", "/adapters/Markmodel", {"cell": "x", "identifier": "x", "unique": True}),
    ("define", "PUT", "", {"kind": "collection"}), ("define", "PATCH", "", {"properties": {"rowHeight": 1}}),
    *[("report", "POST", "/events", {"event": "didSelect"} | body) for body in [
        {}, {"indexPath": [0, 99]}, {"indexPath": [9, 0]}, {"section": "none", "element": "none"}, {"section": "@0", "element": "@99"},
        {"indexPath": [0, 0], "version": 77}, {"indexPath": [0, 0], "version": 0}, {"indexPaths": [[0, 0], [0, 99]]},
        {"section": "@1", "element": "@0"}, {"section": "@1", "row": "@0", "element": "@0"}, {"indexPath": [1, 99]},
        {"section": "@1", "row": "@99", "element": "@0"}, {"header": 0}]],
    ("report", "POST", "/events", {"event": "willDisplay", "header": 9}),
    ("report", "POST", "/events", {"event": "willDisplay", "header": 1}),
    ("report", "POST", "/events", {"event": "willDisplayFooter", "footer": 1}),
    ("report", "POST", "/events", {"event": "moveRow", "indexPath": [0, 0], "parameters": {"to": [0, 99]}}),
    ("hooks", "PUT", "/adapters/Markmodel/events/none", HOOK), ("hooks", "PUT", "/adapters/None/events/didSelect", HOOK),
    ("hooks", "PUT", "/sections/@1/rows/@99/events/didSelect", HOOK),
    ("hooks", "PUT", "/sections/@0/rows/@0/events/didSelect", HOOK), ("hooks", "GET", "/sections/@1/rows/@99/events", None),
    ("hooks", "PUT", "/sections/@9/rows/@0/events/didSelect", HOOK), ("hooks", "GET", "/sections/none/rows/none/events", None),
    ("hooks", "DELETE", "/adapters/Markmodel/events/willDisplay", None),
]
CONDITIONS = ({}, {"If-Match": '"none"'}, {"If-None-Match": "*"}, {"Idempotency-Key": "first-{}"})


def test_a_refusal_tells_who_may_not_read_nothing_of_what_is_there(guarded):
    """Two directors with other names, values and numbers of everything: what is answered is the same."""
    guarded.fill("d-two", "other", more=4)
    guarded.ask("POST", "/v1/directors/d-two/reload", {})
    faults, told = [], 0
    for number, (right, method, path, body) in enumerate(MISSING):
        for fields in CONDITIONS:
            given = {name: value.format(number) for name, value in fields.items()}
            if right == "report" and fields and "Idempotency-Key" not in fields:
                continue
            answers = {}
            for each in ("d-one", "d-two"):
                text = b"" if body is None else json.dumps(body).encode()
                asked = (method, f"/v1/directors/{each}{path}", text, given)
                before = guarded.state([f"/v1/directors/{each}"])
                if "Idempotency-Key" in given:
                    # The answer that is kept is one for somebody who may read.
                    guarded.wire.ask(guarded.admin, *asked)
                answer = guarded.wire.ask(guarded.token(frozenset({right})), *asked)
                names = [line for line in answer.head.split("\r\n")[1:] if not line.lower().startswith(
                    ("date:", "content-length:", "x-request-id:"))]
                answers[each] = (answer.status, names, re.sub(r'"msg_\w+"', "", answer.text.replace(each, "d")))
                if guarded.state([f"/v1/directors/{each}"]) != before:
                    faults.append(f"{right} {method} {path} {body} {given} has changed {each}: {answers[each]}")
            told += answers["d-one"][0] >= 400
            if answers["d-one"] != answers["d-two"]:
                faults.append(f"{right} {method} {path} {body} {given}:\n  {answers['d-one']}\n  {answers['d-two']}")
    print(f"{told} refusals, compared")
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults)


def test_the_page_has_the_table_that_the_server_keeps_to(guarded):
    """Each operation and each request that changes something stands in the row of its right."""
    page = Path(__file__).parents[2] / "Sources/Access/Access.docc/Access.md"
    rows = [line.strip("|").split("|") for line in page.read_text().splitlines()
            if re.match(r"\| `\w+` \|", line) and line.count("|") == 5]
    named = {right.strip("` "): (re.findall(r"`(\w+)`", operations), re.findall(r"`([^`]+)`", requests))
             for right, _, operations, requests in rows}
    assert named.keys() == set(RIGHTS)
    told = {each: right for right, (operations, _) in named.items() for each in operations}
    assert told == {name: right for name, (right, _) in OPERATIONS.items()}
    requests = {path.replace("…", "/v1/directors/{director}"): right
                for right, (_, paths) in named.items() for path in paths}
    document = guarded.wire.ask(None, "GET", "/openapi.json").json
    used = set()
    for path, methods in document["paths"].items():
        for method in methods.keys() & {"put", "post", "patch", "delete"}:
            name = methods[method]["operationId"]
            if name in OPEN or name == "performOperations":
                continue
            found = max((each for each in requests if f"{method.upper()} {path}" == each or path.startswith(each)),
                        key=lambda each: (" " in each, len(each)))
            used.add(found)
            assert requests[found] == (CHANGES | ANSWERS | TRANSFERS)[name][0], f"{name}: {found}"
    assert used == requests.keys()
