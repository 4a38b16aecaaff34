# shellcheck shell=bash
# How Config/package makes a .deb; sourced, never run.

: "${callboard_root:?}" "${work:?}" "${out:?}" "${number:?}" "${program:?}" "${source_files:?}"

# shared_libraries PROGRAM: the packages that have the libraries that it is linked with, as the field Depends has them.
shared_libraries() {
    local folder="$work/shlibs" options=()
    command -v dpkg-shlibdeps >/dev/null || fail "dpkg-shlibdeps is missing (Debian: apt-get install dpkg-dev)"
    [[ -z "$any" ]] || options+=(--ignore-missing-info)
    # It reads the packages' names from a source package's folder.
    mkdir -p "$folder/debian"
    printf 'Source: callboard\n\nPackage: callboard\nArchitecture: any\n' >"$folder/debian/control"
    (cd "$folder" && dpkg-shlibdeps "${options[@]}" -O -e"$1" 2>"$folder/said") | sed -n 's/^shlibs:Depends=//p'
    [[ "${PIPESTATUS[0]}" == 0 ]] || { cat "$folder/said" >&2 && return 1; }
}

# control ROOT: the fields of the package whose files are in a folder.
control() {
    local libraries
    libraries="$(shared_libraries "$1/usr/bin/callboard")"
    cat <<TEXT
Package: callboard
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: Callboard maintainers <callboard@localhost>
Installed-Size: $(du --summarize --apparent-size --block-size=1024 "$1/usr" | cut -f1)
Depends: $libraries, adduser, ca-certificates, debconf (>= 0.5) | debconf-2.0, init-system-helpers (>= 1.54)
Recommends: tzdata
Suggests: postgresql
Section: httpd
Priority: optional
Description: server for live lists
 Callboard holds lists and tells every screen that shows one what has changed: JSON over REST to write, server-sent
 events with changesets to read, webhooks for taps. What it has acknowledged is stored in a folder or in PostgreSQL.
 .
 The package has the program, a service for systemd, and the command's completions.
TEXT
}

# make_deb: makes the package, and says where it is.
make_deb() {
    local root="$work/deb" file
    local docs="$root/usr/share/doc/callboard"
    if [[ -z "$version" ]]; then
        # A package is for one release: the names of libraries differ. That of the next release is the newer one.
        # shellcheck disable=SC1091
        version="$number+$(. /etc/os-release && printf '%s%s' "$ID" "${VERSION_ID:-}")"
    fi
    tree "$root/usr"
    mkdir -p "$root/DEBIAN" "$root/usr/share/zsh/vendor-completions" "$docs/examples"
    mv "$root/usr/share/zsh/site-functions/_callboard" "$root/usr/share/zsh/vendor-completions/"
    rmdir "$root/usr/share/zsh/site-functions"
    install -D --mode 644 "$source_files/callboard.service" "$root/usr/lib/systemd/system/callboard.service"
    install -D --mode 644 "$source_files/callboard.json" "$root/etc/callboard/callboard.json"
    "$program" serve --print-config >"$docs/examples/callboard.json"
    "$source_files/changelog" "$version" <"$callboard_root/.github/CHANGELOG.md" >"$docs/changelog"
    gzip --best --no-name "$docs/changelog" "$root"/usr/share/man/man?/*

    control "$root" >"$root/DEBIAN/control"
    install --mode 644 "$source_files/templates" "$root/DEBIAN/"
    install "$source_files/postinst" "$source_files/prerm" "$source_files/postrm" "$root/DEBIAN/"
    echo /etc/callboard/callboard.json >"$root/DEBIAN/conffiles"
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    file="$out/callboard_${version}_$(dpkg --print-architecture).deb"
    dpkg-deb --root-owner-group -Zzstd --build "$root" "$file" >/dev/null
    echo "$file"
}
