# shellcheck shell=bash
# Who is primary, who follows whom, and what changes that; sourced by Config/cluster.
# shellcheck disable=SC2154 # What Config/cluster and the files beside this one set.

set -euo pipefail

# primary: prints the name of the database that is, or was at last, the primary.
primary() {
    cat primary
}

# make_primary: makes the first database, with the role and the database that the nodes use.
make_primary() {
    local password first="${databases[0]}"
    password="$(secret 24)"
    make_place "$first"
    as_postgres "$postgres/initdb" -D "$PWD/$first/data" -U postgres -E UTF8 --locale=C --data-checksums --no-instructions \
        --auth-local=trust --auth-host=scram-sha-256 --no-sync >initdb.log 2>&1 || fail "initdb has failed: $PWD/initdb.log"
    printf "include 'cluster.conf'\n" | as_postgres tee -a "$first/data/postgresql.conf" >/dev/null
    configure "$first" "$first"
    start_database "$first"
    # Statement by statement: a database cannot be made inside a transaction.
    sql "$first" "CREATE ROLE callboard LOGIN PASSWORD '$password'"
    sql "$first" "CREATE DATABASE lists OWNER callboard"
    printf '127.0.0.1:*:lists:callboard:%s\n' "$password" | keep_secret passwords
    printf '%s\n' "$first" >primary
}

# make_place NAME: makes the folder of a database, which nobody else may enter: whoever reaches its socket is trusted.
make_place() {
    mkdir -m 700 "$1"
    ((EUID != 0)) || chown postgres:postgres "$1"
}

# make_standby NAME: makes a copy of the primary that follows it, and starts it.
make_standby() {
    local from
    from="$(primary)"
    as_postgres "$postgres/pg_basebackup" -h "$PWD/$from" -p "$(port_of "$from")" -U postgres -D "$PWD/$1/data" \
        --checkpoint=fast --no-sync || fail "$1 could not be copied from $from (above)"
    as_postgres touch "$1/data/standby.signal"
    configure "$1" "$from"
    start_database "$1"
}

# standbys: prints the databases that are no primary.
standbys() {
    local each
    for each in "${databases[@]}"; do [[ "$each" == "$(primary)" ]] || printf '%s\n' "$each"; done
}

# is_standby NAME: whether its data are those of a standby, be it running or not.
is_standby() {
    [[ -e "$1/data/standby.signal" ]]
}

# received NAME: prints how far a standby has what the primary wrote, as a number of bytes.
received() {
    sql "$1" "SELECT greatest(coalesce(pg_last_wal_receive_lsn(), '0/0'), coalesce(pg_last_wal_replay_lsn(), '0/0')) - '0/0'"
}

# most_advanced NAME…: prints the standby that has the most. With "ANY 1", what was acknowledged is on the primary and one
# of two standbys: with both of them there, it is on the one that has more.
most_advanced() {
    local each best='' most=-1 has
    for each in "$@"; do
        has="$(received "$each")"
        if ((has > most)); then best="$each" most="$has"; fi
    done
    printf '%s\n' "$best"
}

promote_standby() {
    local old each running=()
    [[ -z "$name" ]] || needs_name databases
    enter_folder
    find_postgres
    old="$(primary)"
    ! database_pid "$old" >/dev/null ||
        fail "$old is the primary and runs, and two primaries would store different things; Config/cluster kill-primary ends it, stop $old does it gently"
    for each in $(standbys); do
        # One that was the primary before and was not made a standby since is none.
        if is_standby "$each" && database_pid "$each" >/dev/null; then running+=("$each"); fi
    done
    ((${#running[@]} > 0)) || fail "no standby runs; Config/cluster start starts one"
    if [[ -z "$name" ]]; then
        ((${#running[@]} == ${#databases[@]} - 1)) ||
            fail "only ${running[*]} runs, and the other one may have what was acknowledged; start it, or take ${running[*]} as it is: Config/cluster promote ${running[*]}"
        name="$(most_advanced "${running[@]}")"
    fi
    is_among "$name" "${running[@]}" || fail "$name is no standby that runs; there are: ${running[*]}"
    ((${#running[@]} == ${#databases[@]} - 1)) || warn "what only the standby has that does not run is lost"
    heading "Promoting $name"
    as_postgres "$postgres/pg_ctl" promote --silent --wait --timeout=60 -D "$PWD/$name/data"
    printf '%s\n' "$name" >primary
    for each in $(standbys); do
        if is_standby "$each"; then follow "$each"; fi
    done
    printf '%s is the primary. %s was it before: Config/cluster rejoin makes it a standby\n' "$name" "$old"
}

# follow NAME: has a standby follow the primary of now, at once if it runs.
follow() {
    configure "$1" "$(primary)"
    ! database_pid "$1" >/dev/null || as_postgres "$postgres/pg_ctl" reload --silent -D "$PWD/$1/data"
}

rejoin_database() {
    local each
    [[ -z "$name" ]] || needs_name databases
    enter_folder
    find_postgres
    if [[ -z "$name" ]]; then
        for each in $(standbys); do is_standby "$each" || name="$each"; done
        [[ -n "$name" ]] || fail "every database but the primary is a standby; Config/cluster rejoin NAME copies one anew"
    fi
    [[ "$name" != "$(primary)" ]] || fail "$name is the primary; Config/cluster promote makes another one the primary once it does not run"
    database_pid "$(primary)" >/dev/null || fail "the primary, $(primary), does not run; start it, or promote a standby"
    heading "Copying $(primary) to $name"
    stop_database "$name"
    forget_shared_memory "$name"
    rm -rf "${name:?}/data"
    make_standby "$name"
    printf '%s follows %s\n' "$name" "$(primary)"
}
