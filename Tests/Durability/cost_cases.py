"""The cases of cost.py: for each the requests that come before, and the dear one.

`OPERATIONS` has the largest batch of each kind of operation, `EXPRESSIONS` the dearest forms of each operator of JsonLogic.
`test_cost_cases.py` holds both against the server's lists.
"""

import json
import pathlib
import re

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"

BODY = 16_000_000  # Bytes of a body, a little below the default of server.maxBody.
OPERATIONS_OF_BATCH = 100_000  # OperationBatch has no more.


def cell(identifier="{id}", **members) -> dict:
    return {"cell": "C", "identifier": identifier, **members}


def batch(*operations, **members) -> dict:
    return {"operations": list(operations), **members}


def filled(form, most=OPERATIONS_OF_BATCH) -> str:
    """A batch of as many operations as are allowed and fit into a body; `form(n)` is the one at n."""
    parts, size = [], 0
    while len(parts) < most:
        text = form(len(parts))
        text = text if isinstance(text, str) else json.dumps(text, separators=(",", ":"))
        size += len(text) + 1
        if size > BODY:
            break
        parts.append(text)
    return '{"operations":[' + ",".join(parts) + "]}"


def times(item: str, count: int) -> str:
    return "[" + ",".join([item] * count) + "]"


def numbered(form: str, count: int, first=0) -> str:
    return "[" + ",".join([form.replace("#", str(n)) for n in range(first, first + count)]) + "]"


def lines(count: int, form='{"value":{"id":#}}', head='{"id":"s"}\n', order=lambda n: n):
    """A list in newline-delimited JSON; made when it is sent."""
    return lambda: head + "\n".join([form.replace("#", str(order(n))) for n in range(count)])


MODEL = ("PUT", "adapters/M", cell())
ROW = '{"id":"#","type":"constant","cell":"C"}'


def elements(count: int, form='{"value":{"id":#}}', reload="?reload=true"):
    """A section of many elements, put in its place beside the loops."""
    return [MODEL, ("PUT", "content" + reload, lines(count, form))]


def rows(count: int, form=ROW):
    return [("PUT", "sections", '[{"id":"s","rows":' + numbered(form, count) + "}]")]


def sections(count: int):
    return [("PUT", "sections", numbered('{"id":"#"}', count))]


SECTIONS, ROWS, ELEMENTS = sections(100_000), rows(90_000), elements(200_000)


def op(kind: str, /, **members) -> dict:
    return {"op": kind, **members}


def bulk(name: str, list_: str, **members) -> str:
    """A batch of one operation with a long list."""
    rest = "".join(f",{json.dumps(key)}:{json.dumps(value)}" for key, value in members.items())
    key = {"Elements": "elements", "Rows": "rows", "Sections": "sections"}[name.lstrip("setad")]
    return f'{{"operations":[{{"op":"{name}","{key}":{list_}{rest}}}]}}'


def removal(name: str, count: int) -> dict:
    members = {} if name == "removeSections" else {"section": "s"}
    return batch(op(name, at=list(range(count)), **members))


