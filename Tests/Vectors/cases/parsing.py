"""Vectors of event streams."""

from cases.tools import Dice

BASE = "event: snapshot\ndata: {\"version\":3}\nid: e-3\n\n"


def text(*chunks: str) -> list[str]:
    """Chunks whose characters stand for bytes."""
    return [chunk.encode().decode("latin-1") for chunk in chunks]


def event(data: str, name: str = "message", event_id: str = "", chunk: int = 0) -> dict:
    return {"event": name, "data": data, "id": event_id, "chunk": chunk}


def vector(name: str, chunks: list[str], events: list[dict], retry=None, last_id: str = "", needs=()) -> dict:
    made = {"name": name, "kind": "parse"} | ({"needs": list(needs)} if needs else {})
    return made | {"chunks": chunks, "expect": {"events": events, "retry": retry, "lastId": last_id}}


def written() -> list[dict]:
    beat = '{"version":7}'
    one = [
        ("a message", "data: hello\n\n", [event("hello")]),
        ("one leading space only is dropped", "data:  x\n\n", [event(" x")]),
        ("no space after the colon", "data:x\n\n", [event("x")]),
        ("a tab after the colon is data", "data:\tx\n\n", [event("\tx")]),
        ("several data lines", "data: a\ndata\ndata: b\n\n", [event("a\n\nb")]),
        ("LF", "event: e\ndata: x\n\n", [event("x", "e")]),
        ("CR LF", "event: e\r\ndata: x\r\n\r\n", [event("x", "e")]),
        ("CR", "event: e\rdata: x\r\r", [event("x", "e")]),
        ("ends of lines mixed", "data: a\r\n\rdata: b\n\r\n", [event("a"), event("b")]),
        ("LF CR ends two lines", "data: a\n\rdata: b\r\r", [event("a"), event("b")]),
        ("a byte order mark at the start", "\ufeffdata: x\n\n", [event("x")]),
        ("only the first byte order mark is dropped", "\ufeff\ufeffdata: x\n\ndata: y\n\n", [event("y")]),
        ("a byte order mark later on is text", "\n\ufeffdata: x\n\ndata: \ufeffy\n\n", [event("\ufeffy")]),
        ("nothing but a byte order mark and an end", "\ufeff\n\n", []),
        ("comments", ": hi\n:\ndata: x\n: there\n\n", [event("x")]),
        ("a comment looks like a field", ":data: y\ndata: x\n\n", [event("x")]),
        ("fields that are not known", "foo: bar\ndatax: y\n data: z\nDATA: q\ndata: x\n\n", [event("x")]),
        ("an event without data is none", "event: e\n\ndata: x\n\n", [event("x")]),
        ("the name does not outlive its event", "event: e\ndata: a\n\ndata: b\n\n", [event("a", "e"), event("b")]),
        ("the last name counts", "event: a\nevent: b\ndata: x\n\n", [event("x", "b")]),
        ("an empty name is message", "event: a\nevent\ndata: x\n\n", [event("x")]),
        ("empty data is an event", "data:\n\n", [event("")]),
        ("data by its name alone is an event", "data\n\n", [event("")]),
        ("two empty data lines are a line feed", "data\ndata\n\n", [event("\n")]),
        ("an event that has not ended is none", "data: a\n\ndata: b\n", [event("a")]),
        ("an event whose last line has not ended", "data: a\n\ndata: b", [event("a")]),
        ("a colon in the value", "data: a:b: c\n\n", [event("a:b: c")]),
        ("a name with a space in front", "event:  e\ndata: x\n\n", [event("x", " e")]),
        ("text of several bytes", "data: 😀é\nevent: über\n\n", [event("😀é", "über")]),
        ("empty lines only", "\n\r\n\r\n\n", []),
        ("a NUL in data is kept", "data: a\0b\n\n", [event("a\0b")]),
        ("line separators of Unicode are text", "data: a\u2028b\u0085c\vd\fe\n\n", [event("a\u2028b\u0085c\vd\fe")]),
        ("a heartbeat", f"event: heartbeat\ndata: {beat}\n\n", [event(beat, "heartbeat")]),
        ("an end", 'event: end\ndata: {"reason":"closing"}\n\n', [event('{"reason":"closing"}', "end")]),
        ("an event of a kind that is not known", "event: later\ndata: {}\n\n", [event("{}", "later")]),
    ]
    made = [vector(name, text(stream), events) for name, stream, events in one]
    ids = [
        ("an id stays until another comes", "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n",
         [event("a", event_id="1"), event("b", event_id="1"), event("c", event_id="2")], "2"),
        ("an id by its name alone takes it back", "id: 1\ndata: a\n\nid\ndata: b\n\n", [event("a", event_id="1"), event("b")], ""),
        ("an id with NUL is left out", "id: 1\ndata: a\nid: x\0y\n\n", [event("a", event_id="1")], "1"),
        ("an id without data holds too", "id: 1\n\ndata: x\n\n", [event("x", event_id="1")], "1"),
        ("the id of an event that has not ended does not hold", "id: 1\ndata: x\n\nid: 2\ndata: y\n", [event("x", event_id="1")],
         "1"),
        ("the last id of an event counts", "id: 1\nid: 2\ndata: x\n\n", [event("x", event_id="2")], "2"),
        ("an id of several directors is one text", "id: a-1.b-2\ndata: x\n\n", [event("x", event_id="a-1.b-2")], "a-1.b-2"),
        ("an id comes after the data", f"{BASE}", [event('{"version":3}', "snapshot", "e-3")], "e-3"),
    ]
    made += [vector(name, text(stream), events, last_id=last, needs=["ids"]) for name, stream, events, last in ids]
    for value, retry in [("1500", 1500), ("0", 0), ("007", 7), ("1.5", None), ("-1", None), ("+1", None), ("1e3", None), ("", None),
                         ("12 ", None), (" 12", None), ("٣", None), ("0x10", None), ("2147483647", 2147483647)]:
        made.append(vector(f"retry {value!r}", text(f"retry: {value}\n"), [], retry))
    made += [
        vector("the last retry that is a number counts", text("retry: 5\nretry: soon\n\nretry: 9\nretry\n"), [], 9),
        vector("retry holds though its line has an event's end to come", text("retry: 250\ndata: x"), [], 250),
        vector("a byte order mark in pieces", ["\xef", "\xbb", "\xbfdata: x\n\n"], [event("x", chunk=2)]),
        vector("a character in pieces", ["data: \xf0\x9f", "\x98\x80\n\n"], [event("😀", chunk=1)]),
        vector("CR and LF in two pieces end one line", ["data: a\r", "\ndata: b\r", "\n\r", "\n"], [event("a\nb", chunk=2)]),
        vector("CR at the end of a piece, and no LF", ["data: a\r", "\r", "data: b\n\n"],
               [event("a", chunk=1), event("b", chunk=2)]),
        vector("an event comes with the byte that ends it", ["data: a\n", "\n", "data: b"], [event("a", chunk=1)]),
        vector("an event comes with CR, and does not wait for LF", ["data: a\r\n\r", "\ndata: b\r\n\r"],
               [event("a", chunk=0), event("b", chunk=1)]),
        vector("pieces without a byte", ["", "data: a", "", "\n\n", ""], [event("a", chunk=3)]),
        vector("an empty piece between CR and LF", ["data: a\r", "", "\n\r\n"], [event("a", chunk=2)]),
        vector("bytes that are not UTF-8", ["data: a\xffb\xc3\n\ndata: \xe2\x82\n\n"], [event("a\ufffdb\ufffd"), event("\ufffd")]),
        vector("a byte that nothing begins with", ["data: \x80\xbf\n\n"], [event("\ufffd\ufffd")]),
        vector("an overlong form and half a pair", ["data: \xc0\xaf\xed\xa0\x80\n\n"], [event("\ufffd" * 5)]),
        vector("a character that a line's end cuts off", ["data: \xf0\x9f\ndata: \x98\x80\n\n"], [event("\ufffd\n\ufffd\ufffd")]),
    ]
    return made + cut()


