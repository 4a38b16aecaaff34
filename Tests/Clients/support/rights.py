"""What each request does and which rights that asks for: written down apart from the server, from the contract."""

import itertools
import json
import socket
from dataclasses import dataclass, field

RIGHTS = ("read", "report", "mutate", "define", "hooks", "operate")
# Every right alone, all but one, all, none, and the pairs of those that directors ask for.
SETS = sorted({frozenset(each) for first in RIGHTS for each in ((), (first,), set(RIGHTS) - {first}, RIGHTS)}.union(
    map(frozenset, itertools.combinations(("read", "mutate", "define", "hooks"), 2))), key=sorted)
# Without the pairs.
FEW = [each for each in SETS if len(each) in (0, 1, 5)]

DIRECTOR = "d-one"
AT = f"/v1/directors/{DIRECTOR}"
# What is told with `read` alone, and what with `hooks` alone.
CONTENT = ("marksection", "markone", "marktwo", "marktext", "marktitle", "markrow", "markmodel", "markthree", "markvariable",
           "markvalue", "Markmodel", "markcell", "Markview")
HOOKS = ("/markhook", "whsec_…", "whsec_c2VjcmV0")

NEW = {"model": "Markmodel", "value": {"id": "new"}}
ROW = {"id": "new", "type": "constant", "cell": "new"}
SAFE = ("GET", "HEAD")


def element(name: str, text: str = "marktext") -> dict:
    return {"model": "Markmodel", "value": {"id": name, "text": text}}


# The operations, and the right that each asks for.
OPERATIONS: dict[str, tuple[str, dict]] = {
    "setSections": ("mutate", {"sections": [{"id": "new"}]}),
    "addSections": ("mutate", {"sections": [{"id": "new"}]}),
    "setSection": ("mutate", {"section": "marksection", "value": {"headerTitle": "new"}}),
    "patchSection": ("mutate", {"section": "marksection", "patch": {"headerTitle": "new"}}),
    "removeSection": ("mutate", {"section": "marksection"}),
    "removeSections": ("mutate", {"at": ["marksection"]}),
    "removeAllSections": ("mutate", {}),
    "moveSection": ("mutate", {"from": 0, "to": 1}),
    "swapSections": ("mutate", {"at": 0, "with": 1}),
    "setElements": ("mutate", {"section": "marksection", "elements": [NEW]}),
    "addElements": ("mutate", {"section": "marksection", "elements": [NEW]}),
    "setElement": ("mutate", {"section": "marksection", "element": "markone", "value": element("markone", "new")}),
    "patchElement": ("mutate", {"section": "marksection", "element": "markone", "patch": {"text": "new"}}),
    "removeElement": ("mutate", {"section": "marksection", "element": "markone"}),
    "removeElements": ("mutate", {"section": "marksection", "at": ["markone"]}),
    "removeAllElements": ("mutate", {"section": "marksection"}),
    "moveElement": ("mutate", {"section": "marksection", "from": 0, "to": 1}),
    "swapElements": ("mutate", {"section": "marksection", "at": 0, "with": 1}),
    "setRows": ("mutate", {"section": "rows", "rows": [ROW]}),
    "addRows": ("mutate", {"section": "rows", "rows": [ROW]}),
    "setRow": ("mutate", {"section": "rows", "row": "markrow", "value": {"type": "constant", "cell": "new"}}),
    "patchRow": ("mutate", {"section": "rows", "row": "markrow", "patch": {"cell": "new"}}),
    "removeRow": ("mutate", {"section": "rows", "row": "markrow"}),
    "removeRows": ("mutate", {"section": "rows", "at": ["markrow"]}),
    "removeAllRows": ("mutate", {"section": "rows"}),
    "moveRow": ("mutate", {"section": "rows", "from": 0, "to": 1}),
    "swapRows": ("mutate", {"section": "rows", "at": 0, "with": 1}),
    "setVariable": ("mutate", {"name": "markvariable", "value": "new"}),
    "removeVariable": ("mutate", {"name": "markvariable"}),
    "setAdapter": ("define", {"model": "New", "value": {"cell": "new"}}),
    "removeAdapter": ("define", {"model": "Unused"}),
}


