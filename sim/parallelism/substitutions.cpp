#include "sim/parallelism/substitutions.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/captured_graphs.hpp"
#include "sim/parallelism/chip_dispatch.hpp"

namespace tofn {
inline namespace parallelism {

bool can_reduce(const Cluster& cluster) {
  return cluster.network && cluster.network->in_network_reduction.value;
}

std::vector<std::string> substitutions(const MachineDemand& demand, const Cluster& cluster) {
  const Accelerator& chip = cluster.accelerator;
  std::vector<std::string> sentences;
  if (!chip.has(demand.precision))
    sentences.push_back(fmt::format("{} has no {}: products run in {}", chip.name,
                                    to_text(demand.precision),
                                    to_text(chip.computes_in(demand.precision))));
  const PassPrecision runs =
      chip.computes_in(pass_precision(demand.precision, demand.fp8_attention));
  if (demand.fp8_attention && runs.attention != Precision::Fp8)
    sentences.push_back(fmt::format("fp8 attention goes with products in fp8 or fp4: it runs in {}",
                                    to_text(runs.attention)));
  if (demand.in_network_reduction && !can_reduce(cluster))
    sentences.push_back(
        fmt::format("the network of {} does not reduce: its accelerators do", cluster.name));
  if (captured_graphs(demand.cuda_graphs, chip) != demand.cuda_graphs)
    sentences.push_back(fmt::format("{} has no CUDA graphs: nothing is captured", chip.name));
  if (chip_dispatch(demand.expert_dispatch, chip) != demand.expert_dispatch)
    sentences.push_back(fmt::format(
        "{} is written for chips of NVIDIA: on {} tokens go to experts by an all-to-all",
        name_of(demand.expert_dispatch), chip.name));
  if (const double rate = chip.rate_under_limit(); rate < 1)
    sentences.push_back(fmt::format(
        "{} lets each accelerator draw {} of {}{}: arithmetic runs at {:.2f} of its rate, which a "
        "measured step would replace (--observed)",
        cluster.name, to_text(chip.power_at_most()), to_text(chip.power.value),
        chip.power_limit->is_assumed() ? " (assumed)" : "", rate));
  return sentences;
}

std::string collective_words(const AnsweredCollective& one) {
  return fmt::format("{} over {} ranks", name_in(collective_kinds, one.kind), one.ranks);
}

std::vector<std::string> substitutions(const MeasuredMachine& machine,
                                       const AnsweredCollectives& answered) {
  std::vector<std::string> names;
  std::vector<std::string> carried;
  std::vector<std::string> far;
  for (const AnsweredCollective& each : answered) {
    const std::string name(name_of(each.kind));
    if (each.by == AnsweredBy::AllReduce) add_new(carried, {name});
    if (each.is_far) add_new(far, {collective_words(each)});
    if (each.by == AnsweredBy::Formula)
      add_new(names, {machine.collectives.has(each.kind) ? collective_words(each) : name});
  }
  std::vector<std::string> sentences;
  if (!names.empty())
    sentences.push_back(fmt::format("calibration {} holds no table for {}: formulas answer there",
                                    machine.name, fmt::join(names, ", ")));
  if (!far.empty())
    sentences.push_back(fmt::format(
        "{}: messages far outside the sizes or nodes of calibration {}; formulas extend it there",
        fmt::join(far, ", "), machine.name));
  if (!carried.empty())
    sentences.push_back(fmt::format(
        "calibration {} holds no table for {}: its all-reduce answers, times the formulas' ratio",
        machine.name, fmt::join(carried, ", ")));
  return sentences;
}

std::vector<std::string> collective_substitutions(const Cluster& cluster, bool asks_switches,
                                                  const AnsweredCollectives& answered) {
  std::vector<std::string> sentences;
  if (cluster.measured != nullptr) sentences = substitutions(*cluster.measured, answered);
  if (asks_switches && can_reduce(cluster) &&
      std::ranges::none_of(answered, std::mem_fn(&AnsweredCollective::in_network)))
    sentences.emplace_back(
        "SHARP does nothing here: no collective is fastest in the network's switches");
  return sentences;
}

void add_new(std::vector<std::string>& all, const std::vector<std::string>& sentences) {
  for (const std::string& each : sentences)
    if (std::ranges::find(all, each) == all.end()) all.push_back(each);
}

Value substituted(const std::vector<std::string>& sentences) {
  if (sentences.empty()) return {};
  return fmt::format("{}", fmt::join(sentences, "; "));
}

}  // namespace parallelism
}  // namespace tofn
