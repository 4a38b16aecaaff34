"""Reads what Config/deploy has, so that tests can compare it with the program."""

import json
import re
import subprocess
from collections.abc import Iterator

import promql_parser
import yaml

from support.fakes import CHECKOUT

DEPLOY = CHECKOUT / "Config/deploy"
KUBERNETES = ["settings", "nodes", "services", "network"]


class Strict(yaml.SafeLoader):
    """Refuses a key that is there twice, of which a mapping would silently keep the last."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        assert len(keys) == len(set(keys)), f"a key is there twice{node.start_mark}"
        self.flatten_mapping(node)
        return super().construct_mapping(node, deep)


def documents(path: str) -> list[dict]:
    """The documents of a YAML file below Config/deploy."""
    return list(yaml.load_all((DEPLOY / path).read_text(), Strict))


def objects() -> dict[tuple[str, str], dict]:
    """The Kubernetes objects by kind and name."""
    found = [each for name in KUBERNETES for each in documents(f"kubernetes/{name}.yaml")]
    named = {(each["kind"], each["metadata"]["name"]): each for each in found}
    assert len(named) == len(found), "two objects have one name"
    return named


def pod() -> dict:
    """What the nodes' pods are made from."""
    return objects()["StatefulSet", "callboard"]["spec"]["template"]["spec"]


def lookup(thing, path: str):
    """What a path such as `spec.ports.0.name` leads to; None where there is nothing."""
    for part in path.split("."):
        if isinstance(thing, list):
            thing = thing[int(part)] if int(part) < len(thing) else None
        elif isinstance(thing, dict):
            thing = thing.get(part)
        else:
            return None
    return thing


def compose() -> dict:
    """The Compose file."""
    [document] = documents("compose/compose.yaml")
    return document


def alerts() -> list[dict]:
    """The alerts of all groups."""
    [document] = documents("monitoring/rules.yaml")
    return [rule for group in document["groups"] for rule in group["rules"]]


def dashboard() -> dict:
    """Grafana's dashboard."""
    return json.loads((DEPLOY / "monitoring/dashboard.json").read_text())


def expressions() -> Iterator[str]:
    """Every PromQL expression of the alerts and the dashboard, with values in the place of Grafana's variables."""
    yield from (rule["expr"] for rule in alerts())
    page = dashboard()
    queried = [target["expr"] for panel in page["panels"] for target in panel.get("targets", [])]
    queried += [each["expr"] for each in page["annotations"]["list"]]
    yield from (each.replace("$__rate_interval", "1m") for each in queried)
    for variable in page["templating"]["list"]:
        if variable["type"] == "query":
            yield re.fullmatch(r"label_values\((.+), \w+\)", variable["query"]["query"]).group(1)


def series(expression: str) -> Iterator[tuple[str, set[str]]]:
    """The metrics of an expression, each with the labels that it is chosen by; fails where it cannot be parsed."""
    found, grouped = [], set()

    def visit(node) -> bool:
        if isinstance(node, promql_parser.MatrixSelector):
            node = node.vector_selector
        if isinstance(node, promql_parser.VectorSelector):
            found.append((node.name, {each.name for each in node.matchers.matchers}))
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier:
            grouped.update(node.modifier.labels)
        return True

    promql_parser.walk(promql_parser.parse(expression), pre_visit=visit)
    return ((name, labels | grouped) for name, labels in dict((name, labels) for name, labels in found).items())


def metrics(page: str) -> dict[str, set[str]]:
    """The series of a page of metrics, each with its labels."""
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", page, re.M):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


def declared() -> set[str]:
    """The metrics that the sources name, also those that a page has only in some set-ups."""
    return {name for path in (CHECKOUT / "Sources").rglob("*.swift")
            for name in re.findall(r'"(callboard_[a-z0-9_]+)', path.read_text())}


def settings(program: str) -> dict[str, str]:
    """The settings of the program by their environment variables."""
    printed = subprocess.run([program, "serve", "--print-config"], check=True, capture_output=True, text=True).stdout
    return dict(re.findall(r'// .*; (CALLBOARD_\w+)\n\s*"(\w+)":', printed))
