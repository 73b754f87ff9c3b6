#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/budget.hpp"
#include "microbench/app/option_lists.hpp"
#include "microbench/app/workloads.hpp"
#include "microbench/collective/collective_sweep.hpp"
#include "microbench/compute/gemm_sweep.hpp"
#include "microbench/compute/memory_sweep.hpp"
#include "microbench/compute/slowdown.hpp"
#include "microbench/harness/timed.hpp"

namespace tofn::bench {
namespace {

constexpr double beside_bytes = 64.0 * 1024 * 1024;  // of the all-reduce beside a product

struct SuiteChoice {
  Processors processor = Processors::Gpu;
  double budget = 600;            ///< seconds
  double largest = 0;             ///< bytes of a collective
  std::vector<GemmShape> shapes;  ///< the most useful first
  GemmShape beside_shape;         ///< beside the all-reduce
};

/// Objects that the parts of the suite work with.
struct Bench {
  Lab& lab;
  Processor& processor;
  Backend* backend;  ///< null on a single rank
  const SuiteChoice& choice;
  std::string gemm_type;
};

CollectiveSweep sweep_of(const Bench& bench, std::string_view name, GroupKind group,
                         double factor) {
  const Operation& measured = operation(name);
  CollectiveSweep sweep{.operations = {&measured},
                        .types = {&element_type("fp32", "type")},
                        .groups = {group},
                        // Out of place if possible, because most training is.
                        .in_place = {measured.must_be_in_place || measured.has_root},
                        .sizes = {}};
  for (double size = 8; size <= bench.choice.largest; size *= factor) sweep.sizes.push_back(size);
  return sweep;
}

/// One part of the suite: its number of points, the ranks that it needs, and its measurement.
struct Part {
  std::string_view title;
  bool needs_ranks;
  bool needs_nodes;  ///< several nodes with several ranks each
  int together;      ///< points that are only useful together
  std::function<int(const Bench&)> points;
  /// Measures the `points` most useful points.
  std::function<void(Bench&, int points)> run;
};

Part collectives(std::string_view title, std::string_view name, GroupKind group, double factor) {
  return {.title = title,
          .needs_ranks = true,
          .needs_nodes = group != GroupKind::World,  // else a group is the world or one rank
          .together = 1,
          .points =
              [=](const Bench& bench) { return most_points(sweep_of(bench, name, group, factor)); },
          .run =
              [=](Bench& bench, int points) {
                CollectiveSweep sweep = sweep_of(bench, name, group, factor);
                sweep.sizes = most_useful_sizes(sweep.sizes, points);
                run(bench.lab, *bench.backend, sweep);
              }};
}

/// Parts in the order in which they narrow predictions. Half widths of the 90 % intervals that
/// `tofn predict` gives without measurements, over the step, mean of the four workloads on 64 and
/// 1,024 accelerators of dgx-h100: arithmetic 2.5 %, gradients 1.3 % (up to 3.9 %), tensor
/// parallelism 0.6 %. Predictions do not use launches, the slowdown and memory bandwidth yet, so
/// these come last.
const std::vector<Part>& parts() {
  static const std::vector<Part> table{
      {.title = "products of the workloads",
       .needs_ranks = false,
       .needs_nodes = false,
       .together = 1,
       .points = [](const Bench& bench) { return static_cast<int>(bench.choice.shapes.size()); },
       .run =
           [](Bench& bench, int points) {
             const auto& shapes = bench.choice.shapes;
             run_gemms(bench.lab, bench.processor, {bench.gemm_type},
                       {shapes.begin(), shapes.begin() + points});
           }},
      collectives("gradients: all-reduce", "all-reduce", GroupKind::World, 4),
      collectives("gradients: reduce-scatter", "reduce-scatter", GroupKind::World, 4),
      collectives("gradients: all-gather", "all-gather", GroupKind::World, 4),
      collectives("gradients over rails", "all-reduce", GroupKind::Rails, 4),
      collectives("tensor parallelism: reduce-scatter", "reduce-scatter", GroupKind::Node, 4),
      collectives("tensor parallelism: all-gather", "all-gather", GroupKind::Node, 4),
      collectives("latency of a message", "send-receive-pairs", GroupKind::World, 16),
      collectives("pipeline parallelism", "send-receive-ring", GroupKind::World, 16),
      collectives("expert parallelism", "all-to-all", GroupKind::World, 16),
      collectives("broadcast", "broadcast", GroupKind::World, 16),
      {.title = "kernel launches",
       .needs_ranks = false,
       .needs_nodes = false,
       .together = 3,
       .points = [](const Bench&) { return 3; },
       .run = [](Bench& bench, int) { run_launches(bench.lab, bench.processor); }},
      {.title = "slowdown beside a collective",
       .needs_ranks = true,
       .needs_nodes = false,
       .together = 2,
       .points = [](const Bench&) { return 2; },
       .run =
           [](Bench& bench, int) {
             run_slowdown(bench.lab, bench.processor, *bench.backend,
                          {.type = bench.gemm_type,
                           .shape = bench.choice.beside_shape,
                           .bytes = std::min(beside_bytes, bench.choice.largest)});
           }},
      {.title = "memory bandwidth",
       .needs_ranks = false,
       .needs_nodes = false,
       .together = 2,  // one size of both patterns
       .points = [](const Bench&) { return 6; },
       .run =
           [](Bench& bench, int points) {
             run_memory(bench.lab, bench.processor,
                        most_useful_sizes({1 << 20, 16 << 20, 256 << 20}, points / 2));
           }},
  };
  return table;
}

class SuiteTask : public Task {
 public:
  explicit SuiteTask(SuiteChoice choice) : choice_(std::move(choice)) {}
  bool uses_gpus() const override { return choice_.processor == Processors::Gpu; }
  int most_points() const override { return 0; }

