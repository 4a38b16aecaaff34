"""Vectors of changes that are shown at once."""

from cases.tools import Changer, Dice, Names, changeset, element, section, snapshot

START = [section("s", "abc")]


def vector(name: str, steps: list[dict], shown: list | None = None, rejected=(), start: list[dict] | None = None, needs=()) -> dict:
    """A vector; `shown` has a text for each step, or a list; without it the reader's outcome is what is expected."""
    made = {"name": name, "kind": "overlay"} | ({"needs": list(needs)} if needs else {})
    made |= {"snapshot": snapshot(START if start is None else start), "steps": steps}
    if shown is not None:
        made["expect"] = {"shown": [[[[each[0], int(each[1:] or 0)] for each in part.split()] for part in text.split("/")]
                                    for text in shown],
                          "rejected": list(rejected)}
    return made


def show(cause: str, **change) -> dict:
    return {"show": cause, "change": change}


def remove(cause: str, identifier: str) -> dict:
    return show(cause, remove=identifier)


def publish(version: int, *stages: dict, causes=(), **more) -> dict:
    return {"publish": changeset(list(stages), version, **({"causes": list(causes)} if causes else {}), **more)}


def confirm(cause: str, version: int | None = None) -> dict:
    return {"confirm": cause, "version": version}


def added(identifier: str, at: int) -> dict:
    return {"elementInserted": [{"at": [0, at], "element": element(identifier)}]}


GONE = {"elementDeleted": [[0, 0]]}


def written() -> list[dict]:
    two = show("2", set="a", value=2)
    one = show("1", set="a", value=1)
    return [
        vector("nothing is shown ahead", [publish(2, added("x", 0))], ["x a b c"]),
        vector("a change is shown at once", [remove("1", "a")], ["b c"]),
        vector("a change goes with the changeset that names it", [remove("1", "a"), publish(2, GONE, causes=["1"])],
               ["b c", "b c"]),
        vector("another version comes first", [remove("1", "a"), publish(2, added("x", 3)), publish(3, GONE, causes=["1"])],
               ["b c", "b c x", "b c x"]),
        vector("the stream is faster than the answer", [remove("1", "a"), publish(2, GONE), confirm("1", 2)],
               ["b c", "b c", "b c"]),
        vector("what the version brings counts, not the change",
               [one, publish(2, {"elementUpdated": [{"at": [0, 0], "element": element("a", 7)}]}, causes=["1"])],
               ["a1 b c", "a7 b c"]),
        vector("the answer is faster than the stream", [remove("1", "a"), confirm("1", 2), publish(2, GONE)],
               ["b c", "b c", "b c"]),
        vector("the answer names a version that is further",
               [remove("1", "a"), confirm("1", 3), publish(2, added("x", 0)), publish(3, {"elementDeleted": [[0, 1]]})],
               ["b c", "b c", "x b c", "x b c"]),
        vector("an answer without a version: the next one has it in", [remove("1", "a"), confirm("1"), publish(2, added("x", 0))],
               ["b c", "b c", "x a b c"]),
        vector("an answer of a version that is shown already", [remove("1", "a"), confirm("1", 1)], ["b c", "a b c"]),
        vector("a refusal takes the change back", [remove("1", "a"), {"refuse": "1"}], ["b c", "a b c"]),
        vector("a refusal after other versions", [remove("1", "a"), publish(2, added("x", 1)), {"refuse": "1"}],
               ["b c", "x b c", "a x b c"]),
        vector("two changes of one element: the first is refused", [one, two, {"refuse": "1"}], ["a1 b c", "a2 b c", "a2 b c"]),
        vector("two changes of one element: the second is refused", [one, two, {"refuse": "2"}], ["a1 b c", "a2 b c", "a1 b c"]),
        vector("two changes of one element: both are refused", [one, two, {"refuse": "2"}, {"refuse": "1"}],
               ["a1 b c", "a2 b c", "a1 b c", "a b c"]),
        vector("two changes of one element: the first is in",
               [one, two, publish(2, {"elementUpdated": [{"at": [0, 0], "element": element("a", 1)}]}, causes=["1"])],
               ["a1 b c", "a2 b c", "a2 b c"]),
        vector("one changeset has both in",
               [remove("1", "a"), remove("2", "b"), publish(2, {"elementDeleted": [[0, 0], [0, 1]]}, causes=["1", "2"])],
               ["b c", "c", "c"]),
        vector("a changeset names what nobody shows", [remove("1", "a"), publish(2, added("x", 0), causes=["other"])],
               ["b c", "x b c"]),
        vector("a cause is compared whole", [remove("1", "a"), publish(2, added("x", 0), causes=["11", ""])], ["b c", "x b c"]),
        vector("what a change is about goes: it shows nothing, and nothing else is hurt",
               [one, publish(2, GONE), publish(3, added("x", 0)), {"refuse": "1"}], ["a1 b c", "b c", "x b c", "x b c"]),
        vector("what a change is about comes back", [one, publish(2, GONE), publish(3, added("a", 0))],
               ["a1 b c", "b c", "a1 b c"]),
        vector("a change on top of one that shows nothing any more", [one, remove("2", "b"), publish(2, GONE)],
               ["a1 b c", "a1 c", "c"]),
        vector("a change of what is not there is not made", [remove("1", "x"), remove("2", "a")], ["a b c", "b c"], ["1"]),
        vector("a change of what another change has added",
               [show("1", insert=[0, 1], element=element("x")), show("2", set="x", value=5), {"refuse": "1"}],
               ["a x b c", "a x5 b c", "a b c"]),
        vector("an insert stands at its place in later versions",
               [show("1", insert=[0, 0], element=element("x")), publish(2, added("y", 0))],
               ["x a b c", "x y a b c"]),
        vector("an insert past the end of a list that has become shorter",
               [show("1", insert=[0, 3], element=element("x")), publish(2, GONE)], ["a b c x", "b c"]),
        vector("an insert into no section is not made", [show("1", insert=[1, 0], element=element("x"))], ["a b c"], ["1"]),
        vector("a move", [show("1", move="a", to=[0, 2]),
                          publish(2, {"elementMoved": [{"from": [0, 0], "to": [0, 2]}]}, causes=["1"])], ["b c a", "b c a"]),
        vector("a move to another section", [show("1", move="a", to=[1, 0]), {"refuse": "1"}], ["b c/a", "a b c/"],
               start=[*START, section("t")]),
        vector("a snapshot keeps what the server has not answered",
               [remove("1", "a"), {"snapshot": snapshot([section("s", "abd")], 4)}], ["b c", "b d"]),
        vector("a snapshot of a version that has the change in",
               [remove("1", "a"), confirm("1", 3), {"snapshot": snapshot([section("s", "bd")], 3)}],
               ["b c", "b c", "b d"]),
        vector("a snapshot of an earlier version than the change's",
               [remove("1", "a"), confirm("1", 5), {"snapshot": snapshot([section("s", "abd")], 4)}],
               ["b c", "b c", "b d"]),
        vector("another life of the director takes confirmed changes with it",
               [remove("1", "a"), confirm("1", 9), {"snapshot": snapshot(START, 1, "f")}], ["b c", "b c", "a b c"]),
        vector("an answer about a life that is over", [remove("1", "a"), {"snapshot": snapshot(START, 1, "f")}, confirm("1", 9)],
               ["b c", "b c", "a b c"]),
        vector("three changes end in another order",
               [remove("1", "a"), remove("2", "b"), remove("3", "c"), {"refuse": "2"}, {"refuse": "1"}, {"refuse": "3"}],
               ["b c", "c", "", "b", "a b", "a b c"]),
    ]


