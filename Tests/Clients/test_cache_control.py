"""Cache-Control: what a cache on the way may do with an answer (RFC 9111, section 5.2.2)."""

import httpx
import pytest

LIST = "/v1/directors/list"


@pytest.fixture
def client(server):
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.put(LIST, json={"kind": "table"}).raise_for_status()
        client.post(f"{LIST}/sections", json={"id": "s"}).raise_for_status()
        yield client


def kept(answer: httpx.Response) -> str:
    return answer.headers["cache-control"]


@pytest.mark.parametrize("path", ["", "/sections", "/sections/s", "/elements", "/adapters", "/variables", "/changesets?since=0"])
def test_an_answer_with_content_may_be_kept_to_be_asked_about(client, path):
    answer = client.get(LIST + path)
    assert answer.status_code == 200 and kept(answer) == "no-cache"


@pytest.mark.parametrize("method, path, status, says", [
    ("GET", "/v1/directors", 200, "no-cache"), ("GET", "/openapi.json", 200, "no-cache"), ("GET", "/client.js", 200, "no-cache"),
    ("GET", "/livez", 200, "no-store"), ("GET", "/readyz", 200, "no-store"), ("GET", "/metrics", 200, "no-store"),
    ("GET", "/v1/directors/none", 404, "no-store"), ("GET", "/nothing", 404, "no-store"), ("PUT", "/livez", 405, "no-store")])
def test_probes_and_problems_may_not(client, method, path, status, says):
    answer = client.request(method, path)
    assert (answer.status_code, kept(answer)) == (status, says)


def test_304_says_what_200_said_and_a_resource_with_two_forms_names_the_field_that_chooses(client):
    tag = client.get(LIST).headers["etag"]
    answer = client.get(LIST, headers={"If-None-Match": tag})
    assert (answer.status_code, kept(answer), answer.headers["etag"]) == (304, "no-cache", tag)
    assert "Accept" in client.get(f"{LIST}/changesets?since=0").headers["vary"]


def test_what_shows_a_new_secret_may_not_be_kept(client):
    hook = {"url": "http://127.0.0.1:9/"}
    path = f"{LIST}/events/willDisplayHeader"
    made = client.put(path, json=hook)
    assert made.status_code == 201 and "whsec_" in made.text and kept(made) == "no-store"
    assert kept(client.get(path)) == "no-cache"
    registered = client.put(f"{LIST}/adapters/M", json={"cell": "C", "events": {"didSelect": hook}})
    assert "whsec_" in registered.text and kept(registered) == "no-store"
