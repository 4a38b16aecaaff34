"""Changes that are shown before the server has published them."""

from dataclasses import dataclass

from reader.apply import Copy


class Gone(Exception):
    """What a change is about is not there."""


def found(sections: list[list[dict]], identifier: str) -> tuple[int, int]:
    """The first place of an identifier."""
    for at, elements in enumerate(sections):
        for number, element in enumerate(elements):
            if element["id"] == identifier:
                return at, number
    raise Gone(identifier)


def put(sections: list[list[dict]], path: list[int], element: dict) -> None:
    if path[0] >= len(sections) or path[1] > len(sections[path[0]]):
        raise Gone(path)
    sections[path[0]].insert(path[1], element)


def changed(sections: list[list[dict]], change: dict) -> list[list[dict]]:
    """The elements of each section after a change, or `Gone` where it does not apply."""
    result = [list(elements) for elements in sections]
    if "insert" in change:
        put(result, change["insert"], change["element"])
        return result
    section, at = found(result, change.get("remove") or change.get("set") or change["move"])
    element = result[section].pop(at)
    if "set" in change:
        result[section].insert(at, element | {"value": change["value"]})
    elif "move" in change:
        # The target counts after the element has left its place.
        put(result, change["to"], element)
    return result


@dataclass
class Overlay:
    cause: str
    change: dict
    epoch: str
    # The first version that has it in; None until the server has said so.
    version: int | None = None

    def is_in(self, copy: Copy, causes: list[str]) -> bool:
        """Whether what the server has published has the change in."""
        if self.cause in causes:
            return True
        # Versions of another life of the director say nothing of this one's; what was made there is gone.
        return self.version is not None and (self.epoch != copy.epoch or self.version <= copy.version)


class Shown:
    """A copy of the list, and what is shown on top of it."""

    def __init__(self, snapshot: dict):
        self.copy, self.overlays, self.rejected = Copy(), [], []
        self.copy.receive("snapshot", snapshot)

    @property
    def sections(self) -> list[list[dict]]:
        result = [section["elements"] for section in self.copy.sections]
        for overlay in self.overlays:
            try:
                result = changed(result, overlay.change)
            except Gone:
                # It shows nothing for now; the server's answer says what becomes of it.
                continue
        return result

    def settle(self, causes: list[str]) -> None:
        self.overlays = [each for each in self.overlays if not each.is_in(self.copy, causes)]

    def take(self, step: dict) -> None:
        if "show" in step:
            try:
                changed(self.sections, step["change"])
            except Gone:
                self.rejected.append(step["show"])
                return
            self.overlays.append(Overlay(step["show"], step["change"], self.copy.epoch))
        elif "confirm" in step:
            # A change that the server has made and not published comes with the next version.
            version = self.copy.version + 1 if step["version"] is None else step["version"]
            for overlay in self.overlays:
                if overlay.cause == step["confirm"]:
                    overlay.version = version
            self.settle([])
        elif "refuse" in step:
            self.overlays = [each for each in self.overlays if each.cause != step["refuse"]]
        elif "publish" in step:
            self.copy.receive("changeset", step["publish"])
            self.settle(step["publish"].get("causes", []))
        else:
            self.copy.receive("snapshot", step["snapshot"])
            self.settle([])


def outcome(vector: dict) -> dict:
    """What is shown after each step, and the changes that could not be shown at all."""
    list_, shown = Shown(vector["snapshot"]), []
    for step in vector["steps"]:
        list_.take(step)
        shown.append([[[element["id"], element["value"]] for element in elements] for elements in list_.sections])
    return {"shown": shown, "rejected": list_.rejected}
