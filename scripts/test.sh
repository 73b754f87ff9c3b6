#!/usr/bin/env bash
# Sets up, builds and runs every test that this machine can run.
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

step "set up"
"$root/scripts/setup.sh" --tests
configure_and_build -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=ON
step "test"
ctest --test-dir "$root/build" --output-on-failure --parallel "$(job_count)"
