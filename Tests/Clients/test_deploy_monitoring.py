"""The alerts and the dashboard of Config/deploy: whether they can be read, and what they ask for is there."""

import subprocess

import httpx

from support.deploy import DEPLOY, alerts, dashboard, declared, documents, expressions, metrics, series

# What Prometheus adds to each series, and what it says itself.
ADDED = {"job", "instance"}
OWN = {"up"}


def test_each_metric_and_label_that_is_asked_for_exists(server):
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as http:
        # Some series begin with the first request.
        http.get("/v1/directors").raise_for_status()
        there = metrics(http.get("/metrics").text)
    named, asked = declared(), [(text, *found) for text in expressions() for found in series(text)]
    assert len({name for _, name, _ in asked}) > 25
    for text, name, labels in asked:
        if name in OWN:
            continue
        assert name in there or name in named, f"{name} in {text!r}"
        if name in there:
            assert labels - ADDED <= there[name], text


def test_each_alert_says_what_is_wrong_and_what_to_do():
    names = [rule["alert"] for rule in alerts()]
    assert len(names) == len(set(names))
    for rule in alerts():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert all(rule["annotations"][name].strip() for name in ("summary", "description")), rule["alert"]


def test_the_alerts_fire_where_they_are_to(tool):
    program = tool("promtool", "prometheus")
    for command in (["check", "rules", "rules.yaml"], ["test", "rules", "rules.test.yaml"],
                    ["check", "config", "--syntax-only", "prometheus.yaml"]):
        done = subprocess.run([program, *command], cwd=DEPLOY / "monitoring", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_tests_of_the_alerts_know_their_names():
    [tests] = documents("monitoring/rules.test.yaml")
    tested = {each["alertname"] for test in tests["tests"] for each in test["alert_rule_test"]}
    assert tested <= {rule["alert"] for rule in alerts()} and len(tested) >= 8


def test_the_panels_of_the_dashboard_do_not_overlap_and_have_numbers_of_their_own():
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert place["x"] + place["w"] <= 24 and not cells & taken, panel["title"]
        taken |= cells
        if panel["type"] != "row":
            assert panel["description"] and panel["targets"] and panel["datasource"]["uid"] == "${datasource}", panel["title"]
