#include "sim/report/left_out_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {

std::string left_out_text(const NamesByReason& reasons, std::string_view counted_alone) {
  std::string text;
  for (const auto& [why, names] : reasons) {
    const std::string head = fmt::format("left out: {} x {}", names.size(), why);
    text += why == counted_alone
                ? head + '\n'
                : head + ":\n" + wrapped_words("   ", fmt::format("{}", fmt::join(names, ", ")));
  }
  return text;
}

}  // namespace report
}  // namespace tofn
