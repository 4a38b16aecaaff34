"""Views of long lists: what each costs at a change, while it is built, and in memory.

One server with one loop. A change is a PATCH with reload of one row, and its costs are the processor time of the server until
it has nothing more to do. The costs of views are what the same changes cost more once they are kept up; the views are made for
one figure after the other, and end with their director.
"""

import http.client
import json
import random
import statistics
import time
from pathlib import Path

from harness import HOST, callboard, processor_nanoseconds, report, workspace
from large import KeepAlive, fill, identifier
from turns import Prober

COUNT = 1_000_000
# Of the list with many instances: each shows one of 100 parts, of 100 rows each.
PARTS, ROWS = 100, 10_000
# An instance that nobody reads ends after a minute: so many can be made and measured in that time.
INSTANCES = 10_000
CHANGES, ROUNDS = 500, 3
# The bounds: microseconds for a view that a change touches and for one that it does not, and KiB for an instance of 100 rows.
TOUCHED, UNTOUCHED, MEMORY = 20.0, 1.0, 64 * 1024 / 10_000
OWN_COST = 1.05
# One for all rounds: a row that is given the value which it has is no change.
GENERATOR = random.Random(1)
LIST, OTHER = "/v1/directors/large", "/v1/directors/small"
DESCENDING = [{"key": {"var": "value.score"}, "order": "descending"}]


def changed(server, connection: KeepAlive, path: str, count: int, rows: int) -> tuple[float, float]:
    """Changes rows one after the other: microseconds of the processor for a change, and the median until its answer."""
    waits = []
    before = processor_nanoseconds(server.process.pid)
    for _ in range(count):
        number = GENERATOR.randrange(rows)
        address = f"{path}/sections/people/elements/{identifier(number)}?reload=true"
        nanoseconds, answer = connection.patch(address, b'{"score":%d}' % GENERATOR.randrange(1 << 40))
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"PATCH answered {answer[:300]!r}")
        waits.append(nanoseconds / 1000)
        # So that no change waits for the views of the one before.
        time.sleep(0.002)
    server.settle()
    return (processor_nanoseconds(server.process.pid) - before) / 1000 / count, statistics.median(waits)


def costs(server) -> tuple[float, float]:
    """The costs of a change of the long list: the medians of some rounds."""
    connection = KeepAlive(server.port)
    rows = json.loads(server.call("GET", LIST))["counts"]["elements"]
    rounds = [changed(server, connection, LIST, CHANGES, rows) for _ in range(ROUNDS)]
    return tuple(statistics.median(each) for each in zip(*rounds))


def define(server, name: str, **view) -> str:
    server.call("PUT", f"/v1/directors/{name}", {"kind": "table", "view": {"from": "large"} | view})
    return f"/v1/directors/{name}"


def touched(server) -> None:
    """Ten sorted views, each with a row that has changed."""
    plain, _ = costs(server)
    names = [f"sorted{number}" for number in range(10)]
    for number, name in enumerate(names):
        view = define(server, name, sortBy=DESCENDING, where={">=": [{"var": "value.score"}, number]}, limit=100)
        server.call("GET", f"{view}/elements?limit=1")
    with_views, _ = costs(server)
    each = (with_views - plain) / len(names)
    report("a changed row of 1,000,000, for each sorted view of it", f"{each:.1f} us", f"{TOUCHED:.0f} us", each / TOUCHED, 1.0,
           at_most=True)
    for name in names:
        server.call("DELETE", f"/v1/directors/{name}")
    server.settle()


def built(server) -> None:
    """The first read of a filtered and sorted view, against the same in Python; and what others wait meanwhile."""
    values = []
    for start in range(0, COUNT, 10_000):
        page = json.loads(server.call("GET", f"{LIST}/elements?limit=10000&offset={start}"))
        values += [each["value"] for each in page["elements"]]
    begin = time.perf_counter()
    wanted = sorted((each for each in values if each["score"] % 2 == 0), key=lambda each: -each["score"])
    bare = time.perf_counter() - begin
    prober = Prober(server)
    view = define(server, "built", sortBy=DESCENDING, where={"==": [{"%": [{"var": "value.score"}, 2]}, 0]})
    reader = http.client.HTTPConnection(HOST, server.port, timeout=120)
    begin = time.perf_counter()
    reader.request("GET", f"{view}/elements?limit=1")
    reader.sock.settimeout(0)
    text = b""

    def goes_on() -> bool:
        nonlocal text
        try:
            text += reader.sock.recv(1 << 16)
        except BlockingIOError:
            pass
        return b"\r\n\r\n" not in text

    waits = prober.longest_wait(goes_on)
    took = time.perf_counter() - begin
    first = json.loads(server.call("GET", f"{view}/elements?limit=1"))
    if first["total"] != len(wanted) or first["elements"][0]["value"] != wanted[0]:
        raise SystemExit(f"the view shows {first}")
    report("a view of 1,000,000 rows, filtered and sorted", f"{took:.2f} s", f"Python {bare:.2f} s", took / bare, 2.0, at_most=True)
    report("  the longest wait of another GET meanwhile", f"{waits.longest:.2f} ms", "10 ms", waits.longest / 10, 1.0, at_most=True)
    server.call("DELETE", view)
    server.settle()


