"""What a package fetches that takes the Swift client or ListDiff, in an empty folder."""

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
PROGRAM = """import CallboardClient
import ListDiff

let shop = try Callboard(server: "http://127.0.0.1:1").director("shop")
do {
    try await shop.reload()
} catch {
    print(StagedChangeset(from: ["a"], to: ["b"]).stages.count, error)
}
"""
VERSION = "77.0.0"


def run(*command: str | Path, within: Path, timeout: int = 900) -> str:
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
    (folder / "Sources" / "shop" / "main.swift").write_text(PROGRAM)
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


@pytest.mark.parametrize("product", ["CallboardClient", "ListDiff"])
def test_a_program_that_takes_a_library_from_a_repository_fetches_nothing_else(repository, tmp_path, tool, product):
    dependency = f'.package(url: "file://{repository}", from: "{VERSION}", traits: [])'
    assert resolved(package(tmp_path / "shop", dependency, product), tool("swift", "swiftlang")) == set()


def test_a_program_that_takes_the_client_from_a_folder_fetches_nothing_and_builds_and_runs(repository, tmp_path, tool):
    swift = tool("swift", "swiftlang")
    folder = package(
        tmp_path / "shop", f'.package(path: "{repository}", traits: [])', "CallboardClient", "ListDiff")
    assert resolved(folder, swift) == set()
    run(swift, "build", "--cache-path", folder / "cache", within=folder)
    built = {each.name.removesuffix(".build") for each in (folder / ".build" / "debug").glob("*.build")}
    expected = {"CLinux", "CallboardClient", "HTTPClient", "ListDiff", "Notation", "Reactor", "shop"}
    assert {name.removesuffix("-tool") for name in built} == expected
    # Nobody listens there: the client says so, and has not needed the server to say it.
    assert "127.0.0.1" in run(folder / ".build" / "debug" / "shop", within=folder, timeout=60)
