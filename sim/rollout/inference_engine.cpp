#include "sim/rollout/inference_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/cluster/communicator.hpp"
#include "sim/simulation/job_hardware.hpp"

namespace tofn {
inline namespace rollout {
namespace {

/// Activations, captured graphs and the runtime of an engine: assumed.
constexpr Bytes beside_weights{3e9};

/// Bytes of a weight; in 4 bits a scale of one byte stands beside each 16 (NVFP4).
double weight_bytes(Precision precision) {
  return precision == Precision::Fp4 ? 0.5 + 1.0 / 16 : width_of(precision);
}

}  // namespace

Engine::Engine(Decoder decoder, const Cluster& cluster, EngineLayout layout, EngineFigures figures,
               int engines)
    : decoder_(std::move(decoder)), chip_(cluster.accelerator), layout_(layout), figures_(figures) {
  if (layout_.ranks == 1) return;
  Communicator ranks =
      place({.stride = 1, .count = layout_.ranks}, cluster, PlacedJob(layout_.ranks * engines));
  ranks.network.reduces_in_switch = false;
  double mixtures = 0;
  double copies = 0;
  for (const CachedExperts& each : decoder_.experts) {
    mixtures += each.layers;
    copies += each.layers * each.routing.experts_per_token;
  }
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    const double row = std::exp2(static_cast<double>(i)) * decoder_.hidden * 2;  // in 16 bits
    exchanges_[i] =
        layout_.shares_sequences()
            ? 2 / decoder_.branches *
                  (mixtures *
                   exchange_cost(
                       CollectiveKind::AllToAll,
                       Bytes{row / layout_.ranks * (mixtures > 0 ? copies / mixtures : 0)}, ranks)
                       .time)
            : exchange_cost(CollectiveKind::AllReduce, Bytes{row}, ranks).time;
  }
}

/// Time of one branch's exchange, linear between the powers of two.
Seconds Engine::exchange(double sequences) const {
  if (layout_.ranks == 1) return {};
  const double last = static_cast<double>(exchanges_.size() - 1);
  const double place = std::clamp(std::log2(std::max(1.0, sequences)), 0.0, last - 1e-9);
  const auto below = static_cast<std::size_t>(place);
  const double at = std::exp2(static_cast<double>(below));
  const double share = std::max(1.0, sequences) / at - 1;
  return exchanges_[below] + (exchanges_[below + 1] - exchanges_[below]) * share;
}

Bytes Engine::weights() const {
  const double split = 1.0 / layout_.ranks;
  const double dense =
      (decoder_.parameters + decoder_.embedding) * (layout_.shares_sequences() ? 1 : split);
  return Bytes{weight_bytes(layout_.weights) * (dense + decoder_.expert_parameters() * split)};
}

Bytes Engine::cache(double tokens) const {
  double values = decoder_.state / layout_.ranks * 2 / width_of(layout_.cache);  // kept in 16 bits
  if (layout_.shares_sequences())
    values += decoder_.cached_values(tokens) / layout_.ranks;
  else
    for (const CachedAttention& each : decoder_.attention) {
      const double shares = each.head_groups > 0 ? std::min(layout_.ranks, each.head_groups) : 1;
      const double kept = each.head_groups > 0 ? each.tokens(tokens) : tokens;
      values += each.layers * (each.values * kept + each.indexed * tokens) / shares;
    }
  return Bytes{values * width_of(layout_.cache)};
}

double Engine::sequences(double tokens) const {
  const Bytes free = layout_.memory_share * chip_.memory.value - weights() - beside_weights;
  const Bytes each = cache(tokens);
  if (free <= Bytes{}) return 0;
  return each > Bytes{} ? std::floor(free / each) : 1e9;
}

std::optional<int> Engine::fewest_ranks(double tokens) const {
  Engine other = *this;
  for (const int ranks : engine_sizes(decoder_, layout_.attention)) {
    other.layout_.ranks = ranks;
    if (other.sequences(tokens) >= 1) return ranks;
  }
  return {};
}

/// Bytes that a rank reads of the caches; a state is read and written.
double Engine::attention_bytes(double sequences, double context) const {
  double values = 2 * decoder_.state / layout_.ranks * 2 / width_of(layout_.cache);
  for (const CachedAttention& each : decoder_.attention) {
    const double shares = layout_.shares_sequences() ? layout_.ranks
                          : each.head_groups > 0     ? std::min(layout_.ranks, each.head_groups)
                                                     : 1;
    values += each.layers * (each.values * each.tokens(context) + each.indexed * context) / shares;
  }
  return sequences * values * width_of(layout_.cache);
}

IterationTimes Engine::iteration(double live, double context) const {
  const double ranks = layout_.ranks;
  // With fewer sequences than ranks that run their own, the busiest rank has one.
  const double sequences = std::max(live, 1.0 * layout_.sequence_ranks());
  const FlopsPerSecond peak = chip_.peak_at(layout_.weights);
  const FlopsPerSecond wide = chip_.peak_at(Precision::Bf16);
  const BytesPerSecond bandwidth = figures_.memory_share * chip_.memory_bandwidth.value;
  double read = decoder_.parameters / (layout_.shares_sequences() ? 1 : ranks);
  for (const CachedExperts& each : decoder_.experts)
    read += each.layers * each.parameters * each.touched(live) / ranks;
  double attention_flops = 0;
  for (const CachedAttention& each : decoder_.attention)
    attention_flops += each.layers * each.flops * each.tokens(context);
  const Seconds computing =
      sequences / ranks * 2 *
      (Flops{decoder_.parameters} / (figures_.product_share * peak) +
       Flops{decoder_.active_expert_parameters()} / (figures_.expert_share * peak));
  IterationTimes times;
  times.weights = std::max(Bytes{weight_bytes(layout_.weights) * read} / bandwidth, computing);
  times.attention =
      std::max(Bytes{attention_bytes(sequences, context)} / bandwidth,
               Flops{sequences / ranks * attention_flops} / (figures_.product_share * wide));
  times.exchange = decoder_.branches * exchange(live);
  times.overhead = decoder_.branches * figures_.branch +
                   sequences / layout_.sequence_ranks() * figures_.sequence + figures_.host;
  return times;
}

Seconds Engine::prefill(double tokens) const {
  const FlopsPerSecond peak = chip_.peak_at(layout_.weights);
  double attention_flops = 0;
  for (const CachedAttention& each : decoder_.attention)
    attention_flops += each.layers * each.flops * std::min(each.tokens(tokens), tokens / 2);
  return tokens / layout_.ranks *
         (Flops{2 * decoder_.parameters} / (figures_.product_share * peak) +
          Flops{2 * decoder_.active_expert_parameters()} / (figures_.expert_share * peak) +
          Flops{attention_flops} / (figures_.product_share * chip_.peak_at(Precision::Bf16)));
}

}  // namespace rollout
}  // namespace tofn
