"""Vectors of streams over several connections."""

import copy

from cases.tools import Changer, Dice, Names, changeset, counts, element, section, snapshot

PROBLEM, OTHER = "application/problem+json", "text/html"
OWN = "urn:callboard:problem:"


def whole(ids: str, version: int, epoch: str = "e", **more) -> list:
    """An event with its id and data."""
    return ["snapshot", f"{epoch}-{version}", snapshot([section("s", ids)], version, epoch, **more)]


def added(identifier: str, at: int, version: int, length: int, epoch: str = "e", first: int | None = None) -> list:
    """An element that is added, and how many there are then."""
    data = changeset([{"elementInserted": [{"at": [0, at], "element": element(identifier)}]}], version, epoch)
    data |= {"counts": {"sections": 1, "elements": length}} | ({} if first is None else {"from": first})
    return ["changeset", f"{epoch}-{version}", data]


def resumed(start: int, version: int, epoch: str = "e") -> list:
    return ["resumed", f"{epoch}-{start}", {"director": "d", "from": start, "version": version}]


def beat(version: int, epoch: str = "e") -> list:
    return ["heartbeat", f"{epoch}-{version}", {"director": "d", "version": version}]


def end(reason: str) -> list:
    return ["end", None, {"director": "d", "reason": reason}]


def stream(*events: list, ends: str = "stays", tail: str | None = None) -> dict:
    """A connection: its events, and whether it stays, is closed by the server, or breaks; `tail` is a text that comes before that."""
    return {"events": list(events), "ends": ends} | ({} if tail is None else {"tail": tail})


def refusal(status: int, kind: str = PROBLEM, problem: str = "") -> dict:
    return {"status": status, "type": kind} | ({"problem": problem} if problem else {})


def vector(name: str, connections: list[dict], ids: list[str | None] | None = None, told: list | None = None, status: str = "live",
           shown: tuple | None = None, needs=()) -> dict:
    """A vector: the id of each request, what is told, and the list in the end as epoch, version and identifiers."""
    made = {"name": name, "kind": "resume"} | ({"needs": list(needs)} if needs else {}) | {"connections": connections}
    if ids is not None:
        list_ = None if shown is None else {"epoch": shown[0], "version": shown[1], "ids": [list(shown[2])]}
        made["expect"] = {"requests": [{"lastEventId": each} for each in ids], "told": told, "status": status, "list": list_}
    return made


