#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/launch_writer.hpp"

// MaxText: src/maxtext/configs/base.yml, which a YAML file and pairs of the command line override.

namespace tofn {
inline namespace formats {
namespace {

/// Axes of the mesh. Each has one size inside a slice (`ici`) and one between slices (`dcn`).
constexpr std::array<std::string_view, 8> maxtext_axes{
    "data", "fsdp", "tensor", "tensor_sequence", "context", "pipeline", "expert", "sequence"};

std::string axis_key(std::string_view prefix, std::string_view axis) {
  return fmt::format("{}_{}_parallelism", prefix, axis);
}

/// Sizes of the mesh inside a slice (`ici`) or between slices (`dcn`). An axis of size -1 takes the
/// remaining devices. InputError if the axes do not take all devices.
class MaxtextMesh {
 public:
  MaxtextMesh(const LaunchValues& values, std::string_view prefix, long long devices)
      : values_(values), prefix_(prefix) {
    long long product = 1;
    for (const std::string_view axis : maxtext_axes) {
      const long long size = values.whole(key(axis));
      if (size == -1 && rest_.empty()) {
        rest_ = axis;
      } else if (size < 1 || size > 1'000'000) {
        values.fail(key(axis), fmt::format("must be at least 1, or once -1, got {}", size));
      } else {
        product *= size;
        if (product > devices) break;
      }
    }
    if (product > devices || (rest_.empty() && product != devices))
      values.fail(
          key(maxtext_axes.front()),
          fmt::format("the {} axes take {} devices, there are {}", prefix, product, devices));
    if (!rest_.empty()) rest_size_ = quotient_of(values, key(rest_), devices, product);
  }

  int size(std::string_view axis) const {
    return static_cast<int>(axis == rest_ ? rest_size_ : values_.whole(key(axis)));
  }

 private:
  std::string key(std::string_view axis) const { return axis_key(prefix_, axis); }

  const LaunchValues& values_;
  std::string_view prefix_;
  std::string_view rest_;
  int rest_size_{};
};

/// Reads the mesh. Ranks of the axes data, fsdp and expert are replicas, because each takes its own
/// samples.
void read_mesh(const LaunchValues& values, const LaunchSize& size, LaunchedTraining& training) {
  Plan& plan = training.plan;
  std::vector<long long> stated;
  for (const std::string_view prefix : {"ici", "dcn"})
    for (const std::string_view axis : maxtext_axes)
      stated.push_back(values.whole(axis_key(prefix, axis)));
  const int accelerators = accelerators_of(values, "ici_fsdp_parallelism", size, stated);
  training.is_tpu = !values.text("hardware").starts_with("gpu");
  const int each =
      training.is_tpu ? accelerators : std::min(size.accelerators_per_node, accelerators);
  const MaxtextMesh inside(values, "ici", each);
  const MaxtextMesh between(values, "dcn", quotient_of(values, "hardware", accelerators, each));
  const auto both = [&](std::string_view axis) { return inside.size(axis) * between.size(axis); };
  if (both("sequence") > 1) values.fail("ici_sequence_parallelism", "this axis is not expressed");
  plan.tensor_parallel_size = both("tensor") * both("tensor_sequence");
  plan.sequence_parallel = both("tensor_sequence") > 1;
  if (plan.sequence_parallel && both("tensor") > 1)
    values.fail("ici_tensor_parallelism", "beside tensor_sequence it is not expressed");
  plan.context_parallel_size = both("context");
  plan.pipeline_parallel_size = both("pipeline");
  plan.expert_parallel_size = both("expert");
  plan.data_parallel_size = both("data") * both("fsdp") * both("expert");
  // logical_axis_rules: parameters are sharded over the axes fsdp, expert and context.
  set_sharding(values, "ici_fsdp_parallelism", both("data"), 1LL * both("fsdp") * both("expert"),
               size.accelerators_per_node, training);
}

void read_maxtext_batch(const LaunchValues& values, Plan& plan) {
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  const long long request = values.whole("num_pipeline_microbatches");
  const long long passes = !is_pipeline ? 1 : request < 0 ? plan.pipeline_parallel_size : request;
  const double samples = values.number("per_device_batch_size") * plan.accelerators();
  double micro = samples / static_cast<double>(product_of(values, "num_pipeline_microbatches",
                                                          {passes, plan.data_parallel_size}));
  // Sizes per device are fractions if ranks share a sample.
  if (std::abs(micro - std::round(micro)) < 1e-9 * micro) micro = std::round(micro);
  if (!(micro > 0)) values.fail("per_device_batch_size", "must be above 0");
  constexpr double most_samples = 1e9;
  if (samples > most_samples)
    values.fail("per_device_batch_size",
                fmt::format("makes {:g} samples on {} accelerators: at most {:g} are read", samples,
                            plan.accelerators(), most_samples));
  if (micro != std::floor(micro))
    values.fail(
        "per_device_batch_size",
        fmt::format("{:g} make micro-batches of {:g} samples on {} replicas: only whole "
                    "ones are expressed",
                    values.number("per_device_batch_size"), micro, plan.data_parallel_size));
  constexpr std::string_view repeats_key = "gradient_accumulation_steps";
  plan.micro_batch = micro;
  set_accumulation(values, repeats_key,
                   product_of(values, repeats_key, {passes, values.whole(repeats_key)}), plan);
}

void read_maxtext_numbers(const LaunchValues& values, LaunchedTraining& training) {
  Plan& plan = training.plan;
  values.choose("remat_policy", plan);
  training.selective = values.choice("remat_policy").selective;
  const std::string quantization = values.text("quantization");
  if (quantization == "fp8" || quantization == "nanoo_fp8")
    plan.precision = Precision::Fp8;
  else if (!quantization.empty())
    values.fail("quantization", "only 'fp8' and 'nanoo_fp8' are expressed");
}

LaunchedTraining maxtext_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  values.to_plan(plan);
  training.accelerators_per_node = size.accelerators_per_node;
  read_mesh(values, size, training);
  if (plan.pipeline_parallel_size > 1) {
    plan.schedule = PipelineSchedule::GPipe;
    if (values.whole("num_pipeline_repeats") != 1)
      values.fail("num_pipeline_repeats", "only 1 is expressed: a stage holds its layers in one");
  }
  read_maxtext_batch(values, plan);
  read_maxtext_numbers(values, training);
  training.model = values.model();
  training.sequence_length = length_of(values, "max_target_length");
  // The value -1 means the number of steps that learning_rate_schedule_steps states.
  const long long steps = values.whole("steps");
  if (steps < 1 && steps != -1)
    values.fail("steps", fmt::format("must be at least 1, or -1, is {}", steps));
  if (steps > 0) training.steps = steps;
  return training;
}

/// Writes the mesh. Ranks of each axis fill a node first, in the order of a plan's ranks, and
/// continue between nodes.
void write_mesh(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  const bool is_sharded = plan.sharded != Sharded::Nothing;
  const int experts = plan.expert_parallel_size;
  if (plan.data_parallel_size % experts != 0)
    values.fail("ici_expert_parallelism",
                fmt::format("ep {} does not divide dp {}: experts are shared out over replicas",
                            experts, plan.data_parallel_size));
  int left = training.is_tpu ? plan.accelerators()
                             : std::min(training.accelerators_per_node, plan.accelerators());
  const auto spread = [&](std::string_view axis, int size) {
    const int inside = std::gcd(left, size);
    left /= inside;
    values.set(axis_key("ici", axis), inside);
    values.set(axis_key("dcn", axis), size / inside);
  };
  values.set("hardware", training.is_tpu ? "tpu" : "gpu");
  spread(plan.sequence_parallel ? "tensor_sequence" : "tensor", plan.tensor_parallel_size);
  spread("context", plan.context_parallel_size);
  spread("expert", experts);
  const int rest = plan.data_parallel_size / experts;
  const int of_groups =
      std::max(1, plan.shard_ranks.value_or(0) / (plan.context_parallel_size * experts));
  const int shards = !is_sharded             ? 1
                     : plan.shard_ranks      ? of_groups
                     : plan.shards_in_domain ? std::gcd(left, rest)
                                             : rest;
  spread("fsdp", shards);
  spread("data", rest / shards);
  spread("pipeline", plan.pipeline_parallel_size);
}

void write_maxtext(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  values.set_model(training.model);
  write_mesh(training, values);
  const bool is_pipeline = plan.pipeline_parallel_size > 1;
  const int passes = is_pipeline ? plan.gradient_accumulation : 1;
  if (is_pipeline) {
    values.set("num_pipeline_microbatches", passes);
    values.set("num_pipeline_repeats", 1);
  }
  values.set("gradient_accumulation_steps", plan.gradient_accumulation / passes);
  values.set("per_device_batch_size",
             plan.micro_batch * plan.data_parallel_size * passes / plan.accelerators());
  if (training.sequence_length) values.set("max_target_length", *training.sequence_length);
  if (training.steps) values.set("steps", *training.steps);
  const SelectiveRecompute selective =
      training.selective.value_or(SelectiveRecompute::AttentionCore);
  for (const LaunchChoice& each : values.choices("remat_policy"))
    if (each.plan.recompute == plan.recompute && each.selective.value_or(selective) == selective)
      values.set("remat_policy", each.word);
  if (plan.precision == Precision::Fp8) values.set("quantization", "fp8");
}

std::string write_maxtext_command(const LaunchedTraining&,
                                  std::span<const LaunchSetting> settings) {
  const std::vector<std::string> front{"python3", "-m", "maxtext.trainers.pre_train.train",
                                       "src/maxtext/configs/base.yml"};
  return write_command(front, settings, OptionStyle::Pairs);
}

}  // namespace

const LaunchCode maxtext_code{
    .launcher = "maxtext",
    .to_training = maxtext_training,
    .from_training = write_maxtext,
    .write = write_maxtext_command,
};

}  // namespace formats
}  // namespace tofn
