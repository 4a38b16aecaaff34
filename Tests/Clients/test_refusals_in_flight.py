"""A refusal that stands on a change in flight waits for it: where that fails, the refusal would have been wrong."""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres
from support.hooks import done
from support.server import Server

MENU = "/v1/directors/menu"
FAILS = """
    CREATE FUNCTION callboard.fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(7); RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON callboard.records FOR EACH ROW EXECUTE FUNCTION callboard.fail()
    """
# What would be refused if the change in flight were stored, and is not if it fails.
ASKED = {
    "a condition": ("POST", f"{MENU}/sections", {"id": "mine"}, True),
    "a name that is taken": ("POST", f"{MENU}/sections", {"id": "a"}, False),
    "a place that is gone": ("PATCH", f"{MENU}/sections/old", {"title": "x"}, False),
    "a whole list": ("PUT", f"{MENU}/content", {"sections": []}, True),
}


@pytest.mark.parametrize("kind", ASKED)
def test_a_refusal_waits_for_what_it_stands_on(program, tmp_path, kind):
    needs_postgres()
    database = nodes._database(tmp_path)
    server = Server(program, tmp_path, JOURNAL_URL=nodes._postgres().url.replace("/lists?", f"/{database}?"))
    execute = nodes._postgres().execute
    try:
        with httpx.Client(base_url=server.url, trust_env=False, timeout=40) as client, ThreadPoolExecutor(2) as threads:
            done(client.put(MENU, json={"kind": "table"}))
            done(client.post(f"{MENU}/sections", json={"id": "old"}))
            tag = done(client.get(MENU)).headers["ETag"]
            execute(FAILS, database)
            holder = subprocess.Popen(
                [nodes._postgres().bin / "psql", "-h", nodes._postgres().folder, "-U", "owner", "-d", database, "-qAtX"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            holder.stdin.write("SELECT pg_advisory_lock(7);\n")
            holder.stdin.flush()
            while execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted", database) == "0":
                time.sleep(0.02)
            body = [{"op": "addSections", "sections": [{"id": "a"}]}, {"op": "removeSections", "at": ["old"]}]
            first = threads.submit(client.post, f"{MENU}/operations", json={"operations": body})
            while execute("SELECT count(*) FROM pg_locks WHERE NOT granted", database) == "0":
                assert not first.done(), first.result().text
                time.sleep(0.02)
            method, path, content, isConditional = ASKED[kind]
            second = threads.submit(client.request, method, path, json=content, headers={"If-Match": tag} if isConditional else {})
            time.sleep(0.5)
            assert not second.done(), second.result().text
            holder.stdin.close()
            holder.wait(20)
            assert first.result().status_code == 507, first.result().text
            answer = second.result()
            assert answer.status_code in (503, 507), answer.text
    finally:
        server.stop()
