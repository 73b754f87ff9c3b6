#pragma once

#include <optional>
#include <string>

#include "sim/formats/launchers/launch_stack.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

namespace tofn::test {

/// Training that a file with this text launches.
inline LaunchReading reading(const std::string& text, const std::string& path,
                             std::optional<int> count = {}) {
  const LaunchFile file = read_launch_text(text, path);
  const Launcher* stack = launcher_of(configs, file);
  REQUIRE(stack != nullptr);
  return read_training(file, *stack, {.accelerators = count});
}

inline Plan plan(const std::string& text, const std::string& path, std::optional<int> count = {}) {
  return reading(text, path, count).training.plan;
}

}  // namespace tofn::test
