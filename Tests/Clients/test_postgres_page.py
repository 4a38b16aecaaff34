"""The page for whoever runs a server with PostgreSQL: its commands and statements on a database of the test's own."""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from support.cluster import needs_postgres
from support.documents import CHECKOUT, examples, section
from support.walk import README, Walk, needs_list, read

sys.path.insert(0, str(CHECKOUT / "Tests/Durability"))
from harness.postgres import Postgres  # noqa: E402

PAGE = "Sources/JournalPostgres/JournalPostgres.docc/Operating-PostgreSQL.md"
UPGRADING = "Sources/CallboardProgram/CallboardProgram.docc/Upgrading.md"
pytestmark = needs_list


class Administrator(Walk):
    """A reader whose database is where the page has `db.example`."""

    def __init__(self, program: str, folder: Path, database: Postgres):
        super().__init__(program, folder)
        self.database = database
        self.environment |= {"PGHOST": str(database.folder), "PGUSER": "owner",
                             "PATH": f"{database.bin}:{os.environ['PATH']}"}

    def here(self, text: str) -> str:
        text = text.replace("callboard@db.example/lists?sslmode=verify-full", "callboard@db.example/lists")
        # Without TLS, on a socket: the host is a folder.
        return super().here(text.replace("callboard@db.example/lists", f"callboard@/lists?host={self.database.folder}"))

    def query(self, sql: str, database: str) -> None:
        subprocess.run(["psql", "-d", database, "-qX", "-v", "ON_ERROR_STOP=1", "-c", sql.replace("'…'", "'secret'")],
                       check=True, env=self.environment, capture_output=True)

    def statements(self, sql: str, database: str) -> None:
        for statement in sql.strip().split(";\n"):
            self.query(statement, database)


@pytest.fixture
def administrator(program, tmp_path):
    needs_postgres()
    # The database's user has to reach its folder, and pytest makes folders for its own user alone.
    with tempfile.TemporaryDirectory(prefix="callboard-postgres-") as place, contextlib.ExitStack() as stack:
        Path(place).chmod(0o755)
        database = Postgres(Path(place) / "database")
        stack.callback(database.stop)
        administrator = Administrator(program, tmp_path, database)
        stack.callback(administrator.end)
        yield administrator


def test_set_up_tokens_and_a_role_that_may_only_serve(administrator):
    create, grant = examples(section(PAGE, "Set-up"), "sql")
    serve, tokens = read(PAGE, "Set-up", "sh")
    administrator.statements(create, "postgres")
    administrator.begin(serve, "server", "listening on")
    administrator.run(read(README, "Five minutes", "sh")[1])
    administrator.end_last()
    printed = administrator.run(tokens)
    assert "cbt_" in printed and "admin" in printed

    administrator.query("CREATE ROLE app LOGIN", "lists")
    administrator.statements(grant, "lists")
    administrator.begin(administrator.here(serve).replace("callboard@", "app@"), "app", "listening on")
    administrator.run('curl -X PATCH "http://127.0.0.1:8080/v1/directors/countries/sections/AD/elements/AD-07" --json \'{"name": "A"}\'')


def test_a_database_that_is_put_back_begins_other_epochs(administrator):
    administrator.statements(examples(section(PAGE, "Set-up"), "sql")[0], "postgres")
    serve = read(PAGE, "Set-up", "sh")[0]
    administrator.begin(serve, "server", "listening on")
    administrator.run(read(README, "Five minutes", "sh")[1])
    administrator.place = administrator.folder
    before = administrator.run("curl http://127.0.0.1:8080/v1/directors/countries")
    administrator.end_last()
    administrator.run("pg_dump --format custom --file lists.dump lists")
    administrator.query("DROP DATABASE lists", "postgres")
    administrator.query("CREATE DATABASE lists OWNER callboard", "postgres")
    _, restore = read(PAGE, "Backups", "sh")
    administrator.run(restore.replace("callboard cluster new-epochs", "callboard cluster new-epochs --yes"))
    administrator.begin(serve, "again", "listening on")
    after = administrator.run("curl http://127.0.0.1:8080/v1/directors/countries")
    assert '"epoch"' in before and before != after


def test_a_database_is_verified_beside_its_server_and_the_mixed_time_of_an_upgrade_is_ended(administrator):
    administrator.statements(examples(section(PAGE, "Set-up"), "sql")[0], "postgres")
    administrator.begin(read(PAGE, "Set-up", "sh")[0], "server", "listening on")
    administrator.run(read(README, "Five minutes", "sh")[1])
    check = read(PAGE, "Backups", "sh")[0]
    again, upgrade = read(UPGRADING, "Several nodes", "sh")
    assert again == check
    assert " is whole: " in administrator.run(check) and "it holds 1 director" in administrator.run(check)
    assert "version 3 already" in administrator.run(upgrade)
    administrator.query("UPDATE callboard.records SET payload = payload || '\\x00' WHERE number = 1", "lists")
    with pytest.raises(AssertionError, match="is damaged in 1 place"):
        administrator.run(check)


def test_a_folder_is_copied_to_a_database_and_streams_resume(administrator):
    administrator.statements(examples(section(PAGE, "Set-up"), "sql")[0], "postgres")
    administrator.begin("callboard serve", "server", "listening on")
    administrator.run(read(README, "Five minutes", "sh")[1])
    administrator.place = administrator.folder
    before = administrator.run("curl http://127.0.0.1:8080/v1/directors/countries")
    administrator.begin("callboard watch countries --log", "watch", "version 1")
    os.kill(administrator.running[0].pid, 15)
    administrator.running[0].wait(20)
    [copy] = read(PAGE, "From a folder", "sh")
    administrator.run(copy)
    serve = read(PAGE, "Set-up", "sh")[0]
    administrator.begin(serve, "again", "listening on")
    assert administrator.run("curl http://127.0.0.1:8080/v1/directors/countries") == before
    administrator.wait_for("watch", "resumed after")
