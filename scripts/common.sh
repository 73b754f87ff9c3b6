# Sourced by the other scripts: the project's root, steps that name themselves, the build.
# shellcheck shell=bash
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
current_step="start"

step() {
  current_step="$1"
  echo "== $1"
}

report_failure() {
  local status=$?
  if [ "$status" -ne 0 ]; then echo "FAILED (exit $status) in step: $current_step" >&2; fi
}
trap report_failure EXIT

# One compile job per core, and per 2 GiB of free memory.
job_count() {
  local cores memory_kib jobs
  cores="$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
  memory_kib="$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)"
  jobs="$cores"
  if [ -n "$memory_kib" ] && [ $((memory_kib / 2097152)) -lt "$jobs" ]; then
    jobs=$((memory_kib / 2097152))
  fi
  if [ "$jobs" -lt 1 ]; then jobs=1; fi
  echo "$jobs"
}

# configure_and_build BUILD_FOLDER TARGET CMAKE_ARGUMENT...
configure_and_build() {
  local build="$1" target="$2" generator=() jobs
  shift 2
  step "configure into $build"
  # A build folder that came along with a copied tree knows the wrong paths.
  if [ -f "$build/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
  fi
  if [ ! -f "$build/CMakeCache.txt" ] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
  cmake -S "$root" -B "$build" ${generator[@]+"${generator[@]}"} "$@"
  jobs="$(job_count)"
  step "build with $jobs jobs"
  cmake --build "$build" --target "$target" --parallel "$jobs"
}
