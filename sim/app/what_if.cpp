#include "sim/app/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/variable_inputs.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/row_named.hpp"
#include "sim/evidence/measured_cluster.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Figures in the cluster's file and in its accelerator's file, but those that the cluster's own
/// links replace.
std::vector<VariableInput> figures_of(const PredictionInputs& inputs) {
  std::vector<VariableInput> all = variable_inputs(inputs);
  std::erase_if(all, [](const VariableInput& each) {
    return each.name.starts_with("stack.") || each.name.starts_with("accelerator.scale_up.") ||
           each.name.find('.') == each.name.npos;
  });
  return all;
}

const VariableInput& figure_named(const std::vector<VariableInput>& all, const std::string& name) {
  constexpr std::string_view of_chip = "accelerator.";
  if (name.starts_with("accelerator.scale_up."))
    throw InputError({}, option::times.flag(),
                     fmt::format("{} changes nothing, since the cluster states its own links: {}",
                                 name, name.substr(of_chip.size())));
  return row_named(all, "figure", name, {}, option::times.flag());
}

/// Reads a change such as `network.nic_bandwidth=2`: the figure and its factor.
std::pair<std::string, double> change_of(const std::string& word) {
  const std::size_t at = word.find('=');
  double factor = 0;
  if (at == word.npos || !parse_number(word.substr(at + 1), factor) || !(factor > 0))
    throw InputError(
        {}, option::times.flag(),
        fmt::format("expected FIGURE=FACTOR, such as network.nic_bandwidth=2, got '{}'",
                    shortened(word)));
  return {word.substr(0, at), factor};
}

bool is_of_links(const std::string& change) {
  return change.starts_with("network.") || change.find("scale_up.") != change.npos;
}

/// The changed cluster, whose measured collectives are those of the unchanged one.
Cluster measured_on(Cluster changed, Cluster unchanged) {
  if (changed.measured == nullptr || changed.measured->on) return changed;
  MeasuredMachine measured = *changed.measured;
  unchanged.measured.reset();
  measured.on = std::move(unchanged);
  changed.measured = std::make_shared<const MeasuredMachine>(std::move(measured));
  return changed;
}

}  // namespace

CommandOption what_if_row() {
  return {&option::times, of_models | workload_predicted | workload_scaled | collective_timed |
                              rl_predicted | tuner_emitted};
}

Cluster with_requested_calibration(const options::variables_map& values,
                                   const CommonOptions& common, Library& library,
                                   const Cluster& cluster) {
  const auto calibration = option::calibration.of(values);
  return calibration ? measured_cluster(cluster, library, common.configs, *calibration) : cluster;
}

Cluster requested_cluster(const options::variables_map& values, const CommonOptions& common,
                          Library& library, const std::string& name) {
  return with_requested_figures(
      values, with_requested_calibration(values, common, library, library.cluster(name)));
}

Cluster with_requested_figures(const options::variables_map& values, Cluster cluster) {
  const std::vector<std::string> changes = option::times.of(values);
  if (changes.empty()) return cluster;
  PredictionInputs inputs{.cluster = cluster, .stack = {}};
  for (const std::string& word : changes) {
    const auto [name, factor] = change_of(word);
    const std::vector<VariableInput> all = figures_of(inputs);
    const VariableInput& figure = figure_named(all, name);
    figure.set(inputs, figure.times(factor));
    const std::string moved =
        figure.moves.empty() ? "" : fmt::format(", and so is {}", fmt::join(figure.moves, ", "));
    const double taken = figure.times(factor) / figure.value;
    const std::string bounded =
        std::abs(taken / factor - 1) < 1e-9 ? "" : fmt::format(", as far as {:g} goes", factor);
    say(fmt::format("{} of {} is {}, taken times {:g}{}{}", name, inputs.cluster.name, figure.text,
                    taken, bounded, moved));
  }
  const bool changes_links = std::ranges::any_of(changes, is_of_links);
  return changes_links ? measured_on(std::move(inputs.cluster), std::move(cluster))
                       : std::move(inputs.cluster);
}

}  // namespace app
}  // namespace tofn
