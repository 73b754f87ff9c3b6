#include "sim/curves/measure_next.hpp"

#include <algorithm>
#include <cmath>

namespace tofn {

namespace {

// Powers of two that collectives of training are made of; a widest interval at 1 TiB helps nobody.
constexpr int first_octave = 3;  // 8 B
constexpr int last_octave = 34;  // 16 GiB

double width_at(const CostCurve& curve, int octave) {
  const auto point = static_cast<std::size_t>(octave * CostCurve::steps_per_octave);
  return curve.table()[point].width;
}

bool is_measured(const CostCurve& curve, int octave) {
  const auto sizes = curve.measured();
  return std::any_of(sizes.begin(), sizes.end(), [octave](double size) {
    return std::abs(std::log2(size) - octave) < 0.5 / CostCurve::steps_per_octave;
  });
}

void widest_first(std::vector<Suggestion>& suggestions, int count) {
  std::stable_sort(suggestions.begin(), suggestions.end(),
                   [](const Suggestion& a, const Suggestion& b) { return a.width > b.width; });
  suggestions.resize(std::min(suggestions.size(), static_cast<std::size_t>(std::max(count, 0))));
}

Suggestion suggest(const CostCurve& curve, int octave, int nodes) {
  return {nodes, Bytes{std::exp2(octave)}, std::exp(2 * width_at(curve, octave))};
}

}  // namespace

std::vector<Suggestion> measure_next(const CostCurve& curve, int count) {
  std::vector<Suggestion> suggestions;
  for (int octave = first_octave; octave <= last_octave; ++octave) {
    if (!is_measured(curve, octave)) suggestions.push_back(suggest(curve, octave, 0));
  }
  widest_first(suggestions, count);
  return suggestions;
}

std::vector<Suggestion> measure_next(const NodesFit& fit, int largest_nodes, int count) {
  std::vector<Suggestion> suggestions;
  for (int nodes = 1; nodes <= largest_nodes; nodes *= 2) {
    const CostCurve curve = fit.curve(nodes);
    const bool measured = fit.measured.count(nodes) > 0;
    Suggestion widest;
    for (int octave = first_octave; octave <= last_octave; ++octave) {
      if (measured && is_measured(curve, octave)) continue;
      const Suggestion here = suggest(curve, octave, nodes);
      if (here.width > widest.width) widest = here;
    }
    if (widest.nodes > 0) suggestions.push_back(widest);
  }
  widest_first(suggestions, count);
  return suggestions;
}

}  // namespace tofn
