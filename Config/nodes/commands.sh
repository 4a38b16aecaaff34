# shellcheck shell=bash
# What Config/cluster does when it is told to; sourced by it.
# shellcheck disable=SC2154 # What Config/cluster and the files beside this one set.

set -euo pipefail

start_all() {
    if [[ ! -e "$folder" ]]; then
        make_cluster
    else
        enter_folder
        find_postgres
        keep_settings
        start_databases
    fi
    start_nodes
    heading "Everything runs; Config/cluster status shows it, Config/cluster stop ends and removes it"
    show_status
}

# make_cluster: makes the folder and the databases, and leaves the databases running.
make_cluster() {
    local each
    find_postgres
    check_ports
    [[ -n "$program" ]] || build_program
    make_folder
    touch making
    keep_settings
    secret 32 | keep_secret secret
    heading "Making ${databases[0]}, the primary"
    make_primary
    for each in "${databases[@]:1}"; do
        heading "Making $each, a standby"
        make_place "$each"
        make_standby "$each"
    done
    rm making
}

# start_databases: starts those that do not run, the primary first. One that was the primary before stays as it is.
start_databases() {
    local each
    for each in "$(primary)" $(standbys); do
        if database_pid "$each" >/dev/null; then continue; fi
        if [[ "$each" == "$(primary)" ]] || is_standby "$each"; then
            start_database "$each"
        else
            warn "$each was the primary before $(primary), and is not started; Config/cluster rejoin makes it a standby"
        fi
    done
}

start_nodes() {
    local each begun=()
    heading "Starting the nodes"
    for each in "${nodes[@]}"; do
        node_pid "$each" >/dev/null || { begin_node "$each" && begun+=("$each"); }
    done
    for each in "${begun[@]}"; do end_start "$each"; done
}

start_one() {
    needs_name nodes databases
    enter_folder
    if is_among "$name" "${nodes[@]}"; then
        ! node_pid "$name" >/dev/null || fail "$name runs already"
        begin_node "$name"
        end_start "$name"
        return
    fi
    find_postgres
    ! database_pid "$name" >/dev/null || fail "$name runs already"
    [[ "$name" == "$(primary)" ]] || is_standby "$name" ||
        fail "$name was the primary before $(primary), and two primaries would store different things; Config/cluster rejoin $name makes it a standby"
    start_database "$name"
    printf '%s runs\n' "$name"
}

stop_one() {
    needs_name nodes databases
    enter_folder
    if is_among "$name" "${nodes[@]}"; then stop_node "$name"; else find_postgres && stop_database "$name"; fi
    printf '%s is stopped\n' "$name"
}

kill_one() {
    needs_name nodes databases
    enter_folder
    if is_among "$name" "${nodes[@]}"; then kill_node "$name"; else kill_database "$name"; fi
    printf '%s is killed\n' "$name"
}

# signal_node: stops a node in its course, or has it go on.
signal_node() {
    local pid
    needs_name nodes
    enter_folder
    pid="$(node_pid "$name")" || fail "$name does not run; Config/cluster start $name starts it"
    if [[ "$command" == pause ]]; then kill -STOP "$pid"; else kill -CONT "$pid"; fi
}

# stop_all: ends everything, the nodes together, and deletes the folder unless it is to be kept.
stop_all() {
    local each jobs=()
    enter_folder
    find_postgres
    for each in "${nodes[@]}"; do
        stop_node "$each" &
        jobs+=("$!")
    done
    wait "${jobs[@]}"
    for each in "$(primary 2>/dev/null || true)" "${databases[@]}"; do
        [[ -z "$each" ]] || stop_database "$each"
    done
    if [[ -n "$keep" ]]; then
        printf 'stopped; Config/cluster start goes on with what is in %s\n' "$folder"
        return
    fi
    for each in "${databases[@]}"; do forget_shared_memory "$each"; done
    rm -rf --one-file-system "$PWD"
    printf 'stopped, and %s is deleted\n' "$folder"
}
