"""What a director should hold: operations in the contract's form, applied to plain lists.

It knows what the tests send and nothing more: one cell adapter for the elements (`Item` with the cell `Cell`,
identified by the member `id`), sections without views, elements and rows whose identifiers are unique in their
director, expressions that `support.rows` knows.
"""

import hashlib
import json
from dataclasses import dataclass, field

from support.rows import merged, shown

# The cells of models.
CELLS = {"Item": "Cell"}


class Refused(Exception):
    """An operation that does not fit the list; `status` is what the contract answers to it."""

    def __init__(self, status: int, what: str):
        super().__init__(what)
        self.status = status


def digest(sections: list[dict]) -> str:
    """A short name for what a list shows: the same for equal lists."""
    return hashlib.md5(json.dumps(sections, sort_keys=True).encode()).hexdigest()[:16]


def element(value: dict) -> dict:
    """An element as the server shows it."""
    return {"id": value["id"], "model": "Item", "value": value}


def section(given: dict) -> dict:
    """A section as the server shows it, from what is sent."""
    result = {"id": given["id"]}
    if "headerTitle" in given:
        result["headerTitle"] = given["headerTitle"]
    result["isCollapsed"] = given.get("isCollapsed", False)
    if "rows" in given:
        return result | {"rows": [row(each) for each in given["rows"]]}
    return result | {"elements": [element(each["value"]) for each in given.get("elements", [])]}


def row(given: dict) -> dict:
    """A row as the server shows it, from what is sent."""
    height = given.get("height")
    require(not isinstance(height, dict) or set(height) <= {"var", "if", "<"}, 422, f"no operator in {height}")
    if given["type"] == "constant":
        return given
    return given | {"elements": [element(each["value"]) for each in given.get("elements", [])]}