def operation(name: str) -> dict:
    return {"op": name} | OPERATIONS[name][1]


@dataclass(frozen=True)
class Way:
    """A request, the rights that it asks for, and whether it changes something."""

    name: str
    method: str
    path: str
    needs: frozenset[str]
    body: object = None
    changes: bool = True
    operation: str = ""
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> bytes:
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()

    @property
    def is_audited(self) -> bool:
        return self.method not in SAFE


def way(name: str, needs: str, method: str, path: str, body=None, operation: str = "", **more) -> Way:
    return Way(name, method, path, frozenset(needs.split()), body, operation=operation or name, **more)


HOOK = {"url": "http://127.0.0.1:9/new", "rights": []}
# The parameters of paths; routes below a row and routes of hooks have others.
PARAMETERS = {"director": DIRECTOR, "section": "marksection", "element": "markone", "row": "markrow",
              "model": "Unused", "view": "Spare", "name": "markvariable", "event": "didSelect", "token": "TOKEN",
              "delivery": "DELIVERY", "stream": "none", "file": "main.js"}
OPEN = ("isAlive", "isReady", "readOpenAPI", "readClient", "readClientTypes", "readListModule", "readListTypes",
        "readOfflineModule", "readOfflineTypes", "readRoot", "readConsolePath", "readConsole", "readConsoleFile", "readSession", "endSession", "beginSession")
READS = {
    "read": ("listDirectors readDirector listSections readSection listRows readRow listRowIndexPaths listElements "
             "readElement listRowElements readRowElement listAllElements listAdapters readAdapter "
             "listHeaderFooterAdapters readHeaderFooterAdapter listVariables readVariable followDirector").split(),
    "hooks": ("listAdapterEvents readAdapterEvent listHeaderFooterEvents readHeaderFooterEvent listEvents readEvent "
              "listScrollEvents readScrollEvent listRowEvents readRowEvent "
              "listSectionEvents readSectionEvent listHooks listDeliveries readDelivery").split(),
    "define": ["listInstances"],
    "operate": "readMetrics readMetricsHistory listNodes listTokens readToken listIssuers listStreams".split(),
}
# Of the routes that change something: the right, the body, and parameters that differ.
CHANGES: dict[str, tuple] = {
    "createToken": ("operate", {"name": "new", "grants": [{"actions": ["read"], "directors": ["x"]}]}),
    "revokeToken": ("operate",),
    "putDirector": ("define", {"kind": "table", "properties": {"rowHeight": {"explicit": 77}}}),
    "patchDirector": ("define", {"properties": {"rowHeight": {"explicit": 77}}}),
    "deleteDirector": ("define",),
    "setSections": ("mutate", [{"id": "new"}]), "addSections": ("mutate", {"id": "new"}), "removeSections": ("mutate",),
    "moveSection": ("mutate", {"from": 0, "to": 1}), "swapSections": ("mutate", {"at": 0, "with": 1}),
    "putSection": ("mutate", {"headerTitle": "new"}), "patchSection": ("mutate", {"headerTitle": "new"}),
    "removeSection": ("mutate",),
    "setRows": ("mutate", [ROW]), "addRows": ("mutate", ROW), "removeRows": ("mutate",),
    "moveRow": ("mutate", {"from": 0, "to": 1}), "swapRows": ("mutate", {"at": 0, "with": 1}),
    "putRow": ("mutate", {"type": "constant", "cell": "new"}), "patchRow": ("mutate", {"cell": "new"}),
    "removeRow": ("mutate",),
    "setElements": ("mutate", [NEW]), "addElements": ("mutate", NEW), "removeElements": ("mutate",),
    "moveElement": ("mutate", {"from": 0, "to": 1}), "swapElements": ("mutate", {"at": 0, "with": 1}),
    "putElement": ("mutate", element("markone", "new")), "patchElement": ("mutate", {"text": "new"}),
    "removeElement": ("mutate",),
    "setRowElements": ("mutate", [NEW]), "addRowElements": ("mutate", NEW), "removeRowElements": ("mutate",),
    "moveRowElement": ("mutate", {"from": 0, "to": 1}), "swapRowElements": ("mutate", {"at": 0, "with": 1}),
    "putRowElement": ("mutate", element("markthree", "new")), "patchRowElement": ("mutate", {"text": "new"}),
    "removeRowElement": ("mutate",),
    "appendElements": ("mutate", NEW),
    "putAdapters": ("define", {"adapters": [{"model": "New", "cell": "new"}]}),
    "putAdapter": ("define", {"cell": "new"}), "removeAdapter": ("define",),
    "putHeaderFooterAdapter": ("define", {"reuseIdentifier": "new"}), "removeHeaderFooterAdapter": ("define",),
    "setVariable": ("mutate", "new"), "removeVariable": ("mutate",),
    "reload": ("mutate", {}), "performOperations": ("mutate", {"operations": [operation("setVariable")]}),
    "replaceContent": ("mutate", [{"id": "new", "elements": [NEW]}]),
    "retryDelivery": ("hooks",), "removeDelivery": ("hooks",),
} | {f"{verb}{level}Event": ("hooks", HOOK)[: 1 if verb == "remove" else 2] for verb in ("put", "remove")
     for level in ("Adapter", "HeaderFooter", "", "Scroll", "Row", "Section")}
