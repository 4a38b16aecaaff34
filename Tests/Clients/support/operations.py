"""Random changes of a list with sections of elements, each of which fits the list as the ones before have left it."""

import random


class RandomOperations:
    """Makes operations for `POST …/operations`; knows how long each section is by now."""

    def __init__(self, seed: int, sections: dict[str, int], most: int = 1 << 30):
        self.random, self.sections, self.most, self.made, self.count = random.Random(seed), dict(sections), most, 0, 0

    def next(self) -> dict:
        chosen, sections = self.random, self.sections
        number, self.count = self.count, self.count + 1
        # The longest one twice as often.
        section = chosen.choice(sorted(sections, key=lambda name: -sections[name])[:1] + sorted(sections))
        kind, size = chosen.randrange(5), sections[section]
        if not size or kind == 0 and sum(sections.values()) < self.most:
            at = chosen.randint(0, size)
            sections[section], self.made = size + 1, self.made + 1
            return {"op": "addElements", "section": section, "at": at, "elements": [{"value": {"name": f"n{self.made - 1}"}}]}
        if kind < 2 and size > 5:
            sections[section] -= 1
            return {"op": "removeElement", "section": section, "element": f"@{chosen.randrange(size)}"}
        if kind == 2:
            other = chosen.choice(sorted(sections))
            operation = {"op": "moveElement", "section": section, "from": chosen.randrange(size), "toSection": other,
                         "to": chosen.randint(0, sections[other] - (other == section))}
            sections[section] -= 1
            sections[other] += 1
            return operation
        if kind == 3:
            return {"op": "patchSection", "section": section, "patch": {"headerTitle": f"{section} {number}"}}
        return {"op": "patchElement", "section": section, "element": f"@{chosen.randrange(size)}", "patch": {"age": number}}
