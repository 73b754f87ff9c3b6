#include "sim/formats/collective_logs/logged_table.hpp"

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace formats {

std::optional<PrintedBandwidths> printed_bandwidths(std::string_view algorithm,
                                                    std::string_view bus) {
  PrintedBandwidths printed;
  // The exponent form has at most three digits, too few to distinguish 8 ranks from 9.
  if (algorithm.find_first_of("eE") != std::string_view::npos ||
      bus.find_first_of("eE") != std::string_view::npos ||
      !parse_number(algorithm, printed.algorithm) || !parse_number(bus, printed.bus))
    return std::nullopt;
  printed.algorithm_step = half_unit_of(algorithm);
  printed.bus_step = half_unit_of(bus);
  return printed;
}

}  // namespace formats
}  // namespace tofn
