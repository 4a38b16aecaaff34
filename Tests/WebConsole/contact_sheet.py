#!/usr/bin/env python3
"""Makes a contact sheet of the console: its pages and states in four widths, light, dark and in forced colours.

    Tests/WebConsole/contact_sheet.py --binary .build/release/callboard --to FOLDER [--only PART]

Writes a picture of each and an index.html that shows them side by side, and fails where a page is wider than the window.
Needs the Python environment of the client tests, chromium and chromium-driver.
"""

import argparse
import html
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "Tests/Clients"), str(Path(__file__).resolve().parent)]
sys.dont_write_bytecode = True

import httpx  # noqa: E402

from pictures import console  # noqa: E402

WIDTHS = {390: 844, 900: 800, 1440: 900, 2560: 1300}
MEDIA = {"light": [("prefers-color-scheme", "light")], "dark": [("prefers-color-scheme", "dark")],
         "forced": [("prefers-color-scheme", "light"), ("forced-colors", "active")]}
LONG = "A title so long that no list, however wide, has room for it in one line: " * 3
TEXTS = {"names": ["שלום עולם, זה שם ארוך", "مرحبا بالعالم", "Ångström", LONG, "x" * 200, "<b>bold</b>", "😀 😀"]}
# What is shown: the address, and a text that has to be there.
PAGES = {
    "lists": ("/", "countries"), "list": ("/lists/contacts", "Friends"), "texts": ("/lists/texts", "Ångström"),
    "long": ("/lists/countries", "Andorra"), "empty": ("/lists/empty", "No sections"), "missing": ("/lists/nothing", "nothing"),
    "changesets": ("/lists/contacts/changesets?from=4&to=7", "Elements"), "list-hooks": ("/lists/contacts/hooks", "didSelect"),
    "hooks": ("/hooks", "didSelect"), "deliveries": ("/deliveries", "dead"), "streams": ("/streams", ""),
    "views": ("/lists/contacts/views", "New view"), "server": ("/server", "Requests a second"), "access": ("/access", ""),
}


PATIENCE = 30.0
# What is wrong with how a page stands there, whatever it shows.
FAULTS = """
const faults = [], named = node => `${node.tagName.toLowerCase()}.${node.className} ${JSON.stringify(node.textContent.slice(0, 30))}`;
if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the window");
const controls = [...document.querySelectorAll("button, input, select, a")].filter(node => node.checkVisibility({visibilityProperty: true})
  && !node.closest(".unseen, .table, pre, nav, [popover], dialog"));
for (const node of controls) {
  const {left, right, width} = node.getBoundingClientRect();
  if (width > 1 && (left < 0 || right > innerWidth + 1)) faults.push(`cut: ${named(node)}`);
}
return faults;"""


def fill_states(url: str) -> None:
    """Lists of unusual content, and a hook whose target is not there, with a delivery that was given up."""
    with httpx.Client(base_url=f"{url}/v1/directors", trust_env=False) as client:
        def send(method: str, path: str, body=None) -> None:
            client.request(method, path, json=body).raise_for_status()

        send("PUT", "/empty", {"kind": "table"})
        send("PUT", "/texts", {"kind": "table"})
        send("PUT", "/texts/adapters/Text", {"cell": "TextCell", "identifier": "{id}"})
        send("PUT", "/texts/sections?reload=true", {"sections": [
            {"id": name, "headerTitle": texts[0], "elements": [{"value": {"id": str(n), "name": text, "note": LONG}}
                                                               for n, text in enumerate(texts)]} for name, texts in TEXTS.items()]})
        send("PUT", "/contacts/adapters/Person/events/didSelect", {"url": "http://127.0.0.1:9/hook"})
        send("POST", "/contacts/events", {"event": "didSelect", "indexPath": [0, 0]})


def emulate(driver, features: list[tuple[str, str]]) -> None:
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": name, "value": value} for name, value in ({"forced-colors": "none", "hover": "hover"} | dict(features)).items()]})


def take(driver, console: str, pages: dict[str, tuple[str, str]], widths: dict[int, int], shoot) -> list[str]:
    """Opens pages in widths, and has `shoot` take a picture of each, by its name; returns what is wrong."""
    faults = []
    for page, (address, text) in pages.items():
        for width, height in widths.items():
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                   {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
            emulate(driver, MEDIA["light"])
            driver.get("about:blank")
            driver.get(f"{console}#{address}")
            deadline = time.monotonic() + PATIENCE
            while text.lower() not in driver.execute_script("return document.body.innerText").lower():
                if time.monotonic() > deadline:
                    faults.append(f"{page} at {width} px does not show {text!r}")
                    break
                time.sleep(0.1)
            shoot(f"{page}-{width}")
            faults += [f"{page} at {width} px: {fault}" for fault in driver.execute_script(FAULTS)]
    return faults


def shooting(driver, folder: Path):
    """What takes a page's picture in each medium, once nothing moves on it."""
    def shoot(name: str) -> None:
        time.sleep(1)
        for medium, features in MEDIA.items():
            emulate(driver, features)
            time.sleep(0.3)
            driver.save_screenshot(str(folder / f"{name}-{medium}.png"))
    return shoot


def write_index(folder: Path) -> None:
    rows = []
    for page in PAGES:
        shown = "".join(f'<figure><img loading="lazy" src="{path.name}"><figcaption>{html.escape(path.stem)}</figcaption></figure>'
                        for path in sorted(folder.glob(f"{page}-[0-9]*.png")))
        rows.append(f"<h2>{page}</h2><div>{shown}</div>")
    style = "div{display:flex;flex-wrap:wrap;gap:12px}figure{margin:0}img{height:360px;border:1px solid #888}"
    (folder / "index.html").write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(rows)}\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True, type=Path, help="the callboard program")
    options.add_argument("--to", required=True, type=Path, help="the folder of the pictures")
    options.add_argument("--only", default="", help="a part of the pages' names")
    chosen = options.parse_args()
    chosen.to.mkdir(parents=True, exist_ok=True)
    with console(str(chosen.binary.resolve()), CALLBOARD_HOOKS_RETRY_DELAYS="0.02") as (url, driver):
        fill_states(url)
        pages = {name: page for name, page in PAGES.items() if chosen.only in name}
        faults = take(driver, f"{url}/console/", pages, WIDTHS, shooting(driver, chosen.to))
    write_index(chosen.to)
    sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
