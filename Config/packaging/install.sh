#!/bin/sh
# Installs what is beside this script, on a Linux with systemd or without:
#   ./install.sh [PREFIX]              the program, manual pages and completions; /usr/local unless named
#   sudo ./install.sh --service [PREFIX]
#                                      that, and a service: the user callboard, /etc/callboard, and a unit for systemd
#   sudo ./install.sh --uninstall [PREFIX]
#                                      takes both away again; settings, data and the user stay
# What is newer replaces what is there, but for /etc/callboard/callboard.json; a running service is to be restarted by hand.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
service='' uninstall=''
case "${1:-}" in
--service) service=yes && shift ;;
--uninstall) uninstall=yes && shift ;;
-*)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p;}' "$0"
    [ "$1" = --help ] && exit 0 || exit 64
    ;;
esac
prefix="${1:-/usr/local}"
units=/etc/systemd/system

# Every file of the archive that goes below the prefix.
files() { (cd "$here" && find bin share -type f); }

if [ -n "$uninstall" ]; then
    if [ -e "$units/callboard.service" ]; then
        if [ -d /run/systemd/system ]; then systemctl disable --now callboard.service; fi
        rm "$units/callboard.service"
    fi
    files | while IFS= read -r file; do rm -f "$prefix/$file"; done
    echo "removed from $prefix; /etc/callboard and /var/lib/callboard are left"
    exit 0
fi

missing=$(ldd "$here/bin/callboard" | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p')
if [ -n "$missing" ]; then
    echo "these libraries are missing; install the packages that have them:" "$missing" >&2
    exit 1
fi

files | while IFS= read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    # Beside and then in its place: a program that runs cannot be written to.
    cp -p "$here/$file" "$prefix/$file.new" && mv "$prefix/$file.new" "$prefix/$file"
done
echo "installed in $prefix: $("$prefix/bin/callboard" --version)"
[ -n "$service" ] || exit 0

if ! getent passwd callboard >/dev/null; then
    useradd --system --user-group --home-dir /var/lib/callboard --no-create-home --shell /usr/sbin/nologin callboard
fi
[ -e /var/lib/callboard ] || install -d -o callboard -g callboard -m 700 /var/lib/callboard
mkdir -p /etc/callboard "$units"
[ -e /etc/callboard/callboard.json ] || cp "$here/callboard.json" /etc/callboard/callboard.json
sed "s|/usr/bin/callboard|$prefix/bin/callboard|" "$here/callboard.service" >"$units/callboard.service"
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    echo "start it with: systemctl enable --now callboard"
fi
