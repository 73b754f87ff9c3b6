#include <fmt/format.h>

#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace app {
namespace {

bool is_count(std::string_view text, int& count) {
  constexpr int most = 1'000'000;
  long long value = 0;
  if (!parse_integer(text, value) || value < 1 || value > most) return false;
  count = static_cast<int>(value);
  return true;
}

/// Reads pipeline stages, counted from 1: `3` or `3..4`.
StageRange stages_of(const std::string& text, const std::string& flag) {
  const std::size_t dots = text.find("..");
  int first = 0;
  int last = 0;
  const bool is_range = dots == std::string::npos
                            ? is_count(text, first) && is_count(text, last)
                            : is_count(std::string_view(text).substr(0, dots), first) &&
                                  is_count(std::string_view(text).substr(dots + 2), last);
  if (!is_range || first > last)
    throw InputError(
        {}, flag,
        fmt::format("expected a stage or a range of them such as 3..4, got '{}'", shortened(text)));
  return {.first = first - 1, .end = last};
}

}  // namespace

namespace option {

constexpr Text mixed_with{
    {"mixed-with", "CLUSTER:NODES: so many of the job's nodes are another cluster's"}};
constexpr OptionOf<StageRange> other_stages{
    {"other-stages", "e.g. 3..4: stages that these nodes hold (default: replicas)"}, stages_of};
constexpr OptionOf<int> other_layers{
    {"other-layers", "layers of these stages together (default: as many per stage as the others)"},
    whole<>};
constexpr OptionOf<bool> balance{
    {"balance", "on or off: replicas get micro-batches, stages layers, by speed"}, on_or_off};
constexpr OptionOf<double> slow_node{
    {"slow-node", "factor by which the kernels of one node take longer"}, factor_up_to<1000>};
constexpr OptionOf<double> slow_link{
    {"slow-link", "factor by which a byte takes longer on one link"}, factor_up_to<1000>};
constexpr OptionOf<int> slow_stage{
    {"slow-stage", "pipeline stage of the slow node, from 1 (default: the first)"}, whole<>};

}  // namespace option

namespace {

SlowNode slow_node_of(const options::variables_map& values) {
  const auto stage = option::slow_stage.of(values);
  if (stage && !option::slow_node.is_given(values) && !option::slow_link.is_given(values))
    throw InputError({}, option::slow_stage.flag(), "needs --slow-node or --slow-link");
  return {.kernels = option::slow_node.of(values).value_or(1),
          .link = option::slow_link.of(values).value_or(1),
          .stage = stage.value_or(1) - 1};
}

std::optional<MixedNodes> mixed_nodes_of(
    const options::variables_map& values,
    const std::function<Cluster(const std::string&)>& cluster_named) {
  const auto text = option::mixed_with.of(values);
  const auto needs = [&](const AnyOption& request, bool has_it, const AnyOption& needed) {
    if (request.is_given(values) && !has_it)
      throw InputError({}, request.flag(), "needs " + needed.flag());
  };
  needs(option::other_stages, text.has_value(), option::mixed_with);
  needs(option::balance, text.has_value(), option::mixed_with);
  needs(option::other_layers, option::other_stages.is_given(values), option::other_stages);
  if (!text) return {};
  const std::size_t colon = text->rfind(':');
  MixedNodes mixed;
  if (colon == std::string::npos || colon == 0 ||
      !is_count(std::string_view(*text).substr(colon + 1), mixed.nodes))
    throw InputError({}, option::mixed_with.flag(),
                     fmt::format("expected a cluster and its nodes such as dgx-a100:4, got '{}'",
                                 shortened(*text)));
  mixed.cluster = cluster_named(text->substr(0, colon));
  if (const auto stages = option::other_stages.of(values)) mixed.stages = *stages;
  mixed.layers = option::other_layers.of(values);
  mixed.deals_by_speed = option::balance.of(values).value_or(false);
  return mixed;
}

}  // namespace

CommandOptions heterogeneous_rows() {
  return rows_for(of_predicted_models,
                  {&option::mixed_with, &option::other_stages, &option::other_layers,
                   &option::balance, &option::slow_node, &option::slow_link, &option::slow_stage});
}

HeterogeneousNodes heterogeneous_nodes_of(
    const options::variables_map& values,
    const std::function<Cluster(const std::string&)>& cluster_named) {
  return {.slow = slow_node_of(values), .mixed = mixed_nodes_of(values, cluster_named)};
}

}  // namespace app
}  // namespace tofn