def written() -> list[dict]:
    lost = {"lost": True}
    first, second = whole("ab", 1), added("x", 2, 2, 3)
    begun, went, back = ["snapshot", None], ["changeset", 2], ["resumed", 1]
    reset = whole("z", 9, reset="the version is gone")
    again = [resumed(1, 2), second]
    onwards = [begun, back, went]
    definition = ["definition", "e-1", {"director": "d", "kind": "table", "properties": {}, "adapters": []}]
    refresh = ["refresh", "e-1", {"director": "d", "version": 1, "all": True}]
    final = "event: changeset\ndata: {\"director\":\"d\",\"epoch\":\"e\",\"from\":1,\"version\":2,\"stages\":[]}\nid: e-2\n"
    made = [
        vector("a first connection carries no id", [stream(first)], [None], [begun], shown=("e", 1, "ab")),
        vector("a stream goes on", [stream(first, second)], [None], [begun, went], shown=("e", 2, "abx")),
        vector("closed by the server, it is resumed", [stream(first, ends="closes"), stream(*again)], [None, "e-1"], onwards,
               shown=("e", 2, "abx")),
        vector("broken off, it is resumed", [stream(first, ends="breaks"), stream(*again)], [None, "e-1"], onwards,
               shown=("e", 2, "abx")),
        vector("the id is the last changeset's", [stream(first, second, ends="breaks"), stream(resumed(2, 2))], [None, "e-2"],
               [begun, went, ["resumed", 2]], shown=("e", 2, "abx")),
        vector("a heartbeat's id is the list's", [stream(first, beat(1), ends="closes"), stream(resumed(1, 1))], [None, "e-1"],
               [begun, back],
               shown=("e", 1, "ab")),
        vector("definitions and refreshes keep the place",
               [stream(first, definition, refresh, ends="closes"), stream(resumed(1, 1))],
               [None, "e-1"], [begun, ["definition"], ["refresh"], back], shown=("e", 1, "ab")),
        vector("what was missed comes as one changeset",
               [stream(first, ends="breaks"), stream(resumed(1, 5), added("x", 0, 5, 3, first=1))],
               [None, "e-1"], [begun, back, ["changeset", 5]], shown=("e", 5, "xab")),
        vector("an event that has not ended was not received", [stream(first, ends="breaks", tail=final), stream(*again)],
               [None, "e-1"], onwards,
               shown=("e", 2, "abx")),
        vector("an event that is cut in its data was not received",
               [stream(first, ends="closes", tail="event: changeset\ndata: {\"ver"), stream(*again)],
               [None, "e-1"], onwards, shown=("e", 2, "abx")),
        vector("comments are no event", [stream(first, ends="closes", tail=": quiet\n\n"), stream(*again)], [None, "e-1"],
               onwards, shown=("e", 2, "abx")),
        vector("a connection that brings nothing keeps the place",
               [stream(first, ends="closes"), stream(ends="closes"), stream(*again)],
               [None, "e-1", "e-1"], onwards, shown=("e", 2, "abx")),
        vector("a request without an answer keeps the place", [stream(first, ends="closes"), lost, lost, stream(*again)],
               [None, "e-1", "e-1", "e-1"], onwards, shown=("e", 2, "abx")),
        vector("no answer at first: there is no id to send", [lost, lost, stream(first)], [None, None, None], [begun],
               shown=("e", 1, "ab")),
        vector("a stream that closes before the list came",
               [stream(ends="closes", tail="retry: 1\n\n: hello\n\n"), stream(first)], [None, None], [begun],
               shown=("e", 1, "ab")),
        vector("reset: the copy is thrown away", [stream(first, ends="closes"), stream(reset)], [None, "e-1"],
               [begun, ["snapshot", "the version is gone"]],
               shown=("e", 9, "z")),
        vector("a reset of another life", [stream(whole("ab", 40), ends="closes"),
                                           stream(whole("q", 1, "f", reset="another life"), ends="breaks"),
                                          stream(resumed(1, 1, "f"))], [None, "e-40", "f-1"],
                                          [begun, ["snapshot", "another life"], back], shown=("f", 1, "q")),
        vector("a reset in the middle of a stream", [stream(first, reset, ends="closes"), stream(resumed(9, 9))], [None, "e-9"],
               [begun, ["snapshot", "the version is gone"], ["resumed", 9]], shown=("e", 9, "z")),
        vector("of a view the server names another number for the list",
               [stream(whole("ab", 5), ends="closes"), stream(resumed(3, 3), ends="closes"),
                                                                          stream(resumed(3, 4), added("x", 0, 4, 3))],
               [None, "e-5", "e-3"], [begun, ["resumed", 3], ["resumed", 3], ["changeset", 4]], shown=("e", 4, "xab")),
        vector("an epoch with a hyphen is passed back as it came",
               [stream(whole("ab", 1, "a-b"), ends="closes"), stream(resumed(1, 1, "a-b"))],
               [None, "a-b-1"], [begun, back], shown=("a-b", 1, "ab")),
    ]
    misfits = [
        ("a gap", added("x", 2, 3, 3)), ("another life", added("x", 2, 2, 3, "f")),
        ("an operation that does not fit", added("x", 5, 2, 3)),
        ("counts that differ", added("x", 2, 2, 7)), ("a heartbeat of a later version", beat(4)),
        ("an operation that is not known", ["changeset", "e-2", changeset([{"turned": []}])]),
        ("a snapshot that is not as long as it says",
         ["snapshot", "e-2", snapshot([section("s", "ab")], 2, counts={"sections": 1, "elements": 3})]),
    ]
    for name, event in misfits:
        made.append(vector(f"{name}: the next request asks for a fresh snapshot",
                           [stream(first, event), stream(whole("q", 9), added("r", 1, 10, 2))],
                           [None, None], [begun, ["mismatch"], begun, ["changeset", 10]], shown=("e", 10, "qr")))
    made.append(vector("what comes after something that did not fit is left out",
                       [stream(first, added("x", 2, 3, 3), added("y", 3, 4, 4), beat(4)), stream(whole("q", 9))],
                       [None, None], [begun, ["mismatch"], begun], shown=("e", 9, "q")))
    for reason in ("closing", "closed", "a reason that is not known"):
        made.append(vector(f"an end, {reason}: the client comes back",
                           [stream(first, end(reason), ends="closes"), stream(*again)], [None, "e-1"],
                           [begun, ["end", reason], back, went], shown=("e", 2, "abx")))
    for reason, status in (("deleted", "over"), ("expired", "failed"), ("revoked", "failed"), ("forbidden", "failed")):
        made.append(vector(f"an end, {reason}: the list stays, and is {status}", [stream(first, end(reason), ends="closes")],
                           [None],
                           [begun, ["end", reason]], status, ("e", 1, "ab")))
    passing = [refusal(status, PROBLEM, f"{OWN}x") for status in (408, 425, 429, 500, 502, 503, 504)]
    passing += [refusal(status, OTHER) for status in (200, 204, 302, 400, 401, 403, 404, 500, 503)]
    passing += [refusal(409, PROBLEM, f"{OWN}in-progress")]
    passing += [refusal(404, PROBLEM, "about:blank"), refusal(403, "application/json")]
    for answer in passing:
        what = f"{answer['status']} {answer['type']} {answer.get('problem', '')}".strip()
        made.append(vector(f"{what} passes at first", [answer, stream(first)], [None, None], [begun], shown=("e", 1, "ab")))
        made.append(vector(f"{what} passes later", [stream(first, ends="closes"), answer, stream(*again)], [None, "e-1", "e-1"],
                           onwards, shown=("e", 2, "abx")))
    for status in (400, 401, 403, 404, 501):
        answer = refusal(status, PROBLEM, f"{OWN}x")
        made.append(vector(f"a server's own {status} is for good", [answer], [None], [], "failed"))
        made.append(vector(f"a server's own {status} is for good, and the list stays", [stream(first, ends="closes"), answer],
                           [None, "e-1"], [begun], "failed",
                           ("e", 1, "ab")))
    return made


