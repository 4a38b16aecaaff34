#!/usr/bin/env python3
"""Measures in Chromium how many changesets a second the JavaScript client reads, applies and draws.

    Tests/WebClient/bench.py

Beside it, in the same run: the same versions drawn from whole snapshots by keyed DOM code written for the purpose, with and
without the time to parse the snapshot. Needs the Python environment of the client tests, and chromium.
"""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Clients"))
sys.dont_write_bytecode = True

import test_browser  # noqa: E402
import test_client_browser  # noqa: E402

test_client_browser.PAGE = HERE / "bench.html"


def main() -> None:
    pages = test_browser.Reports(test_client_browser.PageHandler)
    pages.begin()
    opened = test_browser.browse.__wrapped__ if hasattr(test_browser.browse, "__wrapped__") else test_browser.browse.__pytest_wrapped__.obj
    with tempfile.TemporaryDirectory() as folder:
        browser = opened(Path(folder))
        try:
            next(browser)(f"{pages.origin}/")
            print(f"{'rows':>8} {'change':>10} {'client':>16} {'from snapshots':>18} {'ratio':>7} {'without parsing':>18} {'ratio':>7}")
            while (told := pages.told.get(timeout=300))["event"] == "measured":
                client, whole, hand = told["client"], told["snapshots"], told["hand"]
                print(f"{told['rows']:>8,} {told['change']:>10} {1000 / client:>14,.0f}/s {1000 / whole:>16,.0f}/s {whole / client:>7.1f} "
                      f"{1000 / hand:>16,.0f}/s {hand / client:>7.1f}", flush=True)
        finally:
            next(browser, None)
            pages.shutdown()


main()
