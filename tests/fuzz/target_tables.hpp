#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/target.hpp"

namespace tofn::fuzz {

using TargetTable = std::vector<Target>;

// The tables of targets, a file each, by what is read. Rows stand there.
TargetTable log_targets();
TargetTable launch_targets();
TargetTable yaml_targets();
TargetTable table_targets();
TargetTable folder_targets();
TargetTable word_targets();
TargetTable listening_targets();
/// Ends what listens, before the statics of its library go.
void stop_listening();

/// All of these; and those that take longer, since they answer what they read.
TargetTable reader_targets();
TargetTable answer_targets();

}  // namespace tofn::fuzz
