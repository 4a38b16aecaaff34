"""The page about several nodes: the settings, variables, metrics and commands that it names exist."""

import re
import subprocess

from support.deploy import declared, settings
from support.documents import section
from support.fakes import CHECKOUT

PAGE = "Sources/JournalPostgres/JournalPostgres.docc/Operating-several-nodes.md"


def test_what_the_page_names_exists(program):
    text = section(PAGE, "Operating several nodes")
    known = settings(program)
    printed = subprocess.run([program, "serve", "--print-config"], check=True, capture_output=True, text=True).stdout
    groups = set(re.findall(r'^    "(\w+)": \{', printed, re.M))
    named = {(group, name) for group, name in re.findall(r"`(\w+)\.(\w+)`", text) if group in groups | {"cluster"}}
    for group, name in named:
        variable = "_".join(["CALLBOARD", group, re.sub("([A-Z])", r"_\1", name)]).upper()
        assert known.get(variable) == name, f"{group}.{name}"
    assert set(re.findall(r"\bCALLBOARD_\w+", text)) <= set(known)
    assert set(re.findall(r"`(callboard_\w+)`", text)) <= declared()
    commands = (CHECKOUT / "Config/cluster").read_text().rpartition('case "$command" in')[2]
    used = set(re.findall(r"Config/cluster (\w[\w-]*)", text))
    assert used and all(re.search(rf"^(\w+ \| )?{name}( \| \w+)?\)", commands, re.M) for name in used)
    for place in re.findall(r"Config/deploy[\w/.]*\w", text):
        assert (CHECKOUT / place).exists(), place
