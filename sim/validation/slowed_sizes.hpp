#pragma once

#include <cstddef>

#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace validation {

/// A run of sizes that took longer than believed, all by one factor.
struct Slowdown {
  std::size_t first = 0;  ///< rows of the table, both among them
  std::size_t last = 0;
  double factor = 1;      ///< the likeliest
  double deviations = 0;  ///< ln(factor) over its standard deviation
};

/// The most telling slowdown of a table against what was believed of it, of all of its rows or of
/// those above a size, three and more (all where there are fewer): the lower quartile of
/// ln(measured / predicted), so that no few rows far off raise an alarm, over the standard
/// deviation of the likeliest factor, 1 / sqrt(h'C^-1 h), where h is one on the run and C the
/// covariance of the rows. Asks for rows.
Slowdown slowdown_of(const LinkTable&, const LinkPosterior&,
                     const LinkSpreads& = shipped_spreads());

/// What 5 of 100 healthy tables pass (`tofn validate detection`), where other tables of their
/// system taught and where none did.
constexpr double alarm_deviations(bool system_is_known) { return system_is_known ? 4.0 : 5.0; }

}  // namespace validation
}  // namespace tofn
