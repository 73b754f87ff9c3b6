#include "sim/formats/collective_logs/logged_table.hpp"

#include <cmath>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Half a unit of the last printed digit.
double half_step(std::string_view number) {
  const std::size_t point = number.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : number.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(decimals));
}

}  // namespace

std::optional<PrintedBandwidths> printed_bandwidths(std::string_view algorithm,
                                                    std::string_view bus) {
  PrintedBandwidths printed;
  // The exponent form has at most three digits, too few to distinguish 8 ranks from 9.
  if (algorithm.find_first_of("eE") != std::string_view::npos ||
      bus.find_first_of("eE") != std::string_view::npos ||
      !parse_number(algorithm, printed.algorithm) || !parse_number(bus, printed.bus))
    return std::nullopt;
  printed.algorithm_step = half_step(algorithm);
  printed.bus_step = half_step(bus);
  return printed;
}

}  // namespace formats
}  // namespace tofn
