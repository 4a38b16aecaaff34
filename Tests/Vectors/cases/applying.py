"""Vectors of lists: a list, an event of the stream, and the list after it."""

import copy

from cases.tools import Changer, Dice, Names, changeset, counts, drawn_list, element, places, section, snapshot


def vector(name: str, before: dict | None, data: dict, after: dict | None, event: str = "changeset", needs=(), **expect) -> dict:
    """A vector; `after` is None where the event is refused."""
    made = {"name": name, "kind": "apply"} | ({"needs": list(needs)} if needs else {})
    return made | {"before": before, "event": event, "data": data,
                   "expect": {"fits": False} if after is None else {"fits": True, "list": after} | expect}


def state(sections: list[dict], version: int = 2, epoch: str = "e", **more) -> dict:
    made = {"epoch": epoch, "version": version, "sections": sections, "kind": "table", "properties": {},
            "adapters": [{"model": "M", "cell": "C"}]}
    return made | more


def path(at: list[int], identifier: str, value=0, **more) -> dict:
    return {"at": at, "element": element(identifier, value, **more)}


def new(at: int, identifier: str, ids="", **more) -> dict:
    return {"at": at, "section": section(identifier, ids, **more)}


LIST = [section("s", "abc", headerTitle="S"), section("t", "de"), section("u")]


