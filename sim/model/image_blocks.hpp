#pragma once

#include <string>
#include <vector>

#include "sim/model/model.hpp"

namespace tofn {
inline namespace model {

/// A stage of ResNet's bottleneck blocks (arXiv 1512.03385; groups of arXiv 1611.05431): 1x1 to
/// `width`, 3x3 with the stride, 1x1 to `outputs`; the first block has a 1x1 shortcut.
struct BottleneckStage {
  int count = 1;
  int inputs = 0;
  int width = 0;
  int outputs = 0;
  int size = 0;  ///< height and width of the output
  int stride = 1;
  int groups = 1;
  bool norm = true;  ///< with trainable parameters
  bool frozen = false;
  bool input_gradient = true;
};
std::vector<ModelPart> parts_of(const std::string& name, const BottleneckStage&);

/// `count` residual blocks of a U-Net: norm and 3x3 twice, a product of the time's embedding, and a
/// 1x1 shortcut if the widths differ (ldm/modules/diffusionmodules/openaimodel.py).
struct ResidualBlocks {
  int count = 1;
  int inputs = 0;
  int outputs = 0;
  int size = 0;
  int time_channels = 0;
};
std::vector<ModelPart> parts_of(const std::string& name, const ResidualBlocks&);

}  // namespace model
}  // namespace tofn
