#include "sim/model/image_blocks.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Parts of the three convolutions of `count` equal blocks; `stride` is that of the 3x3.
std::vector<ModelPart> bottleneck(const std::string& name, const BottleneckStage& stage, int inputs,
                                  int stride, int count) {
  Convolution narrow{.count = count,
                     .inputs = inputs,
                     .outputs = stage.width,
                     .height = stage.size * stride,
                     .width = stage.size * stride,
                     .norm = stage.norm,
                     .frozen = stage.frozen};
  Convolution middle = narrow;
  middle.inputs = stage.width;
  middle.kernel = 3;
  middle.stride = stride;
  middle.height = middle.width = stage.size;
  middle.groups = stage.groups;
  Convolution widen = middle;
  widen.outputs = stage.outputs;
  widen.kernel = widen.stride = widen.groups = 1;
  widen.residual = true;
  if (stage.frozen && !stage.input_gradient)
    narrow.input_gradient = middle.input_gradient = widen.input_gradient = false;
  return {{name + ", 1x1 down", narrow}, {name + ", 3x3", middle}, {name + ", 1x1 up", widen}};
}

}  // namespace

std::vector<ModelPart> parts_of(const std::string& name, const BottleneckStage& stage) {
  std::vector<ModelPart> parts =
      bottleneck(name + ", first block", stage, stage.inputs, stage.stride, 1);
  auto& first = std::get<Convolution>(parts.front().shape);
  first.input_gradient = stage.input_gradient;
  Convolution shortcut{.inputs = stage.inputs,
                       .outputs = stage.outputs,
                       .stride = stage.stride,
                       .height = stage.size,
                       .width = stage.size,
                       .norm = stage.norm,
                       .activation = false,
                       .frozen = stage.frozen,
                       .input_gradient = stage.input_gradient};
  parts.push_back({name + ", shortcut", shortcut});
  if (stage.count > 1) {
    const auto others =
        bottleneck(name + ", other blocks", stage, stage.outputs, 1, stage.count - 1);
    parts.insert(parts.end(), others.begin(), others.end());
  }
  return parts;
}

std::vector<ModelPart> parts_of(const std::string& name, const ResidualBlocks& blocks) {
  const Convolution first{.count = blocks.count,
                          .inputs = blocks.inputs,
                          .outputs = blocks.outputs,
                          .kernel = 3,
                          .height = blocks.size,
                          .width = blocks.size,
                          .biases = true,
                          .norm_first = true};
  Convolution second = first;
  second.inputs = blocks.outputs;
  second.residual = true;
  Convolution time{.count = blocks.count,
                   .inputs = blocks.time_channels,
                   .outputs = blocks.outputs,
                   .height = 1,
                   .width = 1,
                   .biases = true,
                   .norm = false};
  Convolution shortcut{.count = blocks.count,
                       .inputs = blocks.inputs,
                       .outputs = blocks.outputs,
                       .height = blocks.size,
                       .width = blocks.size,
                       .biases = true,
                       .norm = false,
                       .activation = false};
  std::vector<ModelPart> parts{
      {name + ", first 3x3", first}, {name + ", time", time}, {name + ", second 3x3", second}};
  if (blocks.inputs != blocks.outputs) parts.push_back({name + ", shortcut", shortcut});
  return parts;
}

}  // namespace model
}  // namespace tofn