def fitting() -> list[dict]:
    """Stages, and what they make of the sections s: a b c, t: d e, u: none."""
    s, t, u = LIST
    rows = {"row": "r", "cell": "C", "reuseIdentifier": "C"}
    step = [
        ("no stages", [], LIST),
        ("an update", [{"elementUpdated": [path([0, 1], "b", 9)]}],
         [section("s", ["a", element("b", 9), "c"], headerTitle="S"), t, u]),
        ("updates in any order", [{"elementUpdated": [path([1, 1], "e", 1), path([0, 0], "a", 2)]}],
         [section("s", [element("a", 2), "b", "c"], headerTitle="S"), section("t", ["d", element("e", 1)]), u]),
        ("an update to null", [{"elementUpdated": [path([1, 0], "d", None)]}],
         [s, section("t", [element("d", None), "e"]), u]),
        ("a value of any form", [{"elementUpdated": [path([1, 0], "d", {"x": [1, None, True, "é", {}]})]}],
         [s, section("t", [element("d", {"x": [1, None, True, "é", {}]}), "e"]), u]),
        ("deletes count before the stage", [{"elementDeleted": [[0, 0], [0, 2]]}], [section("s", "b", headerTitle="S"), t, u]),
        ("deletes in falling order", [{"elementDeleted": [[0, 2], [0, 0], [1, 1]]}],
         [section("s", "b", headerTitle="S"), section("t", "d"), u]),
        ("all elements of a section are deleted", [{"elementDeleted": [[1, 0], [1, 1]]}], [s, section("t"), u]),
        ("a section is deleted with its elements", [{"sectionDeleted": [0]}], [t, u]),
        ("elements are deleted beside a section that is", [{"sectionDeleted": [0], "elementDeleted": [[1, 0]]}],
         [section("t", "e"), u]),
        ("all sections are deleted", [{"sectionDeleted": [2, 0, 1]}], []),
        ("a section brings its elements", [{"sectionInserted": [new(1, "n", "xy", footerTitle="F")]}],
         [s, section("n", "xy", footerTitle="F"), t, u]),
        ("sections arrive where they stand after the stage", [{"sectionInserted": [new(4, "o"), new(0, "n", "x")]}],
         [section("n", "x"), s, t, u, section("o")]),
        ("a section moves down", [{"sectionMoved": [{"from": 0, "to": 2}]}], [t, u, s]),
        ("a section moves up", [{"sectionMoved": [{"from": 2, "to": 0}]}], [u, s, t]),
        ("two sections change places", [{"sectionMoved": [{"from": 0, "to": 2}, {"from": 2, "to": 0}]}], [u, t, s]),
        ("a section moves beside one that is new", [{"sectionInserted": [new(0, "n")], "sectionMoved": [{"from": 0, "to": 3}]}],
         [section("n"), t, u, s]),
        ("a move to its own place", [{"sectionMoved": [{"from": 1, "to": 1}]}], LIST),
        ("inserts count after the stage", [{"elementInserted": [path([0, 0], "x"), path([0, 4], "y")]}],
         [section("s", "xabcy", headerTitle="S"), t, u]),
        ("inserts in falling order", [{"elementInserted": [path([0, 4], "y"), path([0, 1], "x"), path([0, 2], "z")]}],
         [section("s", ["a", "x", "z", "b", "y", "c"], headerTitle="S"), t, u]),
        ("an insert into an empty section", [{"elementInserted": [path([2, 0], "x")]}], [s, t, section("u", "x")]),
        ("a move inside a section", [{"elementMoved": [{"from": [0, 0], "to": [0, 2]}]}],
         [section("s", "bca", headerTitle="S"), t, u]),
        ("a move to another section", [{"elementMoved": [{"from": [0, 1], "to": [1, 2]}]}],
         [section("s", "ac", headerTitle="S"), section("t", "deb"), u]),
        ("elements of two sections change places",
         [{"elementMoved": [{"from": [0, 0], "to": [1, 1]}, {"from": [1, 1], "to": [0, 0]}]}],
         [section("s", "ebc", headerTitle="S"), section("t", "da"), u]),
        ("moves and inserts share a section",
         [{"elementInserted": [path([1, 1], "x")],
           "elementMoved": [{"from": [0, 2], "to": [1, 0]}, {"from": [1, 0], "to": [1, 3]}]}],
         [section("s", "ab", headerTitle="S"), section("t", ["c", "x", "e", "d"]), u]),
        ("a section's update replaces all its members but the elements",
         [{"sectionUpdated": [{"at": 0, "section": {"id": "s", "footerTitle": "F"}}]}],
         [section("s", "abc", footerTitle="F"), t, u]),
        ("a section's update of members that are not known",
         [{"sectionUpdated": [{"at": 1, "section": {"id": "t", "later": [1]}}]}], [s, section("t", "de", later=[1]), u]),
        ("five stages, each on the list after the one before",
         [{"elementUpdated": [path([0, 0], "a", 5)]}, {"sectionDeleted": [1], "elementDeleted": [[0, 1]]},
          {"sectionInserted": [new(0, "n", "x")], "sectionMoved": [{"from": 0, "to": 2}]},
          {"elementInserted": [path([1, 0], "y")], "elementMoved": [{"from": [2, 1], "to": [0, 0]}]},
          {"sectionUpdated": [{"at": 2, "section": {"id": "s"}}]}],
         [section("n", "cx"), section("u", "y"), section("s", [element("a", 5)])]),
    ]
    made = [vector(name, snapshot(LIST), changeset(stages, counts=counts(after)), state(after)) for name, stages, after in step]
    twins = [section("s", ["a", "a", element("a", 2)]), section("s", "a")]
    row = [section("s", [element("a", 1, **rows), element("a", 1, **rows | {"row": "q"})])]
    later = element("a", 2, **rows, height=44.5, config={"on": True})
    alike = [section("s", [element("é"), element("e\u0301")])]
    return made + [
        vector("elements with one identifier are told apart by their places", snapshot(twins),
               changeset([{"elementDeleted": [[0, 1]]}, {"elementMoved": [{"from": [0, 1], "to": [1, 0]}]}]),
               state([section("s", "a"), section("s", [element("a", 2), "a"])])),
        vector("a row's element is updated with its cell's members", snapshot(row),
               changeset([{"elementUpdated": [{"at": [0, 0], "element": later}]}]),
               state([section("s", [later, row[0]["elements"][1]])])),
        vector("identifiers that look alike are two", snapshot(alike),
               changeset([{"elementUpdated": [path([0, 1], "e\u0301", 1)]}]),
               state([section("s", [element("é"), element("e\u0301", 1)])])),
        vector("what is replaced stands at its place after the last stage", snapshot(LIST),
               changeset([{"elementDeleted": [[0, 0]]}], replaced=[path([0, 0], "b", 7)]),
               state([section("s", [element("b", 7), "c"], headerTitle="S"), t, u])),
        vector("nothing but what is replaced", snapshot(LIST), changeset([], replaced=[path([1, 1], "e", 7), path([0, 0], "a", 8)]),
               state([section("s", [element("a", 8), "b", "c"], headerTitle="S"), section("t", ["d", element("e", 7)]), u])),
        vector("an element that was inserted is replaced", snapshot(LIST),
               changeset([{"elementInserted": [path([2, 0], "x")]}], replaced=[path([2, 0], "x", 1)]),
               state([s, t, section("u", [element("x", 1)])])),
        vector("one changeset over several versions", snapshot(LIST, 5), changeset([{"sectionDeleted": [0]}], 9, **{"from": 5}),
               state([t, u], 9)),
        vector("members that are not known are left out", snapshot(LIST),
               changeset([], animations={"sectionDeleted": "fade"}, later={"x": 1}), state(LIST)),
        vector("a list that is empty fills", snapshot([]), changeset([{"sectionInserted": [new(0, "n", "x"), new(1, "m")]}]),
               state([section("n", "x"), section("m")])),
        vector("version 0 is a version", snapshot([], 0), changeset([{"sectionInserted": [new(0, "n")]}], 1),
               state([section("n")], 1)),
    ]


