"""The console while tokens end, are renewed, and have other rights than before."""

import json
import time

import pytest

from conftest import BOOK
from support.access import EVERYTHING, Issuer, caller, first_token, make_token

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.server import metric  # noqa: E402

READ = [{"actions": ["read"], "directors": ["*"]}]
EDITOR = ".inspector textarea"
DRAFT = '{"name": "Ada", "age": 37}'
# The page is told that nothing has changed until its stream has been refused.
STREAM_FIRST = """
const send = fetch, said = send("/v1/session").then(answer => answer.text());
let isRefused = false;
window.fetch = async (...given) => {
  if (given[0] === "/v1/session" && given[1].method === "GET" && !isRefused) {
    return new Response(await said, { headers: { "Content-Type": "application/json" } });
  }
  const answer = await send(...given);
  isRefused ||= given[0].includes("/v1/changesets") && answer.status === 404;
  return answer;
};
"""


def make_book(client) -> None:
    people = [{"value": {"name": name, "age": 36}} for name in ("Ada", "Grace", "Alan")]
    for method, path, body in [("PUT", "", {"kind": "table"}), ("PUT", "/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"}),
                               ("POST", "/sections?reload=true", {"id": "people", "elements": people})]:
        client.request(method, BOOK + path, json=body).raise_for_status()


def add(client, name: str) -> None:
    client.post(f"{BOOK}/sections/people/elements", params={"reload": "true"}, json={"value": {"name": name}}).raise_for_status()


@pytest.fixture
def guarded(start):
    """A server that asks for tokens and has the book, and a client that may do everything."""
    server = start(AUTH_MODE="required")
    with caller(server, first_token(server)) as client:
        make_book(client)
        yield server, client


@pytest.fixture
def issued(start, tmp_path):
    """The same with an issuer of JSON Web Tokens."""
    issuer = Issuer("https://issuer.example", ["HS256"])
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(issuer.key_set))
    server = start(AUTH_MODE="required", AUTH_ISSUERS=json.dumps([issuer.setting(keysFile=str(keys))]))
    with caller(server, issuer.token()) as client:
        make_book(client)
        yield server, client, issuer


def edit(page, name: str = "Ada", text: str = DRAFT) -> None:
    """Types a value in place of an element's."""
    page.click(".screen .row", name)
    page.until(lambda: f'"{name}"' in page.one(EDITOR).get_attribute("value"), "the value was not read")
    page.one(EDITOR).click()
    page.press("Control+a")
    page.type(text)


def titles(page) -> list[str]:
    return page.js("return [...document.querySelectorAll('.screen .row .title')].map(each => each.innerText)")


def draft(page) -> str:
    return page.one(EDITOR).get_attribute("value")


def test_a_right_that_is_taken_away_becomes_a_message_where_its_action_stood(guarded, console):
    server, client = guarded
    page = console(server, "/lists/book").sign_in(make_token(client, EVERYTHING, name="editor")["token"])
    page.tolerate(403)
    edit(page)
    page.exchange(make_token(client, READ, name="reader")["token"], comes_back=False, then=".inspector button.primary")
    page.one(".changed-rights", "These are missing now: report, mutate, define, hooks on book.")
    for where, says in [(".inspector", "You may not change this element: the right mutate is missing."), (".tap", "You may not tap this element: the right report"),
                        (".beside", "You may not change this list or reload it: the right mutate"), (".top", "You may not delete this list: the right define"),
                        (".list-page", "You may not set variables"), (".list-page", "You may not change adapters"), (".sections", "You may not change sections")]:
        page.one(where, says)
    page.assert_accessible()
    page.assert_fits(360)
    assert client.get(f"{BOOK}/sections/people/elements/Ada").json()["value"]["age"] == 36
    # What was typed is still there to be copied, or to be thrown away.
    page.until(lambda: draft(page) == DRAFT)
    assert page.one(EDITOR).get_attribute("readOnly") and "Save" not in page.text
    page.click(".inspector button", "Revert")
    page.until(lambda: '"age": 36' in draft(page))
    add(client, "Barbara")
    page.until(lambda: titles(page)[-1] == "Barbara", "the list is not followed any more")
    began = page.now
    time.sleep(5)
    assert [each for each in page.asked("/", began) if each["status"] == 403] == [], "what is not allowed is asked for again"
    page.click("nav a", "Lists")
    page.shows("You may not make lists: the right define is missing.")
    assert not page.all(".changed-rights"), "it is said once"


@pytest.mark.parametrize("address", ["/lists/book", "/changesets/book"])
def test_a_list_that_may_not_be_read_any_more_says_so_and_is_not_asked_for(guarded, console, address):
    server, client = guarded
    page = console(server, address).sign_in(make_token(client, EVERYTHING, name="editor")["token"])
    page.tolerate(403, 404)
    page.shows("Ada")
    page.until(lambda: client.get("/v1/streams").json()["total"] == 1, "the list is not followed")
    page.exchange(make_token(client, [{"actions": ["read"], "directors": ["menu-*"]}], name="waiter")["token"])
    page.shows("You may not see the list “book”: the right read is missing.", "Your rights have changed.")
    assert "Ada" not in page.text and "deleted" not in page.text
    began = page.now
    page.until(lambda: client.get("/v1/streams").json()["total"] == 0, "the stream has not ended")
    time.sleep(4)
    assert page.asked(BOOK, began) == [] and page.asked("/v1/changesets", began) == []
    page.assert_accessible()


