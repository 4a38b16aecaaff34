"""What Config/deploy has for Compose and Kubernetes, compared with the program, the image and each other.

The schemas of Kubernetes are checked where the package kubernetes-validate is installed; what is checked in any case are the
fields that are required, and that what is named exists.
"""

import json
import os
import re
import subprocess

import httpx
import pytest

from support.deploy import DEPLOY, KUBERNETES, compose, documents, lookup, objects, pod, settings
from support.fakes import CHECKOUT

REQUIRED = {
    "ConfigMap": ["data"],
    "StatefulSet": ["spec.serviceName", "spec.selector.matchLabels", "spec.template.metadata.labels",
                    "spec.template.spec.containers.0.name", "spec.template.spec.containers.0.image"],
    "PodDisruptionBudget": ["spec.selector.matchLabels", "spec.maxUnavailable"],
    "Service": ["spec.selector", "spec.ports.0.port", "spec.ports.0.name"],
    "NetworkPolicy": ["spec.podSelector.matchLabels", "spec.policyTypes", "spec.ingress"],
}
VERSIONS = {"ConfigMap": "v1", "StatefulSet": "apps/v1", "PodDisruptionBudget": "policy/v1", "Service": "v1",
            "NetworkPolicy": "networking.k8s.io/v1"}


def test_kubernetes_objects_have_what_is_required():
    for (kind, name), thing in objects().items():
        assert thing["apiVersion"] == VERSIONS[kind]
        for path in REQUIRED[kind]:
            assert lookup(thing, path) not in (None, "", {}, []), f"{kind} {name} has no {path}"
    [kustomization] = documents("kubernetes/kustomization.yaml")
    assert kustomization["resources"] == [f"{name}.yaml" for name in KUBERNETES]
    assert [each["name"] for each in kustomization["images"]] == [pod()["containers"][0]["image"]]


def test_kubernetes_objects_follow_the_schemas():
    checker = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed (PyPI)")
    for thing in objects().values():
        checker.validate(thing, "1.32", strict=True)


def test_what_kubernetes_objects_name_exists():
    there = objects()
    nodes, container = there["StatefulSet", "callboard"]["spec"], pod()["containers"][0]
    labels = nodes["template"]["metadata"]["labels"]
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    for (kind, _), thing in there.items():
        selector = lookup(thing, "spec.selector.matchLabels") or lookup(thing, "spec.podSelector.matchLabels")
        selector = thing["spec"]["selector"] if kind == "Service" else selector
        assert kind == "ConfigMap" or selector == labels
    for name in ("callboard", nodes["serviceName"]):
        for port in there["Service", name]["spec"]["ports"]:
            assert ports[port["targetPort"]] == port["port"]
    headless = there["Service", nodes["serviceName"]]["spec"]
    assert headless["clusterIP"] == "None" and headless["publishNotReadyAddresses"] is True
    assert {each["port"] for rule in there["NetworkPolicy", "callboard"]["spec"]["ingress"]
            for each in rule["ports"]} == set(ports)
    assert {each["name"] for each in container["volumeMounts"]} == {each["name"] for each in pod()["volumes"]}
    assert [each["configMapRef"]["name"] for each in container["envFrom"]] == ["callboard"]
    # The commands in the comment make the secrets, with each key that is used.
    text = (DEPLOY / "kubernetes/kustomization.yaml").read_text()
    secret = re.search(r"secret generic callboard (.*?)kubectl apply", text, re.S)
    keys = [each["valueFrom"]["secretKeyRef"]["key"] for each in container["env"] if "secretKeyRef" in each.get("valueFrom", {})]
    keys += [item["key"] for each in pod()["volumes"] for item in each.get("secret", {}).get("items", [])]
    assert len(keys) == 2 and all(f"--from-literal={key}=" in secret.group() for key in keys)


def test_pods_run_as_the_images_user_and_change_nothing_but_their_folder():
    image = (CHECKOUT / "Dockerfile").read_text()
    user = int(re.search(r"useradd .*--uid (\d+)", image).group(1))
    outer, container = pod()["securityContext"], pod()["containers"][0]
    assert outer["runAsNonRoot"] and {outer["runAsUser"], outer["runAsGroup"], outer["fsGroup"]} == {user}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    [folder] = re.findall(r"^VOLUME (\S+)$", image, re.M)
    assert [each["mountPath"] for each in container["volumeMounts"] if not each.get("readOnly")] == [folder]
    assert pod()["terminationGracePeriodSeconds"] >= 10 + 5 + 10, "shutdownDeadline, preStop, and some to hand over"
    for name, service in compose()["services"].items():
        if name.startswith("node-"):
            assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["volumes"] == [f"first-token:{folder}"]
    assert f"chown {user}:{user} secrets/" in (DEPLOY / "compose/compose.yaml").read_text()


