#!/usr/bin/env bash
# Sets up, builds and compares the simulator's forecasts with the published results.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ $# -gt 0 ]; then
  echo "demo.sh: $1: it takes no arguments" >&2
  exit 2
fi
step "set up"
"$root/scripts/setup.sh"
configure_and_build "$root/build" tofn -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
step "compare with the published results"
"$root/build/tofn" compare
