"""Pages with <callboard-list> while a script changes their list, with tabs that are frozen and a network that is cut or silent.

CALLBOARD_REPLAY=10000 has it apply so many changes; a few hundred are enough to notice what is wrong at all.
"""

import os
import random
import threading
import time

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
from support.hooks import eventually  # noqa: E402
from support.operations import RandomOperations  # noqa: E402
from support.proxy import Relay  # noqa: E402
from test_client_browser import make_book, pages, publish  # noqa: E402
from test_client_tabs import tabs  # noqa: E402

from conftest import BOOK, api  # noqa: E402

__all__ = ["pages", "tabs"]
COUNT = int(os.environ.get("CALLBOARD_REPLAY", "300"))
# Within this time a page either has a change or says that it is stale, in seconds.
LIMIT = 10.0
ROWS = 90
# A row says whose it is and how old; a frame of this height draws all of them.
QUERY = {"name": "book", "template": "{{id}}={{value.age}}", "height": f"{(ROWS + 10) * 60}px", "sample": "1"}


class Script(threading.Thread):
    """Applies random changes until it has applied so many and is told that it may end; notes when each was published."""

    def __init__(self, server, seed: int, count: int):
        super().__init__(daemon=True)
        self.server, self.count, self.applied = server, count, 0
        self.operations = RandomOperations(seed, {"people": 40, "others": 0}, ROWS)
        self.published: dict[int, float] = {}
        self.may_end = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            with api(self.server) as client:
                while self.applied < self.count or not self.may_end.is_set():
                    version = publish(client, self.operations.next())["version"]
                    self.published.setdefault(version, time.time())
                    self.applied += 1
                    # As many a second as make the short form last as long as its disturbances.
                    self.may_end.wait(0.02)
        except Exception as error:
            self.failure = error


class Network:
    """What happens to the pages: each disturbance returns when it is over."""

    def __init__(self, chrome, relay: Relay, handles: list[str]):
        self.chrome, self.relay, self.handles = chrome, relay, handles
        self.frozen: dict[str, list[tuple[float, float]]] = {handle: [] for handle in handles}

    def lifecycle(self, handle: str, state: str) -> None:
        self.chrome.switch_to.window(handle)
        self.chrome.execute_cdp_cmd("Page.setWebLifecycleState", {"state": state})

    def freeze(self, handle: str, seconds: float) -> None:
        began = time.time()
        self.lifecycle(handle, "frozen")
        time.sleep(seconds)
        self.lifecycle(handle, "active")
        self.frozen[handle].append((began, time.time()))
        # It stays hidden, and draws nothing, until its window is shown again.
        self.chrome.minimize_window()
        self.chrome.set_window_rect(0, 0, 1280, 800)

    def cut(self, seconds: float) -> None:
        self.relay.cut()
        time.sleep(seconds)
        self.relay.mend()

    def silence(self, seconds: float) -> None:
        self.relay.fall_silent()
        time.sleep(seconds)
        self.relay.speak()


def unsaid(samples: list, published: dict[int, float], frozen: list[tuple[float, float]]) -> float:
    """The longest time for which a page had not a change that was published, and said that it was live."""
    longest, versions = 0.0, sorted(published)
    for at, version, state in samples:
        missing = next((each for each in versions if each > version), None)
        if state != "live" or missing is None or published[missing] > at:
            continue
        # A page that is frozen says nothing; it begins to know when it thaws.
        thawed = max((end for begin, end in frozen if begin <= at), default=0)
        longest = max(longest, at - max(published[missing], thawed))
    return longest


def test_each_page_has_every_row_after_freezing_cuts_and_silence_and_says_when_it_is_stale(start, pages, chrome, tabs):
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    chosen = random.Random(seed)
    server = start(CORS_ORIGINS=pages.origin)
    relay = Relay(server.port)
    script = Script(server, seed, COUNT)
    try:
        with api(server) as client:
            make_book(client)
            handles = [tabs("list.html", src=f"http://127.0.0.1:{relay.port}", **QUERY) for _ in range(3)]
            for handle in handles:
                chrome.switch_to.window(handle)
                eventually(lambda: len(chrome.execute_script("return window.drawn()")) == 41, "the rows")
            network, happened = Network(chrome, relay, handles), []
            script.start()
            began = time.monotonic()
            # The first page holds the stream of all.
            disturbances = [lambda: network.freeze(handles[0], 5), lambda: network.silence(11), lambda: network.cut(1.5)]
            while True:
                for each in disturbances:
                    each()
                happened += disturbances
                if script.applied >= COUNT or script.failure:
                    break
                disturbances = [chosen.choice([lambda: network.freeze(chosen.choice(handles), chosen.uniform(1, 8)),
                                               lambda: network.silence(chosen.uniform(1, 14)), lambda: network.cut(chosen.uniform(0.2, 6))])]
            script.may_end.set()
            script.join()
            took = time.monotonic() - began
            assert script.failure is None, script.failure
            sections = client.get(f"{BOOK}/sections", params={"state": "published", "limit": 100}).json()["sections"]
            last = max(script.published)
            wanted = [line for each in sections for line in [
                *([each["headerTitle"]] if each.get("headerTitle") else []),
                *(f"{element['id']}={element['value'].get('age', '')}" for element in each["elements"])]]
            figures = []
            for handle in handles:
                chrome.switch_to.window(handle)
                eventually(lambda: chrome.execute_script("return window.tag.list.version") == last, "the page to have the last version")
                eventually(lambda: chrome.execute_script("return window.tag.getAttribute('state')") == "live", "the page to be live")
                eventually(lambda: chrome.execute_script("return window.drawn()") == wanted, f"the rows {wanted}")
                samples = chrome.execute_script("return window.samples")
                assert any(state == "stale" for _, _, state in samples), "a silence of 11 seconds was noticed"
                figures.append(unsaid(samples, script.published, network.frozen[handle]))
            print(f"{script.applied} changes in {took:.0f} s, {len(happened)} disturbances, {len(wanted)} lines in each of {len(handles)} pages;"
                  f" behind without saying so for at most {', '.join(f'{each:.1f} s' for each in figures)}")
            assert max(figures) < LIMIT
    finally:
        script.may_end.set()
        relay.close()
