"""Requests that are stored in PostgreSQL: how many a second, beside a bare loop of the same statement through libpq.

PATCH of an element under wrk with 64 connections, on one director and on 64, each in rounds that take turns with a
program that runs the statement by which the server stores records, as often as one connection can, with as many records
in each run as the server had in a commit. Both on one PostgreSQL server, which syncs each commit. A server that keeps
everything in memory takes its turn too: what is stored cannot be quicker, since the load, the server and the database
share the machine's cores.
"""

import importlib.util
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from harness import callboard, report
from rates import CONNECTIONS, VALUE, wrk

ROUNDS = 5
SECONDS = 2
TARGET = 0.8
# What a PATCH of the run adds to the log.
RECORD_BYTES = 89

SCRIPT = """
local requests, next = {}, 0
init = function()
    for age = 10, 137 do
        requests[age - 9] = wrk.format("PATCH", "/v1/directors/bench" .. age %% %d ..
            "/sections/people/elements/Ada_Lovelace", {["Content-Type"] = "application/merge-patch+json"},
            '{"age":' .. age .. '}')
    end
end
request = function()
    next = next %% #requests + 1
    return requests[next]
end
"""


def load_postgres():
    """The class of the crash tests that starts a PostgreSQL server; its package has the name of a module here."""
    path = Path(__file__).resolve().parents[2] / "Tests/Durability/harness/postgres.py"
    specification = importlib.util.spec_from_file_location("durability_postgres", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.Postgres


def prepare(server, directors: int) -> None:
    """Makes directors with the element that is changed."""
    for number in range(directors):
        path = f"/v1/directors/bench{number}"
        server.call("PUT", path, {"kind": "table"})
        server.call("PUT", f"{path}/adapters/Person", {"cell": "Cell", "identifier": "{firstName}_{lastName}"})
        server.call("PUT", f"{path}/sections", [{"id": "people", "elements": [{"value": VALUE}]}])


def statement(server, postgres, path: str) -> str:
    """The statement by which the server stores records, as the database saw it last."""
    for age in range(100):
        # What is deleted behind a snapshot goes over the same connection, and may have been seen last.
        server.call("PATCH", path, {"age": age}, "application/merge-patch+json")
        text = postgres.execute(
            "SELECT query FROM pg_stat_activity WHERE query LIKE '%WITH given%INSERT INTO callboard.records%' "
            "AND pid <> pg_backend_pid() LIMIT 1")
        if text:
            return text
    raise SystemExit("the server's statement was not found in pg_stat_activity")


def compare(server, in_memory, postgres, folder: Path, directors: int) -> None:
    script = folder / "patch.lua"
    script.write_text(SCRIPT % directors)
    path = "/v1/directors/bench0/sections/people/elements/Ada_Lovelace"

    def patch(server) -> float:
        return wrk(server.port, path, script, CONNECTIONS, SECONDS)

    def patches() -> tuple[float, float]:
        names = [f"callboard_journal_{name}" for name in ("batch_size_sum", "batch_size_count")]
        before = [server.metric(name) for name in names]
        rate = patch(server)
        stored, commits = (server.metric(name) - value for name, value in zip(names, before))
        if stored < rate * SECONDS * 0.99:
            raise SystemExit(f"{rate * SECONDS:.0f} requests were answered, and {stored:.0f} changes stored")
        return rate, stored / max(1, commits)

    _, batch = patches()
    sql = statement(server, postgres, path)

    def bare(records: int) -> float:
        lives = min(directors, records)
        command = [os.environ["APPENDS_BIN"], postgres.url, str(lives), str(records), str(RECORD_BYTES), str(SECONDS)]
        return float(subprocess.run(command, input=sql, stdout=subprocess.PIPE, text=True, check=True).stdout)

    readings = [(*patches(), bare(max(1, round(batch))), patch(in_memory)) for _ in range(ROUNDS)]
    rates, batches, bares, unstored = zip(*readings)
    print(f"{directors} directors: {statistics.median(batches):.1f} changes in a commit")
    rate, yardstick = statistics.median(rates), statistics.median(bares)
    report(
        f"PATCH stored in PostgreSQL, {CONNECTIONS} connections, {directors} director{'s' * (directors > 1)}",
        f"{rate:,.0f}/s", f"the bare statement {yardstick:,.0f}/s", rate / yardstick, TARGET)
    memory = statistics.median(unstored)
    report("the same", f"{rate:,.0f}/s", f"kept in memory {memory:,.0f}/s", rate / memory, None)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="callboard-bench-") as name:
        folder = Path(name)
        # The database's user has to reach its folder.
        folder.chmod(0o755)
        postgres = load_postgres()(folder / "pg", ["track_activity_query_size=16384"])
        try:
            postgres.make_database()
            (folder / "memory").mkdir()
            with (callboard(folder, folder / "data", LOG_LEVEL="warning", JOURNAL_URL=postgres.url) as server,
                  callboard(folder / "memory", LOG_LEVEL="warning") as in_memory):
                for directors in (1, 64):
                    for each in (server, in_memory):
                        prepare(each, directors)
                    compare(server, in_memory, postgres, folder, directors)
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