def test_the_probes_and_health_checks_are_answered_without_a_token(start):
    server = start(AUTH_MODE="required")
    container = pod()["containers"][0]
    probes = [container[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")]
    assert {probe["port"] for probe in probes} == {"http"}
    [checked] = re.findall(r"http-check send meth GET uri (\S+)", (DEPLOY / "compose/haproxy.cfg").read_text())
    for path in [probe["path"] for probe in probes] + [checked]:
        answer = httpx.get(server.url + path, trust_env=False)
        assert answer.status_code == 200, path


def environments() -> dict[str, dict[str, str]]:
    """The environment variables that are set for nodes, by where they are."""
    found = {name: service["environment"] for name, service in compose()["services"].items() if name.startswith("node-")}
    found["ConfigMap"] = objects()["ConfigMap", "callboard"]["data"]
    found["StatefulSet"] = {each["name"]: each.get("value", "") for each in pod()["containers"][0]["env"]}
    return found


def test_each_variable_is_one_of_the_programs_settings(program):
    known = settings(program)
    assert len(known) > 50
    for place, variables in environments().items():
        assert all(isinstance(each, str) for each in variables.values()), f"{place}: a value that is no text"
        unknown = {name for name in variables if name.startswith("CALLBOARD_")} - set(known)
        assert not unknown, f"{place}: {unknown}"


def test_the_compose_file_names_what_is_there():
    project = compose()
    services, nodes = project["services"], [name for name in project["services"] if name.startswith("node-")]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services)
        assert set(service.get("networks", [])) <= set(project["networks"]), name
        assert set(service.get("secrets", [])) <= set(project["secrets"]), name
        volumes = {each.partition(":")[0] for each in service.get("volumes", [])}
        assert all(each in project["volumes"] or (DEPLOY / "compose" / each).is_file() for each in volumes), name
    for name in nodes:
        variables = services[name]["environment"]
        assert variables["CALLBOARD_CLUSTER_URL"] == f"http://{name}:{variables['CALLBOARD_CLUSTER_LISTEN'].rpartition(':')[2]}"
        assert name == f"node-{variables['CALLBOARD_CLUSTER_NAME']}"
    balanced = re.findall(r"^    server \w+ (\S+):8080$", (DEPLOY / "compose/haproxy.cfg").read_text(), re.M)
    assert balanced == nodes and len(nodes) == 3
    [scraped] = documents("monitoring/prometheus.yaml")
    assert scraped["scrape_configs"][0]["static_configs"][0]["targets"] == [f"{name}:8080" for name in nodes]
    made = set(re.findall(r"> secrets/(\w+)", (DEPLOY / "compose/compose.yaml").read_text()))
    assert {each["file"] for each in project["secrets"].values()} == {f"./secrets/{name}" for name in made}


def test_the_image_is_labelled_pinned_and_checked_where_it_listens(start, program):
    image = (CHECKOUT / "Dockerfile").read_text()
    bases = re.findall(r"^FROM (\S+)", image, re.M)
    assert len(bases) == 2 and all(re.fullmatch(r"(swift:\d+\.\d+\.\d+|debian:\d+\.\d+)-\w+", base) for base in bases), bases
    assert image.count(bases[1]) == 2, "the label of the base names another one"
    labels = set(re.findall(r"org\.opencontainers\.image\.([\w.]+)=", image))
    assert labels == {"title", "description", "version", "licenses", "source", "revision", "created", "base.name"}
    copied = " ".join(re.findall(r"^COPY (?!--from)(.+) \S+$", image, re.M)).split()
    assert {"LICENSE", "Config/packaging/copyright"} < set(copied)
    allowed = [line[1:] for line in (CHECKOUT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert set(copied) == set(allowed)
    # The health check runs the program that is the entry point, without flags: what the environment says is what it follows.
    [entry], [check], [arguments] = (re.findall(rf"{word} (\[.+\])$", image, re.M) for word in ("ENTRYPOINT", "HEALTHCHECK .*CMD", "\nCMD"))
    assert json.loads(check) == [*json.loads(entry), "health"] and json.loads(arguments) == ["serve"]
    server = start(AUTH_MODE="required")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    variables = dict(re.findall(r"(CALLBOARD_SERVER_HOST|CALLBOARD_AUTH_MODE)=(\S+)", image))
    done = subprocess.run([program, *json.loads(check)[1:]], env=environment | variables | {"CALLBOARD_SERVER_PORT": str(server.port)}, check=False)
    assert len(variables) == 2 and done.returncode == 0
