#pragma once

#include <string>
#include <vector>

#include "sim/config/hugging_face/hugging_face_keys.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// Reads the layers of `block_configs` (models narrowed by a search); neighbours of equal shape
/// form one part. Adds the names of features that are not counted to `uncounted`.
std::vector<ModelPart> read_blocks(HuggingFaceKeys&, const TransformerLayers& whole,
                                   std::vector<std::string>& uncounted);

}  // namespace config
}  // namespace tofn
