#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_stack.hpp"

// Functions that launchers share.

namespace tofn {
inline namespace formats {

std::vector<std::string> launcher_words(const LaunchedTraining& training,
                                        std::string_view launcher) {
  const int accelerators = training.plan.accelerators();
  const int each = std::min(training.accelerators_per_node, accelerators);
  const bool is_deepspeed = launcher == "deepspeed";
  return {std::string(launcher), is_deepspeed ? "--num_nodes" : "--nnodes",
          fmt::format("{}", (accelerators + each - 1) / each),
          is_deepspeed ? "--num_gpus" : "--nproc_per_node", fmt::format("{}", each)};
}

int rest_of(const LaunchValues& values, std::string_view key, int accelerators,
            std::initializer_list<long long> sizes) {
  const long long others = product_of(values, key, sizes);
  if (others < 1 || accelerators % others != 0)
    values.fail(key, fmt::format("{} ranks of one replica do not divide {} accelerators", others,
                                 accelerators));
  return static_cast<int>(accelerators / others);
}

int quotient_of(const LaunchValues& values, std::string_view key, long long dividend,
                long long divisor) {
  if (divisor < 1 || dividend < 1 || dividend % divisor != 0)
    values.fail(key, fmt::format("{} is no multiple of {}", dividend, divisor));
  return static_cast<int>(std::min<long long>(dividend / divisor, 1'000'000'000));
}

int length_of(const LaunchValues& values, std::string_view key) {
  constexpr int most = std::numeric_limits<int>::max();
  const long long length = values.whole(key);
  if (length < 1 || length > most)
    values.fail(key, fmt::format("must be 1 to {} tokens, is {}", most, length));
  return static_cast<int>(length);
}

long long product_of(const LaunchValues& values, std::string_view key,
                     std::initializer_list<long long> factors) {
  long long product = 1;
  for (const long long factor : factors)
    if (__builtin_mul_overflow(product, factor, &product))
      values.fail(key, fmt::format("{} is too large a number", fmt::join(factors, " x ")));
  return product;
}

int accelerators_of(const LaunchValues& values, std::string_view key, const LaunchSize& size,
                    const std::vector<long long>& sizes) {
  if (size.accelerators) return *size.accelerators;
  long long all = 1;
  for (const long long each : sizes)
    if (each < 1 || __builtin_mul_overflow(all, each, &all) ||
        all > std::numeric_limits<int>::max())
      values.fail(key, "the file does not say on how many accelerators: -N");
  return static_cast<int>(all);
}

LaunchedTraining training_on(const LaunchValues& values, const LaunchSize& size,
                             std::string_view key) {
  LaunchedTraining training;
  values.to_plan(training.plan);
  if (!size.accelerators) values.fail(key, "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  training.plan.data_parallel_size = *size.accelerators;
  return training;
}

void set_accumulation(const LaunchValues& values, std::string_view key, long long micro_batches,
                      Plan& plan) {
  constexpr int most = 1'000'000;
  if (micro_batches < 1 || micro_batches > most)
    values.fail(key, fmt::format("a step has 1 to {} micro-batches", most));
  plan.gradient_accumulation = static_cast<int>(micro_batches);
}

long long agreed(const LaunchValues& values, std::string_view key, std::string_view flag) {
  if (!values.is_stated(flag)) return values.whole(key);
  if (values.is_stated(key) && values.whole(key) != values.whole(flag))
    values.fail(
        flag, fmt::format("is {} here, and {} in {}", values.whole(flag), values.whole(key), key));
  return values.whole(flag);
}

void set_zero_stage(const LaunchValues& values, std::string_view key, long long stage, Plan& plan) {
  if (stage < 0 || stage > 3) values.fail(key, fmt::format("must be 0 to 3, got {}", stage));
  plan.sharded = static_cast<Sharded>(stage);
  plan.data_overlap = stage == 3;  // true for stage 3 alone: deepspeed/runtime/zero/config.py
}

void set_sharding(const LaunchValues& values, std::string_view key, long long replicate,
                  long long shard, int accelerators_per_node, LaunchedTraining& training) {
  Plan& plan = training.plan;
  if (product_of(values, key, {replicate, shard}) != plan.data_parallel_size)
    values.fail(key, fmt::format("{} copies of {} shards are not {} replicas", replicate, shard,
                                 plan.data_parallel_size));
  plan.sharded = shard * plan.context_parallel_size > 1 || replicate == 1 ? Sharded::Parameters
                                                                          : Sharded::Nothing;
  const long long span = shard * plan.tensor_parallel_size * plan.context_parallel_size;
  if (replicate == 1 || plan.sharded != Sharded::Parameters) return;
  plan.shards_in_domain = span == accelerators_per_node;
  if (!plan.shards_in_domain)
    plan.shard_ranks = static_cast<int>(shard * plan.context_parallel_size);
}

}  // namespace formats
}  // namespace tofn
