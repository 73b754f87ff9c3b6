#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace parallelism {
namespace {

/// Checks a plan against rules until one is broken.
class Rules {
 public:
  /// `why` receives the broken rule; it may be null.
  explicit Rules(std::string* why) : why_(why) {}

  template <class... Values>
  void operator()(bool is_kept, fmt::format_string<const Values&...> text,
                  const Values&... values) {
    if (is_kept || !are_kept_) return;
    are_kept_ = false;
    if (why_ != nullptr) *why_ = fmt::format(text, values...);
  }
  bool are_kept() const { return are_kept_; }

 private:
  std::string* why_;
  bool are_kept_ = true;
};

void check_sizes(const Plan& plan, Rules& rule) {
  visit_plan([&](const PlanField& field, auto member) {
    if constexpr (std::is_same_v<decltype(member), int Plan::*>)
      rule(plan.*member >= 1, "{} must be at least 1, got {}", field.name, plan.*member);
    if constexpr (std::is_same_v<decltype(member), std::optional<int> Plan::*>)
      rule((plan.*member).value_or(1) >= 1, "{} must be at least 1, got {}", field.name,
           (plan.*member).value_or(1));
  });
  rule(plan.gradient_accumulation >= 1, "gradient accumulation must be at least 1, got {}",
       plan.gradient_accumulation);
  rule(plan.micro_batch > 0, "the micro-batch must be above 0, got {}", plan.micro_batch);
}

std::vector<std::string> schedules_that_run(int chunks) {
  std::vector<std::string> names;
  for (const ScheduleTraits& each : schedule_traits)
    if (each.chunks.holds(chunks)) names.emplace_back(each.name);
  return names;
}

void check_schedule(const Plan& plan, Rules& rule) {
  const int chunks = plan.chunks_per_stage;
  const int stages = plan.pipeline_parallel_size;
  if (stages == 1)
    return rule(chunks == 1,
                "{} chunks per stage interleave the stages of a pipeline: they need pp > 1",
                chunks);
  const ScheduleTraits& traits = traits_of(plan.schedule);
  if (!traits.chunks.holds(chunks))
    return rule(false, "{} per stage need{} the {} schedule: {} runs {}", counted(chunks, "chunk"),
                chunks == 1 ? "s" : "", list_text(schedules_that_run(chunks), "or"), traits.name,
                traits.chunks.least);
  // Megatron-LM asserts this too: its warm-up runs pp micro-batches of each chunk in turn.
  rule(plan.gradient_accumulation % micro_batch_multiple(plan) == 0,
       "{} chunks per stage run groups of pp = {} micro-batches, of which gradient accumulation {} "
       "is no multiple",
       chunks, stages, plan.gradient_accumulation);
}

void check_expert_ranks(const Plan& plan, Rules& rule) {
  rule(expert_sharers(plan) % plan.expert_parallel_size == 0,
       "ep = {} does not divide the {} ranks that can share experts: those of {}",
       plan.expert_parallel_size, expert_sharers(plan),
       plan.whole_experts ? "tensor, context and data"
       : plan.tensor_parallel_size > 1
           ? "context and data; whole experts (--whole-experts on) are shared out over tensor "
             "ranks too"
           : "context and data");
}

/// Checks a rule that Megatron-LM asserts for --overlap-moe-expert-parallel-comm.
void check_expert_overlap(const Plan& plan, Rules& rule) {
  if (!plan.expert_overlap) return;
  rule(plan.recompute != Recompute::Full,
       "expert overlap runs layers in pairs of passes, full recomputation whole layers in one: "
       "recompute none or selective");
  const ScheduleTraits& traits = traits_of(plan.schedule);
  const bool interleaves =
      plan.schedule == PipelineSchedule::OneForwardOneBackward && plan.chunks_per_stage > 1;
  rule(plan.pipeline_parallel_size == 1 || traits.pairs_passes || interleaves,
       "expert overlap pairs a forward pass with a backward pass that does not wait for it: at "
       "pp > 1 it needs the 1f1b schedule with chunks > 1, or dualpipe-v");
}

/// Checks that groups have equal sizes, and groups of experts too.
void check_shard_ranks(const Plan& plan, Rules& rule) {
  if (!plan.shard_ranks) return;
  const int ranks = *plan.shard_ranks;
  const int experts = plan.expert_parallel_size;
  rule(!plan.shards_in_domain, "shard_ranks and shards_in_domain both say who shares: leave one");
  rule(gradient_ranks(plan).count % ranks == 0,
       "shard_ranks must divide the {} ranks of dp*cp, got {}", gradient_ranks(plan).count, ranks);
  rule(ranks % experts == 0 || experts % ranks == 0,
       "shard_ranks = {} and ep = {}: one must divide the other", ranks, experts);
}

void check_kept(const Plan& plan, Rules& rule) {
  for (const auto kept : {plan.kept_parameters, plan.kept_gradients, plan.kept_moments})
    rule(kept != KeptFormat::None,
         "only kept_master can be none: the optimizer then updates the "
         "parameters that passes use");
}

void check_sharding(const Plan& plan, Rules& rule) {
  check_shard_ranks(plan, rule);
  rule(!plan.parameter_overlap || plan.data_overlap,
       "parameter overlap is data overlap: without the one there is no other");
  rule(!plan.offloads_optimizer || traits_of(plan.optimizer).newton_schulz == 0,
       "an offloaded optimizer cannot be muon: what hosts take for its products is not known");
  rule(!plan.offloads_optimizer || plan.sharded != Sharded::Nothing ||
           gradient_ranks(plan).count == 1,
       "an offloaded optimizer must be sharded, or every host would hold and compute all of it");
  rule(plan.compression == GradientCompression::None || plan.sharded == Sharded::Nothing,
       "compressed gradients need all-reduced ones (sharded: nothing): a shard's owner sums exact "
       "ones");
}

/// Checks the numbers of layers. An end may have none: Llama 3's first virtual stage held the
/// embedding only, and its last one the head (arXiv 2407.21783, section 3.3.2).
void check_stage_layers(const Plan& plan, const PlanLimits& limits, Rules& rule) {
  const std::vector<int>& counts = plan.stage_layers.counts;
  if (counts.empty()) return;
  rule(1LL * plan.pipeline_parallel_size * plan.chunks_per_stage ==
           static_cast<long long>(counts.size()),
       "stage_layers needs a number for each of {} stages x {} chunks, got {}",
       plan.pipeline_parallel_size, plan.chunks_per_stage, counts.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == counts.size();
    rule(counts[i] >= (is_end ? 0 : 1), "stage_layers: number {} of {} must be at least {}, got {}",
         i + 1, counts.size(), is_end ? 0 : 1, counts[i]);
  }
  if (!limits.layers) return;
  const long long sum = std::accumulate(counts.begin(), counts.end(), 0LL);
  rule(sum == *limits.layers, "stage_layers adds up to {} layers, the model has {}", sum,
       *limits.layers);
  rule(limits.has_ends || (counts.front() > 0 && counts.back() > 0),
       "stage_layers leaves an end of the pipeline without a layer, and the model has no embedding "
       "and head to put there");
}

void check_model(const Plan& plan, const PlanLimits& limits, Rules& rule) {
  const long long virtual_stages = 1LL * plan.pipeline_parallel_size * plan.chunks_per_stage;
  if (limits.layers && virtual_stages > 1)
    rule(virtual_stages <= *limits.layers + (limits.has_ends ? 2 : 0),
         "{} stages x {} chunks are too many for {} layers: some would hold nothing",
         plan.pipeline_parallel_size, plan.chunks_per_stage, *limits.layers);
  rule(plan.expert_parallel_size == 1 || limits.has_experts,
       "ep = {} has nothing to split: the model has no experts", plan.expert_parallel_size);
  rule(!recomputes(plan, RecomputeModule::CoreAttention) || limits.has_attention,
       "selective recomputation repeats the attention core, which the model lacks: choose none or "
       "full");
}

bool keeps_rules(const Plan& plan, const PlanLimits& limits, std::string* why) {
  Rules rule(why);
  check_sizes(plan, rule);
  if (!rule.are_kept()) return false;  // other rules divide by sizes
  check_expert_ranks(plan, rule);
  check_schedule(plan, rule);
  check_expert_overlap(plan, rule);
  check_sharding(plan, rule);
  check_kept(plan, rule);
  check_stage_layers(plan, limits, rule);
  check_model(plan, limits, rule);
  return rule.are_kept();
}

}  // namespace

bool keeps_rules(const Plan& plan, const PlanLimits& limits) {
  return keeps_rules(plan, limits, nullptr);
}

void check_plan(const Plan& plan, const PlanLimits& limits) {
  std::string why;
  if (!keeps_rules(plan, limits, &why)) throw InputError(why);
}

}  // namespace parallelism
}  // namespace tofn
