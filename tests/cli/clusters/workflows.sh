#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# workflows.sh ARGAND SOURCE SCANS TASKS [snakemake]: the files of share/workflows do what their comments say, each with the same images as one
# command, byte for byte. Slurm, srun and docker are stand-ins that keep to what the real programs do: sbatch copies the script, so
# that it does not know its folder, and sets SLURM_* for each task. Snakemake is the real one, where it is installed and asked for; of
# main.nf the script is taken out and run.
set -euo pipefail
argand=$(realpath "$1") source=$(realpath "$2") scans=$3 tasks=$4 snakemake=${5:-}
flows=$source/share/workflows
work=$(mktemp -d "${TMPDIR:-/tmp}/argand workflows.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin study one
ln -s "$argand" bin/argand
export PATH=$work/bin:$PATH ARGAND_DEVICE=cpu
fail() { echo "$1"; exit 1; }

# ---- stand-ins

cat >bin/sbatch <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
array= after=
while [ "${1#-}" != "$1" ]; do
    case $1 in
    --array=*) array=${1#*=} ;;
    --dependency=afterok:*) after=${1##*:} ;;
    --parsable | --kill-on-invalid-dep=yes) ;;
    *) echo "sbatch: unknown option $1" >&2; exit 1 ;;
    esac
    shift
