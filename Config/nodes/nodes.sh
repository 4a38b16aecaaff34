# shellcheck shell=bash
# The nodes of Callboard: started, stopped, killed and asked; sourced by Config/cluster.
# shellcheck disable=SC2154 # What Config/cluster and the files beside this one set.

set -euo pipefail

# How long a start may take: a node that was killed is waited for until its lease has run out.
start_limit=60

# keep_secret FILE: writes what is read to a file that nobody else can read.
keep_secret() {
    (umask 077 && cat >"$1")
}

# build_program: sets "program" to the release build, which is made where it is missing or old.
build_program() {
    "$callboard_root/Config/setup" run
    heading "Building Callboard (a first build takes some minutes)"
    cd "$callboard_root"
    swift build "${release_options[@]}" --product callboard
    program="$(swift build "${release_options[@]}" --show-bin-path)/callboard"
    cd "$OLDPWD"
}

# journal_url: prints the address of the databases: all of them, of which the nodes take the one that can be written to.
journal_url() {
    local each hosts=()
    for each in "${databases[@]}"; do hosts+=("127.0.0.1:$(port_of "$each")"); done
    printf 'postgresql://callboard@%s/lists?target_session_attrs=read-write\n' "$(IFS=,; printf '%s' "${hosts[*]}")"
}

# begun PID: prints when a process was begun, which tells it from a later one with its number.
begun() {
    local stat
    stat="$(cat "/proc/$1/stat" 2>/dev/null)" || return 1
    # The name, in parentheses, may hold anything; what is behind it begins with the third column.
    read -r -a stat <<<"${stat##*) }"
    printf '%s\n' "${stat[19]}"
}

# node_pid NAME: prints the process of a node that runs; returns 1 where it does not.
node_pid() {
    local pid when
    read -r pid when 2>/dev/null <"$1/pid" && is_alive "$pid" && [[ "$(begun "$pid")" == "$when" ]] && printf '%s\n' "$pid"
}

# begin_node NAME: starts a node, and does not wait for it.
begin_node() {
    check_port "$(port_of "$1")"
    mkdir -p "$1"
    # Large lists are spread over much memory; with huge pages a change in a million elements takes 10 to 20 % less.
    GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}" \
        PGPASSFILE="$PWD/passwords" \
        CALLBOARD_JOURNAL_URL="$(journal_url)" \
        CALLBOARD_JOURNAL_REQUIRE_SYNCHRONOUS_STANDBY=true \
        CALLBOARD_CLUSTER_NAME="$1" \
        CALLBOARD_CLUSTER_LISTEN="127.0.0.1:$(port_of "$1" "$internal")" \
        CALLBOARD_CLUSTER_SECRET_FILE="$PWD/secret" \
        CALLBOARD_DATA="$PWD/$1" \
        setsid "$program" serve --host 127.0.0.1 --port "$(port_of "$1")" </dev/null >>"$1/log" 2>&1 &
    printf '%s %s\n' "$!" "$(begun "$!")" >"$1/pid"
}

# readiness NAME: prints what a node says of itself, and the status in a line of its own; 000 where it says nothing.
readiness() {
    curl --silent --noproxy '*' --max-time 3 --write-out '\n%{http_code}\n' "http://127.0.0.1:$(port_of "$1")/readyz" || true
}

# is_ready_or_gone NAME: whether a node is ready, as far as it says so to somebody without a token, or has ended.
is_ready_or_gone() {
    ! node_pid "$1" >/dev/null || [[ "$(readiness "$1" | tail -n 1)" =~ ^(200|401)$ ]]
}

# end_start NAME: waits until a node that was begun is ready, and says so.
end_start() {
    if ! wait_until "$start_limit" is_ready_or_gone "$1" || ! node_pid "$1" >/dev/null; then
        tail -n 5 "$1/log" >&2
        fail "the node $1 is not ready (above, and in $PWD/$1/log)"
    fi
    printf '%s is ready at http://127.0.0.1:%s\n' "$1" "$(port_of "$1")"
}

# stop_node NAME: ends it as an operator would, and waits for that.
stop_node() {
    local pid
    pid="$(node_pid "$1")" || return 0
    kill -TERM "$pid"
    kill -CONT "$pid"
    wait_until 30 not_alive "$pid" || {
        warn "$1 has not ended within 30 seconds and is killed; its log is $PWD/$1/log"
        kill_node "$1"
    }
}

kill_node() {
    local pid
    pid="$(node_pid "$1")" || return 0
    kill -KILL "$pid"
    wait_until 10 not_alive "$pid" || true
}
