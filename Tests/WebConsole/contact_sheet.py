#!/usr/bin/env python3
"""Makes a contact sheet of the console: its pages and states in four widths, light, dark and in forced colours.

    Tests/WebConsole/contact_sheet.py --binary .build/release/callboard --to FOLDER [--only PART] [--width 390]

Writes a picture of each and an index.html that shows them side by side, and fails where a page does not stand as it should.
With CALLBOARD_CONSOLE=sources it shows the console's sources. Needs the Python environment of the client tests, chromium and
chromium-driver.
"""

import argparse
import contextlib
import html
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests/Clients"), str(Path(__file__).resolve().parent)]
sys.dont_write_bytecode = True

import httpx  # noqa: E402

from pictures import fill  # noqa: E402
from states import STATES, State, fill_states, guard  # noqa: E402
from support.console import MOUSE, Front, make_driver  # noqa: E402
from support.server import Server  # noqa: E402

WIDTHS = {390: 844, 900: 800, 1440: 900, 2560: 1300}
MEDIA = {"light": [("prefers-color-scheme", "light")], "dark": [("prefers-color-scheme", "dark")],
         "forced": [("prefers-color-scheme", "light"), ("forced-colors", "active")]}
PATIENCE = 30.0
# What is wrong with how a page stands there, whatever it shows.
FAULTS = (Path(__file__).resolve().parent / "faults.js").read_text()


class Servers:
    """Servers with content, with none, and one that asks for tokens; each with its console."""

    def __init__(self, full: Server, empty: Server, guarded: Server):
        node = shutil.which("node")
        self.fronts = {name: Front(node, each.url) for name, each in (("full", full), ("empty", empty), ("guarded", guarded))}
        fill_states(full.url)
        # Somebody who follows a list.
        self.follower = httpx.Client(base_url=full.url, trust_env=False, timeout=None)
        self.stream = self.follower.send(self.follower.build_request("GET", "/v1/directors/contacts/changesets"), stream=True)
        self.tokens = guard(guarded.url, (guarded.folder / "data" / "first-token").read_text().strip())

    def stop(self) -> None:
        self.stream.close()
        self.follower.close()
        for each in self.fronts.values():
            each.stop()


def size(driver, width: int, height: int) -> None:
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": width < 500})


def emulate(driver, features: list[tuple[str, str]]) -> None:
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": name, "value": value} for name, value in ({"forced-colors": "none"} | dict(features)).items()]})


def wait(condition, says: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(says)
        time.sleep(0.05)


@contextlib.contextmanager
def opened(driver, servers: Servers, name: str, state: State):
    """Opens a page and brings it into a state."""
    front = servers.fronts[state.server]
    driver.get("about:blank")
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    if state.token:
        driver.get(front.origin + "/livez")
        assert driver.execute_async_script("""const [token, done] = arguments;
            fetch("/v1/session", {method: "POST", headers: {Authorization: `Bearer ${token}`}}).then(answer => done(answer.status))""",
                                           servers.tokens[state.token]) == 200
        driver.get("about:blank")
    script = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"window.isShownAlone = true;{state.script}"})

    def shows(text: str) -> None:
        wait(lambda: text.lower() in driver.execute_script("return document.body.innerText").lower(), f"{name} does not show {text!r}")

    try:
        driver.get(f"{front.url}#{state.address}")
        shows(state.text)
        if state.act:
            wait(lambda: driver.execute_script(state.act), f"{name}: {state.act} cannot be done")
        shows(state.then)
        yield
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def faults(driver, name: str, width: int) -> list[str]:
    """What is wrong with the page in a width, once it is laid out."""
    driver.execute_async_script("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done()))")
    return [f"{name} at {width} px: {fault}" for fault in driver.execute_script(FAULTS)]


def take(driver, servers: Servers, states: dict[str, State], widths: dict[int, int], shoot) -> list[str]:
    """Opens each state in each width, and has `shoot` take its picture; returns what is wrong."""
    found = []
    for name, state in states.items():
        for width, height in widths.items():
            size(driver, width, height)
            emulate(driver, MEDIA["light"])
            try:
                with opened(driver, servers, name, state):
                    found += faults(driver, name, width)
                    shoot(f"{name}-{width}")
            except TimeoutError as error:
                found.append(f"{error} at {width} px")
    return found


def shooting(driver, folder: Path):
    """What takes a page's picture in each medium, once nothing moves on it."""
    def shoot(name: str) -> None:
        for medium, features in MEDIA.items():
            emulate(driver, features)
            driver.execute_async_script("""const done = arguments[0], end = setTimeout(done, 1000);
                requestAnimationFrame(() => Promise.allSettled(document.getAnimations().filter(each => each.effect.getTiming().iterations !== Infinity)
                  .map(each => each.finished)).then(() => (clearTimeout(end), done())))""")
            driver.save_screenshot(str(folder / f"{name}-{medium}.png"))
    return shoot


def write_index(folder: Path) -> None:
    rows = []
    for state in STATES:
        shown = "".join(f'<figure><img loading="lazy" src="{path.name}"><figcaption>{html.escape(path.stem)}</figcaption></figure>'
                        for path in sorted(folder.glob(f"{state}-[0-9]*.png")))
        rows.append(f"<h2>{state}</h2><div>{shown}</div>")
    style = "div{display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}img{height:360px;border:1px solid #888}"
    (folder / "index.html").write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(rows)}\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True, type=Path, help="the callboard program")
    options.add_argument("--to", required=True, type=Path, help="the folder of the pictures")
    options.add_argument("--only", default="", help="a part of the states' names")
    options.add_argument("--width", type=int, choices=WIDTHS, help="one width alone")
    chosen = options.parse_args()
    chosen.to.mkdir(parents=True, exist_ok=True)
    program = str(chosen.binary.resolve())
    with contextlib.ExitStack() as stack:
        def start(**settings: str) -> Server:
            made = Server(program, Path(stack.enter_context(tempfile.TemporaryDirectory())), **settings)
            stack.callback(made.stop)
            return made

        full = start(HOOKS_RETRY_DELAYS="0.02", HOOKS_ALLOW="127.0.0.0/8")
        fill(program, full.url)
        servers = Servers(full, start(), start(AUTH_MODE="required"))
        stack.callback(servers.stop)
        driver = make_driver(shutil.which("chromium"), shutil.which("chromedriver"), MOUSE)
        stack.callback(driver.quit)
        states = {name: state for name, state in STATES.items() if chosen.only in name}
        widths = {width: height for width, height in WIDTHS.items() if chosen.width in (None, width)}
        found = take(driver, servers, states, widths, shooting(driver, chosen.to))
    write_index(chosen.to)
    print(json.dumps({"states": len(states), "pictures": len(states) * len(widths) * len(MEDIA), "faults": len(found)}))
    sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