def refused() -> list[dict]:
    """Stages that do not fit: the list stays as it is, and a fresh snapshot is needed."""
    step = [
        ("an operation that is not known", [{"elementTurned": [[0, 0]]}]),
        ("an operation that is not known beside one that is", [{"elementDeleted": [[0, 0]], "elementTurned": []}]),
        ("an update of another element", [{"elementUpdated": [path([0, 0], "b")]}]),
        ("an update of an element of another model", [{"elementUpdated": [path([0, 0], "a", model="N")]}]),
        ("an update past the end", [{"elementUpdated": [path([0, 3], "x")]}]),
        ("an update in no section", [{"elementUpdated": [path([3, 0], "x")]}]),
        ("two updates of one element", [{"elementUpdated": [path([0, 0], "a", 1), path([0, 0], "a", 2)]}]),
        ("a delete past the end", [{"elementDeleted": [[1, 2]]}]),
        ("a delete in an empty section", [{"elementDeleted": [[2, 0]]}]),
        ("a delete in no section", [{"elementDeleted": [[3, 0]]}]),
        ("a delete at a negative place", [{"elementDeleted": [[0, -1]]}]),
        ("a delete in a negative section", [{"elementDeleted": [[-1, 0]]}]),
        ("a delete at a part of a place", [{"elementDeleted": [[0, 0.5]]}]),
        ("two deletes of one element", [{"elementDeleted": [[0, 1], [0, 1]]}]),
        ("a delete in a section that is deleted", [{"sectionDeleted": [0], "elementDeleted": [[0, 0]]}]),
        ("no section to delete", [{"sectionDeleted": [3]}]),
        ("a section is deleted twice", [{"sectionDeleted": [1, 1]}]),
        ("a section at a negative place is deleted", [{"sectionDeleted": [-1]}]),
        ("a section arrives past the end", [{"sectionInserted": [new(4, "n")]}]),
        ("a section arrives at a negative place", [{"sectionInserted": [new(-1, "n")]}]),
        ("two sections arrive at one place", [{"sectionInserted": [new(1, "n"), new(1, "m")]}]),
        ("a section moves to the place of one that is new",
         [{"sectionInserted": [new(0, "n")], "sectionMoved": [{"from": 1, "to": 0}]}]),
        ("no section to move", [{"sectionMoved": [{"from": 3, "to": 0}]}]),
        ("a section moves past the end", [{"sectionMoved": [{"from": 0, "to": 3}]}]),
        ("a section moves twice", [{"sectionMoved": [{"from": 0, "to": 1}, {"from": 0, "to": 2}]}]),
        ("an insert past the end", [{"elementInserted": [path([0, 4], "x")]}]),
        ("an insert at a negative place", [{"elementInserted": [path([0, -1], "x")]}]),
        ("an insert in no section", [{"elementInserted": [path([3, 0], "x")]}]),
        ("two inserts at one place", [{"elementInserted": [path([0, 1], "x"), path([0, 1], "y")]}]),
        ("an insert leaves a gap", [{"elementInserted": [path([2, 1], "x")]}]),
        ("no element to move", [{"elementMoved": [{"from": [1, 2], "to": [0, 0]}]}]),
        ("an element moves past the end", [{"elementMoved": [{"from": [0, 0], "to": [0, 3]}]}]),
        ("an element moves to no section", [{"elementMoved": [{"from": [0, 0], "to": [3, 0]}]}]),
        ("an element moves twice", [{"elementMoved": [{"from": [0, 0], "to": [0, 1]}, {"from": [0, 0], "to": [1, 0]}]}]),
        ("two elements move to one place", [{"elementMoved": [{"from": [0, 0], "to": [1, 0]}, {"from": [0, 1], "to": [1, 0]}]}]),
        ("an element moves to the place of one that is new",
         [{"elementInserted": [path([1, 0], "x")], "elementMoved": [{"from": [0, 0], "to": [1, 0]}]}]),
        ("another section is updated", [{"sectionUpdated": [{"at": 0, "section": {"id": "t"}}]}]),
        ("no section to update", [{"sectionUpdated": [{"at": 3, "section": {"id": "u"}}]}]),
        ("two updates of one section", [{"sectionUpdated": [{"at": 0, "section": {"id": "s"}},
                                                            {"at": 0, "section": {"id": "s"}}]}]),
        ("a later stage that does not fit", [{"elementDeleted": [[0, 2]]}, {"elementInserted": [path([0, 4], "x")]}]),
    ]
    made = [vector(f"refused: {name}", snapshot(LIST), changeset(stages), None) for name, stages in step]
    made.append(vector("refused: an update at a part of a place", snapshot(LIST),
                       changeset([{"elementUpdated": [path([0, 0.5], "a", 1)]}]), None))
    row = [section("s", [element("a", 1, row="r", cell="C", reuseIdentifier="C")])]
    two = {"sections": 2, "elements": 5}
    whole = [
        ("replaced: another element", snapshot(LIST), changeset([], replaced=[path([0, 0], "b")])),
        ("replaced: past the end", snapshot(LIST), changeset([], replaced=[path([0, 3], "x")])),
        ("replaced: one element twice", snapshot(LIST), changeset([], replaced=[path([0, 0], "a", 1), path([0, 0], "a", 2)])),
        ("replaced: the place before the stages", snapshot(LIST),
         changeset([{"elementDeleted": [[0, 0]]}], replaced=[path([0, 2], "c", 1)])),
        ("a row's element becomes that of another row", snapshot(row),
         changeset([{"elementUpdated": [{"at": [0, 0], "element": row[0]["elements"][0] | {"row": "q"}}]}])),
        ("identifiers that look alike", snapshot([section("s", [element("é")])]),
         changeset([{"elementUpdated": [path([0, 0], "e\u0301", 1)]}])),
        ("too few sections are counted", snapshot(LIST), changeset([], counts=two)),
        ("too many elements are counted", snapshot(LIST), changeset([], counts={"sections": 3, "elements": 6})),
        ("another life of the director", snapshot(LIST), changeset([], epoch="f")),
        ("a version is missing", snapshot(LIST), changeset([], 3)),
        ("a change before any list", None, changeset([{"sectionInserted": [new(0, "n")]}])),
    ]
    return made + [vector(f"refused: {name}", before, data, None) for name, before, data in whole]


