"""The console of a real server in a headless Chromium."""

import json
import os
import re
import subprocess
import time
import urllib.parse
from pathlib import Path

import selenium_axe_python
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

FRONT = Path(__file__).parents[2] / "WebConsole" / "front.mjs"
AXE = Path(selenium_axe_python.__file__).parent / "axe-core/axe.min.js"
PATIENCE = 60.0


class Front:
    """Where the console of a server is: the server's own, or with CALLBOARD_CONSOLE=sources that of the sources, which are
    put in front of the server and need not be built into it."""

    def __init__(self, node: str, server: str):
        self.process = None
        self.url = f"{server}/console/"
        if os.environ.get("CALLBOARD_CONSOLE") == "sources":
            self.process = subprocess.Popen([node, str(FRONT), "--server", server], stdout=subprocess.PIPE, text=True)
            self.url = re.search(r"http://\S+", self.process.stdout.readline()).group()
        self.origin = self.url.removesuffix("/console/")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(10)
            self.process.stdout.close()


# A window without a head has no mouse, and so nothing that appears under one.
MOUSE = "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"


def make_driver(chromium: str, chromedriver: str, *more: str) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-proxy-server",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", *more,
                   *(["--no-sandbox"] if os.geteuid() == 0 else [])):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(chromedriver))


