"""What `/readyz` says of a node that cannot store, and of one whose looks at the database are stuck."""

import re
import subprocess
import time

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done, eventually

MENU = "/v1/directors/menu"


@pytest.fixture
def three(program, tmp_path):
    needs_postgres()
    started = nodes.Nodes(program, tmp_path, JOURNAL_PATIENCE="0.5")
    try:
        eventually(lambda: httpx.get(f"{started.nodes[0].url}/v1/nodes", timeout=60).text.count('"serving"') == 3,
                   "every node taking part")
        done(httpx.put(started.nodes[0].url + MENU, json={"kind": "table"}, timeout=60))
        yield started
    finally:
        started.stop()


def ready(url: str) -> httpx.Response:
    return httpx.get(f"{url}/readyz", timeout=60)


def run(three: nodes.Nodes, sql: str) -> None:
    nodes._postgres().execute(sql, nodes._databases[three.folder])


def test_a_node_says_why_storing_fails(three):
    """Reading goes on, so that it is ready, and the reason is the database's own."""
    run(three, """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the shop is closed'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON callboard.records FOR EACH STATEMENT EXECUTE FUNCTION refuse()""")
    owners = []

    def is_owned() -> bool:
        owners[:] = [each for each in three.nodes if ", owns 1 of 1" in ready(each.url).text]
        return len(owners) == 1

    eventually(is_owned, "a node owning the director")
    [owner] = owners
    refused = httpx.post(f"{owner.url}{MENU}/sections", json={"id": "a"}, timeout=60)
    assert refused.status_code == 503, refused.text
    # The lease is renewed several times meanwhile: that the database answers does not mean that it stores.
    end = time.monotonic() + 4
    while time.monotonic() < end:
        page = ready(owner.url)
        assert page.status_code == 200
        assert re.search(r"^warning: the journal cannot be written to since \S+ \(.*the shop is closed.*\): changes are refused$",
                         page.text, re.M), page.text
    done(httpx.get(f"{owner.url}{MENU}", timeout=60))
    run(three, "DROP TRIGGER refuse ON callboard.records")
    eventually(lambda: "cannot be written to" not in ready(owner.url).text, "the warning's end without any change")
    done(httpx.post(f"{owner.url}{MENU}/sections", json={"id": "a"}, timeout=60))


def test_a_node_says_that_a_look_is_stuck(three):
    """First with its lease and 200, then with 503 and what has failed; once the table is free it is ready again."""
    database = nodes._postgres()
    holder = subprocess.Popen(
        [str(database.bin / "psql"), "-h", str(database.folder), "-U", "owner", "-d", nodes._databases[three.folder], "-qAtX"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    url = three.nodes[1].url
    try:
        holder.stdin.write("BEGIN; LOCK TABLE callboard.lives IN ACCESS EXCLUSIVE MODE; SELECT 'held';\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "held\n"
        pages = []
        end = time.monotonic() + 120
        while not pages or pages[-1].status_code == 200:
            pages.append(ready(url))
            assert time.monotonic() < end, pages[-1].text
        stuck = [page.text for page in pages if page.status_code == 200 and "warning: " in page.text]
        assert any("a look at the database is stuck: this node last saw other nodes' directors" in text
                   or "the last look at the database has failed" in text for text in stuck), pages[-1].text
        assert "Its lease has run out" in pages[-1].json()["detail"]
        eventually(lambda: "The last look failed: " in ready(url).text, "the reason being told")
    finally:
        holder.kill()
        holder.communicate()
    eventually(lambda: (page := ready(url)).status_code == 200 and " look " not in page.text, "being ready again")
