#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/option_lists.hpp"
#include "microbench/app/workloads.hpp"
#include "microbench/compute/gemm_sweep.hpp"
#include "microbench/compute/memory_sweep.hpp"
#include "microbench/compute/slowdown.hpp"

namespace tofn::bench {
namespace {

struct ComputeChoice {
  Processors processor = Processors::Gpu;
  bool has_gemm = false;
  bool has_memory = false;
  bool has_launch = false;
  bool has_slowdown = false;
  std::vector<std::string> types;  ///< empty: all types of the processor
  std::vector<GemmShape> shapes;
  std::vector<double> sizes;
  GemmShape beside_shape;
  double beside_bytes = 0;
};

class ComputeTask : public Task {
 public:
  explicit ComputeTask(ComputeChoice choice) : choice_(std::move(choice)) {}
  bool uses_gpus() const override { return choice_.processor == Processors::Gpu; }
  int most_points() const override {
    const auto types = std::max<std::size_t>(choice_.types.size(), 1);
    return static_cast<int>((choice_.has_gemm ? types * choice_.shapes.size() : 0) +
                            (choice_.has_memory ? 2 * choice_.sizes.size() : 0) +
                            (choice_.has_launch ? 3 : 0) + (choice_.has_slowdown ? 2 : 0));
  }

  void run(Lab& lab, Rig& rig) override {
    std::unique_ptr<Processor> processor;
    lab.on_each_rank("opening the processor", [&] { processor = rig.processor(); });
    const auto types = types_on(*processor);
    if (choice_.has_launch) run_launches(lab, *processor);
    if (choice_.has_memory) run_memory(lab, *processor, choice_.sizes);
    if (choice_.has_slowdown) run_beside(lab, rig, *processor, types.front());
    if (choice_.has_gemm) run_gemms(lab, *processor, types, choice_.shapes);
  }

 private:
  std::vector<std::string> types_on(const Processor& processor) const {
    const auto known = processor.gemm_types();
    for (const std::string& type : choice_.types)
      if (std::find(known.begin(), known.end(), type) == known.end())
        throw InputError({}, "--type", unknown_name("type", type, known));
    return choice_.types.empty() ? known : choice_.types;
  }

  void run_beside(Lab& lab, Rig& rig, Processor& processor, const std::string& type) const {
    std::unique_ptr<Backend> backend;
    const BackendChoice beside{.name = uses_gpus() ? "nccl" : "mpi"};
    lab.on_each_rank("opening " + beside.name, [&] { backend = rig.backend(beside); });
    run_slowdown(lab, processor, *backend,
                 {.type = type, .shape = choice_.beside_shape, .bytes = choice_.beside_bytes});
  }

  ComputeChoice choice_;
};

std::vector<GemmShape> shapes_requested(const options::variables_map& values) {
  std::vector<GemmShape> shapes;
  if (values.count("shapes") > 0) {
    for (const std::string& part : split_list(values["shapes"].as<std::string>()))
      shapes.push_back(parse_shape(part, "--shapes"));
    return shapes;
  }
  const int samples = count_option(values, "samples", 4096).value();
  for (const std::string& name : split_list(values["workload"].as<std::string>()))
    for (const GemmShape& shape : shapes_of(find_workload(configs_folder(values), name), samples))
      shapes.push_back(shape);
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
  return shapes;
}

bool takes(const std::vector<std::string>& kinds, const char* kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

constexpr auto compute_options = std::to_array<AnyOption>(
    {{.name = "processor", .help = "gpu or cpu", .is_required = true},
     {.name = "kind",
      .help =
          "launch (of an empty kernel), memory (bandwidth), gemm, slowdown (of a gemm beside an "
          "all-reduce; at least 2 ranks)",
      .default_text = "launch,memory,gemm"},
     {.name = "type",
      .help = "of the products: fp32, tf32, fp16, bf16, fp8_e4m3 (default: all that it has)"},
     {.name = "workload",
      .help = "products of these: forward and backward",
      .default_text = "bert,llama2_70b_lora,retinanet,stable_diffusion"},
     {.name = "samples", .help = "of a pass of a workload", .default_text = "4"},
     {.name = "shapes", .help = "m x n x k instead, e.g. 4096x4096x4096"},
     {.name = "sizes",
      .help = "of the buffers of the memory patterns, together",
      .default_text = "256KiB,1MiB,4MiB,16MiB,64MiB,256MiB,1GiB"},
     {.name = "beside-shape",
      .help = "product of the slowdown (default: 8192 cubed on a GPU, 1024 on a CPU)"},
     {.name = "beside-size", .help = "its all-reduce", .default_text = "64MiB"},
     {.name = "configs", .help = "folder of workloads/"}});

}  // namespace

const CommandLine& compute_line() {
  static const CommandLine line{
      "compute --processor gpu|cpu [OPTIONS]",
      "  tofn-bench compute --processor cpu --kind memory\n"
      "  tofn-bench compute --processor gpu --workload bert --type "
      "bf16,fp8_e4m3 -o h100.json\n"
      "  mpirun -np 2 tofn-bench compute --processor cpu --kind slowdown\n",
      rows_for(compute_options)};
  return line;
}

std::unique_ptr<Task> read_compute(const options::variables_map& values) {
  static const std::vector<std::string> kinds{"launch", "memory", "gemm", "slowdown"};
  ComputeChoice choice;
  choice.processor = *choice_option(values, "processor", processors);
  const auto request = names_option(values, "kind", "kind", kinds);
  choice.has_gemm = takes(request, "gemm");
  choice.has_memory = takes(request, "memory");
  choice.has_launch = takes(request, "launch");
  choice.has_slowdown = takes(request, "slowdown");
  if (const auto types = text_option(values, "type")) choice.types = split_list(*types);
  if (choice.has_gemm) choice.shapes = shapes_requested(values);
  choice.sizes = sizes_option(values, "sizes");
  const char* cube = choice.processor == Processors::Gpu ? "8192x8192x8192" : "1024x1024x1024";
  choice.beside_shape =
      parse_shape(text_option(values, "beside-shape").value_or(cube), "--beside-shape");
  choice.beside_bytes = quantity_option<Bytes>(values, "beside-size")->base();
  return std::make_unique<ComputeTask>(std::move(choice));
}

}  // namespace tofn::bench