# For each operation what is there before, and its largest batch.
OPERATIONS = {
    "setSections": ([], bulk("setSections", times("{}", 150_000))),
    "addSections": (SECTIONS, filled(lambda n: '{"op":"addSections","sections":[{}],"at":0}')),
    "setSection": (SECTIONS, filled(lambda n: {**op("setSection", section=str(n % 100_000)), "value": {}})),
    "patchSection": (SECTIONS, filled(lambda n: op("patchSection", section=str(n % 100_000), patch={"footerTitle": "a"}))),
    "removeSection": (SECTIONS, filled(lambda n: op("removeSection", section=str(n)), 100_000)),
    "removeSections": (SECTIONS, removal("removeSections", 100_000)),
    "removeAllSections": (SECTIONS, filled(lambda n: op("removeAllSections"))),
    "moveSection": (SECTIONS, filled(lambda n: {**op("moveSection", to=0), "from": str(n * 7919 % 100_000)})),
    "swapSections": (SECTIONS, filled(lambda n: {"op": "swapSections", "at": str(n % 100_000), "with": n * 7919 % 100_000})),
    "setElements": (ELEMENTS, bulk("setElements", numbered('{"value":{"id":#}}', 700_000), section="s")),
    "addElements": (ELEMENTS, bulk("addElements", numbered('{"value":{"id":#}}', 700_000), section="s", at=0)),
    "setElement": (ELEMENTS, filled(lambda n: op("setElement", section="s", element=str(n % 200_000), value={"value": {"id": -n}}))),
    "patchElement": (ELEMENTS, filled(lambda n: op("patchElement", section="s", element=str(n % 200_000), patch={"a": n}))),
    "removeElement": (ELEMENTS, filled(lambda n: op("removeElement", section="s", element=str(n)))),
    "removeElements": (ELEMENTS, removal("removeElements", 200_000)),
    "removeAllElements": (elements(5_000_000, reload=""), batch(op("removeAllElements", section="s"))),
    "moveElement": (ELEMENTS, filled(lambda n: {**op("moveElement", section="s", to=0), "from": str(n * 7919 % 200_000)})),
    "swapElements": (ELEMENTS, filled(lambda n: {"op": "swapElements", "section": "s", "at": str(n % 200_000), "with": n * 7919 % 200_000})),
    "setRows": (ROWS, bulk("setRows", numbered(ROW.replace("#", "a#"), 100_000), section="s")),
    "addRows": (rows(10), bulk("addRows", numbered(ROW.replace("#", "a#"), 99_000), section="s", at=0)),
    "setRow": (ROWS, filled(lambda n: '{"op":"setRow","section":"s","row":"#","value":{"id":"#","type":"constant","cell":"D"}}'.replace("#", str(n % 90_000)))),
    "patchRow": (ROWS, filled(lambda n: op("patchRow", section="s", row=str(n % 90_000), patch={"height": n % 1000}))),
    "removeRow": (ROWS, filled(lambda n: op("removeRow", section="s", row=str(n)), 90_000)),
    "removeRows": (ROWS, removal("removeRows", 90_000)),
    "removeAllRows": (ROWS, filled(lambda n: op("removeAllRows", section="s"))),
    "moveRow": (ROWS, filled(lambda n: {**op("moveRow", section="s", to=0), "from": str(n * 7919 % 90_000)})),
    "swapRows": (ROWS, filled(lambda n: {"op": "swapRows", "section": "s", "at": str(n % 90_000), "with": n * 7919 % 90_000})),
    "setVariable": ([], filled(lambda n: op("setVariable", name=str(n % 10_000), value=n))),
    "removeVariable": ([("POST", "operations", batch(*[op("setVariable", name=str(n), value=n) for n in range(10_000)]))],
                       filled(lambda n: op("removeVariable", name=str(n)), 10_000)),
    "setAdapter": (ELEMENTS, filled(lambda n: op("setAdapter", model="M", value={"cell": f"C{n}", "identifier": "{id}"}), 1_000)),
    "removeAdapter": (ELEMENTS, filled(lambda n: op("setAdapter", model="N", value=cell()) if n % 2 == 0 else
                                       op("removeAdapter", model="N"), 300)),
}

