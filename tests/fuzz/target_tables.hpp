#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/target.hpp"

namespace tofn::fuzz {

using TargetTable = std::vector<Target>;

// Tables of targets, one file for each kind of input. Add a row there.
TargetTable log_targets();
TargetTable launch_targets();
TargetTable yaml_targets();
TargetTable table_targets();
TargetTable folder_targets();
TargetTable word_targets();
TargetTable listening_targets();
/// Stops the servers, before the statics of their library are destroyed.
void stop_listening();

/// All targets above; and the slower ones, which answer what they read.
TargetTable reader_targets();
TargetTable answer_targets();

}  // namespace tofn::fuzz