@dataclass
class ListModel:
    """One life of a director. Elements are never changed in place, so that copies can share them."""

    exists: bool = True
    epoch: str | None = None
    sections: list[dict] = field(default_factory=list)
    published: list[dict] = field(default_factory=list)
    variables: dict[str, object] = field(default_factory=dict)
    adapters: dict[str, str] = field(default_factory=dict)
    row_height: object = "default"
    revision: int = 0
    version: int = 0

    def copy(self) -> "ListModel":
        """A model that can be changed without changing this one."""
        return ListModel(
            self.exists, self.epoch, [copied(each) for each in self.sections], self.published,
            dict(self.variables), dict(self.adapters), self.row_height, self.revision, self.version)

    def shown(self) -> list[dict]:
        """What a reload would publish."""
        return shown(self.sections, self.variables, CELLS)

    def publish(self) -> bool:
        """Reloads; true when that made a version."""
        result = self.shown()
        if result == self.published:
            return False
        self.published = result
        self.version += 1
        return True

    def perform(self, operations: list[dict]) -> None:
        """One accepted mutation: all operations or, with `Refused`, none that counts (throw the copy away then)."""
        for operation in operations:
            getattr(self, "_" + operation["op"])(operation)
        if operations and self.exists:
            self.revision += 1

    # What follows is one method for each operation, named after it.

    def _createDirector(self, op: dict) -> None:
        self.__init__(exists=True, revision=-1)

    def _deleteDirector(self, op: dict) -> None:
        self.__init__(exists=False)

    def _patchDirector(self, op: dict) -> None:
        self.row_height = op["rowHeight"]

    def _putAdapter(self, op: dict) -> None:
        self.adapters[op["model"]] = op["cell"]

    def _setVariable(self, op: dict) -> None:
        self.variables[op["name"]] = op["value"]

    def _removeVariable(self, op: dict) -> None:
        if op["name"] not in self.variables:
            raise Refused(404, f"no variable {op['name']}")
        del self.variables[op["name"]]

    def _addSections(self, op: dict) -> None:
        at = op.get("at", len(self.sections))
        require(0 <= at <= len(self.sections), 422, f"no place {at}")
        self._check_models(op["sections"])
        self.sections[at:at] = [section(each) for each in op["sections"]]

    def _patchSection(self, op: dict) -> None:
        index = self._section(op["section"])
        merged = self.sections[index] | op["patch"]
        self.sections[index] = section_in_order(merged)

    def _removeSection(self, op: dict) -> None:
        del self.sections[self._section(op["section"])]

    def _removeSections(self, op: dict) -> None:
        for index in sorted(op["at"], reverse=True):
            require(index < len(self.sections), 404, f"no section {index}")
            del self.sections[index]

    def _moveSection(self, op: dict) -> None:
        move(self.sections, op["from"], self.sections, op["to"])

    def _swapSections(self, op: dict) -> None:
        swap(self.sections, op["at"], op["with"])

    def _setElements(self, op: dict) -> None:
        self._check_models([op])
        self._elements(op)[:] = [element(each["value"]) for each in op["elements"]]

    def _addElements(self, op: dict) -> None:
        elements = self._elements(op)
        at = op.get("at", len(elements))
        require(0 <= at <= len(elements), 422, f"no place {at}")
        self._check_models([op])
        elements[at:at] = [element(each["value"]) for each in op["elements"]]

    def _setElement(self, op: dict) -> None:
        elements = self._elements(op)
        elements[self._place(elements, op["element"])] = element(op["value"]["value"])

    def _patchElement(self, op: dict) -> None:
        elements = self._elements(op)
        place = self._place(elements, op["element"])
        elements[place] = element(elements[place]["value"] | op["patch"])

    def _removeElement(self, op: dict) -> None:
        elements = self._elements(op)
        del elements[self._place(elements, op["element"])]

    def _removeElements(self, op: dict) -> None:
        elements = self._elements(op)
        require(all(index < len(elements) for index in op["at"]), 404, "an index is past the end")
        elements[:] = [each for index, each in enumerate(elements) if index not in set(op["at"])]

    def _moveElement(self, op: dict) -> None:
        target = self._elements({"section": op.get("toSection", op["section"]), "row": op.get("toRow")})
        move(self._elements(op), op["from"], target, op["to"])

    def _swapElements(self, op: dict) -> None:
        swap(self._elements(op), op["at"], op["with"])

    def _setRows(self, op: dict) -> None:
        index = self._section(op["section"])
        self._check_models(op["rows"])
        own = {name: value for name, value in self.sections[index].items() if name not in ("elements", "rows")}
        self.sections[index] = own | {"rows": [row(each) for each in op["rows"]]}

    def _addRows(self, op: dict) -> None:
        rows = self._rows(op["section"])
        at = op.get("at", len(rows))
        require(0 <= at <= len(rows), 422, f"no place {at}")
        self._check_models(op["rows"])
        rows[at:at] = [row(each) for each in op["rows"]]

    def _setRow(self, op: dict) -> None:
        rows = self._rows(op["section"])
        place = next((index for index, each in enumerate(rows) if each["id"] == op["row"]), len(rows))
        rows[place:place + 1] = [row({"id": op["row"]} | op["value"])]

    def _patchRow(self, op: dict) -> None:
        rows = self._rows(op["section"])
        place = self._place(rows, op["row"])
        rows[place] = row(merged(rows[place], op["patch"]))

    def _removeRow(self, op: dict) -> None:
        rows = self._rows(op["section"])
        del rows[self._place(rows, op["row"])]

    def _moveRow(self, op: dict) -> None:
        move(self._rows(op["section"]), op["from"], self._rows(op.get("toSection", op["section"])), op["to"])

    def _swapRows(self, op: dict) -> None:
        swap(self._rows(op["section"]), op["at"], op["with"])

    def _rows(self, section: str) -> list[dict]:
        found = self.sections[self._section(section)]
        require("rows" in found, 409, f"section {section} holds elements")
        return found["rows"]

    def _section(self, identifier: str) -> int:
        index = next((index for index, each in enumerate(self.sections) if each["id"] == identifier), None)
        require(index is not None, 404, f"no section {identifier}")
        return index

    def _elements(self, op: dict) -> list[dict]:
        if op.get("row") is not None:
            rows = self._rows(op["section"])
            row = rows[self._place(rows, op["row"])]
            require(row["type"] == "model", 409, f"row {op['row']} is constant")
            return row["elements"]
        found = self.sections[self._section(op["section"])]
        require("elements" in found, 409, f"section {op['section']} holds rows")
        return found["elements"]

    def _place(self, elements: list[dict], identifier: str) -> int:
        place = next((index for index, each in enumerate(elements) if each["id"] == identifier), None)
        require(place is not None, 404, f"nothing is called {identifier}")
        return place

    def _check_models(self, holders: list[dict]) -> None:
        holders = [*holders, *(row for holder in holders for row in holder.get("rows", []))]
        models = {each.get("model", "Item") for holder in holders for each in [holder, *holder.get("elements", [])]}
        require(models <= {"Item"}, 422, f"no adapter for one of {sorted(models)}")


def require(condition: bool, status: int, what: str) -> None:
    if not condition:
        raise Refused(status, what)


def copied(section: dict) -> dict:
    """A section whose lists can be changed without changing this one's."""
    if "elements" in section:
        return section | {"elements": list(section["elements"])}
    rows = [each | {"elements": list(each["elements"])} if "elements" in each else each for each in section["rows"]]
    return section | {"rows": rows}


def section_in_order(members: dict) -> dict:
    """A section's members without those that a merge patch has set to null."""
    return {name: value for name, value in members.items() if value is not None}


def move(source: list, start: int, target: list, end: int) -> None:
    """Takes one out and puts it in, `end` counted after it was taken out."""
    require(start < len(source), 404, f"nothing at {start}")
    taken = source.pop(start)
    require(end <= len(target), 422, f"no place {end}")
    target.insert(end, taken)


def swap(items: list, one: int, other: int) -> None:
    require(max(one, other) < len(items), 404, "nothing to swap")
    items[one], items[other] = items[other], items[one]
