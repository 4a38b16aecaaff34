"""A client's copy of a published list, kept by the rules of the changeset format and nothing else.

It is written apart from the Swift code on purpose: it says what a client's author would understand from the format's
description, and every test that compares it with `GET …/sections?state=published` checks one against the other.
"""

import copy
from dataclasses import dataclass, field

STAGES = (
    {"elementUpdated"},
    {"sectionDeleted", "elementDeleted"},
    {"sectionInserted", "sectionMoved"},
    {"elementInserted", "elementMoved"},
    {"sectionUpdated"},
)


class DoesNotFit(Exception):
    """A changeset that cannot be applied to the copy as it is."""


def require(condition: bool, what: str) -> None:
    if not condition:
        raise DoesNotFit(what)


def split(section: dict) -> tuple[dict, list]:
    """A section's own members and its elements."""
    own = {name: value for name, value in section.items() if name != "elements"}
    return own, list(section.get("elements", []))


def identity(element: dict) -> tuple:
    """What tells an element from the others: its identifier, its model, and the row that it comes from."""
    return tuple(element.get(name) for name in ("id", "model", "row"))


def place(kept: list, placed: dict[int, object], what: str) -> list:
    """The list that has `placed` at their indexes and `kept`, in their order, everywhere else."""
    size = len(kept) + len(placed)
    require(all(0 <= index < size for index in placed), f"{what}: an index after the stage is past the end")
    rest = iter(kept)
    return [placed[index] if index in placed else next(rest) for index in range(size)]


def unique(values: list, what: str) -> set:
    result = set(values)
    require(len(result) == len(values), f"{what}: an index stands twice")
    return result


@dataclass
class Replica:
    """The copy: follow a stream by giving it each event in order."""

    epoch: str | None = None
    version: int | None = None
    sections: list[dict] = field(default_factory=list)

    def snapshot(self, data: dict) -> None:
        """Takes the whole published state, throwing away what was here."""
        self.epoch, self.version = data["epoch"], data["version"]
        self.sections = copy.deepcopy(data["sections"])

    def changeset(self, data: dict) -> None:
        """Applies one changeset whole, or raises `DoesNotFit` and stays as it was."""
        require(data["epoch"] == self.epoch, f"epoch {data['epoch']} is not {self.epoch}")
        require(data["from"] == self.version, f"from {data['from']}, but the copy is at {self.version}")
        require(data["version"] > data["from"], "a changeset goes forward")
        state = [split(section) for section in copy.deepcopy(self.sections)]
        reached = -1
        for stage in data["stages"]:
            kind = next((index for index, names in enumerate(STAGES) if stage and set(stage) <= names), None)
            require(kind is not None, f"no stage holds {sorted(stage)} together")
            require(kind > reached, "the stages are not in their order")
            reached = kind
            state = apply_stage(state, stage)
        if "replaced" in data:
            state = replace(state, data["replaced"])
        sections = [own | {"elements": elements} for own, elements in state]
        counts = {"sections": len(sections), "elements": sum(len(elements) for _, elements in state)}
        require(counts == data["counts"], f"counts {counts}, but the changeset says {data['counts']}")
        self.sections, self.version = sections, data["version"]


def replace(state: list[tuple[dict, list]], replaced: list[dict]) -> list[tuple[dict, list]]:
    """The elements whose values are new though they show what they showed, at their places after the last stage."""
    require(len(replaced) > 0, "an empty list of replaced elements is left out")
    state = [(own, list(elements)) for own, elements in state]
    for section, index in unique([tuple(change["at"]) for change in replaced], "replaced elements"):
        require(0 <= section < len(state) and 0 <= index < len(state[section][1]), f"no element at {[section, index]}")
    for change in replaced:
        section, index = change["at"]
        before = state[section][1][index]
        for name in (before.keys() | change["element"].keys()) - {"value"}:
            require(before.get(name) == change["element"].get(name), f"another {name} at {change['at']} is replaced")
        require(before["value"] != change["element"]["value"], f"the element at {change['at']} is replaced by its like")
        state[section][1][index] = change["element"]
    return state


def apply_stage(state: list[tuple[dict, list]], stage: dict) -> list[tuple[dict, list]]:
    """One stage: deletes, updates and the sources of moves index `state`, inserts and targets of moves the result."""
    state = [(own, list(elements)) for own, elements in state]

    def element_at(path: list[int]):
        section, index = path
        require(0 <= section < len(state) and 0 <= index < len(state[section][1]), f"no element at {path}")
        return state[section][1][index]

    for update in stage.get("elementUpdated", []):
        before = element_at(update["at"])
        require(identity(before) == identity(update["element"]), f"another element at {update['at']} is an update")
        section, index = update["at"]
        state[section][1][index] = update["element"]
    for update in stage.get("sectionUpdated", []):
        require(0 <= update["at"] < len(state), f"no section at {update['at']}")
        require(not {"elements", "rows"} & update["section"].keys(), "a section update carries no elements")
        state[update["at"]] = (update["section"], state[update["at"]][1])

    moves = stage.get("elementMoved", [])
    taken = [tuple(path) for path in stage.get("elementDeleted", [])] + [tuple(move["from"]) for move in moves]
    moved = [(tuple(move["to"]), element_at(move["from"])) for move in moves]
    for path in unique(taken, "elements"):
        element_at(path)
    kept = [
        (own, [element for index, element in enumerate(elements) if (section, index) not in set(taken)])
        for section, (own, elements) in enumerate(state)
    ]

    section_moves = stage.get("sectionMoved", [])
    gone = unique(stage.get("sectionDeleted", []) + [move["from"] for move in section_moves], "sections")
    require(all(0 <= index < len(state) for index in gone), "a section that is not there is deleted or moved")
    arriving = [(insert["at"], split(insert["section"])) for insert in stage.get("sectionInserted", [])]
    arriving += [(move["to"], kept[move["from"]]) for move in section_moves]
    unique([index for index, _ in arriving], "section targets")
    result = place([each for index, each in enumerate(kept) if index not in gone], dict(arriving), "sections")

    targets = moved + [(tuple(insert["at"]), insert["element"]) for insert in stage.get("elementInserted", [])]
    unique([path for path, _ in targets], "element targets")
    require(all(0 <= section < len(result) for (section, _), _ in targets), "an element goes to a section not there")
    for section in {section for (section, _), _ in targets}:
        placed = {index: element for (other, index), element in targets if other == section}
        own, elements = result[section]
        result[section] = (own, place(elements, placed, f"section {section}"))
    return result
