#include "sim/report/table_columns.hpp"

#include <fmt/format.h>

namespace tofn {
inline namespace report {

std::string cell_text(const Value& value, std::string_view pattern) {
  return std::visit(
      [&](const auto& known) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>)
          return "-";
        else
          return fmt::format(fmt::runtime(pattern), known);
      },
      value);
}

double number_in(const Value& value) {
  if (const auto* whole = std::get_if<long long>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

}  // namespace report
}  // namespace tofn
