#pragma once

#include <string_view>

#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace answers {

/// What a YAML file may be.
enum class FileKind {
  Accelerator,
  Cluster,
  Workload,
  Model,
  Plan,
  Run,
  Stack,
  Calibration,
  StepProfile,
  Sweep,
  Quote,
  LinkFamily,
  PriceList,
  Launcher
};

/// A kind of YAML file and the key that only it has.
struct KindKey {
  FileKind kind;
  std::string_view name;
  std::string_view key;
};
/// By the keys of a file. InputError where it has none that tells.
const KindKey& kind_of_file(const YamlNode& root);

}  // namespace answers
}  // namespace tofn
