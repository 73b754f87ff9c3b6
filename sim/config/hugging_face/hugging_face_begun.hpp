#pragma once

#include <string>

#include "sim/config/hugging_face/hugging_face_architectures.hpp"
#include "sim/config/hugging_face/hugging_face_keys.hpp"

// Refuses a config.json with a size or a layer that tofn does not count, and prints the start of a
// model file with the values that it read.

namespace tofn {
inline namespace config {

/// Returns the architecture of the file's `model_type`. InputError with the nearest names, and with
/// the start of a model file from its keys.
const HuggingFaceArchitecture& architecture_of(HuggingFaceKeys&);

/// InputError if a key sets a size or a kind of layer that is not counted. It names the first with
/// its value, then the others, and starts a model file with the model as read.
void refuse_uncounted(HuggingFaceKeys&, const Model&);

}  // namespace config
}  // namespace tofn
