# shellcheck shell=bash
# What Config/prove takes from the machine that it runs on; sourced, never run.

# git_here ARGUMENT…: git on this checkout, which may belong to the user who has called sudo.
git_here() {
    git -c "safe.directory=${callboard_root:?}" -C "$callboard_root" "$@"
}

# machine_mirror DISTRIBUTION: prints the mirror of debian or ubuntu that this machine's apt uses. A machine of the other
# distribution has none: mirrors mostly keep both, in folders beside one another.
machine_mirror() {
    local address other
    [[ "$1" == debian ]] && other=ubuntu || other=debian
    local -a addresses
    # shellcheck disable=SC2016
    mapfile -t addresses < <(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sort -u)
    for address in "${addresses[@]%/}"; do
        [[ "${address##*/}" != "$1" ]] || { printf '%s\n' "$address" && return 0; }
    done
    for address in "${addresses[@]%/}"; do
        [[ "${address##*/}" != "$other" ]] || { printf '%s\n' "${address%/*}/$1" && return 0; }
    done
    return 1
}

# release_keyring DISTRIBUTION FILE UNSIGNED: prints the file with the keys of a distribution's releases: FILE where one
# is given, nothing where the signature is not to be checked.
release_keyring() {
    local file="${2:-/usr/share/keyrings/$1-archive-keyring.gpg}" package="$1-keyring"
    [[ "$1" != debian ]] || package=debian-archive-keyring
    if [[ -r "$file" ]]; then
        printf '%s\n' "$file"
    elif [[ -n "$3" && -z "$2" ]]; then
        warn "nobody checks who has signed the packages of this release (--unsigned)"
    else
        fail "there are no keys of $1 in $file; install the package $package, or name them with --keyring," \
            "or let nobody check who has signed the packages with --unsigned"
    fi
}

# machine_toolchain: prints the folder that the Swift toolchain is in, as Swift itself tells it; it holds usr/bin/swift.
machine_toolchain() {
    local told resources folder
    told="$(swift -print-target-info)" || fail "'swift -print-target-info' does not work (above)"
    resources="$(sed -nE 's/.*"runtimeResourcePath": "(.*)".*/\1/p' <<<"$told")"
    # …/usr/lib/swift
    folder="${resources%/usr/lib/swift}"
    if [[ -z "$folder" || "$folder" == "$resources" || ! -x "$folder/usr/bin/swift" ]]; then
        fail "the Swift toolchain has to be in a folder of its own to be shown in a release;" \
            "it is in '${resources:-an unknown place}'"
    fi
    printf '%s\n' "$folder"
}

# apt_settings: prints how this machine's apt reaches its mirrors and what it lets pass, as lines of a configuration file.
apt_settings() {
    apt-config dump --no-empty --format '%f "%v";%n' |
        grep -iE '^Acquire::(http|https|Retries|Check-Valid-Until|Check-Date)[: ]' || true
}

# carried_environment: prints the variables that say how packages are fetched here, NAME=VALUE on a line each.
carried_environment() {
    env | grep -E '^(https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|PIP_[A-Z_]+)=' || true
}

# git_rewrites: prints git's rules that lead an address elsewhere, on a line each: the key and its value.
git_rewrites() {
    git config --get-regexp '^url\..*\.(insteadof|pushinsteadof)$' || true
}

# git_folders: prints the local folders that these rules lead to.
git_folders() {
    local key folder
    git_rewrites | while read -r key _; do
        folder="${key#url.}"
        folder="${folder%.*}"
        folder="${folder#file://}"
        [[ "$folder" != /* || ! -d "$folder" ]] || printf '%s\n' "${folder%/}"
    done | sort -u
}
