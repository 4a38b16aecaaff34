# shellcheck shell=bash
# Functions that the scripts beside this one share; sourced, never run.

set -euo pipefail

callboard_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export callboard_root

# How "swift build" makes the release, wherever one is made: with Swift's libraries inside, so that the tests talk to what
# packages and images hold.
# shellcheck disable=SC2034
release_options=(--configuration release --static-swift-stdlib)
# How "swift build" makes what the tests are run from: without what only debuggers and editors read, which is a part of
# the time that the build takes.
# shellcheck disable=SC2034
debug_options=(-Xswiftc -warnings-as-errors -debug-info-format none --disable-index-store)
# Where everything is built once and from nothing, each module is compiled as a whole: a sixth less of the processors. A second
# build would compile all of a changed module.
[[ -z "${CI:-}" ]] || debug_options+=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2)

if [[ -t 1 && -z "${NO_COLOR:-}" ]]; then
    bold=$'\e[1m' red=$'\e[31m' yellow=$'\e[33m' plain=$'\e[0m'
else
    bold='' red='' yellow='' plain=''
fi

# heading TEXT: says what begins now.
heading() {
    printf '\n%s==> %s%s\n' "$bold" "$*" "$plain"
}

# warn TEXT: says on standard error what is not as it should be, and goes on.
warn() {
    printf '%swarning:%s %s\n' "$yellow" "$plain" "$*" >&2
}

# fail TEXT: says on standard error what is wrong and what to do, and stops.
fail() {
    printf '%serror:%s %s\n' "$red" "$plain" "$*" >&2
    exit 1
}

# skipped WHAT WHY: a line that nobody overlooks, for something that could not be checked here.
skipped() {
    printf '\n%s*** SKIPPED: %s%s\n***          %s\n' "$yellow" "$1" "$plain" "$2" >&2
}

# packages SECTION: prints what one section of packages.txt lists, one requirement on a line: a package, or several with
# "|" between them, one of which is enough.
packages() {
    awk -v wanted="[$1]" '
        /^[[:space:]]*(#|$)/ { next }
        /^\[/ { inside = ($1 == wanted); found = found || inside; next }
        inside { $1 = $1; print }
        END { exit found ? 0 : 1 }
    ' "$callboard_root/Config/packages.txt" || fail "Config/packages.txt has no section [$1]"
}

# is_installed PACKAGE: whether this machine has it.
is_installed() {
    local status
    # Where a package is there for several architectures, the states stand one behind the other.
    status="$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" && [[ "$status" == installed* ]]
}

# is_available PACKAGE: whether the release has the package itself; one that only stands in for the name does not count.
is_available() {
    local policy
    policy="$(LC_ALL=C apt-cache policy "$1" 2>/dev/null)" || return 1
    [[ "$policy" == *"Candidate: "* && "$policy" != *"Candidate: (none)"* ]]
}

# first_that TEST REQUIREMENT: prints the first package of a requirement that passes a test; returns 1 where none does.
first_that() {
    local name
    local -a names
    IFS=' |' read -r -a names <<<"$2"
    for name in "${names[@]}"; do
        if "$1" "$name"; then
            printf '%s\n' "$name"
            return 0
        fi
    done
    return 1
}

# packages_here SECTION: prints the packages of one section by the names that they have on this machine; where it knows
# none of them, by the first one.
packages_here() {
    local requirements requirement
    requirements="$(packages "$1")" || return 1
    while IFS= read -r requirement; do
        first_that is_installed "$requirement" || first_that is_available "$requirement" ||
            printf '%s\n' "${requirement%% *}"
    done <<<"$requirements"
}

# missing_packages SECTION…: prints the requirements of the sections that this machine does not meet.
missing_packages() {
    local section requirements requirement
    for section in "$@"; do
        requirements="$(packages "$section")" || return 1
        while IFS= read -r requirement; do
            first_that is_installed "$requirement" >/dev/null || printf '%s\n' "$requirement"
        done <<<"$requirements"
    done | sort -u
}

# swift_is_new_enough VERSION: whether VERSION (such as 6.3.1) is one that Package.swift can be built with.
swift_is_new_enough() {
    local major minor
    IFS=. read -r major minor _ <<<"$1"
    ((major > 6 || (major == 6 && minor >= 2)))
}

# python_environment [NAME]: makes the virtual environment of the client tests, or that of Config/requirements-NAME.txt,
# when it is not there or its list has changed, and prints where its programs are. It lives under .build, so that
# nothing outside the checkout changes. Returns a status other than 0 where it could not be made, also where "set -e" is
# off, as it is in a condition.
python_environment() {
    local folder="$callboard_root/.build/python${1:+-$1}"
    local list="$callboard_root/Config/requirements-${1:-test}.txt"
    if ! cmp -s "$list" "$folder/installed.txt"; then
        rm -rf "$folder" &&
            python3 -m venv "$folder" >&2 &&
            "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$list" >&2 &&
            cp "$list" "$folder/installed.txt" || return
    fi
    printf '%s\n' "$folder/bin"
}
