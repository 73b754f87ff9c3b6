#!/usr/bin/env bash
# Sets up, builds and compares the simulator's forecasts with the published results.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

step "set up"
"$root/scripts/setup.sh"
configure_and_build "$root/build" tofn -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
step "compare with the published results"
"$root/build/tofn" compare
