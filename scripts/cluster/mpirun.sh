#!/usr/bin/env bash
# The standard suite on 1, 2, 4, ... nodes of a host file, one record a scale; started again, it goes
# on where it ended.
#   mpirun.sh HOSTFILE [FOLDER]        HOSTFILE: `name slots=8` a line, as mpirun takes it
# Settings: PROCESSOR=gpu|cpu (gpu), BUDGET of time a scale (10min), BENCH (build/tofn-bench), and
# MPIRUN_OPTIONS, e.g. "--mca btl_tcp_if_include eth0 -x NCCL_SOCKET_IFNAME=eth0 -x LD_LIBRARY_PATH".
set -euo pipefail

hostfile="${1:?usage: mpirun.sh HOSTFILE [FOLDER]}"
folder="${2:-records}"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
bench="${BENCH:-$root/build/tofn-bench}"
read -r -a options <<<"${MPIRUN_OPTIONS:-}"
# mpirun binds each rank to a core or to a socket in turn, whichever its GPU is beside; NCCL's threads inherit that.
if [ "${PROCESSOR:-gpu}" = gpu ] && [[ "${MPIRUN_OPTIONS:-}" != *--bind-to* ]]; then options+=(--bind-to none); fi

mapfile -t hosts < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$hostfile")
if [ "${#hosts[@]}" -eq 0 ]; then
  echo "mpirun.sh: $hostfile names no host" >&2
  exit 2
fi
mkdir -p "$folder"
chosen="$(mktemp)"
trap 'rm -f "$chosen"' EXIT

for ((nodes = 1; ; nodes = 2 * nodes > ${#hosts[@]} ? ${#hosts[@]} : 2 * nodes)); do
  printf '%s\n' "${hosts[@]:0:nodes}" >"$chosen"
  # A line without slots counts one rank.
  ranks="$(awk '{ slots = 1; for (i = 2; i <= NF; ++i) if (sub(/^slots=/, "", $i)) slots = $i
                  sum += slots } END { print sum }' "$chosen")"
  record="$folder/suite-$nodes-nodes.json"
  echo "== $nodes of ${#hosts[@]} nodes, $ranks ranks -> $record"
  mpirun -np "$ranks" --hostfile "$chosen" ${options[@]+"${options[@]}"} "$bench" suite \
    --processor "${PROCESSOR:-gpu}" --budget "${BUDGET:-10min}" --resume -o "$record"
  if [ "$nodes" -eq "${#hosts[@]}" ]; then break; fi
done