def test_a_stream_that_ends_as_the_list_may_not_be_read_says_so(issued, console):
    """The page hears of it by the stream first: its token ends, and the next one has fewer rights."""
    server, client, issuer = issued
    client.put("/v1/directors/other", json={"kind": "table"}).raise_for_status()
    page = console(server, "/lists/book").sign_in(issuer.token(lasts=20))
    page.tolerate(403, 404)
    page.shows("Ada", "live")
    page.js(STREAM_FIRST)
    page.exchange(issuer.token([{"actions": ["read"], "directors": ["other"]}]), comes_back=False)
    page.shows("You may not see the list “book”: the right read is missing.")
    assert "deleted" not in page.text


def test_pages_of_the_server_say_which_right_was_taken_away_and_stop_asking(guarded, console):
    server, client = guarded
    page = console(server, "/server")
    page.tolerate(403)
    for number, (address, path, right) in enumerate([("/server", "/metrics", "operate"), ("/streams", "/v1/streams", "operate"),
                                                     ("/deliveries", "/v1/deliveries", "hooks"), ("/access", "/v1/tokens", "operate")]):
        page.open(address)
        if number == 0:
            page.sign_in(make_token(client, EVERYTHING, name="operator")["token"])
        else:
            page.exchange(make_token(client, EVERYTHING, name=f"operator {number}")["token"])
        page.until(lambda path=path: page.asked(path), f"{path} is not asked for")
        page.exchange(make_token(client, READ, name=f"reader {number}")["token"])
        page.one(".note", f"the right {right} is missing")
        page.one(".changed-rights", right)
        began = page.now
        time.sleep(3)
        assert page.asked(path, began) == []


def test_what_is_forbidden_is_not_asked_for_in_a_loop(server, console):
    """The server refuses it though the session says otherwise, as something in front of it may."""
    page = console(server, "/server")
    page.shows("Requests a second")
    page.js("""const send = fetch, problem = {title: "Not from here", detail: "The network does not allow this.", status: 403};
        window.refused = 0;
        window.fetch = (...given) => given[0].startsWith("/metrics") ? (refused++, Promise.resolve(new Response(JSON.stringify(problem),
            {status: 403, headers: {"Content-Type": "application/problem+json"}}))) : send(...given)""")
    page.one(".problem", "Not from here. The network does not allow this.")
    time.sleep(5)
    assert page.js("return window.refused") == 1


def test_the_successor_of_a_token_has_fewer_rights(issued, console):
    server, client, issuer = issued
    page = console(server, "/lists/book").sign_in(issuer.token())
    page.tolerate(403)
    page.click(".screen .row", "Ada")
    page.shows("Add an element")
    page.exchange(issuer.token([{"actions": ["read", "report"], "directors": ["book"]}]), comes_back=False)
    page.one(".changed-rights", "mutate")
    page.hides("Add an element")
    page.click(".screen .row", "Ada")
    page.one(".tap button", "Tap")
    page.shows("You may not change this element: the right mutate is missing.")
    # The rights come back as they have gone.
    page.exchange(issuer.token())
    page.one("button", "Add an element")
    page.hides("is missing")


def test_a_session_that_ends_goes_on_where_it_was(issued, console):
    server, client, issuer = issued
    page = console(server, "/lists/book?publish")
    # The element is saved though the list has changed since it was read.
    page.tolerate(401, 412)
    page.sign_in(issuer.token(lasts=20))
    edit(page)
    page.js("document.querySelector('.screen .row').isMarked = true; scrollTo(0, 40)")
    snapshots = metric(server, client, "callboard_stream_snapshots_total")
    page.one("h1", "Sign in")
    page.shows("The session has ended")
    page.until(lambda: page.focused.startswith("Token"))
    page.assert_accessible()
    # Nothing is asked for while nobody is signed in, and nothing else can be done.
    began = page.now
    for number in range(5):
        add(client, f"person {number}")
    page.press("Tab", "Tab", "n", "?")
    time.sleep(4)
    assert page.asked("/", began) == [] and not page.all("dialog")
    page.sign_in(issuer.token())
    page.one("h1", "book")
    assert page.focused == "Value as JSON" and draft(page) == DRAFT
    page.shows("Changed here, not saved.", "live")
    page.until(lambda: titles(page) == ["Ada", "Grace", "Alan", *[f"person {number}" for number in range(5)]])
    assert page.js("return document.querySelector('.screen .row').isMarked && scrollY === 40"), "the page is another one"
    assert metric(server, client, "callboard_stream_snapshots_total") == snapshots, "the list has come whole instead of going on"
    page.click(".inspector button", "Save")
    page.shows("age 37")
    add(client, "Tony")
    page.until(lambda: titles(page)[-1] == "Tony")


