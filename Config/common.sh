# shellcheck shell=bash
# Functions that the scripts beside this one share; sourced, never run.

set -euo pipefail

callboard_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export callboard_root

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

# packages SECTION: prints the Debian packages of one section of packages.txt, one on a line.
packages() {
    awk -v wanted="[$1]" '
        /^[[:space:]]*(#|$)/ { next }
        /^\[/ { inside = ($1 == wanted); found = found || inside; next }
        inside { print $1 }
        END { exit found ? 0 : 1 }
    ' "$callboard_root/Config/packages.txt" || fail "Config/packages.txt has no section [$1]"
}

# missing_packages SECTION…: prints what the sections list and this machine does not have.
missing_packages() {
    local section name
    for section in "$@"; do
        for name in $(packages "$section"); do
            if [[ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" != installed ]]; then
                printf '%s\n' "$name"
            fi
        done
    done | sort -u
}

# swift_is_new_enough VERSION: whether VERSION (such as 6.3.1) is one that Package.swift can be built with.
swift_is_new_enough() {
    local major minor
    IFS=. read -r major minor _ <<<"$1"
    ((major > 6 || (major == 6 && minor >= 2)))
}

# python_environment: makes the virtual environment of the client tests when it is not there or its list has changed,
# and prints where its programs are. It lives under .build, so that nothing outside the checkout changes.
python_environment() {
    local folder="$callboard_root/.build/python" list="$callboard_root/Config/requirements-test.txt"
    if ! cmp -s "$list" "$folder/installed.txt"; then
        rm -rf "$folder"
        python3 -m venv "$folder" >&2
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$list" >&2
        cp "$list" "$folder/installed.txt"
    fi
    printf '%s\n' "$folder/bin"
}