def drawn(dice: Dice, count: int) -> list[dict]:
    """A server that publishes while connections come and go, remembers some versions, and begins another life now and then."""
    made = []
    for number in range(count):
        names, epoch, version = Names(), "e", 1 + dice.below(5)
        changer = Changer(dice, names, 6)
        server = [section(names.next("s"), [element(names.next("i")) for _ in range(dice.below(4))])
                  for _ in range(1 + dice.below(2))]
        history = {version: server}
        place, connections, ids, told = None, [], [], []
        turns = 2 + dice.below(3)
        for turn in range(turns):
            events = []
            ids.append(None if place is None else f"{place[0]}-{place[1]}")
            if turn + 1 < turns and dice.chance(6):
                connections.append(dice.one([{"lost": True}, refusal(503), refusal(502, OTHER), stream(ends="closes")]))
                continue
            if place is not None and dice.chance(6):
                epoch, version, history = f"{epoch}x", 1, {1: server}
            missed = place is not None and place[0] == epoch and place[1] in history and dice.below(6) > 0
            if missed:
                events.append(resumed(place[1], version, epoch))
                told.append(["resumed", place[1]])
                if place[1] < version:
                    events.append(["changeset", f"{epoch}-{version}",
                                   spanning(history[place[1]], server, place[1], version, epoch)])
                    told.append(["changeset", version])
            else:
                reset = {} if place is None else {"reset": "gone"}
                events.append(["snapshot", f"{epoch}-{version}", snapshot(copy.deepcopy(server), version, epoch, **reset)])
                told.append(["snapshot", reset.get("reset")])
            for _ in range(dice.below(3)):
                if dice.chance(3):
                    events.append(beat(version, epoch))
                    continue
                version += 1
                server, data = changer.changed(server, version, epoch)
                history[version] = server
                events.append(["changeset", f"{epoch}-{version}", data])
                told.append(["changeset", version])
            place = (epoch, version)
            last = turn + 1 == turns
            tail = None if last or dice.below(3) else dice.one(["event: changeset\ndata: {", ": quiet\n", "id: e-99\ndata: {}\n"])
            connections.append(stream(*events, ends="stays" if last else dice.one(["closes", "breaks"]), tail=tail))
            # Versions that nobody of the client's side sees.
            for _ in range(dice.below(3) if not last else 0):
                version += 1
                server, _ = changer.changed(server, version, epoch)
                history[version] = server
        shown = {"epoch": epoch, "version": version, "ids": [[each["id"] for each in part["elements"]] for part in server]}
        vector_ = vector(f"drawn {number}", connections, ids, told)
        vector_["expect"]["list"] = shown
        made.append(vector_)
    return made


def spanning(before: list[dict], after: list[dict], first: int, version: int, epoch: str) -> dict:
    """A changeset from one list to another: everything goes, and everything comes."""
    inserts = [{"at": at, "section": each} for at, each in enumerate(after)]
    stages = [{"sectionDeleted": list(range(len(before)))}, {"sectionInserted": inserts}]
    stages = [stage for stage in stages if any(stage.values())]
    return copy.deepcopy(changeset(stages, version, epoch) | {"from": first, "counts": counts(after)})
