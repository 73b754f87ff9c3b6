#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/hugging_face/hugging_face_architectures.hpp"

namespace tofn {
inline namespace config {

/// Returns the architecture of a `model_type`; null if unknown.
const HuggingFaceArchitecture* architecture_named(std::string_view type);

/// A known `model_type`, and the architecture whose layers it has.
struct HuggingFaceType {
  std::string name;
  std::string of;
};
/// Returns all known types, sorted by name.
std::vector<HuggingFaceType> hugging_face_types();

}  // namespace config
}  // namespace tofn
