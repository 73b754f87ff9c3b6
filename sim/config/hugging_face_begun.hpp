#pragma once

#include <string>

#include "sim/config/hugging_face_architectures.hpp"
#include "sim/config/hugging_face_keys.hpp"

// A config.json of which not all is counted that makes a model's size is refused, with a model file
// that is begun by what was read of it.

namespace tofn {
inline namespace config {

/// That which the file's `model_type` names. InputError with its nearest names, and with a model
/// file that the keys begin.
const HuggingFaceArchitecture& architecture_of(HuggingFaceKeys&);

/// InputError where a key sets a size or a kind of layer that is not counted: it names the first
/// one with its value, then the others, and begins a file by the model as it was read.
void refuse_uncounted(HuggingFaceKeys&, const Model&);

}  // namespace config
}  // namespace tofn
