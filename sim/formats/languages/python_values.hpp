#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/formats/launchers/launch_file.hpp"

namespace tofn {
inline namespace formats {

struct PythonObject;

enum class PythonValueKind {
  Unknown,  ///< `text` is its source, and `reason` says why it is not understood
  Literal,  ///< a number, a text, `true`, `false`, `null`
  Symbol,   ///< a name that the file does not set: `nl.Trainer`
  List,
  Object,  ///< result of a call, or a dictionary; variables share it, as in Python
};

struct PythonValue {
  PythonValueKind kind = PythonValueKind::Unknown;
  std::string text{};
  std::string reason{};
  bool is_text = false;  ///< true for a literal in quotes
  Location place{};
  std::vector<PythonValue> items{};
  PythonObject* object = nullptr;  ///< owned by the reader
};

struct PythonObject {
  std::string callee{};  ///< `FullAC.Config`; empty if not known
  std::vector<std::pair<std::string, PythonValue>> members{};

  PythonValue* find(std::string_view name);
  void set(std::string_view name, PythonValue value);
};

PythonValue python_literal(std::string text, const Location& place, bool is_text = false);
PythonValue python_unknown(std::string text, std::string reason, const Location& place);

/// Adds the settings of a value under a key: members of objects, and the names of called functions.
void add_python_settings(const std::string& key, const PythonValue& value, LaunchFile& file);

/// Result of an operation such as `8 * 2048` on two literals; unknown if they are not numbers, or
/// if the result is too large.
PythonValue python_operation(const PythonValue& left, std::string_view sign,
                             const PythonValue& right);

}  // namespace formats
}  // namespace tofn
