"""Adds to a documentation site what can be read without a server: an index, and articles and overviews as plain HTML.

    python3 Config/site/pages.py FOLDER

DocC's own pages are drawn by a script that loads its data, which browsers do not allow for files. The plain pages are made
of the same data. Symbols have pages of DocC only.
"""

import html
import json
import posixpath
import sys
from pathlib import Path

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
code, pre { font: 0.9em/1.4 ui-monospace, monospace }
pre, table { overflow-x: auto; display: block }
pre { padding: 0.7rem; border: 1px solid #8886; border-radius: 6px }
table { border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #8886 }
img { max-width: 100% }
aside { border-left: 3px solid #888; padding-left: 1rem }
th p, td p, li p { margin: 0 }
"""

# As files, links lead to the plain pages.
SCRIPT = """
if (location.protocol === "file:") for (const link of document.querySelectorAll("[data-plain]")) link.href = link.dataset.plain;
"""


class Page:
    """A page of DocC's data, as plain HTML."""

    def __init__(self, data: dict, plain: dict[str, str], name: str):
        self.data, self.plain, self.name = data, plain, name

    def inline(self, parts: list[dict]) -> str:
        return "".join(self._part(part) for part in parts)

    def _part(self, part: dict) -> str:
        kind = part["type"]
        if kind == "text":
            return html.escape(part["text"])
        if kind == "codeVoice":
            return f"<code>{html.escape(part['code'])}</code>"
        if kind in ("emphasis", "newTerm", "strong"):
            tag = "strong" if kind == "strong" else "em"
            return f"<{tag}>{self.inline(part['inlineContent'])}</{tag}>"
        if kind == "reference":
            return self._link(part)
        if kind == "image":
            return self._picture(part)
        raise SystemExit(f"{self.name}: the inline form {kind!r} is not known to {__file__}")

    def _picture(self, part: dict) -> str:
        """A picture, with the one for dark schemes where there is one."""
        image = self.data["references"][part["identifier"]]
        forms = {("dark" if "dark" in form["traits"] else "light"): f"..{form['url']}" for form in image["variants"]}
        light = forms.get("light") or forms["dark"]
        dark = forms.get("dark") or light
        return (f'<picture><source media="(prefers-color-scheme: dark)" srcset="{html.escape(dark)}">'
                f'<img alt="{html.escape(image.get("alt", ""))}" src="{html.escape(light)}"></picture>')

    def _link(self, part: dict) -> str:
        target = self.data["references"][part["identifier"]]
        own = part.get("overridingTitleInlineContent") or target.get("titleInlineContent")
        title = self.inline(own) if own else html.escape(target["title"])
        address = target["url"]
        if address.startswith("/"):
            path, _, anchor = address.partition("#")
            if path not in self.plain:
                # DocC does not check links to pages of another catalog.
                if target["type"] == "link":
                    raise SystemExit(f"{self.name}: the link {address} leads nowhere")
                return f"<code>{title}</code>"
            address = self.plain[path] + (f"#{anchor}" if anchor else "")
        return f'<a href="{html.escape(address)}">{title}</a>'

    def blocks(self, parts: list[dict]) -> str:
        return "\n".join(self._block(part) for part in parts)

    def _block(self, part: dict) -> str:
        kind = part["type"]
        if kind == "heading":
            level = part["level"]
            return f'<h{level} id="{html.escape(part["anchor"])}">{html.escape(part["text"])}</h{level}>'
        if kind == "paragraph":
            return f"<p>{self.inline(part['inlineContent'])}</p>"
        if kind == "codeListing":
            return f"<pre><code>{html.escape(chr(10).join(part['code']))}</code></pre>"
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>" + "".join(f"<li>{self.blocks(item['content'])}</li>" for item in part["items"]) + f"</{tag}>"
        if kind == "aside":
            return f"<aside>{self.blocks(part['content'])}</aside>"
        if kind == "table":
            return "<table>" + "".join(self._row(row, "td" if number else "th") for number, row in enumerate(part["rows"])) + "</table>"
        raise SystemExit(f"{self.name}: the block {kind!r} is not known to {__file__}")

    def _row(self, cells: list[list[dict]], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in cells) + "</tr>"

    @property
    def title(self) -> str:
        return self.data["metadata"]["title"]

    @property
    def abstract(self) -> str:
        return self.inline(self.data.get("abstract", []))

    @property
    def text(self) -> str:
        content = [self.blocks(section["content"]) for section in self.data.get("primaryContentSections", [])
                   if section["kind"] == "content"]
        return document(self.title, f'<p><a href="../index.html">All pages</a></p><h1>{html.escape(self.title)}</h1>'
                                    f"<p>{self.abstract}</p>{''.join(content)}")


def document(title: str, body: str, script: str = "") -> str:
    return (f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
            f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n{body}\n"
            + (f"<script>{script}</script>\n" if script else ""))


def pages(site: Path) -> dict[str, Page]:
    """The overviews of modules and the articles, by their address."""
    found = {}
    for path in sorted((site / "data/documentation").rglob("*.json")):
        data = json.loads(path.read_text())
        address = "/" + path.relative_to(site / "data").with_suffix("").as_posix()
        # Below articles and types there are lists of their members, which are no articles.
        is_article = data["metadata"].get("role") in ("article", "collectionGroup") and address.count("/") == 3
        if data["metadata"].get("role") == "collection" and address.count("/") == 2 or is_article:
            found[address] = data
    plain = {address: posixpath.relpath(address, "/documentation").replace("/", "-") + ".html" for address in found}
    return {address: Page(data, plain, address) for address, data in found.items()}


def index(found: dict[str, Page]) -> str:
    def entry(address: str) -> str:
        page = found[address]
        return (f'<a href="{address[1:]}/" data-plain="plain/{page.plain[address]}">{html.escape(page.title)}</a>'
                + (f": {page.abstract}" if page.abstract else ""))

    modules = [address for address in found if address.count("/") == 2]
    items = []
    for module in modules:
        articles = "".join(f"<li>{entry(each)}</li>" for each in found if each.startswith(f"{module}/"))
        items.append(f"<li>{entry(module)}" + (f"<ul>{articles}</ul>" if articles else "") + "</li>")
    return document("Callboard", f"<h1>Callboard</h1><p>What each module does, and how to use it.</p><ul>{''.join(items)}</ul>", SCRIPT)


def main() -> None:
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "data/documentation").is_dir():
        sys.exit(__doc__)
    site = Path(sys.argv[1])
    found = pages(site)
    (site / "plain").mkdir(exist_ok=True)
    for address, page in found.items():
        (site / "plain" / page.plain[address]).write_text(page.text)
    (site / "index.html").write_text(index(found))
    # DocC's script asks for it.
    (site / "theme-settings.json").write_text("{}\n")
    print(f"{len(found)} pages: {site}/index.html")


main()
