#include "sim/curves/measure_next.hpp"

#include <algorithm>
#include <cmath>

namespace tofn {
inline namespace curves {

namespace {

/// Exponents of the powers of two, from 8 B, that are within reach.
struct Octaves {
  int first = 0;
  int last = 0;
};
Octaves octaves_of(const CostCurve& curve, const Reach& reach) {
  constexpr int smallest = 3;
  const double low = std::log2(curve.measured().front() / reach.reach);
  const double high =
      std::log2(std::min(curve.measured().back() * reach.reach, reach.largest.base()));
  return {std::max(smallest, static_cast<int>(std::ceil(low))),
          std::min(static_cast<int>(std::floor(high)), CostCurve::octaves)};
}

double width_at(const CostCurve& curve, int octave) {
  const int point = octave * CostCurve::steps_per_octave;
  return curve.table()[static_cast<std::size_t>(point)].width;
}

bool is_measured(const CostCurve& curve, int octave) {
  const auto sizes = curve.measured();
  return std::ranges::any_of(sizes, [octave](double size) {
    return std::abs(std::log2(size) - octave) < 0.5 / CostCurve::steps_per_octave;
  });
}

void widest_first(std::vector<Suggestion>& suggestions, int count) {
  std::ranges::stable_sort(suggestions, std::greater{}, &Suggestion::width);
  suggestions.resize(std::min(suggestions.size(), static_cast<std::size_t>(std::max(count, 0))));
}

Suggestion suggest(const CostCurve& curve, int octave, int nodes) {
  return {nodes, Bytes{std::exp2(octave)}, std::exp(2 * width_at(curve, octave))};
}

}  // namespace

std::vector<Suggestion> measure_next(const CostCurve& curve, int count, const Reach& reach) {
  std::vector<Suggestion> suggestions;
  const Octaves octaves = octaves_of(curve, reach);
  for (int octave = octaves.first; octave <= octaves.last; ++octave) {
    if (!is_measured(curve, octave)) suggestions.push_back(suggest(curve, octave, 0));
  }
  widest_first(suggestions, count);
  return suggestions;
}

std::vector<Suggestion> measure_next(const NodesFit& fit, int largest_nodes, int count,
                                     const Reach& reach) {
  std::vector<Suggestion> suggestions;
  for (int nodes = 1; nodes <= largest_nodes; nodes *= 2) {
    const CostCurve curve = fit.curve(nodes);
    const bool measured = fit.measured.contains(nodes);
    const Octaves octaves = octaves_of(curve, reach);
    Suggestion widest;
    for (int octave = octaves.first; octave <= octaves.last; ++octave) {
      if (measured && is_measured(curve, octave)) continue;
      const Suggestion here = suggest(curve, octave, nodes);
      if (here.width > widest.width) widest = here;
    }
    if (widest.nodes > 0) suggestions.push_back(widest);
  }
  widest_first(suggestions, count);
  return suggestions;
}

}  // namespace curves
}  // namespace tofn
