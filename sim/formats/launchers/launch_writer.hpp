#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/launchers/launch_file.hpp"

namespace tofn {
inline namespace formats {

/// Syntax in which a program takes its options.
enum class OptionStyle {
  Dashed,  ///< `--num-layers 96 --swiglu`, for argparse
  Joined,  ///< `--training.steps=96`, for tyro and fire
  Pairs,   ///< `steps=96`, for MaxText and Hydra
};

/// Writes a command with one option a line: the words in `front`, such as `torchrun
/// --nproc_per_node 8 pretrain_gpt.py`, then the settings.
std::string write_command(std::span<const std::string> front,
                          std::span<const LaunchSetting> settings, OptionStyle style);

/// Writes settings as nested maps, with the keys of each map together, so that reading them gives
/// the same settings. No key may be the start of another, as `a` is of `a.b`.
std::string write_json(std::span<const LaunchSetting> settings);
std::string write_toml(std::span<const LaunchSetting> settings);

}  // namespace formats
}  // namespace tofn
