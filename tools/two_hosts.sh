#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# two_hosts.sh [--ranks N] [--cut SECONDS] [--] COMMAND [ARGUMENT...]: runs COMMAND by Open MPI on two hosts of N ranks each (1).
# The hosts are network namespaces of this machine, joined by a cable (veth), each with its own name, loopback and temporary
# folder, and no shared memory for MPI: what passes between them goes over TCP, as in a cluster without a fast network. mpirun
# runs on the first host and starts its daemon on the second through an agent in the place of ssh.
# --cut SECONDS pulls the cable after this time, to see what a program does when the other host is gone: Open MPI notices it some
# 11 s later here (8 minutes by its defaults) and ends the job.
# Without a command: checks that both hosts see each other. Needs root (ip netns), Open MPI's mpirun; 77 if they are missing.
set -euo pipefail
ranks=1 cut=
while [ $# -gt 0 ]; do
    case $1 in
    --ranks) ranks=$2; shift 2 ;;
    --cut) cut=$2; shift 2 ;;
    --help) sed -n '3,10s/^# //p' "$0"; exit ;;
    --) shift; break ;;
    *) break ;;
    esac
done
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "two hosts need network namespaces, and these need root"
for program in ip unshare; do
    command -v $program >/dev/null || skip "no program $program"
done
mpirun=$(command -v mpirun.openmpi || command -v mpirun || true)
[ -n "$mpirun" ] || skip "no mpirun"
grep -qE 'Open MPI|OpenRTE' <<<"$("$mpirun" --version 2>&1)" || skip "mpirun is not Open MPI's"

tag=argand$$
net=10.$((200 + $$ % 50)).$(($$ / 50 % 250))
first=$net.1 second=$net.2
scratch=$(mktemp -d "${TMPDIR:-/tmp}/two_hosts.XXXXXX")
clean() {
    for host in a b; do
        for process in $(ip netns pids $tag$host 2>/dev/null || true); do kill -KILL "$process" 2>/dev/null || true; done
        ip netns del $tag$host 2>/dev/null || true
    done
    rm -rf "$scratch"
}
trap clean EXIT
ip netns add ${tag}a 2>"$scratch/why" || skip "network namespaces cannot be made: $(cat "$scratch/why")"
ip netns add ${tag}b
ip link add ${tag:0:13}a netns ${tag}a type veth peer name ${tag:0:13}b netns ${tag}b
address() { # host, number
    ip -n $tag$1 link set lo up
    ip -n $tag$1 addr add "$2/24" dev ${tag:0:13}$1
    ip -n $tag$1 link set ${tag:0:13}$1 up
    mkdir "$scratch/$1"
}
address a $first
address b $second

# on.sh HOST COMMAND...: runs a command on a host.
cat >"$scratch/on.sh" <<EOF
#!/usr/bin/env bash
host=\$1
shift
export TMPDIR=$scratch/\$host
exec ip netns exec $tag\$host unshare --uts bash -c 'hostname "\$0"; exec "\$@"' "host-\$host" "\$@"
EOF
# The agent: what ssh does, HOST COMMAND..., the command read by a shell there.
cat >"$scratch/agent.sh" <<EOF
#!/usr/bin/env bash
while [ "\${1#-}" != "\$1" ]; do shift; done
[ "\$1" = $second ] || { echo "the agent knows $second, not \$1" >&2; exit 1; }
shift
exec $scratch/on.sh b bash -c "\$*"
EOF
chmod +x "$scratch/on.sh" "$scratch/agent.sh"

run() {
    "$scratch/on.sh" a "$mpirun" --allow-run-as-root --host $first:"$ranks",$second:"$ranks" -n $((2 * ranks)) \
        --mca plm rsh --mca plm_rsh_agent "$scratch/agent.sh" --mca oob_tcp_if_include $net.0/24 \
        --mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 3 --mca mpi_yield_when_idle 1 \
        --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include $net.0/24 --bind-to none "$@"
}
if [ $# -eq 0 ]; then
    names=$(run bash -c 'echo "$(hostname) $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE"' | sort)
    echo "$names"
    [ "$(cut -d' ' -f1 <<<"$names" | sort -u)" = $'host-a\nhost-b' ] || { echo "not two hosts"; exit 1; }
    exit
fi
if [ -n "$cut" ]; then
    { sleep "$cut"; ip -n ${tag}b link set ${tag:0:13}b down; } &
fi
run "$@"
