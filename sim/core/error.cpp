#include "sim/core/error.hpp"

#include "sim/core/standard_input.hpp"

namespace tofn {
namespace {

/// Replaces control characters by spaces. Quoted input may have line breaks or terminal controls,
/// but an error must stay one plain line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  return text;
}

std::string message(const Location& location, std::string_view key, std::string_view problem) {
  std::string text = to_text(location);
  if (!text.empty()) text += ": ";
  if (!key.empty()) text.append(key) += ": ";
  return one_line(text.append(problem));
}

}  // namespace

std::string to_text(const Location& location) {
  if (location.file.empty()) return {};
  std::string text = file_label(location.file);
  if (location.line > 0) text += ':' + std::to_string(location.line);
  if (location.line > 0 && location.column > 0) text += ':' + std::to_string(location.column);
  return text;
}

InputError::InputError(std::string_view problem) : InputError(Location{}, {}, problem) {}

InputError::InputError(const Location& location, std::string_view key, std::string_view problem)
    : std::runtime_error(message(location, key, problem)) {}

}  // namespace tofn
