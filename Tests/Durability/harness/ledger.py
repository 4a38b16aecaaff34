"""What the clients of several nodes were told, and what of it cannot be true together."""

import time
from collections import Counter, OrderedDict

from harness.model import digest
from harness.register import Register

# Changesets of which the list that they lead to is kept, since many subscribers get them.
STEPS = 400


class Ledger:
    """Gathers what everybody was told; a fault as soon as two things cannot both be true. For one event loop."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        # The texts by which acknowledged changes are found in the database.
        self.acknowledged: set[str] = set()
        # Deliveries that were acknowledged, and those that have arrived, in order, by the hook's director.
        self.reported: dict[str, dict[str, int]] = {}
        self.arrived: dict[str, list[str]] = {}
        # What each writer's section of a director holds, by director and section.
        self.registers: dict[tuple[str, str], Register] = {}
        # In this round: how long each change waited for its acknowledgement, and how long each stream that broke off was away.
        self.waits: list[float] = []
        self.outages: list[float] = []
        self._lists: dict[tuple[str, str, int], tuple[str, str]] = {}
        self._steps: OrderedDict[tuple[str, str, int, int], tuple[str, list]] = OrderedDict()

    def fault(self, text: str) -> None:
        """Something that must not happen has happened."""
        self.counts["faults"] += 1
        if len(self.faults) < 50:
            self.faults.append(f"{time.strftime('%H:%M:%S')} {text}")

    def shown(self, who: str, director: str, epoch: str, version: int, sections: list) -> None:
        """`who` was shown a version as this list: it is the same to everybody, at every node."""
        found = digest(sections)
        if (director, epoch, version) not in self._lists:
            self._note(director, sections)
        other, earlier = self._lists.setdefault((director, epoch, version), (found, who))
        if other != found:
            self.fault(f"version {version} of {director} ({epoch}) is one list to {who} and another to {earlier}")

    def _note(self, director: str, sections: list) -> None:
        """Somebody has a version first: from now on nobody may read an earlier one."""
        now = time.monotonic()
        for section in sections:
            if register := self.registers.get((director, section["id"])):
                register.see(held(section), now)

    def step(self, director: str, epoch: str, first: int, last: int, text: str) -> list | None:
        """The list that a changeset leads to, where somebody has applied the very same before."""
        known, sections = self._steps.get((director, epoch, first, last), ("", None))
        return sections if known == text else None

    def keep_step(self, director: str, epoch: str, first: int, last: int, text: str, sections: list) -> None:
        """Remembers where a changeset has led, for `step`."""
        self._steps[director, epoch, first, last] = (text, sections)
        if len(self._steps) > STEPS:
            self._steps.popitem(last=False)

    def check_deliveries(self) -> list[str]:
        """What is missing, or came before one that was reported earlier; empty where all is well."""
        wrong = []
        for director, numbers in self.reported.items():
            firsts = [each for each in dict.fromkeys(self.arrived.get(director, [])) if each in numbers]
            if missing := numbers.keys() - set(firsts):
                wrong.append(f"{len(missing)} events of {director} were acknowledged and never came: {sorted(missing)[:3]}")
            order = [numbers[each] for each in firsts]
            wrong += [f"event {later} of {director} came before event {earlier}"
                      for later, earlier in zip(order, order[1:]) if earlier < later][:3]
        return wrong


def held(section: dict) -> tuple[str, ...]:
    """What a register has of a section: the identifiers of its elements, in order."""
    return tuple(each["id"] for each in section["elements"])
