"""The console's page of the server, in front of three nodes that share a database."""

import signal

import httpx
import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support import nodes  # noqa: E402
from support.cluster import needs_postgres  # noqa: E402
from support.hooks import done, eventually  # noqa: E402
from support.server import metric  # noqa: E402

NAMES = ("node0", "node1", "node2")
FIGURES = {"Lists owned": "callboard_cluster_directors_owned", "Versions published": "callboard_versions_published_total"}


@pytest.fixture
def three(program, tmp_path):
    """Three nodes with six directors, of which each node owns some."""
    needs_postgres()
    made = nodes.Nodes(program, tmp_path, LOG_LEVEL="warning")
    try:
        with httpx.Client(base_url=made.url, trust_env=False, timeout=60) as http:
            for number in range(6):
                done(http.put(f"/v1/directors/list{number}", json={"kind": "table"}))

            def owned() -> list[int]:
                return [each["directors"] for each in done(http.get("/v1/nodes")).json()["nodes"]]

            eventually(lambda: len(owned()) == 3 and all(owned()), "directors at each node")
        yield made
    finally:
        made.stop()


def figure(page, name: str) -> str:
    return page.js("""return [...document.querySelectorAll(".figures dl > div")]
        .find(each => each.querySelector("dt").firstChild.data === arguments[0])?.querySelector("dd").textContent""", name)


def test_the_nodes_are_listed_and_each_is_shown_by_its_own_metrics(three, console):
    page = console(three, "/server")
    page.shows(*NAMES, "takes part", "Requests a second", "Nodes that take part")
    page.assert_accessible()
    for number, node in enumerate(three.nodes):
        page.click(f"input[aria-label='Show how node{number} is doing']")
        with httpx.Client(base_url=node.url, trust_env=False, timeout=60) as http:
            # A list may still be given to another node.
            page.until(lambda: all(figure(page, name) == f"{metric(node, http, of):.0f}" for name, of in FIGURES.items()))
    page.tolerate(0, 404, 502, 503)
    three.nodes[2].terminate(signal.SIGKILL)
    # Until its lease has run out it is asked in vain; then another one is shown.
    page.until(lambda: figure(page, "Nodes that take part") == "2", "two nodes")
    page.hides("node2")
    page.until(lambda: page.js("return document.querySelectorAll('.nodes input:checked').length") == 1)
    page.assert_fits(360)
