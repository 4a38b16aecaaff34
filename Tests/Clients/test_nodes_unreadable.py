"""A director that no node can read stops nobody: it is 503 by itself, `/readyz` names it, and it is back once it can be read."""

import time

import httpx
import pytest

from support import nodes
from support.cluster import needs_postgres, until_stored
from support.hooks import done

UNREADABLE = "urn:callboard:problem:unreadable"
# What spoils the record that is stored next, and what mends it; of a life, its row.
RECORDS = {"a record's bytes": ("checksum", 1), "a record of an unknown kind": ("step", 1000)}
SPOIL = """
    CREATE FUNCTION callboard.spoil() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.{0} := NEW.{0} + {1}; RETURN NEW; END $$;
    CREATE TRIGGER spoil BEFORE INSERT ON callboard.records FOR EACH ROW WHEN (NEW.life = {2})
        EXECUTE FUNCTION callboard.spoil()
    """
MEND = "DROP FUNCTION callboard.spoil() CASCADE; UPDATE callboard.records SET {0} = {0} - {1} WHERE life = {2} AND number > 1"
KINDS = {kind: (SPOIL, MEND, *how) for kind, how in RECORDS.items()} | {
    "a life": ("UPDATE callboard.lives SET {0} = {0} + {1} WHERE life = {2}",
               "UPDATE callboard.lives SET {0} = {0} - {1} WHERE life = {2}", "checksum", 1)}


def until(what: str, holds, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_one_director_that_cannot_be_read_is_set_aside_by_itself(program, tmp_path, kind):
    needs_postgres()
    three = nodes.Nodes(program, tmp_path)
    database = nodes._databases[tmp_path]

    def execute(sql: str) -> str:
        return nodes._postgres().execute(sql, database)

    def owners() -> dict[str, str]:
        return dict(line.split("|") for line in execute(
            "SELECT l.director, n.name FROM callboard.lives l JOIN callboard.nodes n ON n.node = l.owner").splitlines())

    def store(node, name: str, section: str) -> None:
        with httpx.Client(base_url=node.url, timeout=60) as client:
            until_stored(client, f"/v1/directors/{name}/sections", {"id": section})

    def get(node, path: str) -> httpx.Response:
        return httpx.get(f"{node.url}{path}", timeout=60)

    try:
        names = [f"list{number}" for number in range(6)]
        for name in names:
            done(httpx.put(f"{three.nodes[0].url}/v1/directors/{name}", json={"kind": "table"}, timeout=60))
        bad = names[0]
        # The node that has made all of them hands over what belongs to others, in one batch.
        until("the directors are where they belong", lambda: len(set(owners().values())) > 1)
        life = execute(f"SELECT life FROM callboard.lives WHERE director = '{bad}'")
        owner = next(node for number, node in enumerate(three.nodes) if f"node{number}" == owners()[bad])
        rest = [node for node in three.nodes if node is not owner]
        begin, end, *how = KINDS[kind]
        execute(begin.format(*how, life))
        # What changes is what others read; the owner has it all in memory and goes on.
        store(owner, bad, "a")
        for node in rest:
            until("the director is set aside", lambda: get(node, f"/v1/directors/{bad}").status_code == 503)
            answer = get(node, f"/v1/directors/{bad}")
            assert answer.json()["type"] == UNREADABLE and answer.headers["Retry-After"], answer.text
            for name in names[1:]:
                assert done(get(node, f"/v1/directors/{name}")).json()["name"] == name
            assert [each["name"] for each in done(get(node, "/v1/directors")).json()["directors"]] == names[1:]
            ready = done(get(node, "/readyz")).text
            assert f'the director "{bad}" cannot be read' in ready, ready
        owner.process.kill()
        owner.process.wait()
        # Whoever takes over takes the others, and this one once it can be read.
        for name in names[1:]:
            store(rest[0], name, "b")
        answer = httpx.post(f"{rest[1].url}/v1/directors/{bad}/sections", json={"id": "c"}, timeout=60)
        assert answer.status_code == 503, answer.text
        execute(end.format(*how, life))
        store(rest[0], bad, "c")
        for node in rest:
            # Each tries again by itself.
            until("it is read again", lambda: get(node, f"/v1/directors/{bad}").status_code == 200)
            listed = done(get(node, f"/v1/directors/{bad}/sections")).json()["sections"]
            assert [each["id"] for each in listed] == ["a", "c"]
            until("nothing is named", lambda: "cannot be read" not in done(get(node, "/readyz")).text)
    finally:
        three.stop()
