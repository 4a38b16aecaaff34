"""`callboard load` of 1,000,000 records, against bare POSTs of the same values to the same server.

The bodies of the POSTs are made before, so that the yardstick is what the server takes. What the program adds is reading
the file and making the bodies; a program that keeps a processor busy while it waits shows in its own time, which is held
against Python reading and parsing the same file.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from harness import HOST, callboard, report, workspace

RECORDS = 1_000_000
BATCH = 5_000
TARGET = 1.1
OWN_TARGET = 1.0


def record(number: int) -> bytes:
    """About a hundred bytes."""
    value = {"id": f"e{number:08d}", "name": "Ada Lovelace", "email": "ada.lovelace@example.org", "age": 36,
             "score": 1_000_000 + number}
    return json.dumps(value).encode()


def run(command: list[str]) -> tuple[float, float]:
    """Runs a program; returns how many seconds passed, and how many of a processor's it took."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        raise SystemExit(f"{command}: {output.decode()}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime


def post(server, records: list[bytes]) -> float:
    """Brings the records in bare bodies and publishes them; returns how many seconds passed."""
    path = "/v1/directors/posted"
    server.call("PUT", path, {"kind": "table"})
    server.call("PUT", f"{path}/adapters/Item", {"cell": "ItemCell"})
    server.call("POST", f"{path}/sections", {"id": "Item"})
    bodies = [b"[" + b",".join(records[start:start + BATCH]) + b"]" for start in range(0, RECORDS, BATCH)]
    headers = {"Content-Type": "application/json", "Prefer": "return=minimal"}
    begin = time.perf_counter()
    for body in bodies:
        server.connection.request("POST", f"{path}/elements?section=Item&model=Item", body, headers)
        answer = server.connection.getresponse()
        answer.read()
        if answer.status >= 300:
            raise SystemExit(f"POST {path}/elements answered {answer.status}")
    server.call("POST", f"{path}/reload")
    return time.perf_counter() - begin


def main() -> None:
    records = [record(number) for number in range(RECORDS)]
    with workspace() as name, callboard(Path(name), Path(name) / "data", LOG_LEVEL="warning") as server:
        file = Path(name) / "people.ndjson"
        file.write_bytes(b"\n".join(records) + b"\n")
        posted = post(server, records)
        server.settle()
        loaded, own = run([
            os.environ["CALLBOARD_BIN"], "load", str(file), "--director", "loaded", "--identifier", "{id}",
            "--server", f"http://{HOST}:{server.port}"])
        parse = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"
        _, parsed = run([sys.executable, "-c", parse, str(file)])
    report(f"callboard load of {RECORDS:,} records", f"{loaded:.2f} s", f"bare POSTs {posted:.2f} s", loaded / posted,
           TARGET, at_most=True)
    report("processor time of the program in it", f"{own:.2f} s", f"Python parsing the file {parsed:.2f} s",
           own / parsed, OWN_TARGET, at_most=True)


if __name__ == "__main__":
    main()
