#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tofn::fuzz {

/// Part of an input that mutations change, besides single bytes.
enum class Shape {
  Bytes,     ///< words that the reader knows
  Yaml,      ///< keys and values of a tree
  Sections,  ///< keys and values of one file of several (sections.hpp)
  Words      ///< words of a command line, one a line
};

/// A reader of outside input.
struct Target {
  std::string name;   ///< also its folder in corpus/
  std::string reads;  ///< text for the table of README.md
  std::function<void(const std::string& input)> run;
  Shape shape = Shape::Bytes;
  std::size_t longest = 2048;  ///< bytes of an input
  double millions = 2;         ///< millions of executions to reach
  std::string seeds{};         ///< source folder of more initial inputs
  /// Returns words that the reader knows, from its own tables.
  std::function<std::vector<std::string>()> words = {};
};

}  // namespace tofn::fuzz
