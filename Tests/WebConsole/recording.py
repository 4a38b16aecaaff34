#!/usr/bin/env python3
"""Records the README's moving picture: the console changes a list, and a web page shows it.

    Tests/WebConsole/recording.py --binary .build/release/callboard [--to .github/screens.png]

Starts a server in memory and three browsers: the console, the page, and a stage that shows both with a line on what happens.
Rows glide at half their speed: their animations are stopped, and taken on from frame to frame, so that a busy machine makes
the same picture. Needs the Python environment of the client tests, chromium, chromium-driver and node.
"""

import argparse
import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Clients"))
sys.dont_write_bytecode = True

import httpx  # noqa: E402

from support.console import MOUSE, Front, make_driver  # noqa: E402

HERE = Path(__file__).resolve().parent
LIMIT = 400_000
# What a window shows in CSS pixels, and by how much it is drawn smaller than it is; the picture has two pixels for each of its own.
CONSOLE, SCALE, PHONE, DENSITY = (640, 740), 0.8, (268, 506), 2
GLIDE, STEP = 480, 60
# Animations begin stopped; `step` takes those that run to a part of their time.
HOLD = """window.held = []; const real = Element.prototype.animate;
Element.prototype.animate = function (...all) { const made = real.apply(this, all); made.pause(); window.held.push(made); return made; };
window.step = part => { for (const each of window.held) part < 1 ? each.currentTime = each.effect.getTiming().duration * part : each.finish();
  if (part >= 1) window.held = []; };"""


def fill(client: httpx.Client) -> None:
    """A menu whose sweets are there as long as a variable says so."""
    def send(method: str, path: str, body) -> None:
        client.request(method, f"/v1/directors/menu{path}", json=body).raise_for_status()

    def made(*dishes: tuple[str, str, str]) -> list[dict]:
        return [{"value": {"name": name, "note": note, "price": price}} for name, note, price in dishes]

    send("PUT", "", {"kind": "table"})
    send("PUT", "/adapters/Dish", {"cell": "DishCell", "identifier": "{name}", "preview": {"title": "{name}", "subtitle": "{note}", "trailing": "{price}"}})
    send("PUT", "/variables/sweets", True)
    send("PUT", "/sections?reload=true", {"sections": [
        {"id": "today", "headerTitle": "Today", "elements": made(
            ("Soup", "with bread", "4.50"), ("Salad", "tomato, cucumber", "5.20"), ("Pasta", "with pesto", "8.40"))},
        {"id": "sweet", "headerTitle": "Sweet", "rows": [{"id": "sweets", "type": "model", "model": "Dish", "hideWhen": {"!": [{"var": "variables.sweets"}]},
                                                          "elements": made(("Cheesecake", "with cherries", "3.90"))}]}]})


class Recording:
    """Frames of two windows on a stage."""

    def __init__(self, console, phone, stage, folder: Path):
        self.console, self.phone, self.stage, self.folder = console, phone, stage, folder
        self.frames: list[tuple[str, int]] = []
        self.mouse = (320.0, 640.0)

    def frame(self, milliseconds: int) -> None:
        """Takes a frame that stays so long."""
        shots = [base64.b64encode(each.get_screenshot_as_png()).decode() for each in (self.console, self.phone)]
        self.stage.execute_async_script("""const [shots, [x, y], done] = arguments, images = [...document.images];
            images.forEach((each, n) => each.src = `data:image/png;base64,${shots[n]}`);
            document.querySelector(".mouse").style.translate = `${x}px ${y}px`;
            Promise.all(images.map(each => each.decode())).then(() => requestAnimationFrame(() => requestAnimationFrame(done)))""",
                                        shots, [each * SCALE for each in self.mouse])
        name = f"{len(self.frames):03}.png"
        (self.folder / name).write_bytes(self.stage.get_screenshot_as_png())
        self.frames.append((name, milliseconds))

    def says(self, what: str) -> None:
        self.stage.execute_script("document.querySelector('.says').innerHTML = arguments[0]", what)

    def glide(self) -> None:
        """Takes the animations that have begun to their ends."""
        for moment in range(0, GLIDE, STEP):
            for each in (self.console, self.phone):
                each.execute_script("window.step(arguments[0])", moment / GLIDE)
            self.frame(STEP)
        for each in (self.console, self.phone):
            each.execute_script("window.step(1)")

    def point(self, place: tuple[float, float], frames: int = 5) -> None:
        """Moves the mouse to a place of the console."""
        (x, y), (to_x, to_y) = self.mouse, place
        for n in range(1, frames + 1):
            part = n / frames * (2 - n / frames)
            self.mouse = (x + (to_x - x) * part, y + (to_y - y) * part)
            self.send("mouseMoved")
            self.frame(STEP)

    def send(self, kind: str, **more) -> None:
        self.console.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": self.mouse[0], "y": self.mouse[1], "pointerType": "mouse", **more})

    def press(self, down: bool = True) -> None:
        self.send("mousePressed" if down else "mouseReleased", button="left", clickCount=1)

    def dismiss(self) -> None:
        """Closes what offers to undo."""
        self.console.execute_script("document.querySelectorAll('.toast button:last-of-type').forEach(each => each.click())")

    def place(self, script: str) -> tuple[float, float]:
        """The middle of the node that a script of the console gives."""
        return tuple(self.console.execute_script(f"const {{x, y, width, height}} = ({script}).getBoundingClientRect(); return [x + width / 2, y + height / 2]"))


