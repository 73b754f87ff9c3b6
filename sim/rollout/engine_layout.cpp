#include "sim/rollout/engine_layout.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include <fmt/ranges.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace rollout {
namespace {

/// Largest number that divides all of them; 0 if there are none.
int common_divisor(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0,
                         [](int common, int count) { return std::gcd(common, count); });
}

std::vector<int> experts_of(const Decoder& decoder) {
  std::vector<int> counts;
  for (const CachedExperts& each : decoder.experts) counts.push_back(each.routing.experts);
  return counts;
}

}  // namespace

std::vector<int> engine_sizes(const Decoder& decoder, EngineAttention attention) {
  const bool by_experts = attention == EngineAttention::DataParallel;
  const int common = common_divisor(by_experts ? experts_of(decoder) : decoder.heads);
  std::vector<int> sizes;
  for (int size = by_experts ? 2 : 1; size <= std::max(by_experts ? 0 : 1, common); ++size)
    if (common % size == 0) sizes.push_back(size);
  return sizes;
}

void require_engine_attention(const Decoder& decoder, EngineAttention attention) {
  if (engine_sizes(decoder, attention).empty())
    throw InputError("dp shares out experts, which this model does not have; valid: tp");
}

void require_engine_size(const Decoder& decoder, int ranks, std::optional<EngineAttention> stated) {
  std::set<int> valid;
  std::vector<std::string> divided;
  for (const auto& [name, attention] : engine_attentions) {
    if (stated.value_or(attention) != attention) continue;
    const bool by_experts = attention == EngineAttention::DataParallel;
    const std::vector<int> sizes = engine_sizes(decoder, attention);
    if (std::ranges::find(sizes, ranks) != sizes.end()) return;
    valid.insert(sizes.begin(), sizes.end());
    if (!sizes.empty())
      divided.push_back(
          fmt::format("{} {}", common_divisor(by_experts ? experts_of(decoder) : decoder.heads),
                      by_experts ? "experts" : "heads"));
  }
  const std::string why = ranks == 1 ? "1 is too few for dp, which shares out attention and experts"
                                     : fmt::format("{} does not divide {} of the model", ranks,
                                                   fmt::join(divided, " or "));
  throw InputError(fmt::format("{}; valid sizes: {}", why, fmt::join(valid, ", ")));
}

}  // namespace rollout
}  // namespace tofn
