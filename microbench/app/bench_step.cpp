#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/option_lists.hpp"
#include "microbench/app/workloads.hpp"
#include "microbench/step/step_study.hpp"
#include "sim/config/load_plan.hpp"

namespace tofn::bench {
namespace {

struct StepChoice {
  Processors processor = Processors::Gpu;
  std::optional<std::string> type;  ///< absent: the processor's best type for training
  std::vector<int> ranks;           ///< empty: 1, 2, 4, ... and all
  StepProblem problem;
};

class StepTask : public Task {
 public:
  explicit StepTask(StepChoice choice) : choice_(std::move(choice)) {}
  bool uses_gpus() const override { return choice_.processor == Processors::Gpu; }
  int most_points() const override {
    constexpr int modes = 4;
    constexpr int default_scales = 3;
    return modes *
           (choice_.ranks.empty() ? default_scales : static_cast<int>(choice_.ranks.size()));
  }

  void run(Lab& lab, Rig& rig) override {
    const std::vector<int> ranks = ranks_on(lab.team.size());
    std::unique_ptr<Processor> processor;
    std::unique_ptr<Backend> backend;
    lab.on_each_rank("opening processor and communication", [&] {
      processor = rig.processor();
      if (ranks.back() > 1) backend = rig.backend({.name = uses_gpus() ? "nccl" : "mpi"});
    });
    StepProblem problem = choice_.problem;
    problem.type = type_on(*processor);
    run_step_study(lab, *processor, backend.get(), problem, ranks);
  }

 private:
  std::vector<int> ranks_on(int world) const {
    std::vector<int> ranks = choice_.ranks;
    if (!ranks.empty() && ranks.back() > world)
      throw InputError(
          {}, "--ranks",
          fmt::format("{} are more than the {} that were started", ranks.back(), world));
    if (ranks.empty()) {
      for (int each = 1; each < world; each *= 2) ranks.push_back(each);
      ranks.push_back(world);
    }
    return ranks;
  }

  std::string type_on(const Processor& processor) const {
    const auto known = processor.gemm_types();
    std::string wanted = choice_.type.value_or(uses_gpus() ? "bf16" : "fp32");
    if (std::find(known.begin(), known.end(), wanted) == known.end())
      throw InputError({}, "--type", unknown_name("type", wanted, known));
    return wanted;
  }

  StepChoice choice_;
};

bool is_about(Flops a, Flops b) { return a > 0.5 * b && a < 1.5 * b; }

/// The layer with the samples of a rank. Batches of small products (groups of a convolution, heads)
/// become one product with more rows: the same work in one kernel, as in fused kernels.
StepLayer step_layer(const Layer& layer, int samples) {
  StepLayer made;
  for (const Gemm& gemm : layer.gemms)
    made.forward.push_back(
        {.m = gemm.rows * samples * gemm.count, .n = gemm.outputs, .k = gemm.inputs});
  const Flops forward = layer.forward.value;
  made.has_weight_gradients = layer.trainable_parameters > 0 && layer.backward.value > Flops(0);
  const Flops of_inputs = layer.backward.value - (made.has_weight_gradients ? forward : Flops(0));
  made.has_input_gradients = is_about(of_inputs, forward);
  made.gradients = static_cast<std::size_t>(layer.trainable_parameters);
  return made;
}

/// Adds the workload's layers, keeping one of `scale` equal ones (at least one).
void add_layers(StepProblem& problem, const Workload& workload) {
  double all = 0;
  double covered = 0;
  for (const Layer& layer : workload.layers) {
    const int count = (layer.count + problem.scale - 1) / problem.scale;
    const StepLayer made = step_layer(layer, problem.samples);
    all += count * (layer.forward.value + layer.backward.value).base();
    if (!made.forward.empty())
      covered += count * (layer.forward.value + layer.backward.value).base();
    for (int i = 0; i < count; ++i) problem.layers.push_back(made);
  }
  problem.share_of_flops = covered / all;
}

StepProblem problem_requested(const options::variables_map& values) {
  const Workload workload =
      find_workload(configs_folder(values), values["workload"].as<std::string>());
  const StatedPlan plan = find_plan(configs_folder(values), values["plan"].as<std::string>());
  if (plan.split.accelerators() != 1)
    throw InputError(
        {}, "--plan",
        fmt::format("'{}' splits a replica over {} accelerators; the synthetic step is "
                    "data parallel: choose a plan with tensor_parallel and "
                    "context_parallel 1",
                    plan.name, plan.split.accelerators()));
  StepProblem problem;
  problem.workload = workload.name;
  problem.plan = plan.name;
  problem.samples = count_option(values, "samples", 4096).value();
  problem.passes = plan.gradient_accumulation.value_or(1);
  problem.scale = count_option(values, "scale", 1024).value();
  problem.bucket_bytes = quantity_option<Bytes>(values, "bucket")
                             .value_or(workload.gradients.overlapped_bucket
                                           ? workload.gradients.overlapped_bucket->value
                                           : workload.gradients.bucket.value)
                             .base();
  if (problem.bucket_bytes < sizeof(float))
    throw InputError({}, "--bucket", "is smaller than a gradient");
  add_layers(problem, workload);
  return problem;
}

constexpr auto step_options = std::to_array<AnyOption>(
    {{.name = "processor", .help = "gpu or cpu", .is_required = true},
     {.name = "workload",
      .help = "a workload of configs/workloads, or a .yaml file",
      .is_required = true},
     {.name = "plan",
      .help = "a plan of configs/plans, or a .yaml file; data parallel",
      .default_text = "data-parallel"},
     {.name = "samples", .help = "of a rank in a pass", .default_text = "1"},
     {.name = "scale",
      .help = "keep one of so many equal layers, to fit memory and patience",
      .default_text = "1"},
     {.name = "bucket", .help = "of gradients (default: the workload's)"},
     {.name = "type", .help = "of the products (default: bf16; fp32 on a CPU)"},
     {.name = "ranks", .help = "numbers of ranks, e.g. 1,2,4 (default: doublings)"},
     {.name = "configs", .help = "folder of workloads/ and plans/"}});

}  // namespace

const CommandLine& step_line() {
  static const CommandLine line{
      "step --processor gpu|cpu --workload W [OPTIONS]",
      "  mpirun -np 2 tofn-bench step --processor cpu --workload bert --samples 1 --scale "
      "24\n"
      "  mpirun -np 16 tofn-bench step --processor gpu --workload bert --samples 48 "
      "-o bert-step.json\n",
      rows_for(step_options)};
  return line;
}

std::unique_ptr<Task> read_step(const options::variables_map& values) {
  StepChoice choice;
  choice.processor = *choice_option(values, "processor", processors);
  choice.type = text_option(values, "type");
  if (const auto ranks = text_option(values, "ranks")) choice.ranks = counts_of(*ranks, "--ranks");
  choice.problem = problem_requested(values);
  return std::make_unique<StepTask>(std::move(choice));
}

}  // namespace tofn::bench
