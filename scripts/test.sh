#!/usr/bin/env bash
# Sets up, builds and runs the tests that this machine can run.
#   test.sh            optimised (Release), in build/, but those of failing system calls, of pages in a browser and of
#                      packages
#   test.sh --all      those too
#   test.sh --debug    not optimised, in build-debug/
#   test.sh --asan     under the address and undefined-behaviour sanitizers, in build-asan/
#   test.sh --tsan     under the thread sanitizer, in build-tsan/
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# -O1: laws over whole catalogues would take a sanitizer hours without it. No CUDA and MPI: their
# runtimes leak and race by themselves.
sanitized=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" -DTOFN_MPI=OFF -DTOFN_NCCL=OFF
  -DTOFN_WERROR=OFF)  # gcc sees uninitialised members inside <regex> there
# Under a sanitizer pages and examples take hours, and run nothing that other tests do not.
but_prose=(--label-exclude '^(source|package|readme|report)$')
left_out=()
long='^(faults|report|package)$'
case "${1:-}" in
  "") build="$root/build" options=(-DCMAKE_BUILD_TYPE=Release) left_out=(--label-exclude "$long") ;;
  --all) build="$root/build" options=(-DCMAKE_BUILD_TYPE=Release) ;;
  --debug) build="$root/build-debug" options=(-DCMAKE_BUILD_TYPE=Debug) ;;
  --asan) build="$root/build-asan" options=("${sanitized[@]}" "-DSANITIZE=address,undefined") left_out=("${but_prose[@]}") ;;
  --tsan) build="$root/build-tsan" options=("${sanitized[@]}" -DSANITIZE=thread) left_out=("${but_prose[@]}") ;;
  *)
    echo "test.sh: $1: expected nothing, --all, --debug, --asan or --tsan" >&2
    exit 2
    ;;
esac
if [ $# -gt 1 ]; then
  echo "test.sh: $2: one kind of build at a time" >&2
  exit 2
fi

step "set up"
"$root/scripts/setup.sh" --tests
configure_and_build "$build" all "${options[@]}" -DBUILD_TESTING=ON
step "test"
ctest --test-dir "$build" --output-on-failure --parallel "$(job_count)" ${left_out[@]+"${left_out[@]}"}
if [ "${left_out[*]:-}" = "--label-exclude $long" ]; then
  echo "left out: failing system calls, pages in a browser, packages (test.sh --all)"
fi
