"""The fake server's event streams: a changeset takes everything away and puts everything back."""

import json
from urllib.parse import parse_qs, urlsplit

# The stream on which a fault shows, counted in changesets from its beginning.
FAULTY = 4


def changeset(name: str, director, start: int, end: int) -> dict:
    """From one version to another; the only claim is that applying it leads there."""
    before, after = director.versions[start], director.versions[end]
    stages = []
    if before:
        stages.append({"sectionDeleted": list(range(len(before)))})
    if after:
        stages.append({"sectionInserted": [{"at": at, "section": each} for at, each in enumerate(after)]})
    counts = {"sections": len(after), "elements": sum(len(each["elements"]) for each in after)}
    return {"director": name, "epoch": director.model.epoch, "from": start, "version": end, "stages": stages,
            "counts": counts}


class Stream:
    """One client's stream."""

    def __init__(self, handler, engine, names: list[str], each: bool):
        self.handler, self.engine, self.names, self.each = handler, engine, names, each
        self.at: dict[str, int | None] = dict.fromkeys(names)
        self.sent = 0

    def token(self) -> str:
        """The id after what was sent."""
        return ".".join(f"{self.engine.directors[name].model.epoch}-{at}" for name, at in self.at.items()
                        if at is not None)

    def event(self, kind: str, data: dict) -> bytes:
        return f"event: {kind}\ndata: {json.dumps(data)}\nid: {self.token()}\n\n".encode()

    def open(self, name: str, held: int | None) -> list[bytes]:
        """The first events of a director."""
        director = self.engine.directors[name]
        model = director.model
        if held is None or held not in director.versions:
            self.at[name] = model.version
            reset = {} if held is None else {"reset": "unknown version"}
            return [self.event("snapshot", {"director": name, "epoch": model.epoch, "version": model.version,
                                            "sections": model.published} | reset)]
        self.at[name] = held
        result = [self.event("resumed", {"director": name, "from": held, "version": model.version})]
        return result + self.advance(name, self.each)

    def advance(self, name: str, each: bool) -> list[bytes]:
        """What brings a director's client up to date."""
        director, result = self.engine.directors[name], []
        while self.at[name] < director.model.version:
            end = self.at[name] + 1 if each else director.model.version
            data = changeset(name, director, self.at[name], end)
            self.at[name] = end
            self.sent += 1
            event = self.event("changeset", data)
            match self.engine.fault if self.sent % FAULTY == 0 else "":
                case "repeat-changeset":
                    result += [event, event]
                case "skip-changeset":
                    pass
                case "swap-changesets":
                    result.insert(max(0, len(result) - 1), event)
                case _:
                    result.append(event)
        return result

    def run(self, held: dict[str, int | None]) -> None:
        waits = self.engine.fault == "swap-changesets"
        # Before the first event, so that its id does not forget the directors whose turn comes later.
        self.at = dict(held)
        with self.engine.lock:
            events = [event for name in self.names for event in self.open(name, held[name])]
        while True:
            for event in events:
                self.handler.wfile.write(event)
            with self.engine.changed:
                if not self.engine.changed.wait_for(self._has_news, timeout=2):
                    events = [self.event("heartbeat", {"version": 0})]
                    continue
                if waits:
                    self.engine.changed.wait(0.05)
                events = [event for name in self.names for event in self.advance(name, True)]

    def _has_news(self) -> bool:
        return any(self.engine.directors[name].model.version > self.at[name] for name in self.names)


def follow(handler, engine, name: str | None, path: str) -> None:
    """Answers with a stream until the client goes."""
    query = parse_qs(urlsplit(handler.path).query)
    names = [name] if name else query["director"]
    places = dict(part.rsplit("-", 1) for part in handler.headers.get("Last-Event-ID", "").split(".") if part)
    with engine.lock:
        if any(each not in engine.directors for each in names):
            return handler.problem(404, "no such director")
        epochs = {each: engine.directors[each].model.epoch for each in names}
    held = {each: int(places[epochs[each]]) if epochs[each] in places else None for each in names}
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    try:
        Stream(handler, engine, names, "each" in query.get("catchup", [])).run(held)
    except OSError:
        pass