# What is answered about those directors to which there is a right: somebody without one sees nothing.
FILTERED = {"listDirectors", "listHooks", "listDeliveries", "readDelivery", "retryDelivery", "removeDelivery"}
# What is no change of what is kept.
ANSWERS: dict[str, tuple] = {
    "reportEvent": ("report", {"event": "didSelect", "section": "marksection", "element": "markone"}),
    "refresh": ("mutate", {}), "scroll": ("mutate", {"to": {"section": "marksection"}}), "createTicket": ("read", {"directors": [DIRECTOR]}),
    "closeStream": ("operate",),
}
EVENTS = {"HeaderFooter": "willDisplay", "Scroll": "didScroll", "Section": "models", "Event": "willDisplayFooter"}
QUERIES = {"followDirector": "?since=0", "replaceContent": "?allowEmpty=true"}
# What changes two directors, and takes rights on both; it is looked at by itself.
TRANSFERS = {"transferElement": ("mutate",), "transferRowElement": ("mutate",)}
# Streams of several directors have no other form, and are looked at by themselves.
APART = {"followDirectors", *TRANSFERS}


def path_of(path: str, operation: str) -> str:
    """The path of a route with parameters that are there."""
    given = dict(PARAMETERS)
    if "Row" in operation:
        given |= {"section": "rows"}
        if "RowElement" in operation:
            given |= {"row": "markmodel", "element": "markthree"}
    if operation.endswith(("Event", "Events")):
        level = next((each for each in ("Adapter", "HeaderFooter", "Scroll", "Row", "Section") if each in operation), "Event")
        given |= {"model": "Markmodel", "view": "Markview", "event": EVENTS.get(level, "didSelect")}
    if operation.startswith("read"):
        given |= {"model": "Markmodel", "view": "Markview"} if not operation.endswith("Event") else {}
    for name, value in given.items():
        path = path.replace("{" + name + "}", value)
    return path + QUERIES.get(operation, "")