def instances(server) -> None:
    """Instances of 100 rows each, of which a change touches one in a hundred."""
    plain, wait = costs(server)
    in_part = {"==": [{"var": "value.part"}, {"var": "parameters.part"}]}
    above = {">": [{"var": "value.score"}, {"var": "parameters.least"}]}
    view = define(server, "parts", parameters={"part": {"type": "number"}, "least": {"type": "number"}},
                  where={"and": [in_part, above]})
    server.call("GET", f"{view}/elements?limit=1&parameters.part=0&parameters.least=0")
    _, wait_with_one = costs(server)
    report("the answer to PATCH with reload, with one view", f"{wait_with_one:.0f} us", f"without views {wait:.0f} us",
           wait_with_one / wait, OWN_COST, at_most=True)
    before = server.resident_bytes()
    begin = time.perf_counter()
    read_all(server, view)
    took = time.perf_counter() - begin
    server.settle()
    held = (server.resident_bytes() - before) / 1024 / INSTANCES
    read_all(server, view)
    with_views, wait_with = costs(server)
    each = (with_views - plain) / INSTANCES
    report(f"{INSTANCES:,} instances of 100 rows, made one after the other", f"{took:.1f} s", "none", took, None)
    report("  memory of each, beside the list", f"{held:.1f} KiB", f"{MEMORY:.1f} KiB", held / MEMORY, 1.0, at_most=True)
    report("  a changed row, for each instance", f"{each:.2f} us", f"{UNTOUCHED:.0f} us", each / UNTOUCHED, 1.0, at_most=True)
    report("  the answer to PATCH with reload", f"{wait_with:.0f} us", f"without views {wait:.0f} us", wait_with / wait, OWN_COST,
           at_most=True)
    server.call("DELETE", view)
    server.settle()
    left = (server.resident_bytes() - before) / 1024 / INSTANCES
    report("  memory of each that is left once they have ended", f"{left:.1f} KiB", f"{held:.1f} KiB", left / held, None)


def read_all(server, view: str) -> None:
    """Reads every instance, which makes it where it is not there."""
    for number in range(INSTANCES):
        part, least = number % PARTS, -1 - number // PARTS
        server.call("GET", f"{view}/elements?limit=1&parameters.part={part}&parameters.least={least}")


def main() -> None:
    settings = {"SERVER_LOOPS": "1", "LOG_LEVEL": "warning", "VIEWS_INSTANCES": str(2 * INSTANCES), "VIEWS_BYTES": str(4 << 30),
                "VIEWS_INSTANCES_PER_PRINCIPAL": str(2 * INSTANCES)}
    with workspace() as name, callboard(Path(name), **settings) as server:
        server.call("PUT", OTHER, {"kind": "table"})
        fill(server, "large", COUNT)
        server.settle()
        touched(server)
        built(server)
    with workspace() as name, callboard(Path(name), **settings) as server:
        fill_parts(server)
        instances(server)


def fill_parts(server) -> None:
    """A list of 10,000 rows, each with the number of its part."""
    server.call("PUT", LIST, {"kind": "table"})
    server.call("PUT", f"{LIST}/adapters/Person", {"cell": "PersonCell"})
    server.call("POST", f"{LIST}/sections", {"id": "people"})
    elements = [{"value": {"id": identifier(number), "part": number % PARTS, "score": number}} for number in range(ROWS)]
    server.call("POST", f"{LIST}/elements?section=people", elements, prefer="return=minimal")
    server.call("POST", f"{LIST}/reload", prefer="return=minimal")
    server.settle()


if __name__ == "__main__":
    main()
