#!/usr/bin/env bash
# Builds the fuzzers with clang and runs each for RUNS inputs (default 100000).
#   fuzz.sh [RUNS [NAME...]]     NAME: a folder of tests/fuzz/corpus; default: all
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="${TOFN_FUZZ_BUILD:-$root/build-fuzz}"
runs="${1:-100000}"
names=("${@:2}")
if [ ${#names[@]} -eq 0 ]; then
  for folder in "$root"/tests/fuzz/corpus/*/; do names+=("$(basename "$folder")"); done
fi

step "build in $build"
cmake -S "$root" -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-clang++}" -DTOFN_FUZZ=ON \
  -DTOFN_MPI=OFF -DTOFN_NCCL=OFF -DTOFN_BLAS=OFF -DSANITIZE=fuzzer-no-link,address,undefined
cmake --build "$build" --target fuzzers --parallel "$(nproc)"

for name in "${names[@]}"; do
  step "$name: $runs inputs"
  found="$build/corpus/$name"
  mkdir -p "$found"
  # New inputs go to the build folder; the corpus in the tree stays as it is.
  "$build/tests/fuzz/fuzz_$name" -runs="$runs" -max_len=2048 -artifact_prefix="$found-" \
    -print_final_stats=1 "$found" "$root/tests/fuzz/corpus/$name" 2>&1 | tail -n 20
done
