#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Sample length from which context parallelism is tried, and least length of a part, in tokens
/// (assumed).
constexpr int long_sample = 4096;
constexpr int least_part = 2048;
constexpr int most_stages = 64;
/// Largest number of chunks: that of a published recipe, Qwen3 30B on 16 H100
/// (NVIDIA-NeMo/Megatron-Bridge, performance summary 25.11).
constexpr int most_chunks = 24;
/// Largest numbers of samples and of tokens in a pass; short samples are limited by tokens
/// (assumed).
constexpr int most_samples = 16;
constexpr int most_short_samples = 1024;
constexpr double most_short_tokens = 65536;
/// Share of memory below which the optimizer state is not offloaded (assumed), and its bytes per
/// parameter: the fp32 copy and two moments.
constexpr double least_offloaded = 0.1;
constexpr Bytes state_of_a_parameter{12};

std::vector<int> divisors(int number, int most) {
  std::vector<int> all;
  for (int size = 1; size <= std::min(number, most); ++size)
    if (number % size == 0) all.push_back(size);
  return all;
}

/// Fewest passes, at least `fewest` and below twice as many, that split so many samples into whole
/// ones; `fewest` if none do.
int whole_passes(double samples, int fewest) {
  const auto all = static_cast<long long>(samples);
  if (static_cast<double>(all) != samples) return fewest;
  for (int passes = fewest; passes < 2 * fewest; ++passes)
    if (all % passes == 0) return passes;
  return fewest;
}

std::vector<int> doublings(int most) {
  std::vector<int> all;
  for (int size = 1; size <= most; size *= 2) all.push_back(size);
  return all;
}

/// Largest micro-batch in samples. `sequence_length`: in tokens; below 1 for samples without
/// tokens.
int largest_micro_batch(double sequence_length) {
  const double samples = most_short_tokens / std::max(1.0, sequence_length);
  return static_cast<int>(std::clamp<double>(samples, most_samples, most_short_samples));
}

/// True if a search of all plans tries more than one value of the field, or the one that is never
/// slower; of other fields it takes the stack's default.
bool is_varied(std::string_view field) {
  constexpr std::array fields{"sharded",      "parameter_overlap", "data_overlap",
                              "send_overlap", "tensor_overlap",    "whole_experts"};
  return std::ranges::find(fields, field) != fields.end();
}

/// Visits the plans of a search. Each step sets a few fields of the plan in every way and calls the
/// next step.
class Walk {
 public:
  Walk(const PlanSearch& request, const PlanLimits& limits,
       const std::function<void(const Plan&, int)>& visit)
      : request_(request),
        limits_(limits),
        visit_(visit),
        state_of_all_(trainable_parameters(request.model) * state_of_a_parameter),
        offered_(request.profile.framework_defaults) {
    if (!is_free("schedule")) offered_.runs_schedules.clear();
    if (!is_free("sharded")) offered_.runs_sharded.clear();
  }

  /// Returns words on the first plan that the stack cannot run; empty if it runs all.
  std::string splits();

 private:
  bool is_free(std::string_view name) const {
    return !request_.is_fixed || !request_.is_fixed(name);
  }
  bool tries_all(std::string_view name) const {
    return request_.space == PlanSpace::All && is_free(name);
  }
  std::vector<int> sizes(std::string_view name, int fixed, std::vector<int> free) const {
    return is_free(name) ? std::move(free) : std::vector<int>{fixed};
  }
  void overlaps(Plan);
  void experts(Plan);
  void schedules(Plan);
  void chunks(Plan);
  void sharding(Plan);
  void gathering(Plan);
  void offloading(Plan);
  void passes(Plan);
  void recomputation(Plan);

  const PlanSearch& request_;
  const PlanLimits& limits_;
  const std::function<void(const Plan&, int)>& visit_;
  Bytes state_of_all_;
  StackDefaults offered_;  ///< options that the stack offers; a requested one is always offered
  int split_ = 0;
  std::string refusal_{};
};

