# shellcheck shell=bash
# shellcheck disable=SC2154
# How Config/prove tries a package in a release that has nothing else; sourced, never run. There is no service manager in it:
# the server is started as the unit says, by its user.

# Config/machines/release sets it, and the array "environment".
: "${clean:?}"

# in_clean COMMAND…: runs a command in the release that has nothing but what it came with.
in_clean() {
    chroot "$clean" /usr/bin/env -i "${environment[@]}" "$@"
}

# A command after these words runs as the service's user, and without the rights that the unit takes away.
as_user=(setpriv --reuid callboard --regid callboard --init-groups --inh-caps=-all --no-new-privs)

# install_package FILE: installs a package with what it depends on, and keeps settings that were changed.
install_package() {
    cp "$1" "$clean/tmp/callboard.deb"
    in_clean apt-get install -q -y --no-install-recommends --allow-downgrades "/tmp/callboard.deb" \
        >"$clean/var/log/callboard-package.log" 2>&1 || { tail -n 30 "$clean/var/log/callboard-package.log" && return 1; }
    # shellcheck disable=SC2016
    in_clean dpkg-query -W -f '${Package} ${Version}: ${db:Status-Status}\n' callboard
}

# earlier_package FILE: prints where the same package is with a version before it.
earlier_package() {
    local work="${clean%/*}/earlier"
    dpkg-deb --raw-extract "$1" "$work"
    sed -i 's/^Version: .*/Version: 0.0.1~earlier/' "$work/DEBIAN/control"
    dpkg-deb --root-owner-group -Zzstd --build "$work" "$work.deb" >/dev/null
    printf '%s\n' "$work.deb"
}

# serve_and WHAT…: starts the installed server as its user, does what is named, and stops it; it has to end with 0.
serve_and() {
    local server status=0 attempt what
    local options=(--config /etc/callboard/callboard.json)
    in_clean "${as_user[@]}" callboard serve "${options[@]}" --check-config >/dev/null
    chroot "$clean" /usr/bin/env -i "${environment[@]}" "${as_user[@]}" callboard serve "${options[@]}" \
        >"$clean/var/log/callboard.log" 2>&1 &
    server=$!
    for attempt in {1..60}; do
        in_clean callboard health "${options[@]}" 2>/dev/null && break
        if ((attempt == 60)) || ! kill -0 "$server" 2>/dev/null; then
            cat "$clean/var/log/callboard.log"
            return 1
        fi
        sleep 0.5
    done
    token="$(<"$clean/var/lib/callboard/first-token")"
    for what in "$@"; do "$what"; done
    kill -TERM "$server"
    wait "$server" || status=$?
    ((status == 0)) || { cat "$clean/var/log/callboard.log" && fail "the server has ended with the status $status"; }
}

# ask METHOD PATH [BODY]: a request to that server, with this machine's curl.
ask() {
    curl -sS --fail --noproxy '*' -H "Authorization: Bearer $token" -X "$1" "http://127.0.0.1:$package_port$2" \
        ${3:+--json "$3"}
}

put_a_list() { ask PUT /v1/directors/kept '{"kind": "table"}' >/dev/null; }
ask_for_the_list() { ask GET /v1/directors/kept >/dev/null; }
ask_for_the_version() {
    local said
    said="$(ask GET /livez)"
    printf '%s\n' "$said"
    [[ "$said" == "ok"$'\n'"$(in_clean callboard --version | sed 's/^/callboard /')" ]] || fail "/livez tells another version"
}

# is_there YES-OR-NO PATH…: fails where a path of the release is there and should not be, or the other way round.
is_there() {
    local wanted="$1" path
    shift
    for path in "$@"; do
        if [[ -e "$clean$path" && "$wanted" == no ]]; then fail "$path is still there"; fi
        if [[ ! -e "$clean$path" && "$wanted" == yes ]]; then fail "$path is missing"; fi
    done
}

# try_package FILE: installs it over an earlier one, starts, upgrades, removes, purges, with and without the data.
try_package() {
    local package_port=$((20000 + RANDOM % 20000)) token=''
    local settings=/etc/callboard/callboard.json data=/var/lib/callboard
    in_clean apt-get update -q >/dev/null
    install_package "$(earlier_package "$1")"
    sed -i "s/\"port\": 8080/\"port\": $package_port/" "$clean$settings"
    [[ "$(stat --format '%a' "$clean$data")" == 700 ]] || fail "$data is open to others"
    serve_and ask_for_the_version put_a_list
    heading "Upgrading"
    install_package "$1"
    grep -q "\"port\": $package_port" "$clean$settings" || fail "the upgrade has replaced settings that were changed"
    serve_and ask_for_the_version ask_for_the_list
    in_clean apt-get install -q -y --reinstall /tmp/callboard.deb >/dev/null 2>&1
    heading "Removing"
    in_clean apt-get remove -q -y callboard >/dev/null 2>&1
    is_there no /usr/bin/callboard /usr/lib/systemd/system/callboard.service
    is_there yes "$settings" "$data/callboard.db"
    heading "Purging, and the data on demand"
    in_clean apt-get purge -q -y callboard >/dev/null 2>&1
    is_there no /etc/callboard
    is_there yes "$data/callboard.db"
    install_package "$1"
    is_there yes "$data/callboard.db"
    echo 'callboard callboard/purge-data boolean true' | in_clean debconf-set-selections
    in_clean apt-get purge -q -y callboard >/dev/null 2>&1
    is_there no /etc/callboard "$data" /usr/bin/callboard
}

# try_tarball FILE: installs it with the service beside what the package has left, and takes it away.
try_tarball() {
    local folder
    mkdir -p "$clean/tmp/tarball"
    tar --extract --gzip --file "$1" --directory "$clean/tmp/tarball"
    folder="$(basename "$1" .tar.gz)"
    in_clean "/tmp/tarball/$folder/install.sh" --service
    in_clean "${as_user[@]}" callboard serve --config /etc/callboard/callboard.json --check-config >/dev/null
    is_there yes /usr/local/bin/callboard /etc/systemd/system/callboard.service
    in_clean "/tmp/tarball/$folder/install.sh" --uninstall
    is_there no /usr/local/bin/callboard /etc/systemd/system/callboard.service
    is_there yes /etc/callboard/callboard.json
}