def routes(document: dict) -> list[Way]:
    """Every route of the server, once; one that is not written down above is a failure."""
    found, ways = set(), []
    for path, methods in document["paths"].items():
        for method in methods.keys() & {"get", "put", "post", "patch", "delete"}:
            name = methods[method]["operationId"]
            found.add(name)
            if name in APART:
                continue
            right, *body = CHANGES.get(name) or ANSWERS.get(name) or (
                "" if name in OPEN else next(right for right, names in READS.items() if name in names),)
            ways.append(way(name, right, method.upper(), path_of(path, name), *body, changes=name in CHANGES))
    known = APART.union(CHANGES, ANSWERS, OPEN, *READS.values())
    assert found == known, f"not written down: {sorted(found - known)}, not there: {sorted(known - found)}"
    return sorted(ways, key=lambda each: each.name)


def batch(name: str, needs: str, *operations: dict, query: str = "", changes: bool = True, **members) -> Way:
    return way(name, needs, "POST", f"{AT}/operations{query}", {"operations": list(operations)} | members,
               "performOperations", changes=changes)


def batches() -> list[Way]:
    """Every kind of operation: by itself, behind one of the other right, with a reload, and as a dry run."""
    ways = []
    for name, (right, _) in OPERATIONS.items():
        before = {"mutate": {"op": "setAdapter", "model": "First", "value": {"cell": "first"}},
                  "define": {"op": "setVariable", "name": "first", "value": 1}}[right]
        ways += [
            batch(name, right, operation(name)),
            batch(f"{name} behind another", "mutate define", before, operation(name)),
            batch(f"{name} in front of another", "mutate define", operation(name), before),
            batch(f"{name} with a reload", f"{right} mutate", operation(name), reload=True),
            batch(f"{name} with a reload in the query", f"{right} mutate", operation(name), query="?reload=true"),
            batch(f"{name} in a dry run", f"{right} read", operation(name), dryRun=True, changes=False),
        ]
    return ways


