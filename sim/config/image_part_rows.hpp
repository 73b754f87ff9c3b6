#pragma once

#include <vector>

#include <fmt/format.h>

#include "sim/config/text_part_rows.hpp"
#include "sim/model/image_blocks.hpp"

// Rows of the parts that models of images have.

namespace tofn {
inline namespace config {

/// Range of kernel sizes and strides.
inline constexpr Range stride_range{1, 100, false, "must be from 1 to 100, got {:.0f}"};
/// Range of the height and width of an image.
inline constexpr Range image_size{1, 100'000, false, "must be from 1 to 100000, got {:.0f}"};

/// Rows of a part's number and its channels.
template <class Walk, class Shape>
void channel_rows(Walk& walk, Shape& shape) {
  walk({"count", "equal parts, one behind the other", false, count_of_parts}, shape.count);
  walk({"inputs", "channels of the input", true, dimension}, shape.inputs);
  if constexpr (requires {
                  shape.size;
                  shape.width;
                })
    walk({"width", "channels inside a block", true, dimension}, shape.width);
  walk({"outputs", "channels of the output", true, dimension}, shape.outputs);
}

/// Rows of what trains.
template <class Walk, class Shape>
void training_rows(Walk& walk, Shape& shape) {
  walk({"frozen", "the part does not train"}, shape.frozen);
  walk({"input_gradient", "something before it trains"}, shape.input_gradient);
}

template <class Walk>
void convolution_rows(Walk& walk, Named& out) {
  Convolution shape;
  std::vector<int> sizes;
  channel_rows(walk, shape);
  walk.with(
      {"size", "height and width of the output; a list if the weights serve several images", true},
      "whole number, or a list", [&](const YamlNode& node) {
        for (const YamlNode& item : node.is_list() ? node.items() : std::vector{node})
          FieldReader::read_value(item, image_size, sizes.emplace_back());
        if (sizes.empty()) node.fail("needs at least one size");
      });
  walk({"kernel", "height and width of the kernel", false, stride_range}, shape.kernel);
  walk({"stride", "positions from one output to the next", false, stride_range}, shape.stride);
  walk({"groups", "groups of channels that do not mix", false, dimension}, shape.groups,
       [&](const YamlNode& node) {
         if (shape.inputs % shape.groups != 0 || shape.outputs % shape.groups != 0)
           node.fail(
               fmt::format("must divide {} inputs and {} outputs", shape.inputs, shape.outputs));
       });
  walk({"biases", "the convolution has biases"}, shape.biases);
  walk({"norm", "a norm follows it"}, shape.norm);
  walk({"activation", "an activation follows it"}, shape.activation);
  walk({"norm_first", "norm and activation act on the input"}, shape.norm_first);
  walk({"residual", "a block's input is added to its output"}, shape.residual);
  training_rows(walk, shape);
  for (const int size : sizes) {
    shape.height = shape.width = size;
    out.add(shape);
    shape.shared = true;
  }
}

template <class Walk>
void linear_rows(Walk& walk, Named& out) {
  Convolution shape{.height = 1, .width = 1, .biases = true, .norm = false, .activation = false};
  walk({"count", "equal parts, one behind the other", false, count_of_parts}, shape.count);
  walk({"rows", "rows of a sample", false, dimension}, shape.width);
  walk({"inputs", "width of the input", true, dimension}, shape.inputs);
  walk({"outputs", "width of the output", true, dimension}, shape.outputs);
  walk({"biases", "the product has biases"}, shape.biases);
  walk({"norm", "a norm follows it"}, shape.norm);
  walk({"activation", "an activation follows it"}, shape.activation);
  training_rows(walk, shape);
  out.add(shape);
}

template <class Walk>
void bottleneck_rows(Walk& walk, Named& out) {
  BottleneckStage stage;
  channel_rows(walk, stage);
  walk({"size", "height and width of the output", true, image_size}, stage.size);
  walk({"stride", "positions from one output of the first block to the next", false, stride_range},
       stage.stride);
  walk({"groups", "groups of channels of the 3x3 convolutions", false, dimension}, stage.groups,
       [&](const YamlNode& node) {
         if (stage.width % stage.groups != 0)
           node.fail(fmt::format("must divide width {}", stage.width));
       });
  walk({"norm", "norms have parameters that train"}, stage.norm);
  training_rows(walk, stage);
  out.parts = parts_of(out.name, stage);
}

template <class Walk>
void residual_block_rows(Walk& walk, Named& out) {
  ResidualBlocks blocks;
  channel_rows(walk, blocks);
  walk({"size", "height and width of the output", true, image_size}, blocks.size);
  walk({"time_channels", "width of the time's embedding", true, dimension}, blocks.time_channels);
  out.parts = parts_of(out.name, blocks);
}

template <class Walk>
void image_transformer_rows(Walk& walk, Named& out) {
  ImageTransformer shape;
  walk({"count", "equal parts, one behind the other", false, count_of_parts}, shape.count);
  walk({"channels", "channels of the image", true, dimension}, shape.channels);
  walk({"heads", "heads of attention", true, dimension}, shape.heads, [&](const YamlNode& node) {
    if (shape.channels % shape.heads != 0)
      node.fail(fmt::format("must divide channels {}", shape.channels));
  });
  walk({"positions", "positions of the image", true, dimension}, shape.positions);
  walk({"text_positions", "tokens of the text that it attends to", true, dimension},
       shape.text_positions);
  walk({"text_channels", "width of the text that the part attends to", true, dimension},
       shape.text_channels);
  out.add(shape);
}

}  // namespace config
}  // namespace tofn
