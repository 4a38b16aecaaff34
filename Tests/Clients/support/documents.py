"""Takes examples out of documents, so that what is run is what is read."""

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[3]


def section(path: str, title: str) -> str:
    """The text of a section of a Markdown file, as far as the next heading of its level or above."""
    text = (CHECKOUT / path).read_text()
    heading = re.search(rf"^(#+) {re.escape(title)}$", text, re.M)
    assert heading, f"{path} has no section {title!r}"
    rest = text[heading.end():]
    # What begins with "#" inside an example is no heading.
    plain = re.sub(r"^```.*?^```$", lambda example: re.sub(r"^#", " ", example.group(), flags=re.M), rest, flags=re.M | re.S)
    end = re.search(rf"^#{{1,{len(heading.group(1))}}} ", plain, re.M)
    return rest[:end.start()] if end else rest


def examples(text: str, language: str) -> list[str]:
    """The examples in a language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
