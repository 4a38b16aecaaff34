"""The console's pages and states, as the contact sheet and its test show them: servers with content, and how each is reached."""

from dataclasses import dataclass, field

import httpx

LONG = "A title so long that no list, however wide, has room for it in one line: " * 3
TEXTS = {"names": ["שלום עולם, זה שם ארוך", "مرحبا بالعالم", "Ångström", LONG, "x" * 200, "<b>bold</b>", "😀 😀"]}
DISH = {"name": "Soup of the day", "note": "with bread", "price": "4.50", "image": "🍲", "badge": "new"}
PREVIEW = {"title": "{name}", "subtitle": "{note}", "image": "{image}", "badge": "{badge}", "trailing": "{price}"}
HOOK = "/hook?path=/v1/directors/contacts/adapters/Person/events/didSelect"
GONE = "https://receiver.example/a/rather/long/path/of/a/receiver/that/hears/of/taps?environment=production"

# Scripts that run in a page before its own: they stand between it and the server.
FETCH = """const real = window.fetch;
window.fetch = (input, init) => (%s)(new URL(input.url ?? input, location).pathname) ?? real(input, init);"""
LOADING = FETCH % 'path => path.startsWith("/v1/") && path !== "/v1/session" ? new Promise(() => {}) : undefined'
AWAY = FETCH % 'path => window.isAway && path.startsWith("/v1/") ? Promise.reject(new TypeError("Failed to fetch")) : undefined'
BROKEN = FETCH % """path => path === "/v1/hooks" ? Promise.resolve(Response.json({type: "about:blank", title: "The journal cannot be read",
    detail: "callboard-data/journal.sqlite: database disk image is malformed", status: 507},
    {status: 507, headers: {"Content-Type": "application/problem+json"}})) : undefined"""
NODES = FETCH % """path => path === "/v1/nodes" ? Promise.resolve(Response.json({nodes: [
    ["joining", "node-c", -1], ["serving", "node-a", 20], ["leaving", "node-b.an-availability-zone.internal.example", 4]].map(
    ([state, name, left], n) => ({node: n, name, state, self: n === 1, directors: n * 7, url: `https://${name}:8080`,
    expiresAt: new Date(Date.now() + left * 1000).toISOString()}))})) : undefined"""


def click(selector: str) -> str:
    """Clicks what a selector finds, once it is there."""
    return f"const node = document.querySelector({selector!r}); if (!node) return false; node.click(); return true;"


def press(key: str, **more: bool) -> str:
    options = "".join(f", {name}: true" for name in more)
    return f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: {key!r}, bubbles: true{options}}})); return true;"


@dataclass(frozen=True)
class State:
    """`text` has to be there; then `act` is done, which returns true once it is, and `then` has to be there."""

    address: str
    text: str
    server: str = "full"
    token: str = ""
    script: str = ""
    act: str = ""
    then: str = ""
    statuses: list[int] = field(default_factory=list)


TEXT_ROW = "const row = [...document.querySelectorAll('.row')][%d]; if (!row) return false; row.click(); return true;"
END = "fetch('/v1/session', {method: 'DELETE'}).then(() => document.dispatchEvent(new Event('visibilitychange'))); return true;"

STATES = {
    "first": State("/", "No lists yet", server="empty"),
    "lists": State("/", "countries"),
    "lists-found-none": State("/?q=zzz", "No list has a name"),
    "list": State("/lists/contacts", "Friends"),
    "row": State("/lists/contacts", "Friends", act=TEXT_ROW % 1, then="Value as JSON"),
    "texts": State("/lists/texts", "Ångström"),
    "texts-row": State("/lists/texts", "Ångström", act=TEXT_ROW % 3, then="Value as JSON"),
    "images": State("/lists/menu", "Soup of the day"),
    "long": State("/lists/countries", "Andorra"),
    "empty": State("/lists/empty", "No sections"),
    "missing": State("/lists/nothing", "nothing", statuses=[404]),
    "view": State("/lists/authors", "Follows from"),
    "changesets": State("/lists/contacts/changesets?from=4&to=7", "Elements"),
    "history": State("/lists/contacts?version=5", "as it was shown", then="Tony Hoare"),
    "history-now": State("/lists/contacts", "Friends", act=click(".published > .bar > button"), then="as it is now"),
    "history-long": State("/lists/countries?version=1", "as it was shown", then="Canillo"),
    "changesets-texts": State("/lists/texts/changesets", "Ångström"),
    "list-hooks": State("/lists/contacts/hooks", "didSelect"),
    "list-hooks-none": State("/lists/empty/hooks", "No hook"),
    "list-deliveries": State("/lists/contacts/deliveries", "given up"),
    "list-deliveries-none": State("/lists/empty/deliveries", "Nothing waits"),
    "list-streams": State("/lists/contacts/streams", "1 open"),
    "list-views": State("/lists/contacts/views", "authors"),
    "list-views-none": State("/lists/empty/views", "No view"),
    "hooks": State("/hooks", "didSelect"),
    "hook": State(HOOK, "Try it"),
    "hook-form": State("/hooks", "didSelect", act=click(".more > summary"), then="Coalesce"),
    "deliveries": State("/deliveries", "given up"),
    "streams": State("/streams", "1 open"),
    "server": State("/server", "Requests a second"),
    "nodes": State("/server", "node-a", script=NODES),
    "access": State("/access", "till"),
    "access-form": State("/access", "till", act=click(".more > summary"), then="mutate"),
    "new-list": State("/", "countries", act=press("n"), then="Create"),
    "add-element": State("/lists/contacts", "Not yet reloaded", act=press("a"), then="Add an element"),
    "delete": State("/lists/contacts", "Friends", act=click("[aria-label='Delete the list']"), then="cannot be taken back"),
    "curl": State("/lists/contacts", "Friends", act=click("[aria-label='curl: Delete the list']"), then="curl -X DELETE"),
    "palette": State("/lists/contacts", "Friends", act=press("k", ctrlKey=True), then="Tab"),
    "shortcuts": State("/", "countries", act=press("?"), then="Keyboard shortcuts"),
    "menu": State("/", "countries", act="document.querySelector('.open-menu').click(); return true;"),
    "loading-hooks": State("/hooks", "Hooks", script=LOADING),
    "loading-list": State("/lists/contacts", "Content", script=LOADING, act="return !!document.querySelector('main .skeleton')"),
    "away": State("/lists/contacts", "Friends", script=AWAY, act="window.isAway = true; return true;", then="cannot be reached"),
    "error": State("/hooks", "cannot be read", script=BROKEN),
    "sign-in": State("/", "Sign in", server="guarded", statuses=[401]),
    "no-right": State("/hooks", "You may not", server="guarded", token="reader"),
    "read-only": State("/lists/menu-lunch", "Soup", server="guarded", token="reader"),
    "ended": State("/lists/menu-lunch", "Soup", server="guarded", token="reader", act=END, then="Sign in", statuses=[401]),
}


