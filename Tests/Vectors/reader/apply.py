"""A copy of a list: what each event of the stream makes of it, and which events it refuses."""

from collections.abc import Callable

OPERATIONS = {
    "elementUpdated", "sectionDeleted", "elementDeleted", "sectionInserted", "sectionMoved", "elementInserted",
    "elementMoved", "sectionUpdated"}
DEFINITION = ("kind", "properties", "adapters")


class Refused(Exception):
    """The event does not fit the copy: it stays as it was, and a fresh snapshot is needed."""


def require(condition: object, why: str) -> None:
    if not condition:
        raise Refused(why)


def index(value: object, count: int, why: str) -> int:
    """A position among so many."""
    require(type(value) is int and 0 <= value < count, f"{why}: no place {value} among {count}")
    return value


def is_same(before: dict, after: dict) -> bool:
    """Whether an element is a later form of another: names are equal where their bytes are."""
    return all(before.get(name) == after.get(name) for name in ("id", "model", "row"))


def merged(staying: list, arriving: list[tuple[int, object]], why: str) -> list:
    """What arrives stands at its place, what stays keeps its order and fills the rest."""
    places = {}
    for at, item in arriving:
        index(at, len(staying) + len(arriving), why)
        require(at not in places, f"{why}: two arrive at {at}")
        places[at] = item
    rest = iter(staying)
    return [places[at] if at in places else next(rest) for at in range(len(staying) + len(arriving))]


class Stage:
    """One stage on its way through a list: everything that leaves is taken once, everything that arrives has one place."""

    def __init__(self, sections: list[dict], stage: dict, same: Callable = is_same):
        require(set(stage) <= OPERATIONS, f"an unknown operation among {sorted(stage)}")
        self.before, self.stage, self.same = sections, stage, same
        self.own = [dict(section) for section in sections]
        self.elements = [list(section["elements"]) for section in sections]
        self.taken: list[set[int]] = [set() for _ in sections]
        self.gone: set[int] = set()

    def of(self, name: str) -> list:
        return self.stage.get(name, [])

    def take_section(self, at: object, why: str) -> int:
        at = index(at, len(self.before), why)
        require(at not in self.gone, f"{why}: section {at} twice")
        self.gone.add(at)
        return at

    def take(self, path: list, why: str) -> tuple[int, int]:
        require(type(path) is list and len(path) == 2, f"{why}: {path} is no index path")
        section = index(path[0], len(self.before), why)
        require(section not in self.of("sectionDeleted"), f"{why}: section {section} is deleted")
        at = index(path[1], len(self.elements[section]), why)
        require(at not in self.taken[section], f"{why}: element {path} twice")
        self.taken[section].add(at)
        return section, at

    def update(self) -> None:
        for change in self.of("elementUpdated"):
            section, at = self.take(change["at"], "elementUpdated")
            require(self.same(self.elements[section][at], change["element"]), f"another element at {change['at']}")
            self.elements[section][at] = change["element"]
        for change in self.of("sectionUpdated"):
            at = self.take_section(change["at"], "sectionUpdated")
            require(self.own[at]["id"] == change["section"]["id"], f"section {at} is another")
            # A section's update carries all its members but the elements.
            self.own[at] = {name: value for name, value in change["section"].items() if name != "elements"}
        self.gone.clear()

    def run(self) -> list[dict]:
        self.update()
        updated = [set(taken) for taken in self.taken]
        deleted = [self.take_section(at, "sectionDeleted") for at in self.of("sectionDeleted")]
        for path in self.of("elementDeleted"):
            self.take(path, "elementDeleted")
        moved = []
        for move in self.of("elementMoved"):
            section, at = self.take(move["from"], "elementMoved")
            moved.append((move["to"], self.elements[section][at]))
        staying = [
            [item for at, item in enumerate(items) if at not in self.taken[section] or at in updated[section]]
            for section, items in enumerate(self.elements)]
        moves = [(move["to"], self.take_section(move["from"], "sectionMoved")) for move in self.of("sectionMoved")]
        whole = {at: self.own[at] | {"elements": staying[at]} for at in range(len(self.before)) if at not in deleted}
        arriving = [(change["at"], {"elements": []} | change["section"]) for change in self.of("sectionInserted")]
        arriving += [(to, whole[at]) for to, at in moves]
        result = merged([whole[at] for at in whole if at not in self.gone], arriving, "sections")
        targets: dict[int, list] = {}
        for path, item in moved + [(change["at"], change["element"]) for change in self.of("elementInserted")]:
            require(type(path) is list and len(path) == 2, f"{path} is no index path")
            targets.setdefault(index(path[0], len(result), "elements"), []).append((path[1], item))
        for section, items in targets.items():
            result[section] = result[section] | {"elements": merged(result[section]["elements"], items, f"section {section}")}
        return result


def applied(sections: list[dict], changeset: dict, same: Callable = is_same) -> list[dict]:
    """The sections after all stages, and after what is replaced."""
    for stage in changeset.get("stages", []):
        sections = Stage(sections, stage, same).run()
    sections = Stage(sections, {"elementUpdated": changeset.get("replaced", [])}, same).run()
    check_counts(sections, changeset.get("counts"))
    return sections


def check_counts(sections: list[dict], counts: dict | None) -> None:
    found = {"sections": len(sections), "elements": sum(len(section["elements"]) for section in sections)}
    require(counts is None or counts == found, f"the server counts {counts}, and the copy has {found}")


class Copy:
    """A list that follows a stream; `sections` is None before the first snapshot and after something that was refused."""

    def __init__(self):
        self.epoch, self.version, self.sections, self.definition, self.totals = "", -1, None, {}, None

    def receive(self, event: str, data: dict) -> None:
        """Takes an event, or refuses it and stays as it was."""
        if event == "snapshot":
            check_counts(data["sections"], data.get("counts"))
            self.epoch, self.version, self.sections = data["epoch"], data["version"], data["sections"]
            self.definition = {name: data[name] for name in DEFINITION if name in data}
            self.totals = data.get("totals")
        elif event == "changeset":
            require(self.sections is not None, "a change came before the list")
            require(data["epoch"] == self.epoch, f"the copy is of {self.epoch}, the change of {data['epoch']}")
            require(data["from"] == self.version, f"the copy is at {self.version}, the change begins at {data['from']}")
            self.sections, self.version = applied(self.sections, data), data["version"]
            self.totals = data.get("totals", self.totals)
        elif event == "resumed":
            require(self.sections is not None, "there is nothing to go on from")
            # Of a view, several numbers stand for one list.
            self.version = data["from"]
        elif event == "heartbeat":
            require(data["version"] == self.version, f"the copy is at {self.version}, the server at {data['version']}")
        elif event == "definition":
            self.definition = {name: data[name] for name in DEFINITION if name in data}

    @property
    def state(self) -> dict:
        totals = {} if self.totals is None else {"totals": self.totals}
        return {"epoch": self.epoch, "version": self.version, "sections": self.sections} | self.definition | totals


def outcome(vector: dict) -> dict:
    """Whether the event fits, and the list after it; where it is drawn anew, at which places."""
    copy = Copy()
    if vector["before"] is not None:
        copy.receive("snapshot", vector["before"])
    try:
        copy.receive(vector["event"], vector["data"])
    except Refused:
        return {"fits": False}
    result = {"fits": True, "list": copy.state}
    if vector["event"] == "refresh":
        elements = vector["data"].get("elements")
        result["refreshed"] = None if elements is None else [each["at"] for each in elements]
    return result
