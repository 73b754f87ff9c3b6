#include "sim/calibration/fit_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/calibration/fit_figures.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Most sequences of a rank: assumed, because the tables do not state it.
constexpr double most_of_a_rank = 2048;

/// Usual figures and how far engines are from them, before any row is seen: shares of a roofline
/// that kernels of decoding reach, and tens of microseconds to launch a branch (assumed).
constexpr std::array typical_figures{FittedFigure{0.7, 0.2}, FittedFigure{0.45, 0.4},
                                     FittedFigure{0.2, 0.5}, FittedFigure{25e-6, 0.4},
                                     FittedFigure{5e-6, 1.0}};

EngineFigures figures_of(std::span<const double> values) {
  return {.memory_share = values[0],
          .product_share = values[1],
          .expert_share = values[2],
          .branch = Seconds{values[3]},
          .sequence = Seconds{values[4]}};
}

/// Sequences that run at once under a load that never ends. Caches are assumed to be reserved for
/// whole requests, so that none is evicted.
double at_once(const DecodeObservation& row, const Engine& engine) {
  if (row.sequences > 0) return row.sequences;
  return std::max(1.0, std::min({engine.sequences(row.prompt + row.response),
                                 most_of_a_rank * row.layout.sequence_ranks(), row.requests}));
}

}  // namespace

double predicted(const DecodeObservation& row, const EngineFigures& figures) {
  const Engine engine(row.decoder, row.cluster, row.layout, figures);
  const double context = row.prompt + row.response / 2;
  const double held = at_once(row, engine);
  const Seconds prefill = engine.prefill(row.prompt);
  const Seconds iteration = engine.iteration(held, context).total();
  if (row.is_latency) return (iteration + prefill * (held / row.response)).base();
  const double waves = std::floor(row.requests / held);
  const double rest = row.requests - waves * held;
  Seconds time = row.requests * prefill + waves * row.response * iteration;
  if (rest >= 1) time += row.response * engine.iteration(rest, context).total();
  return row.requests * row.response / time.base() / row.layout.ranks;
}

EngineFigures fit_engine(std::span<const DecodeObservation* const> rows) {
  std::map<std::string, double> counts;
  for (const DecodeObservation* row : rows) ++counts[row->model];
  const double each = static_cast<double>(rows.size()) / static_cast<double>(counts.size());
  constexpr double noise = 0.25;  // by which rates of one engine differ from its figures
  return figures_of(fit_figures(typical_figures, noise, [&](std::span<const double> values) {
    std::vector<WeighedError> errors;
    const EngineFigures figures = figures_of(values);
    for (const DecodeObservation* row : rows)
      errors.push_back({.error = std::log(predicted(*row, figures) / row->measured),
                        .weight = each / counts.at(row->model)});
    return errors;
  }));
}

}  // namespace calibration
}  // namespace tofn
