"""The front page of the Swift client's UIKit layer: its commands give the list that the app on the page shows."""

import json
import re
import textwrap

from support.documents import section
from support.walk import needs_list, walk  # noqa: F401

PAGE = "Sources/CallboardUIKit/CallboardUIKit.docc/CallboardUIKit.md"
pytestmark = needs_list


def test_the_list_of_an_empty_project(walk):  # noqa: F811
    # The server that the page begins with is the one of the walk.
    [(_, make)] = re.findall(r"^( *)```sh\n(.*?)^\1```$", section(PAGE, "From an empty project"), re.M | re.S)
    walk.run(textwrap.dedent(make))
    shown = json.loads(walk.run(
        "curl 'http://127.0.0.1:8080/v1/directors/contacts/sections?state=published'"))
    people, = shown["sections"]
    assert (people["headerTitle"], [element["value"]["name"] for element in people["elements"]]) == ("Friends", ["John", "Mark"])
    adapter, = json.loads(walk.run("curl http://127.0.0.1:8080/v1/directors/contacts/adapters"))["adapters"]
    assert adapter["model"] == "Contact" and adapter["cell"] == "ContactCell"
