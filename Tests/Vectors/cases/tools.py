"""What the cases are put together from: dice, elements, lists, and changesets that are written down while a list is changed."""

import copy


class Dice:
    """Numbers that follow from a seed alone, in every version of Python (PCG, 32 bits)."""

    def __init__(self, seed: int):
        self._state = (seed * 2 + 1) % 2**64
        for _ in range(4):
            self.below(2)

    def below(self, bound: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        state = self._state
        mixed = ((state >> 18 ^ state) >> 27) % 2**32
        turn = state >> 59
        return (mixed >> turn | mixed << (32 - turn)) % 2**32 % bound

    def one(self, values):
        return values[self.below(len(values))]

    def chance(self, times: int) -> bool:
        """True once in so many times."""
        return self.below(times) == 0

    def some(self, values: list, share: int) -> list:
        return [value for value in values if self.chance(share)]

    def shuffled(self, values: list) -> list:
        result = list(values)
        for at in range(len(result) - 1, 0, -1):
            other = self.below(at + 1)
            result[at], result[other] = result[other], result[at]
        return result


def element(identifier: str, value=0, **more) -> dict:
    return {"id": identifier, "model": "M", "value": value} | more


def section(identifier: str, ids: str | list = "", **more) -> dict:
    """A section whose elements are given, or have letters for identifiers."""
    elements = [element(each) if isinstance(each, str) else each for each in ids]
    return {"id": identifier} | more | {"elements": elements}


def counts(sections: list[dict]) -> dict:
    return {"sections": len(sections), "elements": sum(len(each["elements"]) for each in sections)}


def snapshot(sections: list[dict], version: int = 1, epoch: str = "e", **more) -> dict:
    made = {"director": "d", "kind": "table", "epoch": epoch, "version": version, "properties": {},
            "adapters": [{"model": "M", "cell": "C"}], "counts": counts(sections), "sections": sections}
    return made | more


def reference(lengths: dict[str, int], version: int = 1) -> dict:
    """A snapshot without elements."""
    shells = [{"id": identifier, "count": count} for identifier, count in lengths.items()]
    total = {"sections": len(shells), "elements": sum(lengths.values())}
    return snapshot([], version) | {"counts": total, "sections": shells}


def changeset(stages: list[dict], version: int = 2, epoch: str = "e", **more) -> dict:
    return {"director": "d", "epoch": epoch, "from": version - 1, "version": version, "stages": stages} | more


class Names:
    """Identifiers that nothing else has."""

    def __init__(self):
        self._made = 0

    def next(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}"


def drawn_list(dice: Dice, names: Names, most: int = 4, longest: int = 5) -> list[dict]:
    return [section(names.next("s"), [element(names.next("i"), dice.below(9)) for _ in range(dice.below(longest + 1))],
                    **({"headerTitle": f"T{dice.below(9)}"} if dice.chance(3) else {}))
            for _ in range(dice.below(most + 1))]


def places(sections: list[dict]) -> list[list[int]]:
    return [[at, number] for at, each in enumerate(sections) for number in range(len(each["elements"]))]


def put(staying: list, arriving: list[tuple[int, object]]) -> list:
    """One after the other, each at its index: the lowest first, so that no one moves those that are there."""
    result = list(staying)
    for at, item in sorted(arriving, key=lambda pair: pair[0]):
        result.insert(at, item)
    return result


class Changer:
    """Changes a list at random, and writes the changeset down by which others can follow."""

    def __init__(self, dice: Dice, names: Names, share: int = 4):
        self.dice, self.names, self.share = dice, names, share

    def changed(self, sections: list[dict], version: int, epoch: str = "e", **more) -> tuple[list[dict], dict]:
        self.state = copy.deepcopy(sections)
        stages = [self._update(), self._delete(), self._arrange(), self._fill(), self._retitle()]
        tidy = [{name: entries for name, entries in stage.items() if entries} for stage in stages]
        replaced = self._replace()
        made = changeset([stage for stage in tidy if stage], version, epoch, **more)
        made |= {"replaced": replaced} if replaced else {}
        return self.state, copy.deepcopy(made | {"counts": counts(self.state)})

    def _at(self, path: list[int]) -> dict:
        return self.state[path[0]]["elements"][path[1]]

    def _renewed(self, share: int) -> list[dict]:
        made = []
        for path in self.dice.some(places(self.state), share):
            new = self._at(path) | {"value": 10 + self.dice.below(90)}
            self.state[path[0]]["elements"][path[1]] = new
            made.append({"at": path, "element": new})
        return self.dice.shuffled(made)

    def _update(self) -> dict:
        return {"elementUpdated": self._renewed(self.share)}

    def _replace(self) -> list[dict]:
        return self._renewed(self.share * 2)

    def _delete(self) -> dict:
        sections = self.dice.some(list(range(len(self.state))), self.share + 1)
        elements = [path for path in self.dice.some(places(self.state), self.share) if path[0] not in sections]
        for at, number in reversed(elements):
            del self.state[at]["elements"][number]
        self.state = [each for at, each in enumerate(self.state) if at not in sections]
        return {"sectionDeleted": self.dice.shuffled(sections), "elementDeleted": self.dice.shuffled(elements)}

    def _arrange(self) -> dict:
        leaving = self.dice.some(list(range(len(self.state))), self.share)
        fresh = [section(self.names.next("s"), [element(self.names.next("i"), self.dice.below(9))
                                                for _ in range(self.dice.below(3))]) for _ in range(self.dice.below(2))]
        size = len(self.state) + len(fresh)
        targets = self.dice.shuffled(list(range(size)))[:len(leaving) + len(fresh)]
        moves = [{"from": at, "to": to} for at, to in zip(leaving, targets)]
        inserts = [{"at": at, "section": each} for at, each in zip(targets[len(leaving):], fresh)]
        staying = [each for at, each in enumerate(self.state) if at not in leaving]
        arriving = [(move["to"], self.state[move["from"]]) for move in moves]
        self.state = put(staying, arriving + [(each["at"], copy.deepcopy(each["section"])) for each in inserts])
        return {"sectionInserted": inserts, "sectionMoved": moves}

    def _fill(self) -> dict:
        moving = self.dice.some(places(self.state), self.share) if self.state else []
        items = [(path, self._at(path), self.dice.below(len(self.state))) for path in moving]
        items += [(None, element(self.names.next("i"), self.dice.below(9)), self.dice.below(len(self.state)))
                  for _ in range(self.dice.below(3) if self.state else 0)]
        for at, number in reversed(moving):
            del self.state[at]["elements"][number]
        stage: dict = {"elementInserted": [], "elementMoved": []}
        for at, each in enumerate(self.state):
            here = [item for item in items if item[2] == at]
            targets = self.dice.shuffled(list(range(len(each["elements"]) + len(here))))[:len(here)]
            for (source, item, _), to in zip(here, targets):
                if source is None:
                    stage["elementInserted"].append({"at": [at, to], "element": item})
                else:
                    stage["elementMoved"].append({"from": source, "to": [at, to]})
            each["elements"] = put(each["elements"], [(to, item[1]) for item, to in zip(here, targets)])
        return stage

    def _retitle(self) -> dict:
        made = []
        for at in self.dice.some(list(range(len(self.state))), self.share):
            own = {"id": self.state[at]["id"]} | ({"headerTitle": f"T{self.dice.below(90)}"} if self.dice.below(4) else {})
            self.state[at] = own | {"elements": self.state[at]["elements"]}
            made.append({"at": at, "section": own})
        return {"sectionUpdated": made}
