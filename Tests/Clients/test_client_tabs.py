"""Pages of one origin that share a stream, and what a page shows: tabs in Chromium, one of them frozen, a network that is gone."""

import contextlib
import time
import urllib.parse

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
from support.hooks import eventually  # noqa: E402
from support.proxy import Relay  # noqa: E402
from support.server import metric  # noqa: E402
from test_client_browser import CHECKOUT, PageHandler, make_book, pages, patch, publish  # noqa: E402

from conftest import BOOK, api  # noqa: E402

__all__ = ["pages"]

FOLDER = CHECKOUT / "Tests/WebClient"
STATES = "return Object.fromEntries(Object.entries(window.lists).map(([name, list]) => [name, list.status]))"


class TabHandler(PageHandler):
    """Serves the pages by their names, and the modules."""

    def do_GET(self):
        name = urllib.parse.urlsplit(self.path).path.removeprefix("/")
        folder = CHECKOUT / "Sources/WebAssets/served" if name.endswith(".js") else FOLDER
        path = folder / name
        kind = "text/javascript" if name.endswith(".js") else "text/html; charset=utf-8"
        self._answer(path.read_bytes() if path.is_file() else b"", kind, 200 if path.is_file() else 404)


@pytest.fixture
def tabs(chrome, pages):
    """Opens pages in windows of their own; they are closed when the test is over."""
    pages.RequestHandlerClass = TabHandler
    first, opened = chrome.current_window_handle, []

    def tab(page: str, /, **query: str) -> str:
        chrome.switch_to.new_window("window")
        opened.append(chrome.current_window_handle)
        chrome.get(f"{pages.origin}/{page}?{urllib.parse.urlencode(query)}")
        eventually(lambda: chrome.execute_script("return window.isReady ?? !!window.list"), "the page to be there")
        return opened[-1]

    yield tab
    for handle in opened:
        with contextlib.suppress(Exception):
            chrome.switch_to.window(handle)
            chrome.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
            chrome.close()
    chrome.switch_to.window(first)


def follow(chrome, *names: str) -> None:
    for name in names:
        chrome.execute_script("window.follow(arguments[0])", name)


def version(chrome, name: str = "book") -> int:
    return chrome.execute_script("return window.lists[arguments[0]].version", name)


@pytest.mark.parametrize("held", [[], ["book"], ["gone"], ["book", "gone"]], ids=str)
def test_a_tab_says_that_a_list_is_not_there_whatever_the_holder_follows(start, pages, chrome, tabs, held):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client)
    tabs("tab.html", url=server.url)
    follow(chrome, *held)
    eventually(lambda: "connecting" not in chrome.execute_script(STATES).values(), "the holder to know")
    tabs("tab.html", url=server.url)
    follow(chrome, "book", "gone")
    eventually(lambda: chrome.execute_script(STATES)["gone"] in ("over", "failed"), "the list to be called missing")
    eventually(lambda: chrome.execute_script(STATES)["book"] == "live" and version(chrome) == 1, "the other list to be live")


def test_a_tab_takes_the_stream_from_one_that_is_frozen_and_gives_it_what_it_has_missed(start, pages, chrome, tabs):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client)
        holder = tabs("tab.html", url=server.url)
        follow(chrome, "book")
        eventually(lambda: version(chrome) == 1, "the holder to have the list")
        other = tabs("tab.html", url=server.url)
        follow(chrome, "book")
        eventually(lambda: version(chrome) == 1, "the other tab to have the list")
        chrome.switch_to.window(holder)
        chrome.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
        chrome.switch_to.window(other)
        began = time.monotonic()
        last = publish(client, patch("p1", 500))["version"]
        eventually(lambda: version(chrome) == last, "the change to come past the frozen tab")
        took = time.monotonic() - began
        print(f"the change was there {took:.1f} s after the tab was frozen")
        assert took < 10
        chrome.switch_to.window(holder)
        chrome.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
        last = publish(client, patch("p1", 501))["version"]
        eventually(lambda: version(chrome) == last, "the tab that has thawed to be up to date")
        eventually(lambda: metric(server, client, "callboard_subscribers") == 1, "one stream to be left")
        chrome.switch_to.window(other)
        eventually(lambda: version(chrome) == last, "the tab with the stream to be up to date")
        changes = [each["version"] for each in chrome.execute_script("return window.noted") if each["type"] == "change"]
        assert changes == sorted(set(changes)), "no change came twice"
        assert chrome.execute_script("return !window.noted.some(each => each.type === 'mismatch')")


