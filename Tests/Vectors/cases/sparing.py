"""Vectors of lists of which only some elements are loaded."""

import copy

from cases.tools import Changer, Dice, Names, changeset, element, reference


def vector(name: str, lengths: dict[str, int], steps: list[dict], asks: list[dict] | None = None, sections=None, version=None,
           needs=()) -> dict:
    """A vector; without `asks` the reader's outcome is what is expected."""
    made = {"name": name, "kind": "sparse"} | ({"needs": list(needs)} if needs else {})
    made |= {"snapshot": reference(lengths), "steps": steps}
    if asks is not None:
        made["expect"] = {"asks": asks, "version": version or 1 + sum("change" in step for step in steps), "sections": sections}
    return made


def load(name: str, section: int, end: int, start: int = 0) -> dict:
    return {"load": name, "section": section, "from": start, "end": end}


def ask(name: str, section: int, version: int, offset: int, limit: int) -> dict:
    return {"load": name, "section": section, "version": version, "offset": offset, "limit": limit}


def answer(name: str, ids, section: str | None = None) -> dict:
    """A page; where its section is named, each element says where it was, as the server has it."""
    elements = [element(each) if isinstance(each, str) else each for each in ids]
    if section is not None:
        elements = [each | {"section": section, "indexPath": [0, at]} for at, each in enumerate(elements)]
    return {"answer": name, "elements": elements}


def known(identifier: str, count: int, *items, **more) -> dict:
    return {"id": identifier} | more | {
        "count": count, "known": [[at, element(each) if isinstance(each, str) else each] for at, each in items]}


def change(*stages: dict, version: int = 2, **more) -> dict:
    return {"change": changeset(list(stages), version, **more)}


