"""Reports of events on their way to the server: the requests that are sent, and what becomes of each report."""

from reader.resume import is_final

MOST = 1000


class Queue:
    """Keeps reports in order; one request at a time, the same again until it is answered."""

    def __init__(self, limit: int | None):
        self.limit = limit
        self.waiting: list[dict] = []
        # The reports of the request that is under way or is to be repeated, and its key.
        self.attempt: tuple[int, str] | None = None
        self.requests: list[dict] = []
        self.refused: list[list] = []
        self.rejected: list[str] = []
        self.is_under_way = False
        # How many reports a request carries at most.
        self.most = MOST
        self._keys = 0

    def add(self, report: dict) -> None:
        if self.limit is not None and len(self.waiting) >= self.limit:
            self.rejected.append(report["add"])
            return
        self.waiting.append(report)
        self.send()

    def send(self) -> None:
        """Sends what waits for the same list and reader, up to a limit, unless a request is under way."""
        if self.is_under_way or not self.waiting:
            return
        first = self.waiting[0]
        if self.attempt is None:
            count = 0
            for report in self.waiting[:self.most]:
                if (report["to"], report.get("limit")) != (first["to"], first.get("limit")):
                    break
                count += 1
            self._keys += 1
            self.attempt = (count, f"k{self._keys}")
        count, key = self.attempt
        request = {"to": first["to"], "reports": [report["add"] for report in self.waiting[:count]], "key": key}
        self.requests.append(request | ({"limit": first["limit"]} if "limit" in first else {}))
        self.is_under_way = True

    def settle(self, outcomes: list[dict]) -> None:
        """The server has taken or refused each report of the request; none is sent again."""
        assert len(outcomes) == self.attempt[0], "each report of the request has an outcome"
        for report, outcome in zip(self.waiting, outcomes):
            if "problem" in outcome:
                self.refused.append([report["add"], outcome["problem"]["status"]])
        self.waiting, self.attempt = self.waiting[len(outcomes):], None
        if not self.waiting:
            self.most = MOST

    def answer(self, step: dict) -> None:
        assert self.is_under_way, "there is no request to answer"
        self.is_under_way = False
        if "answer" in step:
            self.settle(step["answer"])
        elif step.get("status") == 413 and self.attempt[0] > 1:
            # Each of them may be taken by itself.
            self.most, self.attempt = self.attempt[0] // 2, None
        elif step.get("status") == 413:
            self.settle([{"problem": {"status": 413}}])
        elif "status" in step and is_final(step) and step["status"] != 401:
            # A refusal of the whole request is each report's; a token that is refused may be renewed.
            self.settle([{"problem": {"status": step["status"]}}] * self.attempt[0])
        self.send()

    def restart(self) -> None:
        """The app ends, and comes back with the reports of its file: their keys stay, the request is a new one."""
        self.is_under_way, self.attempt, self.most = False, None, MOST
        self.send()


def outcome(vector: dict) -> dict:
    """The requests in order, the reports that were refused with their statuses, those not taken, and those that still wait."""
    queue = Queue(vector.get("limit"))
    for step in vector["steps"]:
        if "add" in step:
            queue.add(step)
        elif "restart" in step:
            queue.restart()
        else:
            queue.answer(step)
    return {"requests": queue.requests, "refused": queue.refused, "rejected": queue.rejected,
            "waiting": [report["add"] for report in queue.waiting]}
