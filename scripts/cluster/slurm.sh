#!/usr/bin/env bash
# The standard suite on 1, 2, 4, ... nodes of a Slurm job, one record a scale; submitted again, it
# goes on where it ended.
#   sbatch --nodes=8 slurm.sh [FOLDER]
# Nodes of another number of GPUs: sbatch --nodes=8 --gpus-per-node=4 --ntasks-per-node=4 slurm.sh; what
# else a cluster asks for (--partition, --account), goes there, too. Settings: PROCESSOR=gpu|cpu (gpu), BUDGET of
# time a scale (10min), TOFN (the project's folder; default: where sbatch was called), MPI (pmix).
#SBATCH --job-name=tofn-bench
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --time=02:00:00
set -euo pipefail

# Slurm runs a copy of this file, so its own place tells nothing.
tofn="${TOFN:-$SLURM_SUBMIT_DIR}"
folder="${1:-$tofn/records}"
all="$SLURM_JOB_NUM_NODES"
per_node="${SLURM_NTASKS_PER_NODE:-8}"
mkdir -p "$folder"

for ((nodes = 1; ; nodes = 2 * nodes > all ? all : 2 * nodes)); do
  record="$folder/suite-$nodes-nodes.json"
  echo "== $nodes of $all nodes, $((nodes * per_node)) ranks -> $record"
  # Every rank sees all GPUs of its node and takes the one of its local number.
  srun --mpi="${MPI:-pmix}" --kill-on-bad-exit=1 --nodes="$nodes" --ntasks="$((nodes * per_node))" \
    --ntasks-per-node="$per_node" --gpu-bind=none "$tofn/build/tofn-bench" suite \
    --processor "${PROCESSOR:-gpu}" --budget "${BUDGET:-10min}" --resume -o "$record"
  if [ "$nodes" -eq "$all" ]; then break; fi
done