# Adapters that read much of short elements, and the largest number of elements that the bound of one request has.
READINGS = [
    ("341 placeholders", cell("{a}" * 341), '{"a":1}'),
    ("341 placeholders of zeros", cell("{a}" * 341), '{"a":0.' + "0" * 1_000 + "}"),
    ("341 placeholders of 0e0", cell("{a}" * 341), '{"a":0e0}'),
    ("170 members", cell("".join("{" + chr(0x100 + n) + "}" for n in range(170))),
     "{" + ",".join(f'"{chr(0x100 + n)}":1' for n in range(170)) + "}"),
    ("100 places of an array", cell("".join("{/%d}" % n for n in range(900, 1_000))), "[" + "1," * 999 + "#]"),
    ("a thousand literal bytes", cell("x" * 1_000 + "{a}"), '{"a":#}'),
    ("an ordinary template", cell(), '{"id":#}'),
    ("64 content pointers", cell("{a}", content=[f"/m{n}" for n in range(64)]), '{"a":#}'),
    ("64 content pointers to members", cell("{a}", content=[f"/m{n}" for n in range(64)]),
     '{"a":#,' + ",".join(f'"m{n}":1' for n in range(64)) + "}"),
    ("64 content pointers into an array", cell("{/0}", content=[f"/{n}" for n in range(936, 1_000)]), "[#" + ",1" * 999 + "]"),
]


# What reading an element costs, as the server has it.
PRICES = {name: int(value) for name, value in re.findall(
    r"static let (\w+) = (\d+)", (SOURCES / "Directors/Operations/BatchWork+Reading.swift").read_text())}


