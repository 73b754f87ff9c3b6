#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/launch/launch_file.hpp"

namespace tofn {
inline namespace launch {

struct PythonObject;

enum class PythonValueKind {
  Unknown,  ///< `text` stands in the file, and `reason` says why it is not understood
  Literal,  ///< a number, a text, `true`, `false`, `null`
  Symbol,   ///< a name from elsewhere: `nl.Trainer`
  List,
  Object,  ///< what a call returned, or was given; variables share it, as in Python
};

struct PythonValue {
  PythonValueKind kind = PythonValueKind::Unknown;
  std::string text{};
  std::string reason{};
  bool is_text = false;  ///< a literal in quotes
  Location place{};
  std::vector<PythonValue> items{};
  PythonObject* object = nullptr;  ///< the reader keeps it
};

struct PythonObject {
  std::string callee{};  ///< `FullAC.Config`; empty: not known
  std::vector<std::pair<std::string, PythonValue>> members{};

  PythonValue* find(std::string_view name);
  void set(std::string_view name, PythonValue value);
};

PythonValue python_literal(std::string text, const Location& place, bool is_text = false);
PythonValue python_unknown(std::string text, std::string reason, const Location& place);

/// Adds what a value sets under a key: members of objects, and the name of what was called.
void add_python_settings(const std::string& key, const PythonValue& value, LaunchFile& file);

/// `8 * 2048` of two literals; nothing known where they are no numbers, or it overflows.
PythonValue python_operation(const PythonValue& left, std::string_view sign,
                             const PythonValue& right);

}  // namespace launch
}  // namespace tofn