done
spool=$STAND_IN/spool
mkdir -p "$spool"
job=$(($(ls "$spool" | wc -l) + 1))
mkdir "$spool/$job"
cp "$1" "$spool/$job/slurm_script"
cpus=$(sed -n 's/^#SBATCH --cpus-per-task=//p' "$1")
shift
export SLURM_JOB_ID=$job SLURM_SUBMIT_DIR=$PWD SLURM_CPUS_PER_TASK=${cpus:-1} SLURM_NTASKS=2
case $array in
*-*) indices=$(seq "${array%-*}" "${array#*-}") ;;
*) indices=${array//,/ } ;;
esac
[ -z "$after" ] || [ ! -e "$spool/$after/failed" ] || { touch "$spool/$job/failed"; echo "$job"; exit 0; }
count=$(wc -w <<<"$indices")
for index in ${indices:-none}; do
    if [ "$index" != none ]; then
        export SLURM_ARRAY_JOB_ID=$job SLURM_ARRAY_TASK_ID=$index SLURM_ARRAY_TASK_COUNT=$count
        [ "$index" != "${STAND_IN_BREAKS:-}" ] || { touch "$spool/$job/failed"; continue; }
    fi
    bash "$spool/$job/slurm_script" "$@" >>"$spool/$job/log" 2>&1 || touch "$spool/$job/failed"
done
echo "$job"
EOF
cat >bin/srun <<'EOF'
#!/usr/bin/env bash
while [ "${1#-}" != "$1" ]; do shift; done
exec ${STAND_IN_MPIRUN:-} "$@"
EOF
cat >bin/docker <<'EOF'
#!/usr/bin/env bash
[ "$1 $2 $3" = "run --rm -v" ] || { echo "docker: unknown: $*" >&2; exit 1; }
shift 5
exec "$@"
EOF
chmod +x $(find bin -type f) # not the tool, which may be of another user
export STAND_IN=$work

same() { # folder: its images are those of one/
    local count=0
    for image in one/*.nii.gz; do
        cmp "$image" "$1/${image#one/}" || fail "$1: another image"
        count=$((count + 1))
    done
    [ $count = "$scans" ] || fail "$1: $count images"
    echo "$1: $count images, the same"
}
jobs_done() { ! ls "$work"/spool/*/failed >/dev/null 2>&1 || { cat "$work"/spool/*/log; fail "a job failed"; }; }

for i in $(seq "$scans"); do
    argand simulate "study/scan $i.h5" -x 16 --coils 2 --shots 2 --slices 2 --seed "$i" -q
done
argand sense study/ one/ -n 3 -q

# ---- ranks take the scans of the folder in turn

if command -v mpirun.openmpi >/dev/null; then
    "$source/tests/dist/mpirun.sh" openmpi 4 argand sense study/ ranks/ -n 3 -q
    same ranks
fi

# ---- Slurm

"$flows/slurm/submit.sh" "$tasks" study/ array/ -n 3 >numbers
jobs_done
same array
first="study/scan 1.h5"
mkdir volumes
STAND_IN_BREAKS=2 "$flows/slurm/submit.sh" 2 "$first" "volumes/scan 1.nii.gz" -n 3 >numbers
[ ! -e "volumes/scan 1.nii.gz" ] || fail "gathered although a task failed"
rm "$work"/spool/*/failed
sbatch --parsable --array=2 "$flows/slurm/array.sbatch" 2 "$first" "volumes/scan 1.nii.gz" -n 3 >numbers
sbatch --parsable "$flows/slurm/gather.sbatch" "volumes/scan 1.nii.gz" >numbers
jobs_done
cmp "one/scan 1.nii.gz" "volumes/scan 1.nii.gz" || fail "volumes: another image"
sbatch --parsable "$flows/slurm/mpi.sbatch" "$first" "volumes/mpi.nii.gz" -n 3 >numbers
jobs_done
cmp "one/scan 1.nii.gz" volumes/mpi.nii.gz || fail "mpi.sbatch: another image"

# ---- pipes

argand convert "$first" - -q >scan.mrd
argand sense scan.mrd streamed.nii.gz -n 3 -q
"$flows/tyger/pipes.sh" argand -n 3 <scan.mrd | argand convert - piped.npy -q
argand convert streamed.nii.gz plain.npy -q
argand compare plain.npy piped.npy --limit 0 >/dev/null || fail "pipes.sh: another image"
if printf 'no scan' | "$flows/tyger/pipes.sh" argand 2>words >nothing; then fail "pipes.sh: took no scan"; fi
grep -q "something else than a scan" words && [ ! -s nothing ] || fail "pipes.sh: $(cat words)"

# ---- what Tyger and Nextflow would run

python3 - "$flows" "$work" <<'EOF'
import json, pathlib, re, subprocess, sys
flows, work = map(pathlib.Path, sys.argv[1:])
text = (flows / "tyger/sense.yml").read_text()
words = json.loads(re.search(r"command: (\[.*\])", text)[1]) + json.loads(re.search(r"args: (\[.*\])", text)[1])
subprocess.run(["mkfifo", "in", "out"], cwd=work, check=True)
words = [w.replace("$(INPUT_PIPE)", "in").replace("$(OUTPUT_PIPE)", "out") for w in words]
run = subprocess.Popen([*words, "-n", "3"], cwd=work)
writer = subprocess.Popen("cat scan.mrd >in", shell=True, cwd=work)
got = subprocess.run(["cat", "out"], cwd=work, stdout=subprocess.PIPE, check=True).stdout
assert run.wait() == 0 and writer.wait() == 0
(work / "tyger.mrd").write_bytes(got)

script = re.search(r'script:\s*"""(.*?)"""', (flows / "nextflow/main.nf").read_text(), re.S)[1]
for scan in sorted((work / "study").glob("*.h5"))[:2]:
    place = work / "nextflow" / scan.stem
    place.mkdir(parents=True)
    (place / scan.name).symlink_to(scan)
    values = {"scan": f"'{scan.name}'", "scan.baseName": scan.stem, "task.cpus": "1", "params.options": "-n 3"}
    ready = re.sub(r"\$\{(.*?)\}", lambda m: values[m[1]], script)
    subprocess.run(["bash", "-ue"], input=ready, text=True, cwd=place, check=True)
    assert (place / f"{scan.stem}.nii.gz").read_bytes() == (work / "one" / f"{scan.stem}.nii.gz").read_bytes()
print("tyger, nextflow: the same")
EOF
argand convert - tyger.npy -q <tyger.mrd
cmp piped.npy tyger.npy || fail "sense.yml: another image"

# ---- Snakemake

if [ -n "$snakemake" ] && command -v snakemake >/dev/null; then
    snake() { snakemake --snakefile "$flows/snakemake/Snakefile" --cores 2 --quiet --config study=study options="-n 3" "$@" >snake.log 2>&1 || { cat snake.log; fail "snakemake"; }; }
    snake images=snake
    same snake
    for i in $(seq 3 "$scans"); do rm "study/scan $i.h5"; done
    snake images=divided tasks=2
    for i in 1 2; do cmp "one/scan $i.nii.gz" "divided/scan $i.nii.gz" || fail "Snakefile, tasks=2: another image"; done
    [ -z "$(find divided -name '*-of-*')" ] || fail "marks of tasks are left"
elif [ -n "$snakemake" ]; then
    echo "no snakemake here: the Snakefile was not run"
fi
