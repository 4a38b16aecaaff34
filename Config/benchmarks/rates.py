"""GET and PATCH of one of 5,000 elements under wrk, against nginx returning a fixed body of the same size."""

import json
import re
import statistics
import subprocess
from pathlib import Path

from harness import HOST, callboard, nginx, report, workspace

ROUNDS = 5
SECONDS = 3
CONNECTIONS = 64
GET_TARGET = 0.6

ELEMENT = "/v1/directors/bench/sections/people/elements/Ada_Lovelace"
VALUE = {
    "firstName": "Ada",
    "lastName": "Lovelace",
    "age": 36,
    "email": "ada.lovelace@example.org",
    "note": "Wrote the first published program, for a machine that was never finished.",
}

# Each request of the run changes the element: a hundred bodies in turn, made before the first one is sent.
PATCH_SCRIPT = """
local requests, next = {}, 0
init = function()
    for age = 10, 109 do
        requests[age - 9] = wrk.format("PATCH", nil, {["Content-Type"] = "application/merge-patch+json"},
            '{"age":' .. age .. '}')
    end
end
request = function()
    next = next % #requests + 1
    return requests[next]
end
"""


def wrk(
    port: int, path: str, script: Path | None, connections: int = CONNECTIONS, seconds: int = SECONDS,
    scheme: str = "http", headers: tuple[str, ...] = ()
) -> float:
    """Requests a second over one round; an answer other than a success ends the benchmark."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
    if script:
        command += ["-s", str(script)]
    for header in headers:
        command += ["-H", header]
    command.append(f"{scheme}://{HOST}:{port}{path}")
    output = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise SystemExit(f"wrk saw errors:\n{output}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))


def prepare(server) -> bytes:
    """Makes the director that is asked for and returns the element's representation."""
    server.call("PUT", "/v1/directors/bench", {"kind": "table"})
    server.call(
        "PUT", "/v1/directors/bench/adapters/Person",
        {"cell": "PersonCell", "identifier": "{firstName}_{lastName}"},
    )
    # 100 sections of 50 elements, so that finding the one is part of what is measured.
    others = [{"value": VALUE | {"firstName": f"Ada{number}"}} for number in range(49)]
    sections = [{"id": f"others{number}", "elements": [*others, {"value": VALUE}]} for number in range(99)]
    sections.insert(50, {"id": "people", "elements": [*others, {"value": VALUE}]})
    server.call("PUT", "/v1/directors/bench/sections", sections)
    server.call("POST", "/v1/directors/bench/reload")
    return server.call("GET", ELEMENT)


def compare(name: str, ours: int, theirs: int, script: Path | None, target: float | None) -> None:
    """Interleaves the rounds, so that whatever else the machine does falls on both alike, and reports the medians."""
    for port in (ours, theirs):
        wrk(port, ELEMENT, script)
    rounds = [(wrk(ours, ELEMENT, script), wrk(theirs, ELEMENT, script)) for _ in range(ROUNDS)]
    mine, yardstick = (statistics.median(column) for column in zip(*rounds))
    report(name, f"{mine:,.0f}/s", f"nginx {yardstick:,.0f}/s", mine / yardstick, target)


def main() -> None:
    with workspace() as name:
        folder = Path(name)
        script = folder / "patch.lua"
        script.write_text(PATCH_SCRIPT)
        with callboard(folder, SERVER_LOOPS="1", LOG_LEVEL="warning") as server:
            body = prepare(server).decode()
            if json.loads(body)["value"] != VALUE:
                raise SystemExit(f"the element is not what was put: {body}")
            fixed = body.replace("\\", "\\\\").replace("'", "\\'").replace("$", "")
            with nginx(folder, f"location / {{ return 200 '{fixed}'; }}") as port:
                compare("GET of an element, one loop", server.port, port, None, GET_TARGET)
                compare("PATCH of an element, one loop", server.port, port, script, None)


if __name__ == "__main__":
    main()