def written() -> list[dict]:
    st = {"s": 4, "t": 2}
    first = ask("A", 0, 1, 0, 4)
    all_of = [(at, each) for at, each in enumerate("abcd")]
    path = lambda at, each, value=0: {"at": at, "element": element(each, value)}  # noqa: E731
    step = [
        ("nothing is known at first", st, [], [], [known("s", 4), known("t", 2)]),
        ("a page", st, [load("A", 0, 4), answer("A", "abcd")], [first], [known("s", 4, *all_of), known("t", 2)]),
        ("a page says where its elements were, which is left out", st, [load("A", 1, 2), answer("A", "ab", "t")],
         [ask("A", 1, 1, 0, 2)],
         [known("s", 4), known("t", 2, (0, "a"), (1, "b"))]),
        ("what is known is not asked for again", st, [load("A", 0, 4), answer("A", "abcd"), load("B", 0, 4)], [first],
         [known("s", 4, *all_of), known("t", 2)]),
        ("what is on its way is not asked for again", st, [load("A", 0, 4), load("B", 0, 4), answer("A", "abcd")], [first],
         [known("s", 4, *all_of), known("t", 2)]),
        ("a page that does not come leaves holes, which are asked for again", st,
         [load("A", 0, 4), {"fail": "A"}, load("B", 0, 4), answer("B", "abcd")], [first, ask("B", 0, 1, 0, 4)],
         [known("s", 4, *all_of), known("t", 2)]),
        ("a page that is too short leaves holes", st, [load("A", 0, 4), answer("A", "ab")], [first],
         [known("s", 4, (0, "a"), (1, "b")), known("t", 2)]),
        ("two pages come in another order", st, [load("A", 0, 4), load("B", 1, 2), answer("B", "xy"), answer("A", "abcd")],
         [first, ask("B", 1, 1, 0, 2)], [known("s", 4, *all_of), known("t", 2, (0, "x"), (1, "y"))]),
        ("an insert moves what is known", st,
         [load("A", 0, 4), answer("A", "abcd"), change({"elementInserted": [path([0, 1], "x")]})], [first],
         [known("s", 5, (0, "a"), (1, "x"), (2, "b"), (3, "c"), (4, "d")), known("t", 2)]),
        ("an insert moves what is awaited", st,
         [load("A", 0, 4), change({"elementInserted": [path([0, 1], "x")]}), answer("A", "abcd")], [first],
         [known("s", 5, (0, "a"), (1, "x"), (2, "b"), (3, "c"), (4, "d")), known("t", 2)]),
        ("an insert among holes is known", st, [change({"elementInserted": [path([0, 3], "x")]})], [],
         [known("s", 5, (3, "x")), known("t", 2)]),
        ("a delete of what is awaited: its element is not put elsewhere", st,
         [load("A", 0, 4), change({"elementDeleted": [[0, 1]]}), answer("A", "abcd")], [first],
         [known("s", 3, (0, "a"), (1, "c"), (2, "d")), known("t", 2)]),
        ("an update of a hole is known", st, [change({"elementUpdated": [path([0, 2], "c", 5)]})], [],
         [known("s", 4, (2, element("c", 5))), known("t", 2)]),
        ("an update is newer than the page that was on its way", st,
         [load("A", 0, 4), change({"elementUpdated": [path([0, 2], "c", 5)]}), answer("A", "abcd")], [first],
         [known("s", 4, (0, "a"), (1, "b"), (2, element("c", 5)), (3, "d")), known("t", 2)]),
        ("what is replaced is newer than the page, too", st,
         [load("A", 0, 4), change(replaced=[path([0, 0], "a", 6)]), answer("A", "abcd")], [first],
         [known("s", 4, (0, element("a", 6)), (1, "b"), (2, "c"), (3, "d")), known("t", 2)]),
        ("a hole moves, and is a hole elsewhere", st,
         [load("A", 1, 2), answer("A", "xy"), change({"elementMoved": [{"from": [0, 0], "to": [1, 1]}]})], [ask("A", 1, 1, 0, 2)],
         [known("s", 3), known("t", 3, (0, "x"), (2, "y"))]),
        ("what is awaited moves to another section", st,
         [load("A", 0, 4), change({"elementMoved": [{"from": [0, 0], "to": [1, 1]}]}), answer("A", "abcd")], [first],
         [known("s", 3, (0, "b"), (1, "c"), (2, "d")), known("t", 3, (1, "a"))]),
        ("a moved element is known where it arrives, and only what is missing is asked for", st,
         [load("A", 0, 4), answer("A", "abcd"), change({"elementMoved": [{"from": [0, 0], "to": [1, 0]}]}), load("B", 1, 3)],
         [first, ask("B", 1, 2, 1, 2)], [known("s", 3, (0, "b"), (1, "c"), (2, "d")), known("t", 3, (0, "a"))]),
        ("a span with something known in its middle is asked for in one", st,
         [change({"elementInserted": [path([0, 2], "x")]}), load("A", 0, 5), answer("A", "abxcd")], [ask("A", 0, 2, 0, 5)],
         [known("s", 5, (0, "a"), (1, "b"), (2, "x"), (3, "c"), (4, "d")), known("t", 2)]),
        ("known ends are left out of a span", st,
         [change({"elementInserted": [path([0, 0], "x"), path([0, 5], "y")]}), load("A", 0, 6), answer("A", "abcd")],
         [ask("A", 0, 2, 1, 4)],
         [known("s", 6, (0, "x"), (1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "y")), known("t", 2)]),
        ("a section moves with what is awaited in it", st,
         [load("A", 0, 4), change({"sectionMoved": [{"from": 0, "to": 1}]}), answer("A", "abcd")], [first],
         [known("t", 2), known("s", 4, *all_of)]),
        ("a section is deleted while its page is on its way", st,
         [load("A", 0, 4), change({"sectionDeleted": [0]}), answer("A", "abcd")], [first], [known("t", 2)]),
        ("a section that is inserted is known whole", st,
         [change({"sectionInserted": [{"at": 0, "section": {"id": "n", "headerTitle": "N", "elements": [element("x")]}}]}),
          load("A", 0, 1)], [],
         [known("n", 1, (0, "x"), headerTitle="N"), known("s", 4), known("t", 2)]),
        ("a section's update leaves what is known", st,
         [load("A", 1, 2), answer("A", "xy"), change({"sectionUpdated": [{"at": 1, "section": {"id": "t", "headerTitle": "T"}}]})],
         [ask("A", 1, 1, 0, 2)], [known("s", 4), known("t", 2, (0, "x"), (1, "y"), headerTitle="T")]),
        ("a page is asked for as of the version that is shown", st,
         [change({"elementDeleted": [[0, 0]]}), load("A", 0, 3), answer("A", "bcd")], [ask("A", 0, 2, 0, 3)],
         [known("s", 3, (0, "b"), (1, "c"), (2, "d")), known("t", 2)]),
        ("an empty section has nothing to ask for", {"s": 0}, [load("A", 0, 100)], [], [known("s", 0)]),
        ("a span past the end ends with the section", st, [load("A", 1, 100), answer("A", "ab")], [ask("A", 1, 1, 0, 2)],
         [known("s", 4), known("t", 2, (0, "a"), (1, "b"))]),
        ("the last page of a long section", {"s": 203}, [load("A", 0, 203, 200), answer("A", "xyz")], [ask("A", 0, 1, 200, 3)],
         [known("s", 203, (200, "x"), (201, "y"), (202, "z"))]),
        ("a change in front of a page of a long section", {"s": 203},
         [load("A", 0, 203, 200), change({"elementDeleted": [[0, 0], [0, 7], [0, 201]]}), answer("A", "xyz")],
         [ask("A", 0, 1, 200, 3)],
         [known("s", 200, (198, "x"), (199, "z"))]),
    ]
    made = [vector(name, lengths, steps, asks, sections) for name, lengths, steps, asks, sections in step]
    spans = [
        ("a part of a section", {"s": 9}, [load("A", 0, 5, 2), answer("A", "cde")], [ask("A", 0, 1, 2, 3)],
         [known("s", 9, (2, "c"), (3, "d"), (4, "e"))]),
        ("two parts overlap", {"s": 9}, [load("A", 0, 5, 2), load("B", 0, 7, 4), answer("B", "fg"), answer("A", "cde")],
         [ask("A", 0, 1, 2, 3), ask("B", 0, 1, 5, 2)], [known("s", 9, (2, "c"), (3, "d"), (4, "e"), (5, "f"), (6, "g"))]),
        ("a part around what is on its way", {"s": 9},
         [load("A", 0, 5, 4), load("B", 0, 7, 2), answer("A", "e"), answer("B", "cdefg")],
         [ask("A", 0, 1, 4, 1), ask("B", 0, 1, 2, 5)], [known("s", 9, (2, "c"), (3, "d"), (4, "e"), (5, "f"), (6, "g"))]),
    ]
    return made + [vector(*each, needs=["any-span"]) for each in spans]


