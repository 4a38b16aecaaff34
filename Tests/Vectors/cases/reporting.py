"""Vectors of reports: what a client sends, and what becomes of each report."""

from cases.tools import Dice

OWN = "urn:callboard:problem:"
PROBLEM = "application/problem+json"


def tap(at: int = 0) -> dict:
    return {"event": "didSelect", "indexPath": [0, at], "version": 3}


def add(name: str, to: str = "d", event: dict | None = None, limit: int | None = None) -> dict:
    return {"add": name, "to": to, "event": event or tap()} | ({} if limit is None else {"limit": limit})


def taken(count: int = 1) -> dict:
    return {"answer": [{"delivery": f"msg_{number}"} for number in range(count)]}


def refused(status: int = 422) -> dict:
    return {"problem": {"type": f"{OWN}x", "status": status, "detail": "no such event"}}


def status(code: int, kind: str = PROBLEM, problem: str = f"{OWN}x") -> dict:
    return {"status": code, "type": kind} | ({"problem": problem} if problem else {})


def sent(reports: str, key: int, to: str = "d", limit: int | None = None) -> dict:
    made = {"to": to, "reports": reports.split(), "key": f"k{key}"}
    return made | ({} if limit is None else {"limit": limit})


LOST = {"lost": True}


def vector(name: str, steps: list[dict], requests: list[dict] | None = None, gone=(), rejected=(), waiting=(), needs=(),
           limit=None) -> dict:
    made = {"name": name, "kind": "report"} | ({"needs": list(needs)} if needs else {}) | ({} if limit is None else {"limit": limit})
    made["steps"] = steps
    if requests is not None:
        made["expect"] = {"requests": requests, "refused": [list(each) for each in gone], "rejected": list(rejected),
                          "waiting": list(waiting)}
    return made


def single() -> list[dict]:
    """One report at a time."""
    made = []
    forms = [
        ("at an element", tap(4)), ("at a header", {"event": "didDisplay", "header": 1, "version": 3}),
        ("at a footer", {"event": "didDisplay", "footer": 0, "version": 3}),
        ("at the list", {"event": "layoutDidChange", "version": 3}),
        ("at a named element", {"event": "didSelect", "section": "s", "element": "Ada", "version": 3}),
        ("at a named element of a row", {"event": "didSelect", "section": "@first", "row": "r", "element": "@@x", "version": 3}),
        ("with parameters", {"event": "moveRow", "indexPath": [0, 1], "version": 3, "parameters": {"to": [0, 2], "note": "é"}}),
        ("at several elements", {"event": "prefetch", "indexPaths": [[0, 1], [0, 2]], "version": 3}),
    ]
    for what, event in forms:
        made.append(vector(f"a report {what}", [add("r1", event=event), taken()], [sent("r1", 1)],
                           needs=["queue"] if "indexPaths" in event else ()))
    made += [
        vector("a report of a selection", [add("r1", limit=2), taken()], [sent("r1", 1, limit=2)]),
        vector("a list's name in a path", [add("r1", "a b/é"), taken()], [sent("r1", 1, "a b/é")]),
        vector("a request without an answer is sent again, with its key", [add("r1"), LOST, taken()], [sent("r1", 1)] * 2),
        vector("three requests without an answer", [add("r1"), LOST, LOST, LOST, taken()], [sent("r1", 1)] * 4),
        vector("another report has another key", [add("r1"), taken(), add("r2"), taken()], [sent("r1", 1), sent("r2", 2)]),
        vector("the same event twice is two reports", [add("r1", event=tap(1)), taken(), add("r2", event=tap(1)), taken()],
               [sent("r1", 1), sent("r2", 2)]),
    ]
    for code in (408, 425, 429, 500, 502, 503, 504):
        made.append(vector(f"{code} passes, and the same is sent again", [add("r1"), status(code), taken()], [sent("r1", 1)] * 2))
    busy = status(409, problem=f"{OWN}in-progress")
    made += [
        vector("a key that is in use passes, and the same is sent again", [add("r1"), LOST, busy, taken()], [sent("r1", 1)] * 3),
        vector("a key that stays in use for a while", [add("r1"), LOST, busy, busy, taken()], [sent("r1", 1)] * 4),
    ]
    for code in (400, 403, 404, 409, 422, 501):
        made.append(vector(f"a server's own {code} is for good", [add("r1"), status(code)], [sent("r1", 1)], [("r1", code)]))
        made.append(vector(f"a server's own {code} holds up no other report", [add("r1"), status(code), add("r2"), taken()],
                           [sent("r1", 1), sent("r2", 2)], [("r1", code)]))
    for code, kind in ((404, "text/html"), (403, "text/html"), (400, "application/json"), (200, "text/html")):
        made.append(vector(f"{code} {kind} is of what stands between", [add("r1"), status(code, kind, ""), taken()],
                           [sent("r1", 1)] * 2))
    return made


