"""Views that read the name of a client's certificate, which is the first of its subject alternative names."""

import contextlib
import json

import httpx
import httpx_sse
import pytest

from support.access import EVERYTHING, make_token
from support.certificates import Authority
from test_tls import PATIENCE, files, trust
from test_views import add, define, make_orders, order

MINE = {"from": "orders", "where": {"==": [{"var": "value.waiter"}, {"var": "claims.name"}]}, "fields": ["/id"]}
READ_MINE = [{"actions": ["read"], "directors": ["mine"]}]
# Visible ASCII is what such a name can have; what is beyond is written in percent.
ODD = "urn:waiter:\"O'Neil\"\\{var}%C3%9C"
WAITERS = ["ann", "bob", "ANN", ODD, "O'Neil", "no name", "", None, ["ann"], "10.0.0.7"]


@pytest.fixture(scope="module")
def authorities(tmp_path_factory) -> tuple[Authority, Authority]:
    """That of the server, and that of its clients."""
    return tuple(Authority(tmp_path_factory.mktemp(name), f"{name} authority") for name in ("server", "client"))


@pytest.fixture
def present(start, authorities):
    """Makes clients with certificates for names, of a server with an order of each waiter and a view of their own orders."""
    server_authority, client_authority = authorities
    grants = [{"name": name, "grants": READ_MINE} for name in ("ann", "bob", "urn:waiter:*", "10.0.0.*")]
    grants.append({"name": "admin.example", "grants": EVERYTHING})
    server = start(AUTH_MODE="required", TLS_CLIENT_CA=str(client_authority.path), AUTH_CERTIFICATES=json.dumps(grants),
                   VIEWS_INSTANCES_PER_PRINCIPAL="1", **files(*server_authority.issue("localhost")))

    def client(*names: str, token: str | None = None, http2: bool = False) -> httpx.Client:
        context = trust(server_authority)
        if names:
            context.load_cert_chain(*client_authority.issue(*names, file="client"))
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        return stack.enter_context(httpx.Client(base_url=f"https://localhost:{server.port}", verify=context, trust_env=False,
                                                timeout=PATIENCE, headers=fields, http1=not http2, http2=http2))

    with contextlib.ExitStack() as stack:
        client.admin = client("admin.example")
        make_orders(client.admin)
        define(client.admin, "mine", MINE)
        add(client.admin, *(order(number, waiter=waiter) for number, waiter in enumerate(WAITERS)))
        yield client


def seen(client: httpx.Client) -> list[int]:
    """The orders that a client reads; its stream begins with the same."""
    answer = client.get("/v1/directors/mine/elements")
    assert answer.status_code == 200, answer.text
    read = answer.json()["elements"]
    with httpx_sse.connect_sse(client, "GET", "/v1/directors/mine/changesets") as source:
        snapshot = next(event for event in source.iter_sse() if event.data).json()
    assert [each["value"] for section in snapshot["sections"] for each in section["elements"]] == [each["value"] for each in read]
    return [int(each["value"]["id"]) for each in read]


@pytest.mark.parametrize("http2", [False, True], ids=["http1", "http2"])
def test_each_certificate_sees_its_own_rows_and_nothing_of_the_source(present, http2):
    for names, wanted in [(["ann"], [0]), (["bob"], [1]), ([ODD], [3]), (["10.0.0.7"], [9]), (["ann", "bob"], [0]),
                          (["bob", "ann"], [1])]:
        client = present(*names, http2=http2)
        assert client.get("/v1/session").json()["principal"] == f"certificate of {names[0]}"
        assert seen(client) == wanted, names
        for path in ("", "/elements", "/changesets?since=0", "/instances"):
            assert client.get("/v1/directors/orders" + path).status_code in (403, 404), path
        assert client.get("/v1/directors/mine/instances").status_code == 403
        assert client.post("/v1/directors/mine/reload").status_code == 403
        assert client.post("/v1/directors/mine/events", json={"event": "didScroll"}).status_code == 403


def test_rights_are_for_names_of_either_case_and_rows_for_the_name_as_it_is_written(present):
    assert seen(present("ANN")) == [2]
    assert seen(present("ann")) == [0]


def test_a_certificate_without_rights_or_without_names_sees_nothing(present):
    for names, status in [(["carl"], 404), ([], 401)]:
        answer = present(*names).get("/v1/directors/mine/elements")
        assert answer.status_code == status, f"{names}: {answer.text}"


def test_a_token_goes_before_the_certificate(present):
    token = make_token(present.admin, READ_MINE, name="bob")["token"]
    assert seen(present("ann", token=token)) == [1]


def test_certificates_of_one_name_share_an_instance_and_are_bounded_together(present):
    for names in (["ann"], ["ann"], ["ann", "other"], ["bob"]):
        seen(present(*names))
    assert present.admin.get("/v1/directors/mine/instances").json()["total"] == 2
    define(present.admin, "mine", MINE | {"parameters": {"any": {"type": "string", "default": ""}}})
    client = present("ann")
    assert client.get("/v1/directors/mine/elements").status_code == 200
    assert client.get("/v1/directors/mine/elements", params={"parameters.any": "other"}).status_code == 429


def test_a_stream_tells_each_certificate_of_its_own_changes(present):
    with contextlib.ExitStack() as stack:
        streams = {}
        for name in ("ann", "bob"):
            source = stack.enter_context(httpx_sse.connect_sse(present(name), "GET", "/v1/directors/mine/changesets"))
            streams[name] = (event for event in source.iter_sse() if event.data)
            assert next(streams[name]).event == "snapshot"
        for number, name in enumerate(["ann", "bob", "bob", "ann"], start=20):
            add(present.admin, order(number, waiter=name))
            (inserted,) = next(streams[name]).json()["stages"][0]["elementInserted"]
            assert inserted["element"]["value"] == {"id": str(number)}
