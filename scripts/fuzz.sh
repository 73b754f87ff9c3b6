#!/usr/bin/env bash
# Builds the fuzzers with clang, runs them, and ends in a table. It fails where one crashed.
#   fuzz.sh [--runs N] [--seconds S] [TARGET...]   each until N inputs (its aim in the table of targets) or S seconds (60),
#                                                  whichever comes first
#   fuzz.sh --resume ...                           without targets that this build of them has had as long, or that crashed
#   fuzz.sh --total S                              all of them, in S seconds together; begins alike each time; built
#                                                  without optimisation, in half the time, in build-fuzz-quick
#   fuzz.sh --check                                what lies in tests/fuzz/corpus, once
#   fuzz.sh --merge [TARGET...]                    tests/fuzz/corpus gets the fewest inputs that reach what was reached
#   fuzz.sh --list
# Inputs that reach something new, and those that crash, stay in the build's folder (TOFN_FUZZ_BUILD).
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

runs="" seconds=60 total="" resume="" mode=run names=()
while [ $# -gt 0 ]; do
  case "$1" in
    --runs) runs="$2" && shift ;;
    --seconds) seconds="$2" && shift ;;
    --total) total="$2" && shift ;;
    --resume) resume=yes ;;
    --check | --merge | --list) mode="${1#--}" ;;
    -*) echo "fuzz.sh: $1: expected --runs, --seconds, --resume, --total, --check, --merge or --list" >&2 && exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done
build="${TOFN_FUZZ_BUILD:-$root/build-fuzz${total:+-quick}}"
optimised="-O2"
if [ -n "$total" ]; then optimised="-O0"; fi
export TOFN_CONFIGS="$root/configs"
# Memory that is freed is kept back for less long, and fewer frames are kept of each allocation: a third faster.
export ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=4:${ASAN_OPTIONS:-}"

step "set up"
"$root/scripts/setup.sh" --fuzz
# No comparisons are traced: that costs a third, and mutators know the readers' words.
configure_and_build "$build" fuzzers -DCMAKE_CXX_COMPILER="${CXX:-clang++}" -DTOFN_FUZZ=ON \
  -DTOFN_MPI=OFF -DTOFN_NCCL=OFF -DTOFN_BLAS=OFF -DTOFN_PYTHON=OFF -DSANITIZE=address,undefined \
  -DCMAKE_CXX_FLAGS="-fsanitize-coverage=inline-8bit-counters,pc-table" -DCMAKE_CXX_FLAGS_RELEASE="$optimised -g1"

# program, name, millions of inputs, longest input, seeds, what it reads
all="$(for program in readers answers; do
  "$build/tests/fuzz/fuzz_$program" --list | awk -v OFS='\t' -v program="fuzz_$program" '{ print program, $0 }'
done)"
row_of() { awk -F'\t' -v name="$1" '$2 == name' <<<"$all"; }
if [ "$mode" = list ]; then
  awk -F'\t' '{ printf "%-18s %4s M  %s\n", $2, $3, $6 }' <<<"$all"
  exit