def most_elements(adapter: dict, form: str) -> str:
    """As many elements as one request may read by an adapter, and as fit into a body."""
    template = adapter["identifier"]
    names = re.findall("{[^}]*}", template)
    literals = re.split("{[^}]*}", template)
    units = (PRICES["pointer"] * len({*names, *adapter.get("content", [])})
             + PRICES["templatePart"] * len([*names, *filter(None, literals)]) + PRICES["literalByte"] * sum(map(len, literals)))
    return numbered(form, min((256 * 1024 * 1024 - 1_024) // units, BODY // (len(form.encode()) + 7)))


MILLIONS = elements(5_000_000)
STATES = {
    "one setAdapter that reads 5 million anew": (MILLIONS, ("PUT", "adapters/M", cell("{id}-x"))),
    "one setAdapter of another cell, 5 million": (MILLIONS, ("PUT", "adapters/M", {"cell": "D", "identifier": "{id}"})),
    "one setAdapter that is unique, 5 million": (MILLIONS, ("PUT", "adapters/M", cell(unique=True))),
    "one removeAdapter beside 5 million": (MILLIONS + [("PUT", "adapters/N", cell())], ("DELETE", "adapters/N")),
    "5 million elements by PUT content with a reload": ([MODEL], ("PUT", "content?reload=true", lines(5_000_000))),
    "5 million other elements with a reload": (MILLIONS, ("PUT", "content?reload=true", lines(5_000_000, '{"value":{"id":#,"a":1}}'))),
    "a patch beside 5 million that are unique": (
        [("PUT", "adapters/M", cell(unique=True)), ("PUT", "content?reload=true", lines(5_000_000))],
        ("PATCH", "sections/s", {"footerTitle": "a"})),
    "a variable that 300 namesakes of 300 rows read": (
        [("PUT", "sections", "[" + ",".join('{"id":"s","rows":' + numbered(
            ROW[:-1] + ',"hideWhen":{"var":"variables.x"}}', 300, 300 * n) + "}" for n in range(300)) + "]"),
         ("POST", "reload?elements=false")], ("PUT", "variables/x?reload=true", "true")),
    "reload of 5 million that have changed": (
        MILLIONS + [("PUT", "content", lines(5_000_000, '{"value":{"id":#,"a":1}}'))], ("POST", "reload?elements=false")),
    "reload of 1 million that are reversed": (
        elements(1_000_000) + [("PUT", "content", lines(1_000_000, order=lambda n: 999_999 - n))],
        ("POST", "reload?elements=false")),
    "reload of 1 million in another order": (
        elements(1_000_000) + [("PUT", "content", lines(1_000_000, order=lambda n: n * 7919 % 1_000_000))], ("POST", "reload?elements=false")),
    "reload of 1 million equal identifiers": (
        elements(1_000_000, '{"value":{"id":1,"a":#}}') + [("PUT", "content", lines(1_000_000, '{"value":{"id":1,"b":#}}'))],
        ("POST", "reload?elements=false")),
    "delete of 5 million": (MILLIONS, ("DELETE", "")),
    "another kind of 5 million": (MILLIONS, ("PUT", "?replace=true", {"kind": "collection"})),
    "5 million unpublished away": (elements(5_000_000, reload=""), ("DELETE", "sections")),
    "a try of what takes 5 million away": (MILLIONS, ("POST", "operations", batch(op("removeAllSections"), dryRun=True))),
    "collapse of 5 million with a reload": (MILLIONS, ("PATCH", "sections/s?reload=true", {"isCollapsed": True})),
    "hide of 90,000 rows": (
        rows(90_000, ROW[:-1] + ',"hideWhen":{"var":"variables.x"}}') + [("POST", "reload?elements=false")],
        ("PUT", "variables/x?reload=true", "true")),
    "hide of a row of 5 million": (
        [MODEL, ("PUT", "sections", [{"id": "r", "rows": [{"id": "m", "type": "model", "model": "M", "hideWhen": {"var": "variables.x"}}]}]),
         ("PUT", "content?section=r&row=m&reload=true", lines(5_000_000, head=""))],
        ("PUT", "variables/x?reload=true", "true")),
    "250,000 sections": ([], ("PUT", "sections", times("{}", 250_000))),
    "150,000 sections": ([], ("PUT", "sections", times("{}", 150_000))),
    "250,000 sections with a reload": ([], ("PUT", "sections?reload=true", times("{}", 250_000))),
    "1 million sections by PUT content": ([], ("PUT", "content?reload=true", lines(1_000_000, "{}"))),
    "five million sections": ([], ("PUT", "sections", times("{}", 5_000_000))),
    "4 MB of expressions": ([], ("PUT", "sections", [{"id": "s", "rows": [
        {"id": str(n), "type": "constant", "cell": "C", "hideWhen": {"==": [{"var": "variables.x"}, n]}}
        for n in range(99_000)]}])),
    "an identifier of 341 times 15 MB": (
        [("PUT", "adapters/M", cell("{a}" * 341))], ("POST", "elements?model=M", {"a": "x" * 15_000_000})),
    **{f"elements of {name}": ([("PUT", "adapters/M", adapter)], ("POST", "elements?model=M", most_elements(adapter, form)))
       for name, adapter, form in READINGS},
    "64 equal content pointers": (
        [("PUT", "adapters/M", cell(content=[""] * 64)), ("POST", "elements?model=M", {"id": "a", "t": ["x"] * 3_000_000})],
        ("PATCH", "sections/@0/elements/a", {"b": 1})),
    "a pointer of 8 MB": ([], ("PUT", "adapters/M", cell(content=["/" * 8_000_000]))),
    "300 patches beside a title of 10 MB": (
        [("PUT", "sections", [{"id": "s", "headerTitle": "t" * 10_000_000}])],
        ("POST", "operations", batch(*[op("patchSection", section="s", patch={"footerTitle": str(n)}) for n in range(300)]))),
    "350 patches of a row of 900 expressions": ([], ("POST", "operations", batch(
        op("setSections", sections=[{"id": "s", "rows": [{"id": "r", "type": "constant", "cell": "C", "additionalConfig": {
            "a": [{"$logic": {"+": [{"var": "variables.x"}, n]}} for n in range(900)]}}]}]),
        *[op("patchRow", section="s", row="r", patch={"height": n}) for n in range(350)]))),
    "a start after 30 dear batches": (
        elements(60_000) + [("POST", "operations", filled(
            lambda n: op("setAdapter", model="M", value=cell("{id}" + "-" * (n % 2))), 6))] * 30, ("POST", "reload?elements=false")),
}

# What expressions are evaluated on.
VARIABLES = {
    "list": [1] * 10_000, "object": {f"m{n:04}": n for n in range(1_020)}, "text": "t" * 10_000, "long": "t" * 8_000_000,
    "words": ["word"] * 5_000, "lists": [[1]] * 5_000, "digits": 10**60 + 1, "many": ["1" * 60] * 1_000,
    "deep": {"a": {"a": {"a": {"a": {"a": 1}}}}}, "objects": [{"a": n, "b": 1} for n in range(5_000)], "one": 1,
}

# Forms of each operator; each is repeated as often as the bound of one expression allows, in as many rows as a reload's.
EXPRESSIONS = {
    "var": ['{"var":"variables.object.m1019"}', '{"var":"variables.one"}', '{"var":"variables.list.9999"}',
            '{"var":{"cat":["variables.","one"]}}', '{"var":["variables.none",1]}'],
    "val": ['{"val":["variables","object","m1019"]}', '{"val":["variables",{"cat":["o","ne"]}]}'],
    "exists": ['{"exists":["variables","object","m1019"]}', '{"exists":["variables","none"]}'],
    "missing": ['{"missing":["variables.object.m1019"]}', '{"missing":{"var":"variables.words"}}'],
    "missing_some": ['{"missing_some":[1,["variables.none","variables.one"]]}', '{"missing_some":[1,{"var":"variables.words"}]}'],
    "if": ['{"if":[{"var":"variables.one"},1,2]}'], "?:": ['{"?:":[{"var":"variables.one"},1,2]}'],
    "==": ['{"==":[{"var":"variables.text"},{"var":"variables.text"}]}', '{"==":[{"var":"variables.digits"},{"var":"variables.digits"}]}',
           '{"==":[{"var":"variables.long"},{"var":"variables.long"}]}'],
    "!=": ['{"!=":[{"var":"variables.text"},1]}'],
    "===": ['{"===":[{"var":"variables.object"},{"var":"variables.object"}]}', '{"===":[{"var":"variables.lists"},{"var":"variables.lists"}]}',
            '{"===":[[{"var":"variables.one"}],[{"var":"variables.one"}]]}'],
    "!==": ['{"!==":[{"var":"variables.list"},{"var":"variables.list"}]}', '{"!==":[{"var":"variables.objects"},{"var":"variables.objects"}]}'],
    "!": ['{"!":{"var":"variables.one"}}'], "!!": ['{"!!":{"var":"variables.one"}}'],
    "or": ['{"or":[{"var":"variables.none"},0]}'], "and": ['{"and":[{"var":"variables.one"},1]}'],
    "??": ['{"??":[{"var":"variables.none"},1]}'],
    ">": ['{">":[{"var":"variables.text"},{"var":"variables.text"}]}', '{">":[{"var":"variables.digits"},{"var":"variables.one"}]}'],
    ">=": ['{">=":[{"var":"variables.one"},0.1]}'], "<": ['{"<":[0,{"var":"variables.one"},2]}'],
    "<=": ['{"<=":[{"var":"variables.long"},{"var":"variables.long"}]}'],
    "max": ['{"max":{"var":"variables.list"}}', '{"max":{"var":"variables.many"}}'], "min": ['{"min":[{"var":"variables.digits"},0.1]}'],
    "+": ['{"+":{"var":"variables.list"}}', '{"+":[{"var":"variables.one"},0.1]}'], "-": ['{"-":[{"var":"variables.one"},0.1]}', '{"-":{"var":"variables.digits"}}'],
    "*": ['{"*":[{"var":"variables.one"},0.1]}'], "/": ['{"/":[{"var":"variables.one"},3]}'], "%": ['{"%":[{"var":"variables.one"},0.3]}'],
    "map": ['{"map":[{"var":"variables.list"},{"var":""}]}', '{"map":[{"var":"variables.list"},[{"var":""}]]}',
            '{"map":[{"var":"variables.objects"},{"var":"b"}]}', '{"map":[{"var":"variables.list"},{"cat":["a",{"var":""}]}]}'],
    "filter": ['{"filter":[{"var":"variables.list"},{"var":""}]}', '{"filter":[{"var":"variables.objects"},{"var":"b"}]}'],
    "reduce": ['{"reduce":[{"var":"variables.list"},{"+":[{"var":"current"},{"var":"accumulator"}]},0]}',
               '{"reduce":[{"var":"variables.list"},{"merge":[{"var":"current"},7]},[]]}'],
    "all": ['{"all":[{"var":"variables.list"},{"var":""}]}'], "none": ['{"none":[{"var":"variables.list"},{"var":"x"}]}'],
    "some": ['{"some":[{"var":"variables.list"},{"==":[{"var":""},2]}]}'],
    "merge": ['{"merge":{"var":"variables.lists"}}', '{"merge":[{"var":"variables.list"},{"var":"variables.list"}]}'],
    "in": ['{"in":[2,{"var":"variables.list"}]}', '{"in":["s",{"var":"variables.long"}]}', '{"in":["ttts",{"var":"variables.text"}]}',
           '{"in":[[2],{"var":"variables.lists"}]}'],
    "cat": ['{"cat":[{"var":"variables.one"},"a"]}', '{"cat":{"var":"variables.words"}}', '{"cat":[{"var":"variables.text"},{"var":"variables.text"}]}'],
    "substr": ['{"substr":[{"var":"variables.text"},1]}', '{"substr":[{"var":"variables.long"},-1]}', '{"substr":["é",0,{"var":"variables.one"}]}'],
}


def most(is_allowed, bound: int) -> int:
    """About the largest number that is allowed, up to a bound."""
    least, beyond = 0, 1
    while beyond <= bound and is_allowed(beyond):
        least, beyond = beyond, beyond * 2
    beyond = min(beyond, bound + 1)
    while beyond - least > max(1, least // 50):
        middle = (least + beyond) // 2
        least, beyond = (middle, beyond) if is_allowed(middle) else (least, middle)
    return least


def dearest(form: str):
    """The reload that evaluates a form as often as its bounds allow, for each element of a row; found by trial."""

    def case(server):
        path = "/v1/directors/trial"
        before = [MODEL] + [("PUT", f"variables/{name}", json.dumps(value)) for name, value in VARIABLES.items()]

        def sections_of(count: int, elements_: int) -> str:
            rule = '{"!":[[{"var":"model.id"},' + ",".join([form] * count) + "]]}"
            return ('[{"id":"s","rows":[{"id":"r","type":"model","model":"M","hideWhen":' + rule + ',"elements":'
                    + numbered('{"value":{"id":#}}', elements_) + "}]}]")

        def is_allowed(count: int, elements_: int) -> bool:
            text = sections_of(count, elements_)
            if len(text) >= BODY:
                return False
            # A director of its own: what the rows of a former try came to would be left out of the reload.
            server.call("DELETE", path)
            server.call("PUT", path, {"kind": "table"})
            for method, name, value in before:
                server.call(method, f"{path}/{name}", value)
            return server.call("PUT", path + "/sections", text)[0] < 300 and server.call(
                "POST", path + "/reload?elements=false")[0] < 300

        # Where not even one is allowed, the case shows how long the refusal takes.
        count = max(1, min(100, most(lambda count: is_allowed(count, 1), 1_000)))
        elements_ = max(1, most(lambda number: is_allowed(count, number), 200_000))
        server.call("DELETE", path)
        return before + [("PUT", "sections", sections_of(count, elements_))], ("POST", "reload?elements=false")

    return case


def cases() -> dict:
    """All cases by their names."""
    found = {f"batch of {name}": (before, ("POST", "operations", text)) for name, (before, text) in OPERATIONS.items()}
    found |= STATES
    return found | {f"logic {form}": dearest(form) for forms in EXPRESSIONS.values() for form in forms}