def drawn(dice: Dice, count: int) -> list[dict]:
    """Versions, answers and refusals in any order; in the end everything is answered, and what is published is shown."""
    made = []
    for number in range(count):
        names, version, steps, open_, late = Names(), 1, [], [], []
        changer = Changer(dice, names, 6)
        server = start = [section(names.next("s"), [element(names.next("i"), dice.below(9)) for _ in range(1 + dice.below(4))])
                          for _ in range(1 + dice.below(2))]
        for _ in range(4 + dice.below(5)):
            kind = dice.below(8)
            known = [each["id"] for part in server for each in part["elements"]]
            if kind < 3 and server:
                cause, at = f"c{len(steps)}", dice.below(len(server))
                changes = [{"insert": [at, dice.below(len(server[at]["elements"]) + 1)],
                            "element": element(names.next("n"), dice.below(9))}]
                if known:
                    changes += [{"remove": dice.one(known)}, {"set": dice.one(known), "value": dice.below(90)}]
                    changes += [{"move": dice.one(known), "to": [at, 0]}]
                steps.append({"show": cause, "change": dice.one(changes)})
                open_.append(cause)
            elif kind < 6:
                version += 1
                causes = dice.some(open_, 3)
                server, data = changer.changed(server, version, **({"causes": causes} if causes else {}))
                steps.append({"publish": data})
                late += causes
                open_ = [each for each in open_ if each not in causes]
            elif open_ or late:
                cause = dice.one(open_ + late)
                if cause in late:
                    # A changeset has named it already.
                    steps.append(confirm(cause, version))
                    late.remove(cause)
                else:
                    steps.append(dice.one([{"refuse": cause}, confirm(cause, version + dice.below(2)), confirm(cause)]))
                    open_.remove(cause)
        steps += [{"refuse": cause} for cause in open_]
        version += 1
        server, data = changer.changed(server, version)
        steps.append({"publish": data})
        made.append(vector(f"drawn {number}", steps, start=start))
    return made