fi
if [ ${#names[@]} -eq 0 ]; then mapfile -t names < <(cut -f2 <<<"$all"); fi
for name in "${names[@]}"; do
  if [ -z "$(row_of "$name")" ]; then
    echo "fuzz.sh: unknown target '$name'; valid targets: $(cut -f2 <<<"$all" | paste -sd ' ')" >&2
    exit 2
  fi
done
jobs="$(job_count)"
if [ -n "$total" ]; then seconds=$((total * jobs / ${#names[@]})) && [ "$seconds" -gt 0 ] || seconds=1; fi
mkdir -p "$build/corpus" "$build/crashes" "$build/logs"

aim_of() { row_of "$1" | awk -F'\t' '{ printf "%d", $3 * 1e6 }'; }

# is_done NAME: its log, which is younger than its program, says that it had its inputs or its time, or crashed.
is_done() {
  local log="$build/logs/$1"
  [ "$log" -nt "$build/tests/fuzz/$(row_of "$1" | cut -f1)" ] &&
    awk -v most="${runs:-$(aim_of "$1")}" -v seconds="$seconds" '
      /^Done [0-9]+ runs in / && ($2 >= most || $5 >= seconds) || /Test unit written to / { done = 1 }
      END { exit !done }' "$log"
}

# run_target NAME: with folders of inputs of which the first grows.
run_target() {
  local program longest seeds folders=()
  IFS=$'\t' read -r program _ _ longest seeds _ < <(row_of "$1")
  local command=("$build/tests/fuzz/$program" "--target=$1" -max_len="$longest" -len_control=0 -timeout=90
    -rss_limit_mb=3072 -artifact_prefix="$build/crashes/$1-")
  for folder in "$build/corpus/$1" "$root/tests/fuzz/corpus/$1" "$root/$seeds"; do
    if [ -d "$folder" ] && [ "$folder" != "$root/-" ]; then folders+=("$folder"); fi
  done
  case "$mode" in
    check) "${command[@]}" -runs=0 "${folders[@]:1}" ;;
    merge)
      mkdir -p "$build/merged/$1"
      "${command[@]}" -merge=1 "$build/merged/$1" "${folders[@]}"
      ;;
    run)
      # A check of a change must not fail by what chance finds elsewhere.
      if [ -n "$total" ]; then command+=(-seed=1); fi
      "${command[@]}" -runs="${runs:-$(aim_of "$1")}" -max_total_time="$seconds" -print_final_stats=1 "${folders[@]}"
      ;;
  esac >"$build/logs/$1" 2>&1 || echo "exit $?" >>"$build/logs/$1"
}

left=()
for name in "${names[@]}"; do
  if [ -z "$resume" ] || ! is_done "$name"; then left+=("$name"); fi
done
step "$mode ${#left[@]} of ${#names[@]} targets, $jobs at a time"
for name in ${left[@]+"${left[@]}"}; do
  mkdir -p "$build/corpus/$name"
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  run_target "$name" &
done
wait

# aim: the executions that it shall have had; new: edges that were found in the last tenth of the inputs
printf '\n%-18s %12s %12s %8s %10s %8s %6s %8s\n' target executions aim inputs bytes edges new crashes
reached=0
for name in "${names[@]}"; do
  inputs="$({ find "$build/corpus/$name" "$root/tests/fuzz/corpus/$name" -type f -printf '%s\n' 2>/dev/null || true; } |
    awk '{ n++; b += $1 } END { printf "%d %d", n, b }')"
  aim="$(aim_of "$name")"
  row="$(awk -v name="$name" -v inputs="$inputs" -v aim="$aim" '
    match($0, /^#[0-9]+/) { at[++n] = substr($0, 2, RLENGTH - 1) + 0 }
    match($0, /cov: [0-9]+/) && n { cov[n] = substr($0, RSTART + 5, RLENGTH - 5) + 0 }
    /^exit / { crashed = 1 }
    END {
      for (i = 1; i <= n; i++) if (at[i] <= 0.9 * at[n] && cov[i]) before = cov[i]
      for (i = 1; i <= n; i++) if (cov[i]) last = cov[i]
      split(inputs, held, " ")
      printf "%-18s %12d %12d %8d %10d %8d %6d %8d\n", name, at[n], aim, held[1], held[2], last, last - before, crashed
    }' "$build/logs/$name")"
  echo "$row"
  if [ "$(awk '{ print $2 }' <<<"$row")" -ge "$aim" ]; then reached=$((reached + 1)); fi
done
[ -n "$total" ] || echo "$reached of ${#names[@]} targets had the executions that they aim at"
crashed=()
for name in "${names[@]}"; do
  if grep -q '^exit ' "$build/logs/$name"; then crashed+=("$name"); fi
done
if [ ${#crashed[@]} -gt 0 ]; then
  for name in "${crashed[@]}"; do
    echo "$name: $(grep -m1 -E 'broken invariant|ERROR:|runtime error' "$build/logs/$name")"
    echo "    ${build#"$root/"}/tests/fuzz/$(row_of "$name" | cut -f1) --target=$name $(grep -m1 -oE "written to .*" "$build/logs/$name" | cut -c12-)"
  done
  exit 1
fi