class Page:
    """A page of the console. What it asked and logged is looked at when the test is over."""

    def __init__(self, driver: webdriver.Chrome, front: Front, width: int = 1280, height: int = 800):
        self.driver, self.front = driver, front
        self.tolerated: set[int] = set()
        self._logged: list[dict] = []
        self._messages: list[dict] = []
        # Also those of other servers of this machine, which have the same name and host.
        driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                               {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.scheme("light")
        driver.get_log("browser")
        driver.get_log("performance")

    def open(self, address: str = "/") -> "Page":
        """Opens a page anew, even if it is the one that is shown."""
        self._keep_log()
        self.driver.get("about:blank")
        self.driver.get(f"{self.front.url}#{address}")
        return self

    def leave(self) -> None:
        """Leaves the page: nothing is asked of a server that is about to go."""
        self._keep_log()
        self.driver.get("about:blank")

    def sign_in(self, token: str) -> "Page":
        """Signs in where the console asks, or offers to ask."""
        self.tolerate(401)
        self.until(lambda: self.all("main h1"))
        if not self.all(".sign-in"):
            self.click("header button", "Sign in")
        self.click(".sign-in input")
        # As it is pasted: hundreds of keys would take longer than some tokens last.
        self.driver.execute_cdp_cmd("Input.insertText", {"text": token})
        self.press("Enter")
        self.until(lambda: not self.all(".sign-in"), "the token was not taken")
        return self

    def exchange(self, token: str, comes_back: bool = True, then: str = "") -> None:
        """Puts another token into the session's cookie, as another window of the browser does; then this one is looked at.

        `then` names buttons of which the first is clicked at once: the console asks by itself every few seconds who it is.
        """
        status = self.driver.execute_async_script("""const [token, then, done] = arguments;
            fetch("/v1/session", {method: "POST", headers: {Authorization: `Bearer ${token}`}}).then(answer => {
              if (then) document.querySelector(then)?.click();
              done(answer.status);
            })""", token, then)
        assert status == 200, status
        if comes_back:
            self.js("document.dispatchEvent(new Event('visibilitychange'))")

    def asked(self, path: str, since: float = 0) -> list[dict]:
        """The requests for what begins so, which have had an answer; `since` is a time of the page's `performance.now()`."""
        return self.js("""const [path, since] = arguments;
            return performance.getEntriesByType("resource").map(each => ({path: new URL(each.name).pathname, status: each.responseStatus,
                at: each.startTime})).filter(each => each.path.startsWith(path) && each.at >= since)""", path, since)

    @property
    def now(self) -> float:
        return self.js("return performance.now()")

    def messages(self) -> list[dict]:
        """What the browser has told its driver since the page was opened first: requests, dialogs and more."""
        self._messages += [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return self._messages

    def reload(self) -> bool:
        """Loads the page again, as a user does; whether the browser has asked whether to leave it. The driver says yes."""
        asks = lambda: sum(each["method"] == "Page.javascriptDialogOpening" and each["params"]["type"] == "beforeunload"  # noqa: E731
                           for each in self.messages())
        before = asks()
        self.js("window.isOld = true; setTimeout(() => location.reload())")
        self.until(lambda: self.js("return !window.isOld && document.readyState === 'complete'"), "the page was not loaded again")
        return asks() > before

    def tolerate(self, *statuses: int) -> None:
        """Answers that Chromium logs as errors, and that the test is about; 0 is a connection that breaks off."""
        self.tolerated |= set(statuses)

    def scheme(self, name: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def js(self, script: str, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list:
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str, text: str = ""):
        """The element, once it is there and shown; with a text, the first that has it in its name or content."""
        return self.until(lambda: next((each for each in self.all(selector) if each.is_displayed() and (
            not text or text in each.text or text in (each.get_attribute("aria-label") or ""))), None),
            f"no {selector} {text!r}")

    def click(self, selector: str, text: str = "") -> None:
        def click():
            self.one(selector, text).click()
            return True
        self.until(click, f"cannot click {selector} {text!r}")

    @property
    def text(self) -> str:
        return self.js("return document.body.innerText")

    def until(self, condition, says: str = "", patience: float = PATIENCE):
        """What the condition gives, once it is something; elements that were replaced meanwhile are looked for again."""
        deadline = time.monotonic() + patience
        error: Exception | None = None
        while time.monotonic() < deadline:
            try:
                if value := condition():
                    return value
            except Exception as each:  # noqa: BLE001 Selenium's errors say that a page is about to change.
                error = each
            time.sleep(0.05)
        raise AssertionError(f"{says or 'not in time'}; {error or ''}\n{self.text}")

    def shows(self, *texts: str) -> None:
        for text in texts:
            self.until(lambda text=text: text in self.text, f"{text!r} is not shown")

    def hides(self, *texts: str) -> None:
        for text in texts:
            self.until(lambda text=text: text not in self.text, f"{text!r} is still shown")

    def press(self, *keys: str) -> None:
        """Presses keys one after the other; `"Alt+ArrowUp"` presses them together."""
        named = {"Alt": Keys.ALT, "Shift": Keys.SHIFT, "Control": Keys.CONTROL}
        for key in keys:
            *modifiers, last = key.split("+") if len(key) > 1 else [key]
            chain = ActionChains(self.driver)
            for modifier in modifiers:
                chain.key_down(named[modifier])
            chain.send_keys(getattr(Keys, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", last).upper(), last) if len(last) > 1 else last)
            for modifier in modifiers:
                chain.key_up(named[modifier])
            chain.perform()

    def type(self, text: str) -> None:
        ActionChains(self.driver).send_keys(text).perform()

    @property
    def focused(self) -> str:
        """The name of what has the focus."""
        return self.js("""const e = document.activeElement;
            return e === document.body ? "" : e.getAttribute("aria-label") || e.labels?.[0]?.innerText || e.innerText""")

    def tab_to(self, name: str, most: int = 60) -> None:
        """Presses Tab until something of that name has the focus."""
        for _ in range(most):
            if name in (self.focused or ""):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {name!r}; {self.focused!r} has the focus")

    def assert_accessible(self) -> None:
        """axe finds nothing, in light and in dark."""
        self.js(AXE.read_text())
        for scheme in ("light", "dark"):
            self.scheme(scheme)
            time.sleep(0.2)
            found = self.driver.execute_async_script("""
                const done = arguments[0];
                axe.run(document, {resultTypes: ["violations"]}).then(result => done(result.violations), error => done([`${error}`]));
            """)
            told = [(each["id"], [(node["html"][:200], node["failureSummary"]) for node in each["nodes"]][:3]) if isinstance(
                each, dict) else each for each in found]
            assert not told, f"{scheme}: {json.dumps(told, indent=1)}"
        self.scheme("light")

    def assert_fits(self, width: int) -> None:
        """Nothing makes the page wider than the window."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        time.sleep(0.2)
        wide = self.js("""return [...document.querySelectorAll("body *")].filter(each => each.getBoundingClientRect().right > innerWidth
            && !each.closest(".unseen, .table, pre, [popover], nav")).map(each => each.outerHTML.slice(0, 120))""")
        assert self.js("return document.documentElement.scrollWidth") <= width, wide[:5]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False})

    def assert_quiet(self) -> None:
        """Nothing was logged but what is tolerated, and nothing was asked of another origin."""
        self._keep_log()
        # Answers that come while the page goes are nobody's.
        entries = [entry for entry in self._logged if not self._is_tolerated(entry)]
        assert not entries, entries
        hosts = set()
        for message in self.messages():
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if url.startswith("http"):
                    hosts.add(urllib.parse.urlsplit(url).netloc)
        assert hosts <= {urllib.parse.urlsplit(self.front.origin).netloc}, hosts

    def _is_tolerated(self, entry: dict) -> bool:
        if entry["source"] != "network":
            return False
        # A server without this resource does not tell of its streams; the console asks once.
        if "/v1/streams" in entry["message"] and "status of 404" in entry["message"]:
            return True
        status = re.search(r"status of (\d+)", entry["message"])
        return (int(status.group(1)) if status else 0) in self.tolerated

    def _keep_log(self) -> None:
        self._logged += self.driver.get_log("browser")
