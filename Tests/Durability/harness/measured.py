"""What faults cost the directors that they have nothing to do with, and those that they hit."""

import statistics
from collections.abc import Iterator

from harness.probe import Request, percentile


class Measured:
    """The longest times without writes, and how long requests to other directors took before faults and during them.

    Requests are taken together by what the fault was: the few that one fault meets have no percentile worth comparing.
    """

    def __init__(self) -> None:
        self.pauses: dict[str, list[float]] = {}
        self._before: dict[str, list[Request]] = {}
        self._during: dict[str, list[Request]] = {}
        self._rounds: dict[str, list[tuple[float, float]]] = {}

    def add_round(self, kinds: list[str], waits: list[float], outages: list[float]) -> None:
        """A round: how long changes waited for their acknowledgements, and streams that broke off for their next event."""
        what = kinds[0] if len(kinds) == 1 else "two faults at a time" if kinds else "none"
        self._rounds.setdefault(what.replace("_", " "), []).append((max(waits, default=0), max(outages, default=0)))

    def table(self) -> Iterator[str]:
        """A row for each kind of fault: the longest wait of a change and of a stream in a round, in seconds."""
        yield "| fault | rounds | writes out, median and longest | streams out, median and longest |"
        yield "| --- | --- | --- | --- |"
        for what, rounds in sorted(self._rounds.items()):
            columns = [f"{statistics.median(each):.1f}, {max(each):.1f}" for each in zip(*rounds)]
            yield f"| {what} | {len(rounds)} | {columns[0]} | {columns[1]} |"

    def add(self, what: str, pause: float, before: list[Request], during: list[Request]) -> None:
        """One fault, with the requests to others before it and while it lasted."""
        self.pauses.setdefault(what, []).append(pause)
        self._before.setdefault(what, []).extend(before)
        self._during.setdefault(what, []).extend(during)

    def lines(self) -> list[str]:
        """A line for each kind of fault."""
        lines = list(self.table()) if self._rounds else []
        for what, pauses in sorted(self.pauses.items()):
            before, during = percentile(self._before[what], 0.99), percentile(self._during[what], 0.99)
            ratio = f"{during / before:.2f}" if before else "unknown"
            lines.append(
                f"owner {what}, {len(pauses)} times: at most {max(pauses):.3f} s without writes; p99 of others' requests "
                f"{during * 1000:.1f} ms ({len(self._during[what])}) against {before * 1000:.1f} ms before "
                f"({len(self._before[what])}): {ratio}")
        return lines
