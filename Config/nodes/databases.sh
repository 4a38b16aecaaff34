# shellcheck shell=bash
# One PostgreSQL server after the other: made, started, stopped, killed and asked; sourced by Config/cluster.
# shellcheck disable=SC2154 # What Config/cluster and the files beside this one set.

set -euo pipefail

# How many bytes the path of the folder may have: with what PostgreSQL appends, it has to fit into a socket's address.
longest_folder=85

# find_postgres: sets "postgres" to the folder of the newest programs that Debian's packages have installed.
find_postgres() {
    local newest
    newest="$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)"
    [[ -n "$newest" ]] || fail "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    [[ "$newest" =~ /([0-9]+)/bin$ && "${BASH_REMATCH[1]}" -ge 15 ]] ||
        fail "PostgreSQL 15 or later is needed; $newest is older"
    postgres="$newest"
}

# as_postgres COMMAND…: runs a command as the user that the databases belong to: PostgreSQL refuses root.
as_postgres() {
    if ((EUID == 0)); then
        setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
    else
        "$@"
    fi
}

# make_folder: makes the folder and enters it; fails, and leaves none, where the databases cannot be kept there.
make_folder() {
    local path
    path="$(realpath -m "$folder")"
    ((${#path} <= longest_folder)) ||
        fail "the path '$path' is too long for the sockets of the databases; --folder takes one of at most $longest_folder bytes"
    mkdir -p "$path"
    # The databases' user passes through it to folders of its own.
    chmod 711 "$path"
    as_postgres test -x "$path" || {
        rmdir "$path"
        fail "the user postgres cannot enter '$path'; --folder takes one that it can, such as /var/tmp/callboard-cluster"
    }
    cd "$path"
}

# sql NAME STATEMENT: runs a statement as the owner of everything, and prints what it shows. Making roles and databases
# does not wait for standbys, which are not there yet.
sql() {
    PGCONNECT_TIMEOUT=3 PGOPTIONS='-c synchronous_commit=local' "$postgres/psql" -h "$PWD/$1" -p "$(port_of "$1")" \
        -U postgres -d postgres -qAtX -v ON_ERROR_STOP=1 -c "$2"
}

# configure NAME PRIMARY: writes the settings of a database. All are one another's standby by name, so that nothing has to
# be changed when another one becomes the primary; PRIMARY is whom it follows as long as it is a standby.
configure() {
    local others=("${databases[@]}") file="$1/data/cluster.conf"
    as_postgres tee "$file" >/dev/null <<TEXT
cluster_name = '$1'
listen_addresses = '127.0.0.1'
port = $(port_of "$1")
unix_socket_directories = '$PWD/$1'
synchronous_standby_names = 'ANY 1 ($(IFS=,; printf '%s' "${others[*]}"))'
primary_conninfo = 'host=''$PWD/$2'' port=$(port_of "$2") user=postgres'
# What a standby that is away for a short time still finds when it comes back.
wal_keep_size = 256MB
# In the data folder, so that nothing of it is left where a database was killed.
dynamic_shared_memory_type = mmap
TEXT
}

# database_pid NAME: prints the process of a database that runs; returns 1 where it does not. A number that another program
# has got since is none of a database's, whose process works in its data folder.
database_pid() {
    local pid
    pid="$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)" && [[ -n "$pid" ]] && is_alive "$pid" &&
        [[ "$(readlink "/proc/$pid/cwd")" == "$PWD/$1/data" ]] && printf '%s\n' "$pid"
}

# start_database NAME: starts it on its data and waits until it answers.
start_database() {
    as_postgres "$postgres/pg_ctl" start --silent --wait --timeout=60 -D "$PWD/$1/data" -l "$PWD/$1/log" >/dev/null || {
        tail -n 5 "$1/log" >&2
        fail "the database $1 does not start (above, and in $PWD/$1/log)"
    }
}

# stop_database NAME: ends it as an operator would; a primary first sends its standbys what they lack.
stop_database() {
    database_pid "$1" >/dev/null || return 0
    as_postgres "$postgres/pg_ctl" stop --silent --wait --timeout=60 --mode=fast -D "$PWD/$1/data" || kill_database "$1"
}

# kill_database NAME: ends all of its processes at once.
kill_database() {
    local pid children=() each
    pid="$(database_pid "$1")" || return 0
    # A postmaster that is gone starts no more of them, so they are looked for while it stands still.
    kill -STOP "$pid"
    read -r -a children <"/proc/$pid/task/$pid/children" || true
    kill -KILL "$pid" "${children[@]}" 2>/dev/null || true
    for each in "${children[@]}"; do wait_until 10 not_alive "$each" || true; done
    # PostgreSQL takes a process that has ended for one that runs, until the system has forgotten its number.
    wait_until 10 test ! -e "/proc/$pid" || true
}

# forget_shared_memory NAME: removes the segment by which a killed database would have known at its next start whether
# processes of it are left; there is no next start on this data.
forget_shared_memory() {
    local key id
    read -r key id < <(sed -n 7p "$1/data/postmaster.pid" 2>/dev/null) || return 0
    # Columns: key, id, owner, mode, bytes, processes that use it.
    if ipcs -m | awk -v key="$(printf '0x%08x' "$key")" -v id="$id" \
        '$1 == key && $2 == id && $6 == 0 { found = 1 } END { exit !found }'; then
        ipcrm -m "$id" || true
    fi
}
