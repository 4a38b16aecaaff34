"""Random mutations that fit what a list holds at the moment, every one with values that no other one has."""

import random

from harness.model import ListModel
from harness.mutation import Expected, Mutation

# Above these, more is taken away than added, so that a list keeps its size however long a run is.
MANY_SECTIONS, MANY_ELEMENTS, MANY_VARIABLES, MANY_ROWS = 6, 30, 8, 5
# The variables that rows read; they come and go.
FLAGS = 3


class Dice:
    """Throws mutations for one writer; `scope` is the section that a writer owns in a director that it shares."""

    def __init__(self, rng: random.Random, director: str, writer: str, scope: str | None = None, churns: bool = False):
        self.rng, self.director, self.writer, self.scope, self.churns = rng, director, writer, scope, churns
        self.number = 0

    def unique(self) -> int:
        """A number that this writer has not used."""
        self.number += 1
        return self.number

    def mutation(self, model: ListModel) -> Mutation:
        """The next mutation, which fits `model`; about one in twelve is one that has to be refused."""
        rng, number = self.rng, self.unique()
        if not model.exists:
            return Mutation(self.director, [{"op": "createDirector"}], number=number)
        if "Item" not in model.adapters:
            return Mutation(self.director, [{"op": "putAdapter", "model": "Item", "cell": "Cell"}], number=number)
        if self.churns and rng.random() < 0.06:
            return Mutation(self.director, [{"op": "deleteDirector"}], number=number)
        if rng.random() < 0.08:
            return self.refused(model, number)
        if rng.random() < 0.1:
            return Mutation(self.director, [], reload=True, key=self.key(number), number=number)
        reload, if_match = rng.random() < 0.4, None
        if self.scope is None and model.epoch is not None and rng.random() < 0.1:
            if_match = f"{model.epoch}-r{model.revision}"
        if self.scope is None and rng.random() < 0.06:
            return Mutation(self.director, [self.definition(number)], reload, number=number, if_match=if_match)
        is_batch = rng.random() < 0.25
        operations = self.operations(model, rng.randint(2, 5) if is_batch else 1)
        return Mutation(self.director, operations, reload, is_batch, self.key(number), if_match, number=number)

    def key(self, number: int) -> str | None:
        return f"{self.writer}-{number}-{self.rng.getrandbits(64):016x}" if self.rng.random() < 0.6 else None

    def operations(self, model: ListModel, count: int) -> list[dict]:
        """Operations that can be done one after the other."""
        model, result = model.copy(), []
        for _ in range(count):
            operation = self.operation(model)
            model.perform([operation])
            result.append(operation)
        return result

    def refused(self, model: ListModel, number: int) -> Mutation:
        """A mutation that has to be refused whole; what it carries is unique too, so that it would be found."""
        rng, section = self.rng, {"section": self.scope or f"{self.writer}-none"}
        wrong = [
            {"op": "addElements", **section, "elements": [self.item(model="Unknown")]},
            {"op": "addElements", **section, "at": 1_000_000, "elements": [self.item()]},
            {"op": "removeElements", **section, "at": [1_000_000]},
            {"op": "patchElement", **section, "element": f"{self.writer}-nobody", "patch": {"n": number}},
        ]
        for each in model.sections if self.scope is None else []:
            if "rows" in each:
                name = {"section": each["id"]}
                wrong += [
                    {"op": "setElements", **name, "elements": [self.item()]},
                    {"op": "addRows", **name, "rows": [self.row(model="Unknown")]},
                    {"op": "addRows", **name, "rows": [self.row(height={"nothing": [number]})]},
                    {"op": "removeRow", **name, "row": f"{self.writer}-nobody"},
                    {"op": "addElements", **name, "row": f"{self.writer}-nobody", "elements": [self.item()]},
                ]
        wrong = rng.choice(wrong)
        if rng.random() < 0.4:
            return Mutation(
                self.director, [*self.operations(model, 2), wrong], True, True, self.key(number), None,
                Expected.REFUSED, number)
        if self.scope is None and rng.random() < 0.3:
            return Mutation(
                self.director, self.operations(model, 1), True, False, self.key(number),
                f"{model.epoch}-r{model.revision + 1_000_000}",
                Expected.REFUSED, number)
        return Mutation(
            self.director, [wrong], rng.random() < 0.5, False, self.key(number), None, Expected.REFUSED, number)

    def definition(self, number: int) -> dict:
        if self.rng.random() < 0.5:
            return {"op": "patchDirector", "rowHeight": {"auto": number}}
        return {"op": "putAdapter", "model": "Other", "cell": f"Cell{self.writer}{number}"}

    def item(self, model: str = "Item") -> dict:
        """A new element."""
        number = self.unique()
        value = {"id": f"{self.writer}.{number}", "n": number, "text": self.text()}
        return {"model": model, "value": value}

    def text(self) -> str:
        """Mostly short; now and then longer than a page of the disk."""
        length = self.rng.choice([4, 12, 40, 200, 200, 9000 if self.rng.random() < 0.1 else 30])
        return f"{self.rng.getrandbits(32):08x}" * (length // 8 + 1)

    def operation(self, model: ListModel) -> dict:
        """One operation of the contract that fits."""
        rng = self.rng
        own = [each for each in model.sections if self.scope in (None, each["id"])]
        if self.scope is None and (not own or rng.random() < 0.2):
            return self.section_operation(model)
        if rng.random() < 0.12:
            return self.variable_operation(model)
        chosen = rng.choice(own)
        name = {"section": chosen["id"]}
        if rng.random() < 0.12:
            return {"op": "patchSection", **name, "patch": self.section_patch()}
        if self.scope is None and rng.random() < (0.4 if "rows" in chosen else 0.06):
            return self.row_operation(chosen, own)
        all_holders = [holder for each in own for holder in holders(each)]
        if not holders(chosen):
            return self.row_operation(chosen, own)
        name, elements = rng.choice(holders(chosen))
        size, total = len(elements), sum(len(elements) for _, elements in all_holders)
        grows = rng.random() < (0.45 if total < MANY_ELEMENTS else 0.15)
        if size == 0 or grows:
            if rng.random() < 0.1:
                return {"op": "setElements", **name, "elements": [self.item() for _ in range(rng.randint(0, 4))]}
            at = {"at": rng.randint(0, size)} if rng.random() < 0.7 else {}
            return {"op": "addElements", **name, **at, "elements": [self.item() for _ in range(rng.randint(1, 3))]}
        one, other = rng.randrange(size), rng.randrange(size)
        identifier = elements[one]["id"]
        value = {"id": identifier, "n": self.unique(), "text": self.text()}
        to, others = rng.choice(all_holders)
        room = len(others) - (others is elements)
        target = {f"to{where.capitalize()}": address for where, address in to.items()}
        return rng.choice([
            {"op": "patchElement", **name, "element": identifier, "patch": {"n": value["n"]}},
            {"op": "patchElement", **name, "element": identifier, "patch": {"n": value["n"], "text": value["text"]}},
            {"op": "setElement", **name, "element": identifier, "value": {"model": "Item", "value": value}},
            {"op": "removeElement", **name, "element": identifier},
            {"op": "removeElements", **name, "at": sorted({one, other})},
            {"op": "moveElement", **name, "from": one, "to": rng.randint(0, room), **target},
            {"op": "swapElements", **name, "at": one, "with": other},
        ])

    def row_operation(self, chosen: dict, own: list[dict]) -> dict:
        """One operation on the rows of a section, or one that makes a section one of rows."""
        rng, name = self.rng, {"section": chosen["id"]}
        rows = chosen.get("rows")
        if rows is None or rng.random() < 0.05:
            return {"op": "setRows", **name, "rows": [self.row() for _ in range(rng.randint(0, 3))]}
        size = len(rows)
        if not rows or rng.random() < (0.3 if size < MANY_ROWS else 0.05):
            return {"op": "addRows", **name, "at": rng.randint(0, size), "rows": [self.row()]}
        one, other = rng.randrange(size), rng.randrange(size)
        to = rng.choice([each for each in own if "rows" in each])
        room = len(to["rows"]) - (to is chosen)
        row = {"row": rows[one]["id"]}
        patch = {"op": "patchRow", **name, **row, "patch": self.row_patch(rows[one])}
        return rng.choice([
            patch, patch, patch,
            self.set_row(name, rows[one]["id"]), self.set_row(name, f"{self.writer}-r{self.unique()}"),
            {"op": "removeRow", **name, **row},
            {"op": "moveRow", **name, "from": one, "to": rng.randint(0, room), "toSection": to["id"]},
            {"op": "swapRows", **name, "at": one, "with": other},
        ])

    def set_row(self, section: dict, identifier: str) -> dict:
        """Replaces a row or adds it; its identifier is in the address, and need not be in the value."""
        value = self.row() | {"id": identifier}
        if self.rng.random() < 0.5:
            del value["id"]
        return {"op": "setRow", **section, "row": identifier, "value": value}

    def flag(self) -> str:
        """The name of a variable that rows read."""
        return f"{self.writer}-flag{self.rng.randrange(FLAGS)}"

    def row(self, model: str = "Item", **more) -> dict:
        """A new row; its expressions read variables, elements, its section, or nothing."""
        rng, number = self.rng, self.unique()
        result = {"id": f"{self.writer}-r{number}"}
        is_model = model != "Item" or rng.random() < 0.5
        if is_model:
            result |= {"type": "model", "model": model,
                       "elements": [self.item(model) for _ in range(rng.randint(0, 3))]}
        else:
            result |= {"type": "constant", "cell": f"Cell{number}", "value": {"n": number, "text": self.text()}}
        hides = [True, False, {"var": f"variables.{self.flag()}"}, {"var": f"variables.{self.flag()}"}]
        heights = [number, {"if": [{"var": f"variables.{self.flag()}"}, number, number + 1]}]
        if is_model:
            hides.append({"<": [{"var": "model.n"}, max(0, number - rng.randint(0, 3))]})
            heights.append({"if": [{"<": [{"var": "model.n"}, number]}, 44, 60]})
        if rng.random() < 0.6:
            result["hideWhen"] = rng.choice(hides)
        if rng.random() < 0.5:
            result["height"] = rng.choice(heights)
        if rng.random() < 0.3:
            result["estimatedHeight"] = {"var": f"variables.{self.flag()}.n"}
        if rng.random() < 0.5:
            result["additionalConfig"] = {
                "n": number, "on": {"$logic": {"var": f"variables.{self.flag()}"}},
                "deep": [{"title": {"$logic": {"var": "section.headerTitle"}}}]}
        return result | more

    def row_patch(self, row: dict) -> dict:
        """A merge patch that fits a row; members of objects are merged, so an operator stays what it is."""
        number = self.unique()
        patches = [{"height": number if not isinstance(row.get("height"), dict) else None}, {"cell": f"Cell{number}"},
                   {"additionalConfig": {"n": number}}, {"reuseIdentifier": f"reuse{number}"}]
        if row["type"] == "constant":
            patches.append({"value": {"n": number}})
        else:
            patches.append({"elements": [self.item()]})
        rule = row.get("hideWhen")
        if rule is None or isinstance(rule, bool) or "var" in rule:
            patches += [{"hideWhen": {"var": f"variables.{self.flag()}"}}, {"hideWhen": self.rng.random() < 0.5}]
        else:
            patches.append({"hideWhen": None})
        return self.rng.choice(patches)

    def section_operation(self, model: ListModel) -> dict:
        rng, size = self.rng, len(model.sections)
        if size == 0 or rng.random() < (0.5 if size < MANY_SECTIONS else 0.1):
            added = [{"id": f"{self.writer}-s{self.unique()}", **self.section_patch(), **self.content()}
                     for _ in range(rng.randint(1, 2))]
            return {"op": "addSections", "at": rng.randint(0, size), "sections": added}
        one, other = rng.randrange(size), rng.randrange(size)
        return rng.choice([
            {"op": "moveSection", "from": one, "to": other},
            {"op": "swapSections", "at": one, "with": other},
            {"op": "removeSection", "section": model.sections[one]["id"]},
            {"op": "removeSections", "at": sorted({one, other})},
        ])

    def content(self) -> dict:
        """What a new section holds: elements, or rows in one of three."""
        if self.rng.random() < 0.35:
            return {"rows": [self.row() for _ in range(self.rng.randint(0, 3))]}
        return {"elements": [self.item() for _ in range(self.rng.randint(0, 3))]}

    def section_patch(self) -> dict:
        if self.rng.random() < 0.3:
            return {"isCollapsed": self.rng.random() < 0.4}
        return {"headerTitle": f"{self.writer} title {self.unique()}"}

    def variable_operation(self, model: ListModel) -> dict:
        if self.scope is None and self.rng.random() < 0.6:
            flag = self.flag()
            if flag in model.variables and self.rng.random() < 0.6:
                return {"op": "removeVariable", "name": flag}
            return {"op": "setVariable", "name": flag, "value": {"n": self.unique()}}
        own = sorted(name for name in model.variables if name.startswith(f"{self.writer}-"))
        if own and self.rng.random() < (0.7 if len(own) > MANY_VARIABLES else 0.2):
            return {"op": "removeVariable", "name": self.rng.choice(own)}
        name = self.rng.choice([*own, f"{self.writer}-v{self.unique()}"])
        return {"op": "setVariable", "name": name, "value": {"n": self.unique()}}


def holders(section: dict) -> list[tuple[dict, list[dict]]]:
    """The lists of elements of a section, each with the members that address it in an operation."""
    if "elements" in section:
        return [({"section": section["id"]}, section["elements"])]
    return [({"section": section["id"], "row": row["id"]}, row["elements"]) for row in section["rows"]
            if row["type"] == "model"]


def performed(mutation: Mutation, model: ListModel) -> ListModel:
    """The model after a mutation that fits."""
    result = model.copy()
    mutation.perform(result)
    return result


