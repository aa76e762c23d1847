#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mpirun.sh openmpi|mpich RANKS COMMAND...: runs the command on that many ranks of this machine; 77 if this MPI is not installed.
# ARGAND_MPI_IDLE: the library of mpi_idle.c.
set -euo pipefail
kind=$1 ranks=$2
shift 2
launcher=$(command -v "mpirun.$kind" || true)
[ -n "$launcher" ] || { echo "skipped: there is no mpirun.$kind"; exit 77; }
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
case $kind in
openmpi) # idle ranks yield, since the machine may have fewer cores; no other network than this machine's memory and loopback
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
    exec "$launcher" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 --mca btl self,vader,tcp --mca btl_tcp_if_include lo \
        -n "$ranks" "$@" ;;
mpich) # the same, by mpi_idle.c
    [ ! -e "${ARGAND_MPI_IDLE:-}" ] || export LD_PRELOAD=$ARGAND_MPI_IDLE
    exec "$launcher" -n "$ranks" "$@" ;;
esac