def queued() -> list[dict]:
    """Several reports that wait."""
    abc = [add("r1"), add("r2", event=tap(1)), add("r3", event=tap(2))]
    cases = [
        ("what is added while a request is under way follows in one", [*abc, taken(), taken(2)], [sent("r1", 1), sent("r2 r3", 2)]),
        ("a repetition is the same request, and what was added follows", [*abc, LOST, LOST, taken(), taken(2)],
         [sent("r1", 1)] * 3 + [sent("r2 r3", 2)]),
        ("a repetition of several", [*abc, taken(), LOST, add("r4"), status(503), taken(2), taken()],
         [sent("r1", 1)] + [sent("r2 r3", 2)] * 3 + [sent("r4", 3)]),
        ("reports of another list go in a request of their own",
         [add("r1"), add("r2"), add("r3", "e"), add("r4"), taken(), taken(), taken(), taken()],
         [sent("r1", 1), sent("r2", 2), sent("r3", 3, "e"), sent("r4", 4)]),
        ("reports of another selection go in a request of their own",
         [add("r1"), add("r2", limit=2), add("r3", limit=2), add("r4"), taken(), taken(2), taken()],
         [sent("r1", 1), sent("r2 r3", 2, limit=2), sent("r4", 3)]),
        ("a director's name is compared by its bytes", [add("r1"), add("r2", "é"), add("r3", "e\u0301"), taken(), taken(), taken()],
         [sent("r1", 1), sent("r2", 2, "é"), sent("r3", 3, "e\u0301")]),
    ]
    made = [vector(name, steps, requests, needs=["queue"]) for name, steps, requests in cases]
    two = [add("r1"), add("r2"), add("r3")]
    four, large, proxys = [*two, add("r4"), add("r5")], status(413), status(413, "text/html", "")
    made += [
        vector("a request that is too large is halved", [*four, taken(), large, taken(2), taken(2)],
               [sent("r1", 1), sent("r2 r3 r4 r5", 2), sent("r2 r3", 3), sent("r4 r5", 4)], needs=["queue"]),
        vector("an odd number is halved downwards, twice", [*two, add("r4"), taken(), large, taken(), taken(), taken()],
               [sent("r1", 1), sent("r2 r3 r4", 2), sent("r2", 3), sent("r3", 4), sent("r4", 5)], needs=["queue"]),
        vector("what stands between takes no more than that", [*four, taken(), proxys, proxys, taken(), taken(), taken(), taken()],
               [sent("r1", 1), sent("r2 r3 r4 r5", 2), sent("r2 r3", 3), *[sent(f"r{n}", n + 2) for n in range(2, 6)]],
               needs=["queue"]),
        vector("a report that is too large by itself is refused, and holds up no other",
               [*two, taken(), large, large, taken()],
               [sent("r1", 1), sent("r2 r3", 2), sent("r2", 3), sent("r3", 4)], [("r2", 413)], needs=["queue"]),
        vector("a report that nothing between lets through is refused", [add("r1"), proxys, add("r2"), taken()],
               [sent("r1", 1), sent("r2", 2)], [("r1", 413)], needs=["queue"]),
        vector("a half without an answer is sent again, with its key", [*two, taken(), large, LOST, taken(), taken()],
               [sent("r1", 1), sent("r2 r3", 2), sent("r2", 3), sent("r2", 3), sent("r3", 4)], needs=["queue"]),
        vector("a queue that was empty sends whole requests again",
               [*two, taken(), large, taken(), taken(), add("r4"), add("r5"), add("r6"), taken(), taken(2)],
               [sent("r1", 1), sent("r2 r3", 2), sent("r2", 3), sent("r3", 4), sent("r4", 5), sent("r5 r6", 6)], needs=["queue"]),
        vector("an app that starts again sends whole requests again", [*two, taken(), large, {"restart": True}, taken(2)],
               [sent("r1", 1), sent("r2 r3", 2), sent("r2", 3), sent("r2 r3", 4)], needs=["queue", "file"]),
    ]
    return made + [
        vector("one of several is refused", [*two, taken(), {"answer": [refused(409), {"delivery": "m"}]}],
               [sent("r1", 1), sent("r2 r3", 2)], [("r2", 409)], needs=["queue"]),
        vector("a request is refused whole: each of its reports is", [*two, taken(), status(404), add("r4"), taken()],
               [sent("r1", 1), sent("r2 r3", 2), sent("r4", 3)], [("r2", 404), ("r3", 404)], needs=["queue"]),
        vector("a report without a hook is taken", [*two, taken(), {"answer": [{"delivery": None}, {"deliveries": ["m1", "m2"]}]}],
               [sent("r1", 1), sent("r2 r3", 2)], needs=["queue"]),
        vector("what has not been answered waits", [*two, LOST], [sent("r1", 1)] * 2, waiting=["r1", "r2", "r3"], needs=["queue"]),
        vector("a list that is gone holds up no other", [add("r1", "gone"), add("r2", "d"), status(404), taken()],
               [sent("r1", 1, "gone"), sent("r2", 2)],
               [("r1", 404)], needs=["queue"]),
        vector("twelve requests without an answer", [add("r1"), *[LOST] * 12, taken()], [sent("r1", 1)] * 13, needs=["queue"]),
        vector("a token that is refused is waited for", [add("r1"), status(401), taken()], [sent("r1", 1)] * 2, needs=["queue"]),
        vector("a queue that is full takes no more", [add("r1"), add("r2"), add("r3"), taken(), add("r4"), taken(), taken()],
               [sent("r1", 1), sent("r2", 2), sent("r4", 3)], rejected=["r3"], needs=["queue", "bound"], limit=2),
        vector("an app that ends: the next one sends what waits, in order", [*two, {"restart": True}, taken(3)],
               [sent("r1", 1), sent("r1 r2 r3", 2)],
               needs=["queue", "file"]),
        vector("what was taken before the app ends is not sent again", [*two, taken(), {"restart": True}, taken(2)],
               [sent("r1", 1), sent("r2 r3", 2), sent("r2 r3", 3)], needs=["queue", "file"]),
        vector("what was refused before the app ends is not sent again", [*two, status(422), {"restart": True}, taken(2)],
               [sent("r1", 1), sent("r2 r3", 2), sent("r2 r3", 3)], [("r1", 422)], needs=["queue", "file"]),
        vector("an app that ends twice", [add("r1"), {"restart": True}, add("r2"), {"restart": True}, taken(2)],
               [sent("r1", 1), sent("r1", 2), sent("r1 r2", 3)], needs=["queue", "file"]),
        vector("an app that ends with nothing to send", [add("r1"), taken(), {"restart": True}, add("r2"), taken()],
               [sent("r1", 1), sent("r2", 2)],
               needs=["queue", "file"]),
        vector("an app that ends while its answer is on the way: a report is sent twice, with its key",
               [add("r1"), LOST, {"restart": True}, taken()],
               [sent("r1", 1)] * 2 + [sent("r1", 2)], needs=["queue", "file"]),
    ]


