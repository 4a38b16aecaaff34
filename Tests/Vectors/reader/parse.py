"""Event streams: bytes in, events out (WHATWG HTML, section 9.2.6)."""

CR, LF = 0x0D, 0x0A
BOM = b"\xef\xbb\xbf"


class EventStream:
    """Reads a stream byte by byte, and keeps what has not ended yet."""

    def __init__(self):
        self.retry: int | None = None
        self.last_id = ""
        self.events: list[dict] = []
        self._line = bytearray()
        self._is_first, self._after_cr = True, False
        self._name, self._data, self._id = "", [], ""

    def push(self, chunk: bytes) -> list[dict]:
        """The events that end with this chunk."""
        done = len(self.events)
        for byte in chunk:
            is_second_half = byte == LF and self._after_cr
            self._after_cr = byte == CR
            if is_second_half:
                continue
            if byte in (CR, LF):
                self._end_line()
            else:
                self._line.append(byte)
        return self.events[done:]

    def _end_line(self) -> None:
        line = bytes(self._line)
        self._line.clear()
        if self._is_first:
            self._is_first, line = False, line.removeprefix(BOM)
        text = line.decode("utf-8", "replace")
        if not text:
            return self._end_event()
        field, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value)
        return None

    def _end_event(self) -> None:
        # The id holds from here on, also where there is no data and so no event.
        self.last_id = self._id
        if self._data:
            self.events.append({"event": self._name or "message", "data": "\n".join(self._data), "id": self.last_id})
        self._name, self._data = "", []


def outcome(vector: dict) -> dict:
    """The events with the number of the chunk that ends each, what `retry` came to, and the last id."""
    stream, events = EventStream(), []
    for number, chunk in enumerate(vector["chunks"]):
        events += [event | {"chunk": number} for event in stream.push(chunk.encode("latin-1"))]
    return {"events": events, "retry": stream.retry, "lastId": stream.last_id}