  void run(Lab& lab, Rig& rig) override {
    std::unique_ptr<Processor> processor;
    std::unique_ptr<Backend> backend;
    lab.on_each_rank("opening processor and communication", [&] {
      processor = rig.processor();
      if (lab.team.size() > 1) backend = rig.backend({.name = uses_gpus() ? "nccl" : "mpi"});
    });
    Bench bench{.lab = lab,
                .processor = *processor,
                .backend = backend.get(),
                .choice = choice_,
                .gemm_type = uses_gpus() ? "bf16" : "fp32"};
    const StoppingRule rule = lab.rule;
    const double end = host_seconds() + choice_.budget;
    for (const Part& part : parts()) {
      const double left = end - host_seconds();
      const double share = left * largest_share;
      const int points = points_taken(bench, part, share, left);
      if (points == 0) continue;
      lab.deadline = host_seconds() + share;
      lab.rule.most_time = std::min(rule.most_time, share / points);
      part.run(bench, points);
    }
  }

 private:
  /// Largest share of the time for one part, so that others get some.
  static constexpr double largest_share = 0.5;

  /// Number of the part's points to measure in its share of the seconds left; prints what is left
  /// out. Collective.
  static int points_taken(Bench& bench, const Part& part, double share, double left) {
    const auto leave_out = [&](const std::string& what) {
      bench.lab.progress.print(fmt::format("# {}: left out: {}\n\n", part.title, what));
      return 0;
    };
    if (part.needs_ranks && bench.lab.team.size() < 2) return leave_out("there is one rank");
    if (part.needs_nodes && bench.lab.placement.nodes < 2) return leave_out("there is one node");
    if (part.needs_nodes && groups_of(bench.lab.placement, GroupKind::Node).size < 2)
      return leave_out("each node has one rank");
    const int all = part.points(bench);
    double fewest = -points_that_fit(all, part.together, share, bench.lab.rule);
    bench.lab.team.maximum({&fewest, 1});  // clocks differ between ranks
    const int points = static_cast<int>(-fewest);
    if (points < all)
      leave_out(fmt::format("{} of {} points, the least useful: {:.0f} s of --budget are left",
                            all - points, all, std::max(left, 0.0)));
    return points;
  }

  SuiteChoice choice_;
};

constexpr auto suite_options = std::to_array<AnyOption>(
    {{.name = "processor", .help = "gpu or cpu", .is_required = true},
     {.name = "budget",
      .help = "what does not fit any more is left out, the least useful first",
      .default_text = "10 min"},
     {.name = "max-size", .help = "of a collective (default: 1 GiB; 64 MiB on CPUs)"},
     {.name = "samples", .help = "of a pass of a workload", .default_text = "1"},
     {.name = "beside-shape",
      .help = "product of the slowdown (default: 8192 cubed on a GPU, 1024 on a CPU)"},
     {.name = "configs", .help = "folder of workloads/"}});

}  // namespace

const CommandLine& suite_line() {
  static const CommandLine line{
      "suite --processor gpu|cpu [OPTIONS]",
      "  mpirun -np 8 tofn-bench suite --processor gpu --budget 10min -o one-node.json\n"
      "  tofn-bench suite --processor gpu -o workstation.json\n"
      "  mpirun -np 2 tofn-bench suite --processor cpu --budget 2min -o laptop.json\n",
      rows_for(suite_options)};
  return line;
}

std::unique_ptr<Task> read_suite(const options::variables_map& values) {
  SuiteChoice choice;
  choice.processor = *choice_option(values, "processor", processors);
  const bool has_gpu = choice.processor == Processors::Gpu;
  choice.budget = quantity_option<Seconds>(values, "budget")->base();
  choice.largest = quantity_option<Bytes>(values, "max-size")
                       .value_or(Bytes(has_gpu ? 1024.0 * 1024 * 1024 : 64.0 * 1024 * 1024))
                       .base();
  const int samples = count_option(values, "samples", 4096).value();
  const char* cube = has_gpu ? "8192x8192x8192" : "1024x1024x1024";
  choice.beside_shape =
      parse_shape(text_option(values, "beside-shape").value_or(cube), "--beside-shape");
  constexpr double share = 0.8;  // share of a workload's work; the rest is many small products
  std::vector<std::vector<GemmShape>> by_workload;
  for (const std::string name : {"bert", "llama2_70b_lora", "retinanet", "stable_diffusion"})
    by_workload.push_back(
        heaviest_shapes(find_workload(configs_folder(values), name), samples, share));
  choice.shapes = in_turn(by_workload);
  // The size for which accelerators' files state the rate of large products.
  if (has_gpu) choice.shapes.insert(choice.shapes.begin(), {.m = 8192, .n = 8192, .k = 8192});
  return std::make_unique<SuiteTask>(std::move(choice));
}

}  // namespace tofn::bench
