"""Config/install: the program, its manual page and the completions of three shells."""

import json
import shutil
import subprocess

import pytest
from support.documents import CHECKOUT


@pytest.fixture(scope="module")
def prefix(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    done = subprocess.run([CHECKOUT / "Config/install", "--program", program, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_everything_is_where_it_is_looked_for(prefix, program):
    installed = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    assert installed == {
        "bin/callboard", "share/man/man1/callboard.1", "share/bash-completion/completions/callboard",
        "share/zsh/site-functions/_callboard", "share/fish/vendor_completions.d/callboard.fish"}
    said = subprocess.run([prefix / "bin/callboard", "--version"], capture_output=True, text=True, check=True).stdout
    assert said == subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout


def test_bash_completes_commands_and_options(prefix):
    script = prefix / "share/bash-completion/completions/callboard"
    for words, expected in [("ser", "serve"), ("watch --li", "--limit")]:
        typed = ["callboard", *words.split()]
        command = (f"source {script}; COMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(typed) - 1}; COMP_LINE='{' '.join(typed)}'; "
                   f"COMP_POINT=${{#COMP_LINE}}; _callboard callboard {typed[-1]} {typed[-2]}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert expected in done.stdout.split(), done


def test_the_page_has_each_command_and_option(prefix, program):
    text = (prefix / "share/man/man1/callboard.1").read_text()
    plain = text.replace("\\-", "-")
    dump = json.loads(subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout)
    for command in dump["command"]["subcommands"]:
        if command["commandName"] == "help":
            continue
        assert f'.SS "callboard {command["commandName"]}"' in plain
        for argument in command.get("arguments", []):
            if argument.get("shouldDisplay", True) and argument.get("preferredName", {}).get("name") not in (None, "help", "version"):
                assert f"--{argument['preferredName']['name']}" in plain
    for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS"):
        assert f".SH {heading}\n" in text


@pytest.mark.skipif(not shutil.which("groff") and not shutil.which("mandoc"), reason="neither groff nor mandoc is here")
def test_the_page_is_without_faults(prefix):
    page = prefix / "share/man/man1/callboard.1"
    command = ["groff", "-man", "-ww", "-Tutf8", "-z", page] if shutil.which("groff") else ["mandoc", "-T", "lint", "-W", "error", page]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_a_program_that_is_not_there_is_an_error(tmp_path):
    done = subprocess.run([CHECKOUT / "Config/install", "--program", tmp_path / "none", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "is no program" in done.stderr and not list(tmp_path.iterdir())
