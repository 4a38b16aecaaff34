"""The events that the console offers hooks for are those that the server has."""

import json
import re
import subprocess

import pytest

from support import protocol
from support.fakes import CHECKOUT
from support.hooks import done

SITES = {"adapter": "adapters/A/events", "view": "header-footer-adapters/V/events", "list": "events", "scroll": "scroll-events"}
SCRIPT = """
const { eventsAt } = await import(process.argv[1]);
console.log(JSON.stringify(JSON.parse(process.argv[2]).map(([site, kind]) => eventsAt(site, kind))));
"""


@pytest.mark.parametrize("kind", ["table", "collection", "flow"])
def test_each_event_of_a_site_is_offered_once(http, tool, kind):
    path = f"/v1/directors/{kind}"
    done(http.put(path, json={"kind": kind}))
    done(http.put(f"{path}/adapters/A", json={"cell": "A"}))
    done(http.put(f"{path}/header-footer-adapters/V", json={}))
    module = (CHECKOUT / "Sources/WebAssets/console/hook-events.js").as_uri()
    offered = json.loads(subprocess.run(
        [tool("node", "nodejs"), "--input-type=module", "--eval", SCRIPT, module, json.dumps([[site, kind] for site in SITES])],
        capture_output=True, text=True, check=True, timeout=60).stdout)
    with protocol.client(base_url=http.base_url) as client:
        for (site, place), names in zip(SITES.items(), offered):
            answer = client.put(f"{path}/{place}/nothing", json={})
            known = re.search(r"it has (.*)\.$", answer.json()["detail"]).group(1).split(", ")
            assert sorted(names) == sorted(known), site
