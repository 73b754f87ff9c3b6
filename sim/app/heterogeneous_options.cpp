#include <fmt/format.h>

#include "sim/app/job_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
inline namespace app {
namespace {

double factor_of(const options::variables_map& values, const char* name) {
  const auto text = text_option(values, name);
  double factor = 1;
  constexpr double most = 1000;
  if (text && (!parse_number(*text, factor) || !(factor >= 1 && factor <= most)))
    throw InputError(
        {}, std::string("--") + name,
        fmt::format("expected a factor from 1 to {}, got '{}'", most, shortened(*text)));
  return factor;
}

SlowNode slow_node_of(const options::variables_map& values) {
  const auto stage = count_option(values, "slow-stage");
  if (stage && values.count("slow-node") + values.count("slow-link") == 0)
    throw InputError({}, "--slow-stage", "needs --slow-node or --slow-link");
  return {.kernels = factor_of(values, "slow-node"),
          .link = factor_of(values, "slow-link"),
          .stage = stage.value_or(1) - 1};
}

bool is_count(std::string_view text, int& count) {
  constexpr int most = 1'000'000;
  long long value = 0;
  if (!parse_integer(text, value) || value < 1 || value > most) return false;
  count = static_cast<int>(value);
  return true;
}

/// `3`, or `3..4`.
StageRange stages_of(const std::string& text) {
  const std::size_t dots = text.find("..");
  int first = 0;
  int last = 0;
  const bool is_range = dots == std::string::npos
                            ? is_count(text, first) && is_count(text, last)
                            : is_count(std::string_view(text).substr(0, dots), first) &&
                                  is_count(std::string_view(text).substr(dots + 2), last);
  if (!is_range || first > last)
    throw InputError(
        {}, "--other-stages",
        fmt::format("expected a stage or a range of them such as 3..4, got '{}'", shortened(text)));
  return {.first = first - 1, .end = last};
}

std::optional<MixedNodes> mixed_nodes_of(
    const options::variables_map& values,
    const std::function<Cluster(const std::string&)>& cluster_named) {
  const auto text = text_option(values, "mixed-with");
  for (const char* name : {"other-stages", "balance"})
    if (!text && values.count(name) > 0)
      throw InputError({}, std::string("--") + name, "needs --mixed-with");
  if (values.count("other-layers") > 0 && values.count("other-stages") == 0)
    throw InputError({}, "--other-layers", "needs --other-stages");
  if (!text) return {};
  const std::size_t colon = text->rfind(':');
  MixedNodes mixed;
  if (colon == std::string::npos || colon == 0 ||
      !is_count(std::string_view(*text).substr(colon + 1), mixed.nodes))
    throw InputError({}, "--mixed-with",
                     fmt::format("expected a cluster and its nodes such as dgx-a100:4, got '{}'",
                                 shortened(*text)));
  mixed.cluster = cluster_named(text->substr(0, colon));
  if (const auto stages = text_option(values, "other-stages")) mixed.stages = stages_of(*stages);
  mixed.layers = count_option(values, "other-layers");
  mixed.deals_by_speed = switch_option(values, "balance").value_or(false);
  return mixed;
}

}  // namespace

void add_heterogeneous_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()                                                                      //
      ("mixed-with", text(), "CLUSTER:NODES: so many of the job's nodes are another cluster's")  //
      ("other-stages", text(), "e.g. 3..4: stages that these nodes hold (default: replicas)")    //
      ("other-layers", text(), "of these stages together (default: as many a stage as others)")  //
      ("balance", text(), "on or off: replicas get micro-batches, stages layers, by speed")      //
      ("slow-node", text(), "times as long as the others' that one node's kernels take")         //
      ("slow-link", text(), "times as long as on the others that a byte takes on one link")      //
      ("slow-stage", text(), "pipeline stage of that node, from 1 (default: the first)");
}

HeterogeneousNodes heterogeneous_nodes_of(
    const options::variables_map& values,
    const std::function<Cluster(const std::string&)>& cluster_named) {
  return {.slow = slow_node_of(values), .mixed = mixed_nodes_of(values, cluster_named)};
}

}  // namespace app
}  // namespace tofn
