"""Views that read claims: of JSON Web Tokens with values of every kind, of static tokens, and of nobody."""

import json

import pytest

from support import protocol
from support.access import Issuer, caller, make_token
from support.nodes import launch
from test_views import add, define, events, make_orders, order

READ_ALL = [{"actions": ["read"], "directors": ["v-*"]}]
VIEWS = {
    "v-waiter": {"==": [{"var": "value.waiter"}, {"var": "claims.sub"}]},
    "v-teams": {"in": [{"var": "value.team"}, {"var": "claims.teams"}]},
    "v-floor": {"===": [{"var": "value.floor"}, {"var": "claims.place.floor"}]},
    "v-limit": {"<": [{"var": "value.price"}, {"+": [{"var": "claims.limit"}, 0]}]},
    "v-named": {"==": [{"var": "value.waiter"}, {"var": "claims.name"}]},
}
ODD = 'Anna "O\'Neil" \\ ☕\n'
ORDERS = [
    {"waiter": "ann", "team": "bar", "floor": 1, "price": 5}, {"waiter": ODD, "team": "grill", "floor": "1", "price": 50},
    {"waiter": "1", "team": 7, "floor": None, "price": 500}, {"waiter": "ann", "team": "b", "floor": True, "price": 5000},
]
# The claims, the view, and which of the orders their bearer sees.
CASES = [
    ({"sub": "ann"}, "v-waiter", [0, 3]), ({"sub": ODD}, "v-waiter", [1]), ({"sub": "1"}, "v-waiter", [2]),
    ({"sub": None}, "v-waiter", []), ({"sub": "ann' or '1'='1"}, "v-waiter", []), ({"sub": '"}, true, {"'}, "v-waiter", []),
    ({"teams": ["bar", "grill"]}, "v-teams", [0, 1]), ({"teams": [7, "b"]}, "v-teams", [2, 3]), ({"teams": []}, "v-teams", []),
    ({}, "v-teams", []), ({"teams": {"bar": True}}, "v-teams", []),
    ({"place": {"floor": 1}}, "v-floor", [0]), ({"place": {"floor": "1"}}, "v-floor", [1]), ({"place": {"floor": True}}, "v-floor", [3]),
    ({"place": 1}, "v-floor", [2]), ({}, "v-floor", [2]),
    ({"limit": 60}, "v-limit", [0, 1]), ({"limit": "60"}, "v-limit", [0, 1]), ({"limit": 1e400}, "v-limit", None),
    ({"limit": "many"}, "v-limit", []), ({"limit": [1, 2]}, "v-limit", []),
    ({"name": "ann"}, "v-named", [0, 3]), ({}, "v-named", []),
]


@pytest.fixture(scope="module")
def guarded(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("claims")
    issuer = Issuer("https://claims.example", ["ES256"])
    (folder / "keys.json").write_text(json.dumps(issuer.key_set))
    server = launch(program, folder, AUTH_MODE="required", AUTH_ISSUERS=json.dumps([issuer.setting(keysFile=str(folder / "keys.json"))]))
    try:
        with caller(server, issuer.token()) as admin:
            make_orders(admin)
            for name, where in VIEWS.items():
                define(admin, name, {"from": "orders", "where": where, "fields": ["/id"]})
            add(admin, *(order(number, **members) for number, members in enumerate(ORDERS)))
            static = make_token(admin, READ_ALL, name="ann")["token"]
        yield server, issuer, static
    finally:
        server.stop()


def seen(server, credential: str, view: str) -> list[int]:
    """The orders that a credential's bearer reads; the stream has to begin with the same."""
    path = f"/v1/directors/{view}"
    with caller(server, credential) as client:
        answer = client.get(f"{path}/elements")
        assert answer.status_code == 200, answer.text
        read = [int(each["id"]) for each in answer.json()["elements"]]
        assert "faults" not in client.get(path).text
    with events(server, path, credential=credential) as stream:
        assert [int(each["id"]) for section in next(stream)[2]["sections"] for each in section["elements"]] == read
    return read


@pytest.mark.parametrize(("claims", "view", "wanted"), [each for each in CASES if each[2] is not None],
                         ids=lambda value: json.dumps(value) if isinstance(value, dict) else "")
def test_claims_of_every_kind_are_compared_as_values(guarded, claims, view, wanted):
    server, issuer, _ = guarded
    assert seen(server, issuer.token(READ_ALL, **claims), view) == wanted


def test_a_static_token_has_a_name_and_nobody_has_no_claims(guarded):
    server, _, static = guarded
    assert seen(server, static, "v-named") == [0, 3]
    assert seen(server, static, "v-waiter") == [] and seen(server, static, "v-floor") == [2]


def test_an_expression_that_fails_for_one_reader_fails_for_nobody_else(guarded):
    """`claims.limit` that is no number leaves everything out for its bearer, who is not told of what is left out."""
    server, issuer, _ = guarded
    good, bad = (issuer.token(READ_ALL, limit=limit) for limit in (60, {"a": []}))
    with events(server, "/v1/directors/v-limit", credential=good) as stream:
        first = next(stream)[2]
        assert len(first["sections"][0]["elements"]) == 2
        assert seen(server, bad, "v-limit") == []
        with caller(server, issuer.token()) as admin:
            add(admin, order(9, price=9))
        name, _, change = next(each for each in stream if each[0] != "definition")
        assert name == "changeset" and change["counts"]["elements"] == 3
        with caller(server, issuer.token()) as admin:
            assert admin.delete("/v1/directors/orders/sections/all/elements/9", params={"reload": "true"}).is_success


def test_readers_with_the_same_claims_that_count_share_an_instance(guarded):
    server, issuer, _ = guarded
    with caller(server, issuer.token()) as admin:
        path = define(admin, "v-shared", {"from": "orders", "where": VIEWS["v-waiter"]})
        for number in range(5):
            # Times and other claims differ.
            seen(server, issuer.token(READ_ALL, sub="ann", jti=str(number), lasts=600 + number), "v-shared")
        seen(server, issuer.token(READ_ALL, sub="bob"), "v-shared")
        assert admin.get(f"{path}/instances").json()["total"] == 2


def test_who_presents_nothing_has_no_claims(start):
    server = start()
    with protocol.client(base_url=server.url) as client:
        make_orders(client)
        mine = define(client, "mine", {"from": "orders", "where": {"==": [{"var": "claims"}, None]}})
        add(client, order(1))
        assert len(client.get(f"{mine}/elements").json()["elements"]) == 1