def until(driver, script: str, *arguments) -> None:
    deadline = time.monotonic() + 30
    while not driver.execute_script(f"return {script}", *arguments):
        assert time.monotonic() < deadline, f"{script} {arguments} does not come"
        time.sleep(0.03)


def tell(made: Recording, client: httpx.Client) -> None:
    """The story: a change by request, a move and a hide in the console, and the reload that sends both as one changeset."""
    row = "[...document.querySelectorAll('.row')].find(each => each.textContent.includes('%s'))"
    pending = "document.querySelector('.pending')"
    made.says("A list on two screens: the console, and a web page")
    made.frame(1200)
    made.says("<code>curl -X PATCH …/elements/Soup?reload=true --json '{\"price\": \"4.90\"}'</code>")
    made.frame(900)
    client.patch("/v1/directors/menu/sections/today/elements/Soup?reload=true", json={"price": "4.90"}).raise_for_status()
    for each in (made.console, made.phone):
        until(each, "document.body.innerText.includes('4.90')")
    made.frame(1100)

    made.says("Pasta is dragged to the top: for now, in the working state only")
    made.point(made.place(row % "Pasta"))
    made.press()
    made.point(made.place(row % "Soup"), 7)
    made.press(False)
    until(made.console, f"{pending}.textContent.includes('1 element moved')")
    made.frame(800)
    made.dismiss()
    made.says("Sweets are hidden by a variable")
    made.point(made.place("document.querySelector('.switch')"))
    made.press()
    made.press(False)
    until(made.console, f"{pending}.textContent.includes('deleted') && document.querySelector('.toast')")
    made.dismiss()
    made.frame(900)
    made.says("The reload sends both as one changeset, and rows go where they belong")
    made.point(made.place(f"[...{pending}.querySelectorAll('button')].find(each => each.textContent === 'Reload')"))
    made.frame(300)
    made.press()
    made.press(False)
    for each in (made.console, made.phone):
        until(each, "!document.body.innerText.includes('Cheesecake') || window.held.length > 0")
    until(made.console, f"{pending}.textContent.includes('It is what is published')")
    made.glide()
    made.frame(2600)


@contextlib.contextmanager
def windows(program: str):
    """A server with the menu, and a recording of it that has not begun."""
    settings = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    with contextlib.ExitStack() as stack:
        server = subprocess.Popen([program, "serve", "--port", "0", "--data", "memory"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=settings)
        stack.callback(server.wait, 20)
        stack.callback(server.terminate)
        url = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        client = stack.enter_context(httpx.Client(base_url=url, trust_env=False))
        fill(client)
        front = Front(shutil.which("node"), url)
        stack.callback(front.stop)

        def window(size: tuple[int, int], density: float):
            driver = make_driver(shutil.which("chromium"), shutil.which("chromedriver"), MOUSE, "--hide-scrollbars")
            stack.callback(driver.quit)
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": size[0], "height": size[1], "deviceScaleFactor": density, "mobile": False})
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOLD})
            return driver

        console = window(CONSOLE, SCALE * DENSITY)
        console.get(f"{front.url}#/lists/menu")
        until(console, "document.body.innerText.includes('Working state') && document.querySelectorAll('.row').length === 4")
        console.execute_script("scrollTo(0, document.querySelector('.published .screen').getBoundingClientRect().top + scrollY - 56)")
        phone = window(PHONE, DENSITY)
        phone.get(f"{url}/livez")
        write(phone, (HERE / "recording-page.html").read_text())
        until(phone, "document.body.innerText.includes('Cheesecake')")
        stage = window((int(CONSOLE[0] * SCALE) + PHONE[0] + 68, int(CONSOLE[1] * SCALE) + 100), DENSITY)
        write(stage, (HERE / "recording-stage.html").read_text())
        yield client, Recording(console, phone, stage, Path(stack.enter_context(tempfile.TemporaryDirectory())))


def write(driver, page: str) -> None:
    driver.execute_script("document.open(); document.write(arguments[0]); document.close()", page)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True, type=Path, help="the callboard program")
    options.add_argument("--to", type=Path, default=ROOT / ".github/screens.png", help="the picture")
    options.add_argument("--frames", type=Path, help="a folder that gets the frames, to look at them")
    chosen = options.parse_args()
    with windows(str(chosen.binary.resolve())) as (client, made):
        tell(made, client)
        (made.folder / "frames.json").write_text(json.dumps(made.frames))
        subprocess.run(["node", str(HERE / "apng.mjs"), str(made.folder), str(chosen.to)], check=True)
        if chosen.frames:
            shutil.copytree(made.folder, chosen.frames, dirs_exist_ok=True)
    size, seconds = chosen.to.stat().st_size, sum(milliseconds for _, milliseconds in made.frames) / 1000
    print(f"{chosen.to.name}: {size:,} bytes, {len(made.frames)} frames, {seconds} s")
    if size > LIMIT:
        sys.exit(f"{chosen.to.name} is over {LIMIT:,} bytes")


if __name__ == "__main__":
    main()
