"""How rows look where their cells are not there: a preview is stored with its adapter, and changes nothing else."""

import pytest

from conftest import api
from support.hooks import done

LIST = "/v1/directors/menu"
PREVIEW = {"title": "{name}", "subtitle": "{/price/amount} {/price/currency}", "badge": "new", "trailing": "{size}", "image": "{picture}"}


def adapter(**members) -> dict:
    return {"cell": "DishCell", "identifier": "{id}"} | members


def test_a_preview_is_kept_told_and_taken_away(start):
    server = start()
    with api(server) as http:
        http.put(LIST, json={"kind": "table"})
        http.put(f"{LIST}/adapters/Dish", json=adapter(preview=PREVIEW))
        http.put(f"{LIST}/sections?reload=true", json=[{"id": "all", "elements": [{"value": {"id": "a", "name": "Soup"}}]}])
        before = http.get(LIST).json()
        assert http.get(f"{LIST}/adapters/Dish").json()["preview"] == PREVIEW
        # What a row looks like in a console is no change to those who have its cell.
        http.put(f"{LIST}/adapters/Dish", json=adapter(preview={"title": "{name}"}))
        http.post(f"{LIST}/reload")
        after = http.get(LIST).json()
        assert after["version"] == before["version"] and after["revision"] == before["revision"] + 1
    server.stop()
    server = start(folder=server.folder)
    with api(server) as http:
        assert http.get(f"{LIST}/adapters/Dish").json()["preview"] == {"title": "{name}"}
        http.put(f"{LIST}/adapters/Dish", json=adapter())
        assert "preview" not in http.get(f"{LIST}/adapters/Dish").json()
        http.post(f"{LIST}/operations", json={"operations": [{"op": "setAdapter", "model": "Dish", "value": adapter(preview=PREVIEW)}]})
        assert done(http.get(f"{LIST}/adapters")).json()["adapters"][0]["preview"] == PREVIEW


@pytest.mark.parametrize("preview, pointer", [
    ("{name}", "/preview"), ([], "/preview"), ({"title": 1}, "/preview/title"), ({"title": ""}, "/preview/title"),
    ({"badge": "{name"}, "/preview/badge"), ({"trailing": "{}"}, "/preview/trailing"), ({"subtitle": "{/a~2}"}, "/preview/subtitle"),
    ({"image": "x" * 1025}, "/preview/image"), ({"colour": "red"}, "/preview/colour")])
def test_what_is_no_preview_is_refused_with_its_place(server, http, preview, pointer):
    http.put(LIST, json={"kind": "table"})
    http.event_hooks = {}
    answer = http.put(f"{LIST}/adapters/Dish", json=adapter(preview=preview))
    assert answer.status_code == 422 and [each["pointer"] for each in answer.json()["errors"]] == [pointer], answer.text
    assert http.get(f"{LIST}/adapters/Dish").status_code == 404
