"""Nothing of a view's source is told to who has every right on the view and none on the source."""

import pytest

from support import rights
from support.access import EVERYTHING, RIGHTS, caller, first_token, make_token
from support.rights import Wire
from test_views import define

SOURCE, VIEW = "/v1/directors/origin", f"/v1/directors/{rights.DIRECTOR}"
# Each stands somewhere in the source where the view does not show it.
SECRETS = ["leftout", "leftoutvalue", "failsid", "failsvalue", "hiddenfield", "hiddenvariable", "hiddensection", "hiddentitle",
           "hiddentarget", "hiddenname"]
WITHOUT_VIEW = {*rights.OPEN, "createToken", "revokeToken", "listDirectors", "readMetrics", "listNodes", "listTokens", "readToken",
                "listIssuers", "listStreams", "closeStream"}


@pytest.fixture(scope="module")
def guarded(program, tmp_path_factory):
    """A server with a source that has something to hide everywhere, a view of it, and the token of who has all rights there."""
    from support.nodes import launch
    server = launch(program, tmp_path_factory.mktemp("secrets"), AUTH_MODE="required")
    try:
        with caller(server, first_token(server)) as admin:
            admin.put(SOURCE, json={"kind": "table"})
            admin.put(f"{SOURCE}/adapters/Row", json={"cell": "RowCell", "identifier": "{id}"})
            admin.put(f"{SOURCE}/adapters/Row/events/didSelect", json={"url": "http://127.0.0.1:9/hiddentarget", "rights": []})
            admin.put(f"{SOURCE}/variables/hiddenname", json="hiddenvariable")
            rows = [{"id": "markone", "price": 1, "note": "hiddenfield"}, {"id": "leftout", "price": 900, "note": "leftoutvalue"},
                    {"id": "failsid", "price": "failsvalue", "note": "x"}]
            sections = [{"id": "marksection", "elements": [{"value": each} for each in rows]},
                        {"id": "hiddensection", "headerTitle": "hiddentitle", "elements": [{"value": rows[1]}]}]
            answer = admin.put(f"{SOURCE}/sections", params={"reload": "true"}, json={"sections": sections})
            assert answer.is_success, answer.text
            define(admin, rights.DIRECTOR, {
                "from": "origin", "where": {"<": [{"-": [{"var": "value.price"}, 0]}, 10]}, "fields": ["/id"],
                "totals": {"all": {"count": True}}})
            shown = admin.get(f"{VIEW}/elements").json()["elements"]
            assert [each["id"] for each in shown] == ["markone"] and admin.get(VIEW).json()["faults"]["count"] == 1
            grants = [{"actions": [each for each in RIGHTS if each != "operate"], "directors": [rights.DIRECTOR]}]
            token = make_token(admin, grants, name="reader")["token"]
            document = admin.get("/openapi.json").json()
        yield server, token, document
    finally:
        server.stop()


def test_no_route_tells_of_the_source(guarded):
    server, token, document = guarded
    asked = 0
    wire = Wire(server.port)
    # Deleting the view comes last.
    for each in sorted(rights.routes(document), key=lambda way: way.name == "deleteDirector"):
        if each.name in WITHOUT_VIEW:
            continue
        for path in {each.path, each.path + ("&" if "?" in each.path else "?") + "state=published"}:
            answer = wire.ask(token, each.method, path, each.text, dict(each.fields))
            told = [secret for secret in SECRETS if secret in answer.text.lower()]
            # The definition, which names the source, is shown to who may read the view.
            named = '"from":"origin"' in answer.text or "problem:derived" in answer.text
            told += ["origin"] * ("origin" in answer.text and not named)
            assert not told, (each.name, path, answer.text)
            asked += 1
    wire.close()
    assert asked > 150


def test_no_stream_query_or_report_tells_of_the_source(guarded):
    server, token, _ = guarded
    with caller(server, first_token(server)) as admin:
        define(admin, rights.DIRECTOR, {"from": "origin", "where": {"<": [{"-": [{"var": "value.price"}, 0]}, 10]},
                                        "fields": ["/id"], "parameters": {"p": {"type": "string", "default": ""}}})
    with caller(server, token) as client:
        answers = [client.get(SOURCE + path) for path in ("", "/elements", "/sections", "/variables", "/instances", "/adapters")]
        assert {each.status_code for each in answers} <= {403, 404}
        answers += [client.post(f"{SOURCE}/events", json={"event": "didSelect", "indexPath": [0, 0]})]
        for query in ({"where": '{"==": [{"var": "value.note"}, "leftoutvalue"]}'}, {"where": '{"var": "variables.hiddenname"}'},
                      {"sortBy": '[{"key": {"var": "value.note"}}]'}, {"parameters.p": "x"}, {"parameters.q": "x"}):
            answers.append(client.get(f"{VIEW}/elements", params=query))
        # What a query selects of the view is selected of what the view shows.
        assert answers[-5].json()["elements"] == [] and answers[-4].json()["elements"] == []
        definitions = [{"view": {"where": None}}, {"kind": "table", "view": {"from": "nobody"}}]
        answers += [client.patch(VIEW, json=definitions[0]), client.put(VIEW, json=definitions[1])]
        assert {each.status_code for each in answers[-2:]} == {403}, "who defines a view has to read its source"
        for body in ({"indexPath": [0, 1]}, {"indexPath": [0, 0]}, {"section": "marksection", "element": "leftout-"}, {"header": 1},
                     {"section": "hidden-section", "element": "markone"}, {"indexPath": [0, 0], "version": 77}):
            answers.append(client.post(f"{VIEW}/events", json={"event": "didSelect"} | body))
        for each in client.get(f"{VIEW}/instances").json()["instances"]:
            assert "evaluations" not in each and "faults" not in each or each["view"]["from"] == rights.DIRECTOR, each
        answers.append(client.get("/v1/deliveries"))
        answers.append(client.get("/v1/hooks"))
        answers.append(client.get("/v1/directors"))
        with client.stream("GET", f"{VIEW}/changesets", headers={"Accept": "text/event-stream"}) as stream:
            text = ""
            for piece in stream.iter_text():
                text += piece
                if "\n\n" in text:
                    break
    for text in [text, *(each.text for each in answers)]:
        echoed = text.replace("leftout-", "").replace("hidden-section", "")
        assert not [secret for secret in SECRETS if secret in echoed], text