def cut() -> list[dict]:
    """Streams that are cut everywhere: the events are the same, and each comes with the byte that ends it."""
    made = []
    for name, stream in [("LF", "data: é\n\ndata: b\n\n"), ("CR LF", "data: é\r\n\r\ndata: b\r\n\r\n"),
                         ("CR", "\ufeffdata: é\r\rdata: b\r\r")]:
        binary = text(stream)[0]
        # The first event is over with the second end of a line.
        gap = {"LF": "\n\n", "CR LF": "\r\n\r", "CR": "\r\r"}[name]
        first = binary.index(gap) + len(gap)
        last = len(binary) - (1 if name == "CR LF" else 0)
        for at in range(1, len(binary)):
            events = [event("é", chunk=int(at < first)), event("b", chunk=int(at < last))]
            made.append(vector(f"{name}, cut at {at}", [binary[:at], binary[at:]], events))
        ones = [event("é", chunk=first - 1), event("b", chunk=last - 1)]
        made.append(vector(f"{name}, byte by byte", list(binary), ones))
    return made


def drawn(dice: Dice, count: int) -> list[dict]:
    """Streams that are written down from their events, with any ends of lines, and cut anywhere."""
    made = []
    for number in range(count):
        stream, ends, retry, last_id = b"", [], None, ""
        if dice.chance(4):
            stream += "\ufeff".encode()
        for _ in range(1 + dice.below(4)):
            end = dice.one([b"\n", b"\r\n", b"\r"])
            lines, name = [dice.one([b": note", b"other: x", b"data : no"])] if dice.chance(3) else [], "message"
            data = ["".join(dice.one(["a", "{", "é", "€", "😀", ":", " ", '"', "7"]) for _ in range(dice.below(6)))
                    for _ in range(dice.below(3))]
            if dice.below(3):
                name = dice.one(["snapshot", "changeset", "heartbeat", "end"])
                lines.append(f"event:{dice.one(['', ' '])}{name}".encode())
            lines += [f"data:{' ' if each.startswith(' ') or dice.below(2) else ''}{each}".encode() for each in data]
            if dice.below(3):
                last_id = f"e-{dice.below(100)}"
                lines.append(f"id: {last_id}".encode())
            if dice.chance(4):
                retry = dice.below(5000)
                lines.append(f"retry: {retry}".encode())
            # What ends with CR must not be followed by an LF of another line's end.
            stream += b"".join(line + end for line in lines) + end
            if data:
                ends.append((len(stream) - (1 if end == b"\r\n" else 0), event("\n".join(data), name, last_id)))
        cuts = sorted({dice.below(len(stream) + 1) for _ in range(dice.below(5))} | {0, len(stream)})
        chunks = [stream[start:stop].decode("latin-1") for start, stop in zip(cuts, cuts[1:])]
        events = [each | {"chunk": sum(1 for at in cuts[1:] if at < end)} for end, each in ends]
        made.append(vector(f"drawn {number}", chunks, events, retry, last_id))
    return made
