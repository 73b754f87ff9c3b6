#include "sim/report/substitutions_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tofn {

std::string substitutions_text(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& each : sentences) text += fmt::format("{:<14}{}\n", "instead", each);
  return text;
}

Value substituted(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return {};
  return fmt::format("{}", fmt::join(sentences, "; "));
}

}  // namespace tofn
