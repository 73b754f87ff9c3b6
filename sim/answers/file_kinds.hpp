#pragma once

#include <string_view>

#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace answers {

/// Kinds of YAML files.
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
/// Returns the kind of a file by its keys; nullptr if no key identifies it.
const KindKey* find_kind(const YamlNode& root);
/// Returns the same; InputError if no key identifies it.
const KindKey& kind_of_file(const YamlNode& root);

}  // namespace answers
}  // namespace tofn
