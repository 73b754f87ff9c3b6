#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {

TargetTable reader_targets() {
  TargetTable all;
  for (const TargetTable& each : {log_targets(), launch_targets(), yaml_targets(), table_targets(),
                                  folder_targets(), word_targets(), listening_targets()})
    all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace tofn::fuzz
