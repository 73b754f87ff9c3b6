#include <fmt/format.h>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/option_lists.hpp"
#include "microbench/collective/collective_sweep.hpp"

namespace tofn::bench {
namespace {

constexpr auto backends = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"nccl", "nccl"}, {"mpi", "mpi"}});
constexpr auto memories = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"host", "host"}, {"device", "device"}});

class CollectiveTask : public Task {
 public:
  CollectiveTask(BackendChoice choice, CollectiveSweep sweep)
      : choice_(std::move(choice)), sweep_(std::move(sweep)) {}
  bool needs_mpi() const override { return choice_.name == "mpi"; }
  bool uses_gpus() const override { return choice_.name == "nccl" || choice_.memory == "device"; }
  int most_points() const override { return bench::most_points(sweep_); }
  void run(Lab& lab, Rig& rig) override {
    std::unique_ptr<Backend> backend;
    lab.on_each_rank("opening " + choice_.name, [&] { backend = rig.backend(choice_); });
    bench::run(lab, *backend, sweep_);
  }

 private:
  BackendChoice choice_;
  CollectiveSweep sweep_;
};

/// The result of `find` for each name of an option.
template <class Find>
auto each_of(const std::vector<std::string>& names, Find find) {
  std::vector<decltype(find(std::string{}))> found;
  for (const std::string& name : names) found.push_back(find(name));
  return found;
}

template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& each : table) names.emplace_back(each.name);
  return names;
}

std::vector<GroupKind> groups_requested(const options::variables_map& values) {
  std::vector<std::string> valid;
  for (const auto& [name, kind] : group_kinds) valid.emplace_back(name);
  std::vector<GroupKind> kinds;
  for (const std::string& request : names_option(values, "group", "group", valid))
    for (const auto& [name, kind] : group_kinds)
      if (name == request) kinds.push_back(kind);
  return kinds;
}

std::vector<const Operation*> operations_requested(const options::variables_map& values) {
  auto valid = names_of(operations());
  const bool all = values["op"].as<std::string>() == "all";
  if (!all) valid.emplace_back("all");  // as a choice in an error
  return each_of(all ? valid : names_option(values, "op", "operation", valid),
                 [](const std::string& name) { return &operation(name); });
}

std::vector<double> sizes_of(const options::variables_map& values) {
  if (values.count("sizes") > 0) {
    for (const char* idle : {"min-size", "max-size", "factor"})
      if (!values[idle].defaulted())
        throw InputError({}, fmt::format("--{}", idle), "changes nothing with --sizes");
    return sizes_option(values, "sizes");
  }
  const double least = quantity_option<Bytes>(values, "min-size")->base();
  const double most = quantity_option<Bytes>(values, "max-size")->base();
  const int factor = count_option(values, "factor", 1024).value();
  if (factor < 2) throw InputError({}, "--factor", "must be at least 2");
  if (most < least) throw InputError({}, "--max-size", "is below --min-size");
  std::vector<double> sizes;
  for (double size = least; size <= most; size *= factor) sizes.push_back(size);
  return sizes;
}

std::vector<bool> places_of(const options::variables_map& values) {
  static constexpr std::array<std::pair<std::string_view, int>, 3> names{
      {{"out", 0}, {"in", 1}, {"both", 2}}};
  const int place = choice_option(values, "place", names).value();
  if (place == 2) return {false, true};
  return {place == 1};
}

constexpr auto collective_options = std::to_array<AnyOption>(
    {{.name = "backend",
      .help = "nccl (GPUs) or mpi (host memory, or device memory where MPI is CUDA-aware)",
      .is_required = true},
     {.name = "op",
      .help = "all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, send-receive-ring, "
              "send-receive-pairs, or all",
      .default_text = "all-reduce"},
     {.name = "min-size",
      .help = "as nccl-tests counts it: the larger of a rank's send and receive buffers",
      .default_text = "8 B"},
     {.name = "max-size", .help = "see --min-size", .default_text = "64 MiB"},
     {.name = "factor", .help = "from one size to the next", .default_text = "2"},
     {.name = "sizes", .help = "these instead, e.g. 8B,1KiB,25MiB"},
     {.name = "type",
      .help = "fp32, fp16, bf16, fp8_e4m3, fp8_e5m2, int32",
      .default_text = "fp32"},
     {.name = "group",
      .help =
          "world (all ranks), node (the ranks of each node), leaders (one rank per node), rails "
          "(the "
          "i-th ranks of all nodes, all at the same time)",
      .default_text = "world"},
     {.name = "place", .help = "out, in or both", .default_text = "both"},
     {.name = "memory", .help = "host or device (mpi)", .default_text = "host"},
     {.name = "cuda-graph",
      .help = "replay the calls as a CUDA graph (nccl)",
      .takes = Takes::Nothing},
     {.name = "register",
      .help = "register the buffers with the library (nccl)",
      .takes = Takes::Nothing},
     {.name = "symmetric",
      .help =
          "buffers in a window of symmetric memory, as NCCL 2.28 has it within a domain of NVLink "
          "(nccl)",
      .takes = Takes::Nothing},
     {.name = "device-api",
      .help =
          "all-reduce, reduce-scatter and all-gather by a kernel of tofn-bench's own over NCCL's "
          "device API (NCCL 2.28), in symmetric memory; GPUs of one domain of NVLink (nccl)",
      .takes = Takes::Nothing},
     {.name = "cold",
      .help =
          "write what is sent before each call, outside the clock, as a backward pass does (mpi)",
      .takes = Takes::Nothing}});

}  // namespace

const CommandLine& collective_line() {
  static const CommandLine line{
      "collective --backend nccl|mpi [OPTIONS]",
      "  mpirun -np 2 tofn-bench collective --backend mpi\n"
      "  mpirun -np 16 tofn-bench collective --backend nccl --op all_reduce --max-size 4GiB "
      "-o two-nodes.json\n"
      "  mpirun -np 16 tofn-bench collective --backend nccl --group world,rails --type "
      "bf16\n",
      rows_for(collective_options)};
  return line;
}

std::unique_ptr<Task> read_collective(const options::variables_map& values) {
  BackendChoice choice{.name = std::string(*choice_option(values, "backend", backends)),
                       .memory = std::string(*choice_option(values, "memory", memories)),
                       .cuda_graph = is_given(values, "cuda-graph"),
                       .registered = is_given(values, "register"),
                       .symmetric = is_given(values, "symmetric"),
                       .device_api = is_given(values, "device-api")};
  const bool has_windows = choice.symmetric || choice.device_api;
  if (choice.name == "mpi" && (choice.cuda_graph || choice.registered || has_windows))
    throw InputError(
        "--cuda-graph, --register, --symmetric and --device-api are for the nccl backend");
  if (choice.registered && has_windows)
    throw InputError("--register excludes --symmetric and --device-api: a window is registered");
  CollectiveSweep sweep;
  sweep.is_cold = is_given(values, "cold");
  if (choice.name == "nccl" && sweep.is_cold) throw InputError("--cold is for the mpi backend");
  sweep.operations = operations_requested(values);
  sweep.types = each_of(split_list(values["type"].as<std::string>()),
                        [](const std::string& name) { return &element_type(name, "--type"); });
  if (sweep.types.empty()) throw InputError({}, "--type", "expected at least one type");
  sweep.groups = groups_requested(values);
  sweep.in_place = places_of(values);
  sweep.sizes = sizes_of(values);
  return std::make_unique<CollectiveTask>(std::move(choice), std::move(sweep));
}

}  // namespace tofn::bench
