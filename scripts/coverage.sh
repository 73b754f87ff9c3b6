#!/usr/bin/env bash
# Counts the lines of sim/ and microbench/ that the tests reach, a row a folder. Exit code 1 below 92 % of sim/ or
# 90 % of microbench/.
#   coverage.sh [--keep]     --keep: without running the tests again
# Lines are those that gcc made code of: kernels (*.cu) have none, and what a killed program did is not counted.
# Examples of pages are no tests here: a command refreshes them, and with counters they take more than 15 minutes.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ ! "${1:-}" =~ ^(--keep)?$ ]]; then
  echo "coverage.sh: $1: expected nothing or --keep" >&2
  exit 2
fi
build="${TOFN_COVERAGE_BUILD:-$root/build-coverage}"
counts="$build/coverage.csv"
counted="$build/counted"

# run_tests FOLDER CTEST_ARGUMENT...: with the counts of each kind in a folder of its own: a program that is killed
# while it writes a file of counts spoils it for those after it.
run_tests() {
  local folder="$counted/$1"
  shift
  mkdir -p "$folder$build"
  (cd "$build" && find . -path ./counted -prune -o -name '*.gcno' -print0 | xargs -0 cp --parents -t "$folder$build")
  GCOV_PREFIX="$folder" ctest --test-dir "$build" --output-on-failure --parallel "$(job_count)" --timeout 900 "$@" |
    tee -a "$build/tests.log" | grep -v ' Passed ' || echo "coverage.sh: not every test passed: see $build/tests.log" >&2
}
if ! command -v gcovr >/dev/null; then
  echo "coverage.sh: needs gcovr: scripts/setup.sh --release installs it" >&2
  exit 2
fi
if [ "${1:-}" != --keep ]; then
  configure_and_build "$build" all -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" -DTOFN_WERROR=OFF \
    "-DCMAKE_CXX_FLAGS=--coverage -fprofile-update=prefer-atomic" -DBUILD_TESTING=ON
  step "test"
  rm -rf "$counted" "$build/tests.log"
  run_tests mpi --label-regex '^(mpi|sweep)$'
  run_tests gpu --label-regex '^gpu$' --exclude-regex '^standin/(symbols|faults)$'
  run_tests faults --tests-regex '^standin/faults$'
  run_tests others --label-exclude '^(mpi|sweep|gpu|source|package|faults|readme)$' --exclude-regex '^page_pictures$'
fi

step "count"
gcovr --root "$root" --filter "$root/sim/" --filter "$root/microbench/" --gcov-ignore-parse-errors --csv "$counts" \
  "$counted"
printf '%-24s %8s %8s %7s\n' folder lines reached '%'
awk -F, '
  NR > 1 {
    split($1, part, "/")
    for (where in counted) delete counted[where]
    counted[part[1]]; counted[part[1] "/" part[2]]
    for (where in counted) { lines[where] += $2; reached[where] += $3 }
  }
  END { for (where in lines) printf "%-24s %8d %8d %7.1f\n", where, lines[where], reached[where], 100 * reached[where] / lines[where] }
' "$counts" | sort
awk -F, '
  NR > 1 { split($1, part, "/"); lines[part[1]] += $2; reached[part[1]] += $3 }
  END {
    if (!lines["sim"] || !lines["microbench"]) { print "coverage.sh: nothing was counted"; exit 1 }
    sim = 100 * reached["sim"] / lines["sim"]; microbench = 100 * reached["microbench"] / lines["microbench"]
    printf "tests reach %.1f %% of lines of sim, %.1f %% of microbench\n", sim, microbench
    exit sim < 92 || microbench < 90
  }' "$counts"
