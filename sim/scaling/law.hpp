#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/scaling/efficiency.hpp"

namespace tofn {

/// A law of scaling: the time of a job on N accelerators, as a function of a few parameters. The
/// first one or all bear the unit of the times that it is fitted to.
struct Law {
  std::string_view name;
  std::string_view formula;  ///< of the speedup S or of the time T
  std::span<const std::string_view> parameters;
  double (*time)(std::span<const double> parameters, double accelerators);
  /// Where a fit may start, given one point of the series.
  std::vector<double> (*start)(const ScalingPoint&);
};

/// Every law. Add one here: a row.
/// - amdahl: Amdahl, AFIPS 1967; gustafson: Gustafson, CACM 31(5), 1988, read as the speedup of
///   whatever the series measures.
/// - overhead: N/(1+a(N-1)), which is Amdahl's curve under another name: a = s.
/// - universal: Gunther's universal scalability law, "Guerrilla Capacity Planning", 2007.
/// - affine-log: T = a + bN + c ln N, an empirical form.
/// - communication: T = T_comp/N + T_comm(N), the latter of a tree, l + h log2 N.
std::span<const Law> laws();

}  // namespace tofn
