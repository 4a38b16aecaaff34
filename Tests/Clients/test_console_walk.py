"""What an operator does, from a list that is made to a delivery that failed: by mouse, by keyboard alone and on a phone.

Each prints how many actions a task takes: a click, a key or a text that is typed. On the way to a control by Tab, the focus counts
once, and the presses are told beside it.
"""

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.hooks import HASTY, deliveries  # noqa: E402

from conftest import api  # noqa: E402


# Whether a node has the name that is the second argument.
NAMED = "`${node.ariaLabel ?? ''} ${node.labels?.[0]?.innerText ?? ''} ${node.innerText}`.includes(arguments[1])"


class Mouse:
    """Clicks what has a name; types where the focus is."""

    size = {"width": 1280, "height": 800}

    def __init__(self, page):
        self.page, self.actions, self.tabs = page, 0, 0

    def find(self, selector: str, name: str):
        """The first control that is shown and has the name, by its label or its text."""
        return self.page.until(lambda: self.page.js(
            f"return [...document.querySelectorAll(arguments[0])].find(node => node.checkVisibility() && {NAMED})", selector, name),
            f"no {selector} {name!r}", 20)

    def use(self, selector: str, name: str) -> None:
        def click():
            self.find(selector, name).click()
            return True
        self.page.until(click, f"{selector} {name!r} cannot be clicked", 20)
        self.actions += 1

    def toggle(self, selector: str, name: str) -> None:
        self.use(selector, name)

    def fill(self, selector: str, name: str, text: str) -> None:
        self.use(selector, name)
        self.replace(text)

    def replace(self, text: str) -> None:
        """Types in place of what is in the focused field."""
        self.page.press("Control+a")
        self.page.type(text)
        self.actions += 1

    def row(self, title: str) -> None:
        self.use(".screen .row", title)

    def undo(self) -> None:
        self.use(".toast:last-child button", "Undo")

    def go(self, title: str) -> None:
        self.use("header nav a", title)

    def tab(self, title: str) -> None:
        self.use(".tabs a", title)

    def search(self, text: str) -> None:
        self.fill("input[type=search]", "Find an element", text)
        self.use(".finder button", "Find")


class Keyboard(Mouse):
    """Presses keys alone."""

    def press(self, *keys: str) -> None:
        self.page.press(*keys)
        self.actions += len(keys)

    def reach(self, selector: str, name: str) -> None:
        """Has Tab lead to a control, which is shown as having the focus."""
        self.find(selector, name)
        for _ in range(150):
            if self.page.js(f"const node = document.activeElement; return node.matches(arguments[0]) && {NAMED}", selector, name):
                break
            self.page.press("Tab")
            self.tabs += 1
        else:
            raise AssertionError(f"Tab does not lead to {selector} {name!r}")
        assert self.page.js("return getComputedStyle(document.activeElement).outlineStyle !== 'none'"), f"{name} does not show its focus"
        self.actions += 1

    def use(self, selector: str, name: str) -> None:
        self.reach(selector, name)
        self.press("Enter")

    def toggle(self, selector: str, name: str) -> None:
        self.reach(selector, name)
        self.press("Space")

    def fill(self, selector: str, name: str, text: str) -> None:
        self.reach(selector, name)
        self.replace(text)

    def row(self, title: str) -> None:
        self.page.one(".screen .row", title)
        self.press("l")
        for _ in range(20):
            if title in self.page.js("return document.querySelector('.row[aria-selected=true]')?.innerText ?? ''"):
                break
            self.press("ArrowDown")
        self.press("Enter")

    def undo(self) -> None:
        self.press("Escape", "u")

    def search(self, text: str) -> None:
        self.press("/")
        self.replace(text)
        self.press("Enter")
        self.page.one(".finder li button", text)
        self.press("ArrowDown")

    def tab(self, title: str) -> None:
        self.go(f"{title} of")

    def go(self, title: str) -> None:
        self.press("Control+k")
        self.page.one("dialog.palette input")
        self.replace(title)
        self.page.until(lambda: title in self.page.js("return document.querySelector('.palette [aria-selected=true]')?.innerText ?? ''"))
        self.press("Enter")


