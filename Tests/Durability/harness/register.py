"""What reads of a value with one writer may return, whatever node answers them: each read takes effect at one moment between its
request and its answer (linearizability; for one writer: L. Lamport, "On interprocess communication", 1986)."""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable


class Register:
    """A value that one writer changes, one write after the other, and anybody reads.

    Each value is written once. Values are numbered in the order of their writes, from 0 for the first. Times are of one clock.
    Reads and sightings are noted in the order of their ends, as one event loop sees them.
    """

    def __init__(self, initial: Hashable):
        self._values: list[Hashable] = [initial]
        self._numbers: dict[Hashable, int] = {initial: 0}
        # When writes began and were acknowledged, by number; the last may still be under way.
        self._began: list[float] = [float("-inf")]
        self._acknowledged: list[float] = [float("-inf")]
        # The newest number that anybody has seen by a time; both rise.
        self._seen_at: list[float] = [float("-inf")]
        self._seen: list[int] = [0]

    def write(self, value: Hashable, at: float) -> None:
        """A write begins. The one before has been acknowledged."""
        self._numbers[value] = len(self._values)
        self._values.append(value)
        self._began.append(at)

    def acknowledge(self, at: float) -> None:
        """The write that began last is acknowledged."""
        self._acknowledged.append(at)

    def see(self, value: Hashable, at: float) -> None:
        """Somebody has this value by now: nobody who asks from now on may be told an earlier one."""
        if (number := self._numbers.get(value, 0)) > self._seen[-1]:
            self._seen_at.append(at)
            self._seen.append(number)

    def read(self, value: Hashable, began: float, ended: float) -> str | None:
        """A read has ended; what is wrong with it, or None."""
        number = self._numbers.get(value)
        if number is None:
            return "which nobody has written"
        if number >= bisect_right(self._began, ended):
            return "which was written only after the answer"
        if number < (due := bisect_left(self._acknowledged, began) - 1):
            return f"although {self._values[due]} was acknowledged before the request"
        if number < (seen := self._seen[bisect_left(self._seen_at, began) - 1]):
            return f"although {self._values[seen]} had been seen before the request"
        self.see(value, ended)
        return None