def fill_states(url: str) -> None:
    """Lists of unusual content, a view, a token, and hooks: one whose target is not there, with a delivery that was given up."""
    with httpx.Client(base_url=f"{url}/v1/directors", trust_env=False, timeout=60) as client:
        def send(method: str, path: str, body=None) -> None:
            client.request(method, path, json=body).raise_for_status()

        send("PUT", "/empty", {"kind": "table"})
        send("PUT", "/texts", {"kind": "table"})
        send("PUT", "/texts/adapters/Text", {"cell": "TextCell", "identifier": "{id}"})
        send("PUT", "/texts/sections?reload=true", {"sections": [
            {"id": name, "headerTitle": texts[0], "elements": [{"value": {"id": str(n), "name": text, "note": LONG}}
                                                               for n, text in enumerate(texts)]} for name, texts in TEXTS.items()]})
        send("PUT", "/menu", {"kind": "collection"})
        send("PUT", "/menu/adapters/Dish", {"cell": "DishCell", "identifier": "{name}", "preview": PREVIEW})
        send("PUT", "/menu/sections?reload=true", {"sections": [{"id": "today", "headerTitle": "Today", "elements": [
            {"value": DISH | {"name": name}} for name in (DISH["name"], "Salad", "A dish whose name is longer than its card has room for")]}]})
        send("PUT", "/a-list-with-quite-a-long-name-that-somebody-has-chosen", {"kind": "flow"})
        send("PUT", "/authors", {"kind": "table", "view": {"from": "contacts", "where": {"==": [{"var": "value.role"}, "Author"]},
                                                           "sortBy": [{"key": {"var": "value.name"}}]}})
        send("PUT", "/contacts/adapters/Person/events/didSelect", {"url": "http://127.0.0.1:9/hook"})
        send("PUT", "/contacts/adapters/Person/events/willDisplay", {"url": GONE, "isDisabled": True})
        send("PUT", "/contacts/adapters/Person/events/rowHeight", {"default": 44})
        send("POST", "/contacts/events", {"event": "didSelect", "indexPath": [0, 0]})
        for name, directors in (("till", ["menu-*"]), ("a token with a name that is rather long for a table", ["*"])):
            send("POST", f"{url}/v1/tokens", {"name": name, "grants": [{"actions": ["read", "report"], "directors": directors}]})


def guard(url: str, first: str) -> dict[str, str]:
    """Tokens of a server that asks for them, by what they are for; it has a list of one dish."""
    with httpx.Client(base_url=url, trust_env=False, timeout=60, headers={"Authorization": f"Bearer {first}"}) as client:
        def send(method: str, path: str, body=None) -> dict:
            answer = client.request(method, path, json=body)
            answer.raise_for_status()
            return answer.json()

        send("PUT", "/v1/directors/menu-lunch", {"kind": "table"})
        send("PUT", "/v1/directors/menu-lunch/adapters/Dish", {"cell": "DishCell", "identifier": "{name}"})
        send("PUT", "/v1/directors/menu-lunch/sections?reload=true", {"sections": [{"id": "starters", "elements": [{"value": {"name": "Soup"}}]}]})
        made = send("POST", "/v1/tokens", {"name": "reader", "grants": [{"actions": ["read"], "directors": ["*"]}]})
    return {"reader": made["token"]}
