#include "sim/cluster/unanswered_row.hpp"

#include <fmt/format.h>

#include "sim/cluster/precision_words.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace cluster {

std::string why_unanswered(const CsvRow& row, std::string_view accelerator_count,
                           const std::function<bool(const std::string&)>& is_known_accelerator) {
  double count = 0;
  if (parse_number(row.text(accelerator_count), count) && count == 0) return "no accelerators";
  const std::string accelerator = row.text("accelerator");
  if (is_known_accelerator && !accelerator.empty() && !is_known_accelerator(accelerator))
    return unknown_accelerator(accelerator);
  const std::string precision = row.text("precision");
  if (!precision.empty() && !precision_named(precision))
    return fmt::format("unknown precision '{}'", shortened(precision));
  return {};
}

std::string unknown_accelerator(std::string_view name) {
  return fmt::format("unknown accelerator '{}'", shortened(name));
}

}  // namespace cluster
}  // namespace tofn