def others() -> list[dict]:
    """Snapshots, and events that change no structure."""
    other = snapshot([section("n", "x")], 1, "f", reset="another life")
    definition = {"director": "d", "kind": "flow", "properties": {"stickyHeaders": True}, "adapters": []}
    plain = {key: value for key, value in snapshot(LIST).items() if key != "counts"}
    odd = snapshot(LIST, counts={"sections": 3, "elements": 4})
    beat, gap = {"director": "d", "version": 1}, {"director": "d", "version": 2}
    cells = [{"at": [0, 1], "element": element("b")}, {"at": [1, 0], "element": element("d")}]
    before, same = snapshot(LIST), state(LIST, 1)
    return [
        vector("a first snapshot", None, snapshot(LIST, 7), state(LIST, 7), "snapshot"),
        vector("a snapshot takes the list's place, whatever its version", snapshot(LIST, 9), other,
               state([section("n", "x")], 1, "f"), "snapshot"),
        vector("a snapshot without counts", None, plain, same, "snapshot"),
        vector("a snapshot of nothing", snapshot(LIST), snapshot([], 4), state([], 4), "snapshot"),
        vector("refused: a snapshot of fewer elements than it counts", before, odd | {"counts": {"sections": 3, "elements": 6}},
               None, "snapshot"),
        vector("refused: a snapshot of more elements than it counts", before, odd, None, "snapshot"),
        vector("refused: a snapshot of fewer sections than it counts", before, odd | {"counts": {"sections": 4, "elements": 5}},
               None,
               "snapshot"),
        vector("a heartbeat of the list's version", before, beat, same, "heartbeat"),
        vector("refused: a heartbeat of a later version", before, gap, None, "heartbeat"),
        vector("a stream goes on", before, {"director": "d", "from": 1, "version": 4}, same, "resumed"),
        vector("a stream of a view goes on from the server's number", before, {"director": "d", "from": 3, "version": 4},
               state(LIST, 3), "resumed"),
        vector("a definition", before, definition, same | {"kind": "flow", "properties": {"stickyHeaders": True}, "adapters": []},
               "definition"),
        vector("cells to draw anew", before, {"director": "d", "version": 1, "elements": cells}, same, "refresh",
               refreshed=[[0, 1], [1, 0]]),
        vector("all cells to draw anew", before, {"director": "d", "version": 1, "all": True}, same, "refresh", refreshed=None),
        vector("an event of a kind that is not known", before, {"x": 1}, same, "later"),
    ]


