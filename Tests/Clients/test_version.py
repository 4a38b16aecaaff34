"""The program's version: one number, wherever it is told."""

import json
import re
import subprocess

import httpx

from support.documents import CHECKOUT


def number(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def test_every_place_tells_the_programs_version(start, program):
    server, version = start(LOG_FORMAT="json"), number(program)
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert httpx.get(f"{server.url}/livez", trust_env=False).text == f"ok\ncallboard {version}\n"
    assert httpx.get(f"{server.url}/openapi.json", trust_env=False).json()["info"]["version"] == version
    for node in server.nodes:
        metrics = httpx.get(f"{node.url}/metrics", trust_env=False).text
        assert f'\ncallboard_build_info{{version="{version}"}} 1\n' in metrics
        first = json.loads(node.log.read_text().splitlines()[0])
        assert first["message"] == "starting" and first["version"] == version, first
    said = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
    assert said == f"callboard {version}\n"


def test_the_image_and_the_changelog_have_it(program):
    version = number(program)
    image = (CHECKOUT / "Dockerfile").read_text()
    assert re.findall(r"^ARG VERSION=(.+)$", image, re.M) == [version]
    changelog = (CHECKOUT / ".github/CHANGELOG.md").read_text()
    assert re.findall(r"^## \[(\d.*)\] - ", changelog, re.M)[0] == version
