"""A list of which only some elements are loaded: what is known, and where, while changes and pages cross."""

from reader.apply import applied, is_same, require


class Hole:
    """An element of which nothing is known; `load` and `number` say which load is to bring it."""

    def __init__(self, load: str | None = None, number: int = 0):
        self.load, self.number = load, number


def same(before: object, after: dict) -> bool:
    """What is not known may be anything."""
    return isinstance(before, Hole) or is_same(before, after)


class SparseList:
    """A hole for each element that is not loaded; holes move as elements do."""

    def __init__(self, snapshot: dict):
        self.version = snapshot["version"]
        self.sections = [
            {name: value for name, value in section.items() if name != "count"}
            | {"elements": [Hole() for _ in range(section["count"])]} for section in snapshot["sections"]]
        self.asks: list[dict] = []

    def load(self, name: str, section: int, start: int, end: int) -> None:
        """Asks for the smallest part of a span outside of which nothing is missing."""
        elements = self.sections[section]["elements"]
        missing = [at for at in range(start, min(end, len(elements))) if self._is_free(elements[at])]
        if not missing:
            return
        offset, limit = missing[0], missing[-1] - missing[0] + 1
        self.asks.append({"load": name, "section": section, "version": self.version, "offset": offset, "limit": limit})
        for at in missing:
            elements[at] = Hole(name, at - offset)

    def answer(self, name: str, found: list[dict]) -> None:
        """Puts a page's elements where their holes have gone; a hole whose element has not come is free again."""
        def filled(item: object) -> object:
            if not isinstance(item, Hole) or item.load != name:
                return item
            if item.number >= len(found):
                return Hole()
            # By itself an element also says where it was.
            return {key: value for key, value in found[item.number].items() if key not in ("section", "indexPath")}

        for section in self.sections:
            section["elements"] = [filled(item) for item in section["elements"]]

    def change(self, changeset: dict) -> None:
        require(changeset["from"] == self.version, "a gap")
        self.sections, self.version = applied(self.sections, changeset, same), changeset["version"]

    @staticmethod
    def _is_free(item: object) -> bool:
        return isinstance(item, Hole) and item.load is None

    @property
    def state(self) -> list[dict]:
        """Each section with its length, and the elements that are known, by their places."""
        return [
            {name: value for name, value in section.items() if name != "elements"}
            | {"count": len(section["elements"]),
               "known": [[at, item] for at, item in enumerate(section["elements"]) if not isinstance(item, Hole)]}
            for section in self.sections]


def outcome(vector: dict) -> dict:
    """The requests for pages, and what is known in the end."""
    copy = SparseList(vector["snapshot"])
    for step in vector["steps"]:
        if "load" in step:
            copy.load(step["load"], step["section"], step["from"], step["end"])
        elif "answer" in step:
            copy.answer(step["answer"], step["elements"])
        elif "fail" in step:
            copy.answer(step["fail"], [])
        else:
            copy.change(step["change"])
    return {"asks": copy.asks, "version": copy.version, "sections": copy.state}
