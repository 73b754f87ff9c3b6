#!/usr/bin/env bash
# The standard suite on 1, 2, 4, ... nodes of a Slurm job, one record a scale; submitted again, it
# goes on where it ended, if it gets the same nodes (sbatch --nodelist=...): a record is of one machine.
#   sbatch --nodes=8 slurm.sh [FOLDER]
# Nodes of another number of GPUs: sbatch --nodes=8 --gpus-per-node=4 --ntasks-per-node=4 slurm.sh; what
# else a cluster asks for (--partition, --account), goes there, too. Settings: PROCESSOR=gpu|cpu (gpu), BUDGET of
# time a scale (10min), TOFN (the project's folder; default: where sbatch was called), MPI (pmix), CPU_BIND of GPU ranks (none).
#SBATCH --job-name=tofn-bench
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=02:00:00
set -euo pipefail

# Slurm runs a copy of this file, so its own place tells nothing.
tofn="${TOFN:-$SLURM_SUBMIT_DIR}"
# A folder for each set of nodes.
folder="${1:-$tofn/records}/$(tr -c '[:alnum:]\n-' '_' <<<"$SLURM_JOB_NODELIST" | cut -c1-100)"
all="$SLURM_JOB_NUM_NODES"
per_node="${SLURM_NTASKS_PER_NODE:-8}"
bench="$tofn/build/tofn-bench"
if [ ! -x "$bench" ]; then
  echo "slurm.sh: $bench is no program: build it, or set TOFN to the project's folder" >&2
  exit 2
fi
mkdir -p "$folder"
# Since Slurm 22.05 srun does not take it over from sbatch.
if [ -n "${SLURM_CPUS_PER_TASK:-}" ]; then export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"; fi

# on_nodes N WORD...: tofn-bench on so many nodes. Every rank sees all GPUs of its node and takes the one of its
# local number.
on_nodes() {
  local nodes="$1"
  shift
  # A cluster may bind each rank to a core, whichever its GPU is beside; NCCL's threads inherit that.
  local bind=()
  if [ "${PROCESSOR:-gpu}" = gpu ]; then bind=(--cpu-bind="${CPU_BIND:-none}"); fi
  srun ${bind[@]+"${bind[@]}"} --mpi="${MPI:-pmix}" --kill-on-bad-exit=1 --nodes="$nodes" --ntasks="$((nodes * per_node))" \
    --ntasks-per-node="$per_node" --gpu-bind=none "$bench" "$@"
}

# Where MPI and Slurm do not find each other, each rank believes it is alone, and would write a record of its own.
if [ "$((all * per_node))" -gt 1 ] &&
  ! on_nodes "$all" collective --backend mpi --sizes 8B --max-time 10ms >"$folder/ranks.log" 2>&1; then
  echo "slurm.sh: an all-reduce of all ranks failed; $folder/ranks.log says how. \`srun --mpi=list\` prints what MPI=... may be" >&2
  exit 2
fi

for ((nodes = 1; ; nodes = 2 * nodes > all ? all : 2 * nodes)); do
  record="$folder/suite-$nodes-nodes.json"
  echo "== $nodes of $all nodes, $((nodes * per_node)) ranks -> $record"
  on_nodes "$nodes" suite --processor "${PROCESSOR:-gpu}" --budget "${BUDGET:-10min}" --resume -o "$record"
  if [ "$nodes" -eq "$all" ]; then break; fi
done
