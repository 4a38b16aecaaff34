# shellcheck shell=bash
# Where things are: the folder, what was chosen at the first start, names and ports; sourced by Config/cluster.
# shellcheck disable=SC2154 # What Config/cluster and the files beside this one set.

set -euo pipefail

# is_among NAME NAME…: whether the first is one of the others.
is_among() {
    local wanted="$1" each
    shift
    for each in "$@"; do [[ "$each" != "$wanted" ]] || return 0; done
    return 1
}

# port_of NAME [FIRST]: prints the port of a database, or the port of a node that clients use; with FIRST, the one that
# as many ports lie before.
port_of() {
    local index
    case "$1" in
    db*) printf '%d\n' $((${2:-$database} + ${1#db} - 1)) ;;
    *) printf -v index '%d' "'$1" && printf '%d\n' $((${2:-$http} + index - 97)) ;;
    esac
}

# no_name: fails where a command that takes no name was given one.
no_name() {
    [[ -z "$name" ]] || fail "$command takes no name; '$name' was given"
}

# needs_name KIND…: fails unless the command's name is one of these kinds: nodes, databases.
needs_name() {
    local -a known=()
    is_among nodes "$@" && known+=("${nodes[@]}")
    is_among databases "$@" && known+=("${databases[@]}")
    [[ -n "$name" ]] || fail "$command takes a name: ${known[*]}"
    is_among "$name" "${known[@]}" || fail "$command takes one of these names: ${known[*]}; '$name' is none"
}

# enter_folder: makes the folder of a cluster that was started the current one, and reads what was chosen for it.
enter_folder() {
    local chosen="$program"
    [[ ! -e "$folder/making" || "$command" == stop ]] ||
        fail "the first start in '$folder' has not come to its end; Config/cluster stop removes what it has left"
    [[ -f "$folder/settings" ]] || fail "'$folder' has no cluster; Config/cluster start makes one, --folder names another"
    # As processes see it, which know of no symbolic links.
    cd -P "$folder"
    # shellcheck disable=SC1091 # Written by keep_settings.
    source ./settings
    [[ -z "$chosen" ]] || program="$chosen"
}

# keep_settings: writes down what later commands need.
keep_settings() {
    printf '%s=%q\n' program "$program" http "$http" internal "$internal" database "$database" >settings
}

# check_port PORT: fails where something listens on it.
check_port() {
    ! (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null ||
        fail "something listens on port $1 already; Config/cluster --help has the options for other ports"
}

# check_ports: fails where a port that is needed is taken, before anything is made.
check_ports() {
    local each
    for each in "${databases[@]}"; do check_port "$(port_of "$each")"; done
    for each in "${nodes[@]}"; do
        check_port "$(port_of "$each")"
        check_port "$(port_of "$each" "$internal")"
    done
}

# secret BYTES: prints that many random bytes in hexadecimal.
secret() {
    od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'
}

# is_alive PID: whether a process is there and has not ended.
is_alive() {
    local state
    state="$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null)" && [[ -n "$state" && "$state" != Z ]]
}

not_alive() {
    ! is_alive "$1"
}

# wait_until SECONDS COMMAND…: waits until a command succeeds; returns 1 where it has not after that time.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.1
    done
}
