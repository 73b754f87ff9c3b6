#pragma once

#include <cstddef>

#include "sim/validation/link_fit.hpp"

namespace tofn {
inline namespace diagnosis {

/// A run of sizes that took longer than predicted, all by one factor.
struct Slowdown {
  std::size_t first = 0;  ///< first and last row of the table in the run
  std::size_t last = 0;
  double factor = 1;      ///< most likely
  double deviations = 0;  ///< ln(factor) over its standard deviation
};

/// Most significant slowdown of a table against its prediction, of all of its rows or of those
/// above a size, three and more (all if there are fewer). The significance is the lower quartile of
/// ln(measured / predicted), so that a few outlying rows raise no alarm, over the standard
/// deviation of the likeliest factor, 1 / sqrt(h'C^-1 h), where h is one on the run and C is the
/// covariance of the rows. Needs at least one row.
Slowdown slowdown_of(const LinkTable&, const LinkPosterior&,
                     const LinkSpreads& = shipped_spreads());

/// Significance that 5 of 100 healthy tables exceed (`tofn validate detection`), with other tables
/// of their system in the fit and without.
constexpr double alarm_deviations(bool system_is_known) { return system_is_known ? 4.0 : 5.0; }

}  // namespace diagnosis
}  // namespace tofn
