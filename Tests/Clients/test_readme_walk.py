"""The README word for word."""

import json
import re
import xml.etree.ElementTree
from collections import defaultdict

from support.documents import CHECKOUT
from support.walk import README, needs_list, read, walk  # noqa: F401

KEEPING = "Sources/JournalSQLite/JournalSQLite.docc/KeepingLists.md"
pytestmark = needs_list


def test_five_minutes_and_a_tap(walk):  # noqa: F811
    load, watch, change, stream = read(README, "Five minutes", "sh")[1:]
    walk.run(load)
    walk.begin(f"{watch.strip()} --log", "watch", "version 1")
    changed = walk.run(change)
    assert '"elementMoved"' in changed and "Andorra la Vieja" in changed
    walk.wait_for("watch", "-> 3")
    walk.begin(f"D={walk.director}\n{stream}", "stream", "retry:")

    hook, tap = read(README, "Taps come back", "sh")
    walk.begin(hook, "listener", "listening on")
    assert '"delivery":"msg_' in walk.run(tap)
    walk.wait_for("listener", "removeElement")
    assert "1 element deleted" in walk.wait_for("watch", "-> 4")
    assert "elementDeleted" in walk.wait_for("stream", "elementDeleted")


def test_keep_it_safe(walk):  # noqa: F811
    walk.end_last()
    serve, commands = read(README, "Keep it safe", "sh")[0].split("\n", 1)
    walk.begin(serve, "guarded", "listening on")
    made = json.loads(walk.run(commands))
    assert made["name"] == "kitchen" and made["token"].startswith("cbt_")


def test_run_it(walk):  # noqa: F811
    printed = walk.run(read(README, "Run it", "sh")[0])
    assert '"backup.db" is whole' in printed


def test_each_change_of_the_readme_changes_something():
    """The same element is never given the value that it was given last."""
    texts = [(CHECKOUT / page).read_text() for page in (README, KEEPING)]
    values = re.findall(r"AD-07\?reload=true\"[^']*'(\{[^']*\})'", "\n".join(texts))
    assert len(values) == len(set(values)) == 3


def test_the_readme_is_an_introduction():
    """It names what there is and leads to the pages; the manual is there."""
    lines = (CHECKOUT / README).read_text().splitlines()
    assert len(lines) <= 250
    [phone] = read(README, "On a phone", "swift")
    assert len(phone.splitlines()) <= 15


def test_the_recording_moves_and_is_small():
    """Tests/WebConsole/recording.py makes it."""
    picture = (CHECKOUT / ".github/screens.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and b"acTL" in picture[:100] and len(picture) <= 400_000
    assert re.search(r'<img alt="[^"]{100,}"\s+width="848" src="\.github/screens\.png">', (CHECKOUT / README).read_text())


def test_the_picture_shows_what_happens(walk):  # noqa: F811
    """Its commands change a list as it says, and each changeset is the one that it shows."""
    picture = CHECKOUT / ".github/changeset.svg"
    root = xml.etree.ElementTree.parse(picture).getroot()
    assert not root.findall(".//{*}script") and "prefers-color-scheme: dark" in picture.read_text()
    names, lines = [], defaultdict(list)
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        texts = ["".join(text.itertext()) for text in group.findall("{*}text")]
        kind = group.get("class", "").split()[0]
        if kind == "all" and texts:
            lines[kind] += texts
        elif kind.startswith("set"):
            lines[kind] = texts[1:]
        elif kind == "row":
            names.append(group.get("class").split()[1])
    menu = ["espresso", "latte", "tea", "soup", "cake"]
    assert sorted(names) == sorted(2 * menu)
    elements = json.dumps([{"value": {"id": name, "price": "1"}} for name in menu])
    walk.run(f"""D=http://127.0.0.1:8080/v1/directors/menu
        curl -X PUT "$D" --json '{{"kind": "table"}}'
        curl -X PUT "$D/adapters/Item" --json '{{"cell": "ItemCell", "identifier": "{{id}}"}}'
        curl -X PUT "$D/sections/all?reload=true" --json '{{"elements": {elements}}}'""")
    commands = re.split(r"^\$ ", "\n".join(lines["all"]), flags=re.M)[1:]
    assert len(commands) == 3
    for number, command in enumerate(commands, 1):
        walk.run(f'D={walk.director}\nLIST="$D/sections/all"\n{command}')
        made = json.loads(walk.run(f'curl "$D/changesets?from={number}&to={number + 1}"'))
        shown = json.loads("{" + "".join(lines[f"set{number}"]).replace("…", "{}") + "}")
        for stage in made["stages"]:
            for update in stage.get("elementUpdated", []):
                update["element"] = {}
        assert made["stages"] == shown["stages"], command