def totals() -> list[dict]:
    """The numbers that a view has beside its list."""
    first, later = {"open": 5, "amount": {"s": 3, "t": 2}}, {"open": None, "amount": {}}
    before, shown = snapshot(LIST, totals=first), state(LIST, 1, totals=first)
    definition = {"director": "d", "kind": "table", "properties": {}, "adapters": []}
    return [
        vector("totals of a first snapshot", None, before, shown, "snapshot"),
        vector("a snapshot without totals", before, snapshot(LIST, 2), state(LIST), "snapshot"),
        vector("totals that change stand for all before", before, changeset([], totals=later), state(LIST, totals=later)),
        vector("totals that do not change stay", before, changeset([{"sectionDeleted": [0]}]), state(LIST[1:], totals=first)),
        vector("a change that is refused leaves the totals", before, changeset([{"sectionDeleted": [3]}], totals=later), None),
        vector("totals stay where the properties change", before, definition, shown | {"adapters": []}, "definition"),
        vector("totals stay where a stream goes on", before, {"director": "d", "from": 1, "version": 4}, shown, "resumed"),
    ]


def written() -> list[dict]:
    return fitting() + refused() + others() + totals()


def spoilt(dice: Dice, made: dict) -> dict:
    """The changeset with a second operation on what is taken or occupied already, or with counts of another list."""
    data = copy.deepcopy(made)
    stages = [(stage, name) for stage in data["stages"] for name in stage]
    if not stages or dice.chance(4):
        data["counts"]["elements"] += 1
        return data
    stage, name = dice.one(stages)
    stage[name].append(copy.deepcopy(dice.one(stage[name])))
    return data


def drawn(dice: Dice, count: int) -> list[dict]:
    """Lists that are changed at random while the changeset is written down, and one in five that is spoilt."""
    names, made = Names(), []
    changer = Changer(dice, names)
    while len(made) < count:
        before = drawn_list(dice, names)
        after, data = changer.changed(before, 2)
        name = f"drawn {len(made)}"
        if not data["stages"] and places(before):
            continue
        if len(made) % 5 == 4:
            made.append(vector(f"{name}, spoilt", snapshot(before), spoilt(dice, data), None))
        else:
            made.append(vector(name, snapshot(before), data, state(after)))
    return made