std::string Walk::splits() {
  const bool divides = !layer_traits(request_.model).empty();
  const int all = request_.accelerators;
  const int domain = divides ? request_.cluster.scale_up.domain_accelerators.value : 1;
  const int length = divides ? static_cast<int>(request_.model.sequence_length) : 1;
  Plan plan = request_.request;
  for (const int tp : sizes("tp", plan.tensor_parallel_size, divisors(domain, domain)))
    for (const int pp :
         sizes("pp", plan.pipeline_parallel_size, divisors(all, divides ? most_stages : 1)))
      for (const int cp : sizes("cp", plan.context_parallel_size,
                                doublings(length >= long_sample ? length / least_part : 1))) {
        if (all % (1LL * tp * pp * cp) != 0) continue;
        plan.tensor_parallel_size = tp;
        plan.pipeline_parallel_size = pp;
        plan.context_parallel_size = cp;
        plan.data_parallel_size = all / (tp * pp * cp);
        overlaps(plan);
      }
  return refusal_;
}

/// Tries the plan with and without tensor overlap, because overlap does not always gain.
void Walk::overlaps(Plan plan) {
  if (is_free("sequence_parallel")) plan.sequence_parallel = plan.tensor_parallel_size > 1;
  if (tries_all("send_overlap")) plan.send_overlap = true;
  if (tries_all("data_overlap")) plan.data_overlap = true;
  experts(plan);
  if (!tries_all("tensor_overlap") || plan.tensor_overlap || !plan.sequence_parallel) return;
  plan.tensor_overlap = true;
  experts(plan);
}

void Walk::experts(Plan plan) {
  int most = 1;
  for (const PartTraits& part : layer_traits(request_.model)) most = std::max(most, part.experts);
  for (const int ep : sizes("ep", plan.expert_parallel_size, divisors(most, most)))
    for (const bool whole : {false, true}) {
      const bool is_choice = tries_all("whole_experts") && ep > 1 && plan.tensor_parallel_size > 1;
      if (!is_choice && whole != request_.request.whole_experts) continue;
      plan.expert_parallel_size = ep;
      plan.whole_experts = whole;
      if (expert_sharers(plan) % ep == 0) schedules(plan);
    }
}

/// Tries the schedules; GPipe takes as long as 1F1B and keeps more, so it is not searched.
void Walk::schedules(Plan plan) {
  if (plan.pipeline_parallel_size == 1 || !tries_all("schedule")) return chunks(plan);
  for (const auto& [name, schedule] : pipeline_schedules) {
    if (!traits_of(schedule).is_searched) continue;
    // Paired passes hide expert exchanges; without these, other schedules are as fast and keep
    // less.
    if (traits_of(schedule).pairs_passes && plan.expert_parallel_size == 1) continue;
    plan.schedule = schedule;
    chunks(plan);
  }
}

/// Tries doublings, and counts that divide the layers evenly.
void Walk::chunks(Plan plan) {
  const int stages = plan.pipeline_parallel_size;
  if (stages == 1 || !is_free("chunks")) return sharding(plan);
  const int layers = limits_.layers.value_or(1);
  for (int count = 1; count == 1 || count <= std::min(most_chunks, layers / stages); ++count) {
    const bool is_doubling = (count & (count - 1)) == 0;
    if (!traits_of(plan.schedule).chunks.holds(count)) continue;
    if (!is_doubling && layers % (stages * count) != 0) continue;
    // With one chunk this schedule equals GPipe.
    if (count == 1 && traits_of(plan.schedule).forwards_first && tries_all("schedule")) continue;
    plan.chunks_per_stage = count;
    sharding(plan);
  }
}

void Walk::sharding(Plan plan) {
  if (!is_free("sharded")) return gathering(plan);
  const bool has_replicas = gradient_ranks(plan).count > 1;
  const bool has_stages = plan.pipeline_parallel_size > 1;
  const bool compresses = plan.compression != GradientCompression::None;
  const Sharded typical = has_replicas && !compresses ? Sharded::Optimizer : Sharded::Nothing;
  // A stack without the typical sharding pipelines with those that it has.
  const std::vector<Sharded>& run = offered_.runs_sharded;
  const bool lacks_typical =
      has_stages && !run.empty() && std::ranges::find(run, typical) == run.end();
  for (const auto& [name, sharded] : sharded_names) {
    const bool is_tried =
        request_.space == PlanSpace::All || sharded > Sharded::Optimizer || lacks_typical;
    if (sharded != typical && (!is_tried || !has_replicas || compresses)) continue;
    if (has_stages && sharded > Sharded::Optimizer && !lacks_typical) continue;
    plan.sharded = sharded;
    gathering(plan);
    if (sharded != Sharded::Parameters || !tries_all("shards_in_domain")) continue;
    plan.shards_in_domain = true;
    gathering(plan);
    plan.shards_in_domain = request_.request.shards_in_domain;
  }
}

