#include "sim/calibration/fit_rl.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/calibration/fit_figures.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Usual figures before any row is seen (assumed): training in RL frameworks is slower than
/// pre-training; a branch of a mixture is some hundred launches of the 14 us of
/// `LayerWork::launches_with_kernel`; weights and optimizer states move once a step; the host takes
/// milliseconds between iterations.
constexpr std::array typical_rl_figures{FittedFigure{1.4, 0.3}, FittedFigure{1.4, 0.5},
                                        FittedFigure{1.5e-3, 0.7}, FittedFigure{0.04e-9, 0.6},
                                        FittedFigure{6e-3, 0.7}};

RlFigures rl_figures_of(std::span<const double> values) {
  return {.dense_slowdown = values[0],
          .mixture_slowdown = values[1],
          .mixture_branch = Seconds{values[2]},
          .for_parameter = Seconds{values[3]},
          .host = Seconds{values[4]}};
}

}  // namespace

RlStep predicted(const RlObservation& row, EngineFigures engine, const RlFigures& figures) {
  engine.host = figures.host;
  const RolloutTimes rollout =
      row.predicts_generation
          ? rollout_times(Engine(row.decoder, row.cluster, row.layout, engine, row.rollout.engines),
                          row.rollout)
          : RolloutTimes{};
  return rl_step(rollout, row.passes, row.decoder, figures, row.placement);
}

RlFigures fit_rl(std::span<const RlObservation* const> rows, const EngineFigures& engine) {
  const auto errors_of = [&](std::span<const double> values) {
    const RlFigures figures = rl_figures_of(values);
    std::vector<WeighedError> errors;
    std::vector<std::string> models;
    const auto add = [&](const RlObservation& row, const std::optional<double>& measured,
                         Seconds value) {
      if (!measured) return;
      errors.push_back({.error = std::log(value.base() / *measured)});
      models.push_back(row.model);
    };
    for (const RlObservation* row : rows) {
      const RlStep step = predicted(*row, engine, figures);
      if (row->predicts_generation) {
        add(*row, row->step, step.period());
        add(*row, row->generation, step.generation());
      }
      add(*row, row->logprobs, step.logprobs);
      add(*row, row->updates, step.updates + step.others);
    }
    std::map<std::string, double> counts;
    for (const std::string& model : models) ++counts[model];
    constexpr double most = 4;  // rows of one model that count fully
    for (std::size_t i = 0; i < errors.size(); ++i)
      errors[i].weight = std::min(1.0, most / counts.at(models[i]));
    return errors;
  };
  constexpr double noise = 0.15;  // equal jobs differ by it (github.com/NVIDIA-NeMo/RL@94178bcf)
  return rl_figures_of(fit_figures(typical_rl_figures, noise, errors_of));
}

}  // namespace calibration
}  // namespace tofn
