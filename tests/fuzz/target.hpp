#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tofn::fuzz {

/// What of an input is changed, beside single bytes.
enum class Shape {
  Bytes,     ///< nothing but words that the reader knows
  Yaml,      ///< keys and values of a tree
  Sections,  ///< those of one file of several (sections.hpp)
  Words      ///< words of a command line, one a line
};

/// A reader of what comes from outside.
struct Target {
  std::string name;   ///< its folder of corpus/
  std::string reads;  ///< for the table of README.md
  std::function<void(const std::string& input)> run;
  Shape shape = Shape::Bytes;
  std::size_t longest = 2048;  ///< bytes of an input
  double millions = 2;         ///< executions that it shall have had
  std::string seeds{};         ///< a folder of the tree that inputs begin with, beside its own
  /// Words that the reader knows, from its own tables.
  std::function<std::vector<std::string>()> words = {};
};

}  // namespace tofn::fuzz