class Phone(Mouse):
    """Taps on what is within a narrow screen."""

    size = {"width": 390, "height": 844}

    def use(self, selector: str, name: str) -> None:
        left, right = self.page.until(lambda: self.page.js(
            "arguments[0].scrollIntoView({block: 'nearest'}); const {left, right} = arguments[0].getBoundingClientRect(); return [left, right]",
            self.find(selector, name)))
        assert left >= 0 and right <= 390, f"{name} is beyond the screen: {left} to {right}"
        super().use(selector, name)

    def go(self, title: str) -> None:
        self.use("header button", "Menu")
        super().go(title)


@pytest.mark.parametrize("kind", [Mouse, Keyboard, Phone])
def test_an_operator_does_ten_tasks(start, console, chrome, kind):
    server = start(**HASTY)
    with api(server) as client:
        client.post("/v1/tokens", json={"name": "old till", "grants": [{"actions": ["read"], "directors": ["*"]}]})
        page = console(server, "/", **kind.size)
        chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": kind is Phone})
        try:
            counts = walk(page, kind(page), client)
        finally:
            chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    print(f"{kind.__name__}: " + "; ".join(f"{task} {actions}" + (f" (and {tabs} Tab)" if tabs else "") for task, actions, tabs in counts))


def walk(page, hand: Mouse, client) -> list[tuple[str, int, int]]:
    counts, path = [], "/v1/directors/menu"

    def done(task: str) -> None:
        counts.append((task, hand.actions, hand.tabs))
        hand.actions = hand.tabs = 0

    def values() -> list:
        return [each["value"] for each in client.get(f"{path}/elements").json()["elements"]]

    hand.use("button", "New list")
    hand.replace("menu")
    hand.use("dialog button", "Create")
    page.one("h1", "menu")
    done("make a list")
    for name in ("soup", "salad", "bread"):
        hand.use("button", "Add an element")
        page.one("dialog .value-fields input")
        hand.replace(name)
        hand.use("dialog button[type=submit]", "Add")
        page.until(lambda name=name: {"id": name} in values())
    hand.use("button", "Reload")
    page.one(".screen .row", "bread")
    done("add three elements")
    hand.row("salad")
    page.one(".inspector h2", "salad")
    page.until(lambda: page.one(".inspector textarea").get_attribute("value"))
    hand.fill(".inspector textarea", "JSON", '{"id": "salad", "price": 5}')
    hand.use(".inspector button", "Save")
    page.until(lambda: {"id": "salad", "price": 5} in values())
    done("edit one")
    page.one(".toast", "was saved")
    hand.undo()
    page.until(lambda: {"id": "salad"} in values())
    done("undo")
    hand.search("brea")
    hand.use(".finder li button", "bread")
    page.one(".inspector h2", "bread")
    done("find one by text")
    hand.toggle("[role=switch]", "items collapsed")
    page.until(lambda: client.get(f"{path}/sections").json()["sections"][0]["isCollapsed"])
    done("collapse a section")
    hand.tab("Hooks")
    hand.use("summary", "Register a hook")
    page.until(lambda: page.all("option[value=didSelect]"))
    hand.fill("input", "Target", "http://127.0.0.1:9/hook")
    hand.use("button", "Register")
    page.shows("Registered.")
    hand.use("main a", "didSelect")
    hand.use("button", "Report")
    # The page has a heading of these words, too.
    page.until(lambda: [each["status"] for each in deliveries(client)] == ["dead"])
    page.shows("Given up")
    done("register a hook and see a delivery fail")
    hook = f"{path}/adapters/Item/events/didSelect"
    client.put(hook, json={"url": "http://127.0.0.1:9/hook", "isDisabled": True})
    hand.go("Hooks")
    hand.use("button", "Enable didSelect")
    page.until(lambda: not client.get(hook).json()["isDisabled"])
    done("enable a disabled hook")
    hand.go("Deliveries")
    hand.use("main a", "didSelect")
    page.shows("Failed to connect")
    done("read what went wrong")
    hand.go("Lists")
    hand.use("main a", "menu")
    hand.tab("Views")
    page.until(lambda: page.one("button", "New view").is_enabled())
    hand.use("button", "New view")
    hand.replace("cheap")
    hand.use("dialog button", "Create")
    page.one("h1", "cheap")
    done("make a view")
    hand.go("Access")
    hand.use("button", "Revoke old till")
    hand.use("dialog button", "Revoke")
    page.until(lambda: client.get("/v1/tokens").json()["total"] == 0)
    done("revoke a token")
    return counts
