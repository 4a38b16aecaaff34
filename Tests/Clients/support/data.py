"""Real lists from Debian's packages: ISO 3166-2 (iso-codes) and the emoji (unicode-data)."""

import json
import re
from pathlib import Path

ISO_3166_2 = Path("/usr/share/iso-codes/json/iso_3166-2.json")
EMOJI = Path("/usr/share/unicode/emoji/emoji-test.txt")


def subdivisions() -> list[dict]:
    """One record for each subdivision of a country, with the country's code added."""
    records = json.loads(ISO_3166_2.read_text(encoding="utf-8"))["3166-2"]
    return [record | {"country": record["code"].split("-", 1)[0]} for record in records]


def emoji() -> list[dict]:
    """One record for each line of the test file, whatever its status, with its group."""
    records, group = [], None
    for line in EMOJI.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"# group: (.+)", line):
            group = found.group(1)
        elif found := re.fullmatch(r"([0-9A-F ]+?)\s*; (\S+)\s*# (\S+) E(\S+) (.+)", line):
            code, status, character, since, name = found.groups()
            records.append({"codePoints": code, "status": status, "emoji": character, "name": name, "since": since,
                            "group": group})
    return records
