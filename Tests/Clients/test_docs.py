"""Config/docs: what it refuses, and the pages that it makes for readers without a server."""

import html.parser
import shutil
import subprocess
import sys

import pytest

from support.fakes import CHECKOUT, Fakes

ROOT = """# Shop

What the shop sells, by `kind`.

## Overview

Prices are *net* and **final**, see <doc:Prices>.

## Topics

### Articles

- <doc:Prices>

@Metadata {
    @TechnologyRoot
}
"""
PRICES = """# Prices

What things cost.

## Overview

| thing | price |
| --- | --- |
| `a < b` | 1 & 2 |

1. First
2. Then, as <doc:Shop> says, [elsewhere](https://shop.example/?a=1&b=2)

> Note: Not all.

```html
<script>alert("&")</script>
```

### Taxes

See <doc:Prices#Taxes>.
"""


class Links(html.parser.HTMLParser):
    """The addresses that a page leads to, its anchors, and its tags."""

    def __init__(self, text: str):
        super().__init__()
        self.links, self.anchors, self.tags, self.text = [], set(), [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        fields = dict(attributes)
        self.tags.append(tag)
        self.links += [fields[name] for name in ("href", "data-plain") if name in fields]
        self.anchors |= {fields["id"]} if "id" in fields else set()

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("arguments, sentence", [
    (["--nonsense"], "there is no option '--nonsense'"), (["--build"], "--build needs a folder"),
    (["--build", "/nowhere"], "'/nowhere' has no debug build"),
])
def test_what_is_wrong_is_said(tmp_path, arguments, sentence):
    fakes = Fakes(tmp_path)
    fakes.add("docc", "exit 0")
    done = fakes.run("Config/docs", *arguments)
    assert done.returncode == 1 and sentence in done.stderr


def test_pages_without_a_server_have_what_is_written_and_links_that_lead_somewhere(tool, tmp_path):
    docc = tool("docc", "none; it is part of the toolchains of swift.org")
    catalog = tmp_path / "Shop.docc"
    catalog.mkdir()
    (catalog / "Shop.md").write_text(ROOT)
    (catalog / "Prices.md").write_text(PRICES)
    site = tmp_path / "site"
    subprocess.run([docc, "convert", catalog, "--output-dir", site, "--warnings-as-errors"], check=True, capture_output=True)
    command = [sys.executable, CHECKOUT / "Config/site/pages.py", site]
    subprocess.run(command, check=True, capture_output=True)
    pages = {path: Links(path.read_text()) for path in [site / "index.html", *(site / "plain").iterdir()]}
    assert len(pages) == 3
    prices = next(page for path, page in pages.items() if path.name.endswith("prices.html"))
    assert '<script>alert("&")</script>' in prices.text and "script" not in prices.tags
    assert "a < b" in prices.text and "1 & 2" in prices.text and "https://shop.example/?a=1&b=2" in prices.links
    assert {"table", "ol", "aside", "pre"} <= set(prices.tags)
    for path, page in pages.items():
        for link in page.links:
            if link.startswith("https:"):
                continue
            file, _, anchor = link.partition("#")
            target = (path.parent / file if file else path).resolve()
            assert target.exists(), f"{path.name}: {link}"
            assert not anchor or anchor in pages[target].anchors, f"{path.name}: {link}"
    shutil.rmtree(site / "data")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "FOLDER" in done.stderr


def test_a_link_to_a_page_of_another_catalog_that_is_not_there_stops_the_site(tool, tmp_path):
    docc = tool("docc", "none; it is part of the toolchains of swift.org")
    catalog = tmp_path / "Shop.docc"
    catalog.mkdir()
    (catalog / "Shop.md").write_text(ROOT.replace("<doc:Prices>", "[Taxes](/documentation/office/taxes)"))
    subprocess.run([docc, "convert", catalog, "--output-dir", tmp_path / "site"], check=True, capture_output=True)
    command = [sys.executable, CHECKOUT / "Config/site/pages.py", tmp_path / "site"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "the link /documentation/office/taxes leads nowhere" in done.stderr
