"""What faults cost the directors that they have nothing to do with, and those that they hit."""

from harness.probe import Request, percentile


class Measured:
    """The longest times without writes, and how long requests to other directors took before faults and during them.

    Requests are taken together by what the fault was: the few that one fault meets have no percentile worth comparing.
    """

    def __init__(self) -> None:
        self.pauses: dict[str, list[float]] = {}
        self._before: dict[str, list[Request]] = {}
        self._during: dict[str, list[Request]] = {}

    def add(self, what: str, pause: float, before: list[Request], during: list[Request]) -> None:
        """One fault, with the requests to others before it and while it lasted."""
        self.pauses.setdefault(what, []).append(pause)
        self._before.setdefault(what, []).extend(before)
        self._during.setdefault(what, []).extend(during)

    def lines(self) -> list[str]:
        """A line for each kind of fault."""
        lines = []
        for what, pauses in sorted(self.pauses.items()):
            before, during = percentile(self._before[what], 0.99), percentile(self._during[what], 0.99)
            ratio = f"{during / before:.2f}" if before else "unknown"
            lines.append(
                f"owner {what}, {len(pauses)} times: at most {max(pauses):.3f} s without writes; p99 of others' requests "
                f"{during * 1000:.1f} ms ({len(self._during[what])}) against {before * 1000:.1f} ms before "
                f"({len(self._before[what])}): {ratio}")
        return lines