def others() -> list[Way]:
    """What a body or a query asks for besides what the route does."""
    hooked = {"events": {"didSelect": HOOK}}
    granting = {name: {"events": {"didSelect": HOOK | {"rights": [name]}}} for name in ("mutate", "define")}
    adapters = f"{AT}/adapters"
    ways = [
        batch("removing an adapter and its hooks", "define hooks", {"op": "removeAdapter", "model": "Hooked"}),
        batch("a batch of nothing", "mutate", changes=False),
        batch("a batch of nothing with a reload", "mutate", reload=True),
        way("an adapter with hooks", "define hooks", "PUT", f"{adapters}/New", {"cell": "new"} | hooked, "putAdapter"),
        way("an adapter without its hooks", "define hooks", "PUT", f"{adapters}/Hooked",
            {"cell": "new", "events": {}}, "putAdapter"),
        way("adapters with hooks", "define hooks", "PUT", adapters,
            {"adapters": [{"model": "Plain", "cell": "new"}, {"model": "New", "cell": "new"} | hooked]}, "putAdapters"),
        way("a hooked adapter's removal", "define hooks", "DELETE", f"{adapters}/Hooked", operation="removeAdapter"),
        way("a view adapter with hooks", "define hooks", "PUT", f"{AT}/header-footer-adapters/New",
            {"events": {"willDisplay": HOOK}}, "putHeaderFooterAdapter"),
        way("a hooked view adapter's removal", "define hooks", "DELETE", f"{AT}/header-footer-adapters/Hookedview",
            operation="removeHeaderFooterAdapter"),
        way("a refresh of elements", "mutate", "POST", f"{AT}/refresh",
            {"elements": [{"section": "marksection", "element": "markone"}]}, "refresh", changes=False),
        way("a scroll to an element", "mutate", "POST", f"{AT}/scroll", {"to": {"section": "marksection", "element": "markone"}},
            "scroll", changes=False),
        way("a question", "report", "POST", f"{AT}/events",
            {"event": "shouldHighlight", "section": "marksection", "element": "markone"}, "reportEvent", changes=False),
        way("a list of lines", "mutate", "PUT", f"{AT}/content?allowEmpty=true&reload=true",
            b'{"id": "new"}\n{"model": "Markmodel", "value": {"id": "new"}}\n', "replaceContent",
            fields={"Content-Type": "application/x-ndjson"}),
        way("lines behind those that are there", "mutate", "PUT", f"{AT}/content?section=rows&row=markmodel&append=true",
            b'{"model": "Markmodel", "value": {"id": "new"}}\n', "replaceContent",
            fields={"Content-Type": "application/x-ndjson"}),
        way("a director's kind", "define", "PUT", f"{AT}?replace=true", {"kind": "collection"}, "putDirector"),
        way("a new director", "define", "PUT", "/v1/directors/d-new", {"kind": "table"}, "putDirector"),
    ]
    for name, body in granting.items():
        ways.append(way(f"an adapter with a hook that may {name}", f"define hooks {name}", "PUT", f"{adapters}/New",
                        {"cell": "new"} | body, "putAdapter"))
        ways.append(way(f"a hook that may {name}", f"hooks {name}", "PUT", f"{adapters}/Markmodel/events/didSelect",
                        HOOK | {"rights": [name]}, "putAdapterEvent"))
    with_reload = {
        "define": [("PUT", "", CHANGES["putDirector"][1], "putDirector"),
                   ("PATCH", "", CHANGES["patchDirector"][1], "patchDirector"),
                   ("PUT", "/adapters", CHANGES["putAdapters"][1], "putAdapters"),
                   ("PUT", "/adapters/Unused", {"cell": "new"}, "putAdapter"),
                   ("DELETE", "/adapters/Unused", None, "removeAdapter"),
                   ("PUT", "/header-footer-adapters/Spare", {"reuseIdentifier": "new"}, "putHeaderFooterAdapter"),
                   ("DELETE", "/header-footer-adapters/Spare", None, "removeHeaderFooterAdapter")],
        "hooks": [("PUT", "/adapters/Markmodel/events/didSelect", HOOK, "putAdapterEvent"),
                  ("DELETE", "/adapters/Markmodel/events/didSelect", None, "removeAdapterEvent"),
                  ("PUT", "/events/willDisplayFooter", HOOK, "putEvent"),
                  ("DELETE", "/scroll-events/didScroll", None, "removeScrollEvent")],
    }
    for right, rows in with_reload.items():
        ways += [way(f"{name} with a reload", f"{right} mutate", method, f"{AT}{path}?reload=true", body, name)
                 for method, path, body, name in rows]
    return ways


@dataclass(frozen=True)
class Answer:
    status: int
    head: str
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


class Wire:
    """Requests on one connection of HTTP/1.1, one after the other; many may be under way."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.left = b""

    def close(self) -> None:
        self.socket.close()

    def send(self, token: str | None, method: str, path: str, body: bytes = b"", fields: dict = {}) -> None:
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
        if body or method != "GET":
            lines.append(f"Content-Length: {len(body)}")
        given = {"Content-Type": "application/json"} if body else {}
        if token:
            given["Authorization"] = f"Bearer {token}"
        lines += [f"{name}: {value}" for name, value in (given | fields).items()]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)

    def receive(self) -> Answer:
        while b"\r\n\r\n" not in self.left:
            self.more()
        head, _, self.left = self.left.partition(b"\r\n\r\n")
        text = head.decode()
        length = next((int(line.split(":")[1]) for line in text.lower().split("\r\n")
                       if line.startswith("content-length:")), 0)
        while len(self.left) < length:
            self.more()
        body, self.left = self.left[:length], self.left[length:]
        return Answer(int(text.split(" ", 2)[1]), text, body)

    def more(self) -> None:
        piece = self.socket.recv(1 << 16)
        assert piece, f"the server has closed the connection after {self.left[:200]!r}"
        self.left += piece

    def ask(self, *arguments, **named) -> Answer:
        self.send(*arguments, **named)
        return self.receive()
