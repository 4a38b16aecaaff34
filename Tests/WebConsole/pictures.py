#!/usr/bin/env python3
"""Makes the documentation's pictures of the console: of a running one, in both colour schemes.

    Tests/WebConsole/pictures.py --binary .build/release/callboard

Loads the countries (Debian's iso-codes) and a list of contacts into a server in memory, and writes the pictures into
Sources/CallboardProgram/CallboardProgram.docc/Resources. Needs the Python environment of the client tests, chromium and
chromium-driver; where there is pngquant, the pictures become smaller.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Clients"))
sys.dont_write_bytecode = True

import httpx  # noqa: E402

from support.console import make_driver  # noqa: E402

RESOURCES = ROOT / "Sources/CallboardProgram/CallboardProgram.docc/Resources"
ISO = Path("/usr/share/iso-codes/json")
SIZE = {"width": 1120, "height": 660, "deviceScaleFactor": 1, "mobile": False}
# Each picture's page, and what has to be on it before it is taken.
PICTURES = {"console-list": ("/lists/contacts", "Not yet reloaded"), "console-changesets": ("/lists/contacts/changesets?from=4&to=7", "Elements"),
            "console-server": ("/server", "Requests a second")}


def fill(program: str, url: str) -> None:
    """Two lists, of which one has some versions, a hook and a change that is not yet reloaded."""
    subprocess.run([program, "load", str(ISO / "iso_3166-2.json"), "--server", url, "--director", "countries",
                    "--identifier", "{code}", "--section-field", "code", "--section-separator", "-",
                    "--titles", str(ISO / "iso_3166-1.json"), "--titles-key", "alpha_2", "--titles-value", "name"],
                   check=True, capture_output=True)
    people = [("Ada Lovelace", "Analyst"), ("Grace Hopper", "Rear admiral"), ("Alan Turing", "Mathematician"),
              ("Edsger Dijkstra", "Professor"), ("Barbara Liskov", "Professor"), ("Donald Knuth", "Author")]
    elements = [{"value": {"name": name, "role": role}} for name, role in people]
    with httpx.Client(trust_env=False) as client:
        def send(method: str, path: str, body=None) -> None:
            client.request(method, f"{url}/v1/directors/contacts{path}", json=body).raise_for_status()

        send("PUT", "", {"kind": "table"})
        send("PUT", "/adapters/Person", {"cell": "PersonCell", "identifier": "{name}"})
        send("PUT", "/variables/showRetired", True)
        send("PUT", "/sections?reload=true", [{"id": "friends", "headerTitle": "Friends", "elements": elements[:3]},
                                              {"id": "others", "headerTitle": "Others", "elements": elements[3:]}])
        for role in ("Countess", "Author", "Analyst"):
            send("PATCH", f"/sections/friends/elements/{urllib.parse.quote('Ada Lovelace')}?reload=true", {"role": role})
        send("POST", "/operations", {"reload": True, "operations": [
            {"op": "moveElement", "section": "others", "from": 2, "to": 0, "toSection": "friends"},
            {"op": "addElements", "section": "others", "elements": [{"value": {"name": "Tony Hoare", "role": "Professor"}}]},
            {"op": "removeElements", "section": "friends", "at": [3]}]})
        for number in range(2):
            send("PATCH", f"/sections/others/elements/{urllib.parse.quote('Tony Hoare')}?reload=true", {"age": 89 + number})
        send("PATCH", f"/sections/friends/elements/{urllib.parse.quote('Grace Hopper')}", {"role": "Commodore"})


def take(driver, url: str) -> None:
    """Takes every picture in both schemes; the server's charts get some seconds of figures first."""
    RESOURCES.mkdir(exist_ok=True)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
    for name, (page, text) in PICTURES.items():
        driver.get("about:blank")
        driver.get(f"{url}/console/#{page}")
        deadline = time.monotonic() + 20
        while text not in driver.execute_script("return document.body.innerText"):
            assert time.monotonic() < deadline, f"{page} does not show {text!r}"
            time.sleep(0.1)
        for second in range(40 if name == "console-server" else 2):
            httpx.patch(f"{url}/v1/directors/countries/sections/AD/elements/AD-07?reload=true", json={"turn": second},
                        trust_env=False)
            time.sleep(1)
        for scheme, suffix in (("light", ""), ("dark", "~dark")):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            time.sleep(0.5)
            path = RESOURCES / f"{name}{suffix}.png"
            driver.save_screenshot(str(path))
            # So many colours are enough, and take a third of the room.
            if shrink := shutil.which("pngquant"):
                subprocess.run([shrink, "--force", "--strip", "--output", str(path), "96", str(path)], check=True)
            print(f"{path.name}: {path.stat().st_size:,} bytes")


@contextlib.contextmanager
def console(program: str, **settings: str):
    """The address of a server in memory that has the lists, and a browser; both end with the block."""
    chromium, driver_program = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver_program:
        sys.exit("chromium and chromedriver are needed; Config/setup test installs them")
    server = subprocess.Popen([program, "serve", "--port", "0", "--data", "memory"], stdout=subprocess.PIPE, text=True,
                              env=os.environ | settings)
    try:
        url = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        fill(program, url)
        driver = make_driver(chromium, driver_program)
        try:
            yield url, driver
        finally:
            driver.quit()
    finally:
        server.terminate()
        server.wait(20)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True, help="the callboard program")
    with console(str(Path(options.parse_args().binary).resolve())) as (url, driver):
        take(driver, url)


if __name__ == "__main__":
    main()
