#!/usr/bin/env bash
# Predicts a data-parallel step on two CPU ranks from the step on one and all-reduces between two,
# measures it, and prints both with the error: RUNS times in turn, since machines drift.
#   predict_two_ranks.sh [FOLDER]      FOLDER: of the records (two-ranks)
# Settings: WORKLOAD (bert), SAMPLES of a rank (1), SCALE, one of so many equal layers is kept (24),
# BUCKET of gradients (25MB), RUNS (3), MAX_TIME of a point (2s), BUILD (build), MPIRUN (mpirun).
set -euo pipefail

folder="${1:-two-ranks}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${BUILD:-$root/build}"
bucket="${BUCKET:-25MB}"
runs="${RUNS:-3}"
read -r -a mpirun <<<"${MPIRUN:-mpirun}"
mkdir -p "$folder"

# bench RECORD WORD...: tofn-bench; what it prints is left beside the record. The step on one rank has
# a second rank that waits for it, so that both are placed and have the machine as they do later.
bench() {
  local record="$1"
  shift
  "${mpirun[@]}" -np 2 "$build/tofn-bench" "$@" --max-time "${MAX_TIME:-2s}" -o "$record" \
    --overwrite >"${record%.json}.txt"
}

step=(step --processor cpu --workload "${WORKLOAD:-bert}" --samples "${SAMPLES:-1}"
  --scale "${SCALE:-24}" --bucket "$bucket")
for ((run = 1; run <= runs; ++run)); do
  one="$folder/one-$run.json"
  reduce="$folder/reduce-$run"
  two="$folder/two-$run.json"
  bench "$one" "${step[@]}" --ranks 1
  bench "$reduce.json" collective --backend mpi --place in --cold \
    --sizes "1MiB,4MiB,8MiB,16MiB,$bucket"
  "$build/tofn" calibrate "$reduce.json" -o "$reduce.yaml" >"$reduce-curve.txt"
  bench "$two" "${step[@]}" --ranks 2
  records="${records:+$records,}$one"
  curves="${curves:+$curves,}$reduce.yaml"
  measured="${measured:+$measured,}$two"
done
"$build/tofn" step --record "$records" --calibration "$curves" -N 2 --measured "$measured"
