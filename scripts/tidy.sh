#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over sim/ and microbench/, joined as they are compiled; exit code 1 where it finds something.
#   tidy.sh [PATTERN]     PATTERN: only units whose path matches, as `tofn_answers`
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build="${TOFN_TIDY_BUILD:-$root/build-tidy}"
step "configure into $build"
# Precompiled headers are the compiler's own; a joined unit includes sources, which is no mistake.
cmake -S "$root" -B "$build" -DCMAKE_CXX_COMPILER="${CXX:-clang++}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBUILD_TESTING=OFF -DTOFN_NCCL=OFF -DTOFN_PYTHON=OFF \
  -DTOFN_WERROR=OFF >"$build.log" || { cat "$build.log"; exit 1; }
step "clang-tidy"
# One file a header's finding, however many units include it.
status=0
run-clang-tidy -quiet -p "$build" -j "$(job_count)" -checks=-bugprone-suspicious-include \
  "${1:-/Unity/|/sim/library/}" >"$build.log" 2>&1 || status=$?
# It writes colours into files as well.
found="$(sed 's/\x1b\[[0-9;]*m//g' "$build.log" | grep -E '^[^ ]+:[0-9]+:[0-9]+: (warning|error): ' |
  sed "s,^$root/,," | sort -u || true)"
# The command of a unit; newer releases state the binary's folder, and progress as `[ 1/40][2.5s] ` before it.
units="$(grep -cE '^(\[[^]]*\])* ?([^ ]*/)?clang-tidy[^ ]* .*-p=' "$build.log" || true)"
if [ "$units" -eq 0 ]; then
  echo "tidy.sh: nothing was checked; $build.log says why" >&2
  exit 1
fi
if [ -n "$found" ]; then
  echo "$found"
  echo "clang-tidy: $(wc -l <<<"$found") findings" >&2
  exit 1
fi
if [ "$status" -ne 0 ]; then
  echo "tidy.sh: clang-tidy failed; $build.log says why" >&2
  exit 1
fi
echo "clang-tidy: no finding in $units units"