def test_a_page_without_a_network_says_so_at_once_and_comes_back_at_once(start, pages, chrome, tabs):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client)
        tabs("tab.html", url=server.url)
        follow(chrome, "book")
        eventually(lambda: version(chrome) == 1, "the list to be there")
        conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        chrome.execute_script("addEventListener('offline', () => window.wentAt = performance.now());"
                              "addEventListener('online', () => window.cameAt = performance.now());"
                              "lists.book.addEventListener('status', () => lists.book.isStale && (window.staleAt ??= performance.now()))")
        chrome.execute_cdp_cmd("Network.enable", {})
        chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True} | conditions)
        try:
            eventually(lambda: chrome.execute_script("return window.staleAt"), "the list to be called stale")
            # What is offline for longer is not tried again and again; it does not wait for that when it is back.
            eventually(lambda: chrome.execute_script("return window.noted.filter(each => each.status === 'waiting').length > 1"), "an attempt to fail")
        finally:
            chrome.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False} | conditions)
        last = publish(client, patch("p1", 700))["version"]
        eventually(lambda: version(chrome) == last and chrome.execute_script("return !lists.book.isStale"), "the list to be live")
        went, stale = chrome.execute_script("return [window.wentAt, window.staleAt]")
        live = chrome.execute_script("return window.noted.filter(each => each.status === 'live').at(-1).at - performance.timeOrigin - window.cameAt")
        print(f"stale after {stale - went:.0f} ms, live again after {live:.0f} ms")
        # At once: silence itself would be noticed after 18 seconds.
        assert stale - went < 5000 and live < 5000


@pytest.mark.parametrize("holder", ["alone", "in sight", "hidden", "frozen"])
def test_a_network_that_falls_silent_is_told_within_ten_seconds(start, pages, chrome, tabs, holder):
    server = start(CORS_ORIGINS=pages.origin)
    relay = Relay(server.port)
    url = f"http://127.0.0.1:{relay.port}"
    try:
        with api(server) as client:
            make_book(client)
            first = tabs("tab.html", url=url)
            follow(chrome, "book")
            eventually(lambda: version(chrome) == 1, "the list to be there")
            if holder == "hidden":
                chrome.execute_script("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })")
            if holder != "alone":
                other = tabs("tab.html", url=url)
                follow(chrome, "book")
                eventually(lambda: version(chrome) == 1, "the other tab to have the list")
                if holder == "frozen":
                    chrome.switch_to.window(first)
                    chrome.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
                    chrome.switch_to.window(other)
            # A server that answers keeps the list live, however little comes, and is asked for that.
            time.sleep(6)
            eventually(lambda: chrome.execute_script("return !lists.book.isStale"), "the list to be live")
            chrome.execute_script("lists.book.addEventListener('status', () => lists.book.isStale && (window.staleAt ??= performance.now()));"
                                  "window.wentAt = performance.now()")
            relay.fall_silent()
            eventually(lambda: chrome.execute_script("return window.staleAt"), "the list to be called stale")
            took = chrome.execute_script("return window.staleAt - window.wentAt") / 1000
            print(f"stale {took:.1f} s after the last byte")
            assert took < 10
            last = publish(client, patch("p1", 700))["version"]
            relay.speak()
            eventually(lambda: version(chrome) == last and chrome.execute_script("return !lists.book.isStale"), "the list to be live again")
            if holder not in ("alone", "frozen"):
                told = chrome.execute_script("return performance.getEntriesByType('resource').filter(each => each.name.endsWith('/livez')).length")
                assert told == 0, "the page that has the stream asks for all"
    finally:
        relay.close()


def test_a_row_that_cannot_be_drawn_leaves_the_others_and_is_told_of_once(start, pages, chrome, tabs):
    server = start(CORS_ORIGINS=pages.origin)
    with api(server) as client:
        make_book(client, 5)
        publish(client, patch("p2", 999))
        tabs("rows.html", url=server.url, director="book")
        rows = lambda: chrome.execute_script("return [...document.querySelectorAll('li')].map(row => row.className + '|' + row.textContent)")  # noqa: E731
        eventually(lambda: rows() == ["drawn|p0 0", "drawn|p1 1", "|p2", "drawn|p3 3", "drawn|p4 4"], "the other rows")
        publish(client, patch("p2", 998), patch("p3", 33))
        eventually(lambda: "drawn|p3 33" in rows(), "the change")
        assert chrome.execute_script("return window.errors") == ["p2: too old"]
        publish(client, patch("p2", 2))
        eventually(lambda: "drawn|p2 2" in rows(), "the row to be drawn")
        client.delete(f"{BOOK}/sections/people/elements/p0", params={"reload": "true"})
        eventually(lambda: len(rows()) == 4, "the row to go")