/// Overlaps the gathering of parameters that shards need once a step.
void Walk::gathering(Plan plan) {
  const bool gathers_once =
      plan.sharded == Sharded::Optimizer || plan.sharded == Sharded::Gradients;
  if (gathers_once && plan.data_overlap && is_free("parameter_overlap"))
    plan.parameter_overlap = true;
  offloading(plan);
}

/// Tries the optimizer state in host memory, which slows steps, if the state is a large part of a
/// rank's memory.
void Walk::offloading(Plan plan) {
  passes(plan);
  const bool has_host_link = request_.cluster.accelerator.host_link.value > BytesPerSecond{};
  if (!tries_all("offload_optimizer") || plan.offloads_optimizer || !has_host_link) return;
  const double shards = plan.sharded > Sharded::Nothing ? gradient_ranks(plan).count : 1;
  const double ranks = plan.tensor_parallel_size * plan.pipeline_parallel_size * shards;
  if (state_of_all_ / ranks < least_offloaded * request_.cluster.accelerator.memory.value) return;
  plan.offloads_optimizer = true;
  passes(plan);
}

void Walk::passes(Plan plan) {
  plan = as_run_by(request_.profile.framework_defaults, std::move(plan),
                   request_.cluster.accelerator, [&](std::string_view name) {
                     return !is_free(name) || (tries_all(name) && is_varied(name));
                   });
  if (const std::string words = cannot_run(offered_, plan); !words.empty()) {
    if (refusal_.empty()) refusal_ = words;
    return;
  }
  if (is_free("recompute")) plan.recompute = Recompute::None;
  plan = without_idle_options(std::move(plan));
  const double per_replica = request_.global_batch / plan.data_parallel_size;
  if (!is_free("micro_batch") || !is_free("gradient_accumulation")) {
    const double stated = plan.gradient_accumulation * request_.request.micro_batch;
    if (!is_free("micro_batch") && !is_free("gradient_accumulation") &&
        std::abs(stated - per_replica) > 1e-9 * per_replica)
      return;  // the two contradict the global batch
    if (is_free("gradient_accumulation"))
      plan.gradient_accumulation =
          static_cast<int>(std::ceil(per_replica / request_.request.micro_batch - 1e-9));
    return recomputation(plan);
  }
  const int most = largest_micro_batch(request_.model.sequence_length);
  int last = 0;
  for (const int samples : doublings(most)) {
    const int fewest = static_cast<int>(std::max(1.0, std::ceil(per_replica / samples)));
    if (fewest == last) break;
    // Micro-batches of whole samples, if a doubling leaves a rest.
    for (const int passes : {whole_passes(per_replica, fewest), fewest}) {
      if (passes == last) continue;
      plan.gradient_accumulation = last = passes;
      recomputation(plan);
    }
  }
  if (last == 1 || per_replica > most) return;
  plan.gradient_accumulation = 1;
  recomputation(plan);
}

void Walk::recomputation(Plan plan) {
  if (plan.gradient_accumulation % micro_batch_multiple(plan) != 0) return;
  ++split_;
  plan.micro_batch = request_.global_batch / plan.data_parallel_size / plan.gradient_accumulation;
  if (plan.micro_batch < 1 || !keeps_rules(plan, limits_)) return;
  if (!is_free("recompute")) return visit_(plan, split_);
  for (const auto& [name, recompute] : recompute_names) {
    if (recompute == Recompute::Selective && !limits_.has_attention) continue;
    plan.recompute = recompute;
    visit_(plan, split_);
  }
}

}  // namespace

std::string visit_plans(const PlanSearch& request, const PlanLimits& limits,
                        const std::function<void(const Plan&, int split)>& visit) {
  return Walk(request, limits, visit).splits();
}

}  // namespace simulation
}  // namespace tofn
