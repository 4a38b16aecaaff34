# shellcheck shell=bash
# What runs, and how it does; sourced by Config/cluster.
# shellcheck disable=SC2154 # What Config/cluster and the files beside this one set.

set -euo pipefail

# database_state NAME: prints what a database is and how far it is.
database_state() {
    local state
    if ! database_pid "$1" >/dev/null; then
        if [[ "$1" == "$(primary)" ]]; then
            printf 'down, was the primary; Config/cluster promote makes a standby the primary'
        elif is_standby "$1"; then
            printf 'down, a standby'
        else
            printf 'down, was the primary before %s; Config/cluster rejoin makes it a standby' "$(primary)"
        fi
        return
    fi
    # The ports of the databases follow one another as their names do.
    state="$(sql "$1" "SELECT CASE WHEN pg_is_in_recovery() THEN 'standby' || coalesce((SELECT ' of db'
            || sender_port - $database + 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'), ', follows nobody') ELSE 'primary, standbys that it sends to: '
            || coalesce((SELECT string_agg(application_name, ', ' ORDER BY application_name) FROM pg_stat_replication
            WHERE state = 'streaming' AND sync_state IN ('quorum', 'sync')), 'none, so that changes wait') END" 2>&1)" ||
        state="does not answer"
    printf '%s' "$state"
}

# node_state NAME: prints what a node says of itself.
node_state() {
    local pid answer
    pid="$(node_pid "$1")" || { printf 'down' && return; }
    if grep -q '^State:[[:space:]]*T' "/proc/$pid/status"; then
        printf 'paused; Config/cluster continue %s has it go on' "$1"
        return
    fi
    answer="$(readiness "$1")"
    case "${answer##*$'\n'}" in
    200) printf '%s' "$answer" | sed '$d' | sed '/^$/d' | paste -s -d ';' | sed 's/;/; /g' ;;
    401) printf 'runs, and says more to a token' ;;
    *) printf 'not ready; curl http://127.0.0.1:%s/readyz says why' "$(port_of "$1")" ;;
    esac
}

show_status() {
    local each
    find_postgres
    for each in "${databases[@]}"; do
        printf '%-4s 127.0.0.1:%s         %s\n' "$each" "$(port_of "$each")" "$(database_state "$each")"
    done
    for each in "${nodes[@]}"; do
        printf '%-4s http://127.0.0.1:%s  %s\n' "$each" "$(port_of "$each")" "$(node_state "$each")"
    done
}
