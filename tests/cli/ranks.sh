#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ranks.sh ARGAND MPIRUN KIND RANKS...: the volumes of a scan over ranks give the file of one rank, on each of these numbers of ranks; a rank
# that fails, is killed, has another scan or a full disk ends the job with one message, and leaves no file. MPIRUN is tests/dist/mpirun.sh;
# KIND openmpi, mpich, or devices: threads of one process.
set -euo pipefail
argand=$1 mpirun=$2 kind=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
failures=0
fail() { echo "FAILED: $*"; failures=1; }

on() { # ranks, arguments of argand
    local ranks=$1 list
    shift
    if [ "$kind" = devices ]; then
        list=$(printf ',cpu%.0s' $(seq "$ranks"))
        "$argand" "$@" --device "${list:1}"
    else
        "$mpirun" "$kind" "$ranks" "$argand" "$@"
    fi
}

if [ "$kind" != devices ]; then
    command -v "mpirun.$kind" >/dev/null || { echo "skipped: there is no mpirun.$kind"; exit 77; }
fi

"$argand" simulate scan.h5 --matrix 32 --slices 5 --coils 4 --quiet
"$argand" sense scan.h5 one.nii.gz --quiet --part magnitude,phase
for ranks in "$@"; do
    on "$ranks" sense scan.h5 many.nii.gz --quiet --part magnitude,phase || fail "$ranks ranks: exit code $?"
    for part in mag phase; do
        cmp one_part-$part.nii.gz many_part-$part.nii.gz || fail "$ranks ranks: another image ($part)"
    done
    rm -f many*
done

# one volume shared by ranks: sums of coils in another order; double precision, so that iterations do not magnify roundings
"$argand" simulate volume.h5 --matrix 32 --coils 5 --quiet
"$argand" sense volume.h5 one.nii.gz --precision double --iterations 8 --quiet
on 2 sense volume.h5 many.nii.gz --precision double --iterations 8 --ranks 2 --quiet || fail "shared volume: exit code $?"
"$argand" compare one.nii.gz many.nii.gz --limit 1e-6 || fail "shared volume: another image"
"$argand" sense volume.h5 one.nii.gz --noise-map 2 --quiet # replicas are for one rank
on 2 sense volume.h5 many.nii.gz --noise-map 2 --quiet || fail "noise map: exit code $?"
cmp one_noise.nii.gz many_noise.nii.gz || fail "noise map: another map"
rm -f many*

# the scans of a folder, of which each rank has some (devices share the volumes of each)
mkdir study
for i in 1 2 3; do "$argand" simulate study/s$i.h5 --matrix 24 --coils 3 --seed $i --quiet; done
"$argand" sense study one-images --quiet
on 2 sense study many-images --quiet || fail "folder: exit code $?"
for i in 1 2 3; do cmp one-images/s$i.nii.gz many-images/s$i.nii.gz || fail "folder: another image $i"; done
rm -r many-images

ends() { # exit code is not 0; "text" appears once in what was printed; no image
    local code=$1 text=$2 what=$3
    [ "$code" -ne 0 ] || fail "$what: exit code 0"
    [ "$(grep -c -- "$text" out)" = 1 ] || { fail "$what: no single line with \"$text\""; cat out; }
    ! compgen -G 'many*' >/dev/null || fail "$what: $(ls many*) was written"
}

code=0
on 3 sense none.h5 many.nii.gz >out 2>&1 || code=$?
ends $code "argand sense: none.h5: cannot be read" "no scan"
code=0
on 3 sense scan.h5 many.nii.gz --device cuda:77 >out 2>&1 || code=$?
[ "$kind" = devices ] || ends $code "argand sense: " "no such device"

# what follows needs ranks that are processes
[ "$kind" != devices ] || exit $failures

"$argand" simulate other.h5 --matrix 32 --slices 5 --coils 4 --seed 5 --quiet
cat >each.sh <<'END'
#!/bin/sh
# runs "$RANK_DOES" on rank 1, argand on the others
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
[ "$rank" != 1 ] || eval "$RANK_DOES"
exec "$@"
END
chmod +x each.sh
each() { # what rank 1 does, arguments of argand
    export RANK_DOES=$1
    shift
    code=0
    "$mpirun" "$kind" 3 ./each.sh "$argand" "$@" >out 2>&1 || code=$?
}
each 'cp other.h5 scan1.h5; shift 3; set -- '"$argand"' sense scan1.h5 "$@"' sense scan.h5 many.nii.gz
ends $code "rank 1 has another scan" "another scan"
each 'set -- "$@" --tolerance 0.5' sense scan.h5 many.nii.gz
ends $code "rank 1 has another command or options" "other options"
each 'kill -9 $$' sense scan.h5 many.nii.gz
[ $code -ne 0 ] || fail "a rank was killed at its start: exit code 0"

each 'sleep 1' sense scan.h5 many.nii.gz --quiet --part magnitude,phase # a slow rank
cmp one_part-mag.nii.gz many_part-mag.nii.gz || fail "slow rank: another image"
rm -f many*

# a rank without space for its volume: its message, and the volumes of others stay; the rest is reconstructed later, on other ranks.
# (MPICH's shared memory is files, to which the limit applies.)
if [ "$kind" = openmpi ]; then
each 'ulimit -f 1' sense scan.h5 many.nii.gz --resume --quiet --part magnitude,phase
[ $code -ne 0 ] && [ "$(grep -c 'rank 1 of 3: .*many.parts/.*File too large' out)" = 1 ] || { fail "full disk"; cat out; }
[ -d many.parts ] || fail "full disk: there is no many.parts"
"$mpirun" "$kind" 2 "$argand" sense scan.h5 many.nii.gz --resume --quiet --part magnitude,phase || fail "--resume: exit code $?"
for part in mag phase; do cmp one_part-$part.nii.gz many_part-$part.nii.gz || fail "--resume: another image ($part)"; done
[ ! -e many.parts ] || fail "--resume: many.parts is left"
rm -f many*
fi

# a job that would take hours, until rank 0 has told of its first iterations; then a signal
image=many-$kind-$$.nii.gz # names the processes of this test
interrupt() { # what to do with the job's process $job
    : >events
    "$mpirun" "$kind" 3 "$argand" sense scan.h5 "$image" --iterations 100000 --json >events 2>errors &
    local job=$! code=0
    while ! grep -q '"step":3' events; do sleep 0.05; kill -0 $job || { fail "the job has ended"; cat errors; return; }; done
    eval "$1"
    wait $job || code=$?
    # MPICH's mpiexec ends with 0 in one of some 20 runs in which ranks abort while a signal ends the job
    [ $code -ne 0 ] || { [ "$kind" = mpich ] && grep -q "stopped by Ctrl-C; nothing was written" errors; } || fail "$1: exit code 0"
    ! compgen -G 'many*' >/dev/null || fail "$1: $(ls many*) was written"
    for try in {1..3000}; do pgrep -f "argand sense scan.h5 $image" >/dev/null || return 0; sleep 0.1; done # they are being killed
    fail "$1: ranks are left"
}
interrupt 'kill -INT $job'
interrupt 'kill -9 $(pgrep -f "argand sense scan.h5 $image" | tail -1)'

exit $failures
