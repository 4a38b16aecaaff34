"""The links of the README and of the pages, as somebody follows them in a checkout or on GitHub."""

import re

import pytest
from support.documents import CHECKOUT

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / ".github").glob("*.md")), *sorted((CHECKOUT / "Sources").rglob("*.md"))]


def plain(text: str) -> str:
    """A page's text without its examples."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def anchors(text: str) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    found = set()
    for title in re.findall(r"^#+ (.+)$", plain(text), re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
        found.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_each_link_leads_somewhere(page):
    text = page.read_text()
    assert "<doc:" not in plain(text), "GitHub shows no link for <doc:…>; write [title](Page.md), which Config/docs makes one of DocC's"
    for link in re.findall(r"\]\(([^)\s]+)\)", plain(text)) + re.findall(r"(?:src|srcset)=\"([^\"]+)\"", plain(text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(target.read_text()), f"{link} has no such heading"


def test_a_link_that_leads_nowhere_is_found():
    assert "taxes-of-2026" in anchors("# Shop\n\n## Taxes of 2026!\n")
    assert "<doc:" in plain("See <doc:Prices>.") and "<doc:" not in plain("Write `<doc:Prices>`.")
