#!/usr/bin/env bash
# Everything that is checked before a release; ends in a table with the commit of each row.
#   release_check.sh [--before REVISION] [--again] [CHECK...]
#                              CHECK: rows of the table below; default: all
#   --before REVISION          what the accuracy is held against (default: the newest tag, else the first commit
#                              of the last hundred)
#   --again                    runs what has passed on this commit already, too
# What a check prints is kept in build-release/CHECK.log, what came of it in build-release/results.tsv: a
# run that was ended goes on where it was. Exit code 1 where a check failed or has not run on this commit;
# CHANGED: the tree changed meanwhile, and no further check was run.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

kept="$root/build-release"
mutants="$root/build-mutation"
before_tree="$kept/before"

# Name, command, and the line of its output that says most.
checks=(
  "tests|scripts/test.sh --all|tests passed"
  "asan|scripts/test.sh --asan|tests passed"
  "tsan|scripts/test.sh --tsan|tests passed"
  "faults|faults|calls failed"
  "planted|planted|faults are noticed"
  "tidy|scripts/tidy.sh|clang-tidy: "
  "coverage|scripts/coverage.sh|of lines"
  "fuzz|fuzz|that they aim at"
  "mutation|mutation|faults are noticed"
  "packages|package_and_check|packages"
  "accuracy|accuracy|accuracy: "
  "instructions|instructions|instructions: "
)

# What lies in build/ may be of another commit.
build_all() { configure_and_build "$root/build" all -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON; }

faults() {
  build_all
  tests/faults/check_faults.py build/tofn build/tests/libfailing_calls.so
  tests/faults/check_failing_calls.py build/tofn build/tests/libfailing_calls.so --most 2000
}

planted() {
  build_all
  if [ ! -d build/tests/standin/libraries ]; then
    echo "not checked, without CUDA 13 and NCCL: 0 faults are noticed"
    return 1
  fi
  tests/standin/planted_faults.py --build "$root/build-planted"
}

# keep_of_this_commit FOLDER NAME: what another commit left there is not this one's.
keep_of_this_commit() {
  mkdir -p "$1"
  if [ "$(cat "$1/commit" 2>/dev/null)" != "$commit" ]; then rm -rf "${1:?}/$2"; fi
  echo "$commit" >"$1/commit"
}

fuzz() {
  keep_of_this_commit "${TOFN_FUZZ_BUILD:-$root/build-fuzz}" logs
  scripts/fuzz.sh --seconds 600 --resume
}

mutation() {
  keep_of_this_commit "$mutants" faults.csv
  scripts/mutate.py --build "$mutants"
}

package_and_check() {
  scripts/package.sh
  scripts/check_package.sh "$root/build-package"
}

usual_before() {
  git describe --tags --abbrev=0 HEAD^ 2>/dev/null || git rev-list --max-count=100 HEAD | tail -n 1
}

# Builds the program of the revision before, and asks both of every measured row.
accuracy() {
  local revision
  build_all
  revision="$(git rev-parse --short "${before:-$(usual_before)}")"
  if [ "$revision" = "$(git rev-parse --short HEAD)" ]; then
    echo "nothing before this commit (a shallow clone?): state --before"
    return 1
  fi
  [ -d "$before_tree" ] || git worktree add --force --detach "$before_tree" "$revision"
  git -C "$before_tree" checkout --quiet --detach "$revision"
  cmake -S "$before_tree" -B "$before_tree/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
  cmake --build "$before_tree/build" --target tofn --parallel "$(job_count)"
  echo "held against $revision"
  scripts/accuracy_gate.py "$before_tree/build/tofn" build/tofn --since "$revision"
}

# Skipped, with a line that says so, where valgrind is not installed.
instructions() {
  build_all
  tests/benchmarks/instructions.py build/tofn
}

# The commit; where files differ from it, with a mark of how.
tree_name() {
  local name
  name="$(git describe --always --dirty)"
  if [[ "$name" == *-dirty ]]; then name+="-$(git diff HEAD | git hash-object --stdin | cut -c1-8)"; fi
  echo "$name"
}

result_of() { awk -F'\t' -v name="$1" -v commit="$commit" '$1 == name && $2 == commit { last = $0 } END { print last }' "$kept/results.tsv"; }

run_check() {
  local name="$1" command="$2" telling="$3" began=$SECONDS status=passed said log="$kept/$1.log"
  echo "== $name: $command (log: $log)"
  # In a shell of its own, so that a check that fails ends by itself alone.
  (set -e; trap - EXIT; $command) >"$log" 2>&1 &
  if ! wait $!; then status=FAILED; fi
  if [ "$(tree_name)" != "$commit" ]; then status=CHANGED; fi
  said="$({ grep -F "$telling" "$log" || true; } | tail -n 1)"
  printf '%s\t%s\t%s\t%d\t%s\n' "$name" "$commit" "$status" $(((SECONDS - began + 59) / 60)) "$said" >>"$kept/results.tsv"
}

before="" again="" chosen=()
while [ $# -gt 0 ]; do
  case "$1" in
    --before) before="${2:?--before needs a revision}"; shift ;;
    --again) again=yes ;;
    -*) echo "release_check.sh: $1: expected --before, --again or a check" >&2; exit 2 ;;
    *) chosen+=("$1") ;;
  esac
  shift
done
names="$(printf '%s\n' "${checks[@]}" | cut -d'|' -f1)"
for name in ${chosen[@]+"${chosen[@]}"}; do
  if ! grep -qxF "$name" <<<"$names"; then
    echo "release_check.sh: $name: no such check, but: $(paste -sd' ' <<<"$names")" >&2
    exit 2
  fi
done

cd "$root"
step "set up"
scripts/setup.sh --release
mkdir -p "$kept"
touch "$kept/results.tsv"
commit="$(tree_name)"
for check in "${checks[@]}"; do
  IFS='|' read -r name command telling <<<"$check"
  if [ ${#chosen[@]} -gt 0 ] && ! printf '%s\n' "${chosen[@]}" | grep -qxF "$name"; then continue; fi
  if [ -z "$again" ] && [[ "$commit" != *-dirty* ]] && [[ "$(result_of "$name")" == *$'\t'passed$'\t'* ]]; then continue; fi
  run_check "$name" "$command" "$telling"
  if [ "$(tree_name)" != "$commit" ]; then
    echo "release_check.sh: the tree became $(tree_name) while $name ran: that is no result of $commit" >&2
    break
  fi
done

step "release check of $commit"
printf '%-12s %-8s %7s  %s\n' check result minutes what
failed=0
for check in "${checks[@]}"; do
  name="${check%%|*}"
  IFS=$'\t' read -r _ _ status minutes said <<<"$(result_of "$name")" || true
  printf '%-12s %-8s %7s  %s\n' "$name" "${status:-not run}" "${minutes:--}" "${said:-}"
  if [ "${status:-}" != passed ]; then failed=1; fi
  status="" minutes="" said=""
done
exit "$failed"
