"""A stream over several connections: which id each request carries, and what becomes of the list."""

from reader.apply import Copy, Refused

OWN = "urn:callboard:problem:"
# Ends after which another connection is of no use: the token is no good, or may not read this.
FINAL = ("expired", "revoked", "forbidden")


def is_final(answer: dict) -> bool:
    """Whether a Callboard server itself has refused, and not for the moment only: whatever stands between may answer anything."""
    status = answer["status"]
    passes = status not in (501, 505) if status >= 500 else status in (408, 425, 429)
    kind = answer.get("problem", "")
    return kind.startswith(OWN) and kind != f"{OWN}in-progress" and not passes


class Follower:
    """Takes what a script of connections brings."""

    def __init__(self):
        self.copy, self.last_id, self.told = Copy(), None, []
        self.status = "waiting"

    def take(self, event: str, event_id: str | None, data: dict) -> bool:
        """Takes an event; false where the connection is given up for a fresh snapshot."""
        try:
            self.copy.receive(event, data)
        except Refused:
            # The list is shown as it is until the snapshot comes, but the next request asks for a whole one.
            self.last_id, self.copy.sections = None, None
            self.told.append(["mismatch"])
            return False
        if event_id is not None:
            self.last_id = event_id
        if event == "end":
            self.told.append([event, data["reason"]])
            self.status = "over" if data["reason"] == "deleted" else "failed" if data["reason"] in FINAL else self.status
        elif event == "snapshot":
            self.told.append([event, data.get("reset")])
        elif event in ("changeset", "resumed"):
            self.told.append([event, self.copy.version])
        elif event in ("refresh", "definition"):
            self.told.append([event])
        return True

    def connect(self, connection: dict) -> None:
        self.status = "waiting"
        if "status" in connection:
            self.status = "failed" if is_final(connection) else self.status
        elif not connection.get("lost"):
            for event, event_id, data in connection["events"]:
                self.status = "live"
                if not self.take(event, event_id, data) or self.status != "live":
                    return
            if connection["ends"] != "stays":
                self.status = "waiting"


def outcome(vector: dict) -> dict:
    """The id that each request carries, what was told, and the list and its status at the end."""
    follower, requests = Follower(), []
    for connection in vector["connections"]:
        assert follower.status not in ("over", "failed"), f"{vector['name']} goes on after its end"
        requests.append({"lastEventId": follower.last_id})
        follower.connect(connection)
    copy = follower.copy
    shown = None if copy.sections is None else {
        "epoch": copy.epoch, "version": copy.version,
        "ids": [[element["id"] for element in section["elements"]] for section in copy.sections]}
    return {"requests": requests, "told": follower.told, "status": follower.status, "list": shown}