def written() -> list[dict]:
    return single() + queued()


def drawn(dice: Dice, count: int) -> list[dict]:
    """Reports, losses, refusals and ends of the app; in the end everything is answered."""
    made = []
    for number in range(count):
        alone = number % 3 == 0
        steps, waiting, batch, name, losses = [], [], 0, 0, 0
        needs = [] if alone else ["queue"] + (["file"] if number % 3 == 2 else [])

        def begin() -> int:
            """How many reports the next request has."""
            size = 0
            while size < len(waiting) and waiting[size] == waiting[0]:
                size += 1
            return size

        for _ in range(5 + dice.below(7)):
            kind = dice.below(8)
            if (not waiting) or (kind < 3 and not alone):
                name += 1
                report = add(f"r{name}", dice.one(["d", "d", "e"]), tap(dice.below(9)), *([2] if dice.chance(5) else []))
                steps.append(report)
                waiting.append((report["to"], report.get("limit")))
                batch = batch or begin()
                continue
            if kind == 3 and "file" in needs:
                steps.append({"restart": True})
                batch = begin()
                continue
            if kind < 6 and losses < 3:
                steps.append(dice.one([LOST, status(503), status(502, "text/html", "")]))
                losses += 1
                continue
            steps.append(dice.one([taken(batch), status(409)]) if alone else
                         {"answer": [dice.one([{"delivery": "m"}, {"delivery": None}, refused()]) for _ in range(batch)]})
            waiting, losses = waiting[batch:], 0
            batch = begin() if waiting else 0
        while waiting:
            steps.append(taken(batch))
            waiting = waiting[batch:]
            batch = begin() if waiting else 0
        made.append(vector(f"drawn {number}", steps, needs=needs))
    return made
