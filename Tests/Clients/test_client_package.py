"""What a package fetches that takes the Swift client or ListDiff, in an empty folder, and how ListDiff can be built."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.fakes import CHECKOUT

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "shop", platforms: [.macOS(.v15)],
    dependencies: [{dependency}],
    targets: [.executableTarget(name: "shop", dependencies: [{products}])])
"""
VERSION = "77.0.0"


def run(*command: str | Path, within: Path, timeout: int = 300) -> str:
    done = subprocess.run(
        command, cwd=within, text=True, timeout=timeout, capture_output=True,
        env=os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    """A repository of the package as it is now, at a version of its own."""
    folder = tmp_path_factory.mktemp("repository") / "callboard"
    for name in ["Sources", "Tests"]:
        shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    shutil.copy(CHECKOUT / "Package.swift", folder)
    git = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.org")
    run(*git, "init", "--quiet", within=folder)
    run(*git, "add", "--all", within=folder)
    run(*git, "commit", "--quiet", "--message", "As it is", within=folder)
    run(*git, "tag", VERSION, within=folder)
    return folder


def package(folder: Path, dependency: str, *products: str) -> Path:
    """A program that depends on the package, in an empty folder."""
    (folder / "Sources" / "shop").mkdir(parents=True)
    (folder / "Sources" / "shop" / "main.swift").write_text("".join(f"import {name}\n" for name in products))
    listed = ", ".join(f'.product(name: "{name}", package: "callboard")' for name in products)
    (folder / "Package.swift").write_text(MANIFEST.format(dependency=dependency, products=listed))
    return folder


def resolved(folder: Path, swift: str) -> set[str]:
    """The packages that are resolved, but for this one, and everything that was fetched for them."""
    run(swift, "package", "--cache-path", folder / "cache", "resolve", within=folder)
    pins = folder / "Package.resolved"
    identities = {pin["identity"] for pin in json.loads(pins.read_text())["pins"]} if pins.exists() else set()
    checkouts = folder / ".build" / "checkouts"
    fetched = {each.name.lower() for each in checkouts.iterdir()} if checkouts.exists() else set()
    return (identities | fetched) - {"callboard"}


@pytest.mark.parametrize("product", ["CallboardClient", "CallboardUIKit", "ListDiff", "ListDiffAppKit", "ListDiffUIKit"])
def test_a_program_that_takes_a_library_from_a_repository_fetches_nothing_else(repository, tmp_path, tool, product):
    dependency = f'.package(url: "file://{repository}", from: "{VERSION}", traits: [])'
    assert resolved(package(tmp_path / "shop", dependency, product), tool("swift", "swiftlang")) == set()


def test_a_program_that_takes_both_libraries_from_a_folder_fetches_nothing_else(repository, tmp_path, tool):
    dependency = f'.package(path: "{repository}", traits: [])'
    folder = package(tmp_path / "shop", dependency, "CallboardClient", "ListDiff")
    assert resolved(folder, tool("swift", "swiftlang")) == set()


def test_list_diff_can_be_built_with_library_evolution(tool, tmp_path):
    compiler = tool("swiftc", "swiftlang")
    files = sorted((CHECKOUT / "Sources/ListDiff").rglob("*.swift"))
    run(compiler, "-swift-version", "6", "-enable-library-evolution", "-emit-module", "-emit-module-interface", "-parse-as-library",
        "-package-name", "callboard", "-module-name", "ListDiff", *files, within=tmp_path)
    # What a program of another compiler reads.
    run(compiler, "-frontend", "-typecheck-module-from-interface", "ListDiff.swiftinterface", "-module-name", "ListDiff",
        within=tmp_path)


def test_no_target_of_a_library_stands_on_another_package(repository, tool):
    manifest = json.loads(run(tool("swift", "swiftlang"), "package", "dump-package", within=repository))
    targets = {target["name"]: target["dependencies"] for target in manifest["targets"]}
    libraries = [product for product in manifest["products"] if "library" in product["type"]]
    assert {product["name"] for product in libraries} == {
        "CallboardClient", "CallboardUIKit", "ListDiff", "ListDiffAppKit", "ListDiffUIKit",
    }
    found: set[str] = set()
    waiting = [name for product in libraries for name in product["targets"]]
    while waiting:
        name = waiting.pop()
        found.add(name)
        for dependency in targets[name]:
            assert "product" not in dependency, f"{name} stands on {dependency}"
            [(named, *_)] = dependency.values()
            if named not in found:
                waiting.append(named)
    # What only a person who works on the package builds is not among them.
    assert {"CallboardClient", "HTTPClient", "ListDiff"} < found
    assert not [name for name in found if "Test" in name or "benchmark" in name.lower() or name.startswith("callboard-")]