def drawn(dice: Dice, count: int) -> list[dict]:
    """A server's list that changes while pages of it are on their way.

    A client knows an element as soon as a change or a page has brought it, and always as the server has it now: that is how
    the expectation is made here, by names, without a place being followed.
    """
    made = []
    for number in range(count):
        names = Names()
        changer = Changer(dice, names, 5)
        has_spans = number % 3 == 2
        server = [{"id": names.next("s"), "elements": [element(names.next("i"), dice.below(9)) for _ in range(dice.below(7))]}
                  for _ in range(1 + dice.below(3))]
        lengths, version, steps, brought = {each["id"]: len(each["elements"]) for each in server}, 1, [], set()
        under_way: dict[str, list[dict]] = {}
        awaited: set[str] = set()
        asks = []
        for _ in range(3 + dice.below(5)):
            kind = dice.below(5)
            if kind < 2:
                version += 1
                server, data = changer.changed(server, version)
                steps.append({"change": data})
                brought |= {each["element"]["id"] for each in data.get("replaced", [])}
                for stage in data["stages"]:
                    entries = stage.get("elementUpdated", []) + stage.get("elementInserted", [])
                    brought |= {each["element"]["id"] for each in entries}
                    brought |= {item["id"] for each in stage.get("sectionInserted", []) for item in each["section"]["elements"]}
            elif kind < 4 and server:
                at, name = dice.below(len(server)), f"L{len(steps)}"
                items = server[at]["elements"]
                end = len(items) if not has_spans else dice.below(len(items) + 2)
                start = 0 if not has_spans else dice.below(end + 1)
                steps.append(load(name, at, end, start))
                missing = [place for place in range(start, min(end, len(items))) if items[place]["id"] not in brought | awaited]
                if missing:
                    offset, limit = missing[0], missing[-1] - missing[0] + 1
                    asks.append(ask(name, at, version, offset, limit))
                    under_way[name] = copy.deepcopy(items[offset:offset + limit])
                    asked = {items[place]["id"] for place in missing}
                    awaited |= asked
                    under_way[name] = [each | {"asked": each["id"] in asked} for each in under_way[name]]
            elif under_way:
                name = dice.one(sorted(under_way))
                page = under_way.pop(name)
                asked = {each["id"] for each in page if each["asked"]}
                awaited -= asked
                if dice.chance(6):
                    steps.append({"fail": name})
                else:
                    brought |= asked
                    elements = [{key: value for key, value in each.items() if key != "asked"} for each in page]
                    steps.append({"answer": name, "elements": elements})
        sections = [
            {key: value for key, value in each.items() if key != "elements"}
            | {"count": len(each["elements"]),
               "known": [[at, item] for at, item in enumerate(each["elements"]) if item["id"] in brought]}
            for each in server]
        made.append(vector(f"drawn {number}", lengths, steps, asks, sections, version, ["any-span"] if has_spans else ()))
    return made