def test_what_is_done_as_the_session_ends_is_not_done_and_said_so(guarded, console):
    server, client = guarded
    made = make_token(client, EVERYTHING, name="editor")
    page = console(server, "/lists/book").sign_in(made["token"])
    page.one(".screen .row", "Ada")
    page.press("a")
    page.one("dialog textarea").click()
    page.press("Control+a")
    page.type('{"name": "Barbara"}')
    # The request is under way while the token is revoked.
    page.js("""window.send = fetch;
        window.fetch = async (...given) => {
          if (given[0].includes("/elements")) await new Promise(resolve => window.letGo = resolve);
          return send(...given);
        }""")
    page.click("dialog button", "Add")
    page.until(lambda: page.js("return !!window.letGo"))
    client.delete(f"/v1/tokens/{made['id']}").raise_for_status()
    page.one("h1", "Sign in")
    page.shows("The session has ended: the token was revoked")
    assert not page.all("dialog"), "it covers the form"
    page.js("window.letGo()")
    page.until(lambda: page.asked(f"{BOOK}/sections/people/elements"))
    page.js("window.fetch = window.send")
    page.sign_in(make_token(client, EVERYTHING, name="editor")["token"])
    page.one("dialog .problem", "The session had ended. Nothing was done; try it again.")
    assert page.one("dialog textarea").get_attribute("value") == '{"name": "Barbara"}'
    page.click("dialog button", "Add")
    page.shows("1 element inserted")


def test_somebody_with_other_rights_finds_the_page_and_what_was_typed(guarded, console):
    server, client = guarded
    made = make_token(client, [{"actions": ["read", "mutate"], "directors": ["book"]}], name="editor")
    page = console(server, "/lists/book").sign_in(made["token"])
    edit(page, "Grace", '{"name": "Grace", "age": 1}')
    client.delete(f"/v1/tokens/{made['id']}").raise_for_status()
    page.one("h1", "Sign in")
    page.sign_in(first_token(server))
    page.one(".inspector h2", "Grace")
    assert draft(page) == '{"name": "Grace", "age": 1}'
    page.shows("Changed here, not saved.", "Delete")


@pytest.mark.parametrize("ends", ["by itself", "revoked"])
def test_who_may_see_something_without_a_token_may_go_on_when_the_session_ends(start, console, ends):
    server = start(AUTH_MODE="required")
    server.stop()
    server = start(folder=server.folder, AUTH_MODE="required", AUTH_ANONYMOUS=json.dumps(READ))
    with caller(server, first_token(server)) as client:
        make_book(client)
        soon = {"expiresAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 30))} if ends == "by itself" else {}
        made = make_token(client, EVERYTHING, **soon)
        page = console(server, "/lists/book").sign_in(made["token"])
        page.shows("Ada", "Add an element")
        if ends == "revoked":
            client.delete(f"/v1/tokens/{made['id']}").raise_for_status()
        page.until(lambda: page.all(".sign-in"), "the session does not end", patience=60)
        page.shows("The session has ended")
        page.click("button", "Go on without a token")
        page.one(".changed-rights", "mutate")
        page.shows("anonymous", "You may not change this list or reload it")
        add(client, "Barbara")
        page.until(lambda: titles(page)[-1] == "Barbara")


def test_a_window_goes_on_when_another_one_signs_in(guarded, console):
    server, client = guarded
    made = make_token(client, EVERYTHING, name="editor")
    page = console(server, "/lists/book").sign_in(made["token"])
    page.one(".screen .row", "Ada")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    try:
        page.open("/lists/book")
        page.one(".screen .row", "Ada")
        client.delete(f"/v1/tokens/{made['id']}").raise_for_status()
        page.one("h1", "Sign in")
        page.sign_in(make_token(client, EVERYTHING, name="editor")["token"])
        page.shows("live")
        add(client, "Barbara")
        page.until(lambda: titles(page)[-1] == "Barbara")
    finally:
        page.driver.close()
        page.driver.switch_to.window(first)
    page.until(lambda: titles(page)[-1] == "Barbara", "the first window has not gone on")
    assert not page.all(".sign-in")


def test_issuers_are_shown(issued, console):
    server, _, issuer = issued
    page = console(server, "/access").sign_in(issuer.token())
    page.one("tbody tr", issuer.name)
    page.shows("HS256", "works")
    page.assert_accessible()


def test_an_issuer_whose_keys_cannot_be_had_is_shown(start, console):
    lost = Issuer("https://issuer.example", ["HS256"]).setting(keysFile="/nowhere/keys.json")
    page = console(start(AUTH_ISSUERS=json.dumps([lost])), "/access")
    page.one("tbody tr", "none yet")
    page.one("tbody .state.bad", "nowhere")
    page.assert_fits(360)
