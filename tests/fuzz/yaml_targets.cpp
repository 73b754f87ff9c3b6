// One row for each kind of YAML file, and of JSON files read as YAML.
#include <cmath>
#include <functional>

#include "sim/collectives/algorithm.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/load_price_list.hpp"
#include "sim/config/load_quote.hpp"
#include "sim/config/load_record.hpp"
#include "sim/config/load_run.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/diagnosis/machine_lint.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/published/quote.hpp"
#include "sim/starter/starters.hpp"
#include "sim/sweep/sweep_file.hpp"
#include "sim/yaml/file_format.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/shipped_configs.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

void require_amount(double amount, const char* what) {
  require(std::isfinite(amount) && amount > 0, what);
}

void accelerator(const std::string& path) {
  const Accelerator read = load_accelerator(path);
  require_amount(read.memory.value.base(), "it has memory");
  faults_of(read);
}

void cluster(const std::string& path) {
  const Cluster read = load_cluster(path, shipped_accelerators(), shipped_families());
  faults_of(read);
  only_input_errors(
      [&] {
        for (const int count : {1, 2, 2 * read.accelerators_per_node.value}) {
          const Cost cost =
              collective_cost(CollectiveKind::AllReduce, Bytes(1 << 20),
                              place({.stride = 1, .count = count}, read, count), false);
          require(std::isfinite(cost.time.base()) && cost.time.base() >= 0, "it takes time");
        }
      },
      "");
}

void model(const std::string& path) {
  const Model read = load_model(path);
  require_amount(parameters(read), "it has parameters");
  require(active_parameters(read) <= parameters(read), "no more are active");
  only_input_errors([&] { require(!model_starter(read, "mine").empty(), "it is written"); }, "");
}

void plan(const std::string& path) {
  const StatedPlan read = load_plan(path);
  constexpr int accelerators = 64;
  constexpr double batch = 128;
  only_input_errors(
      [&] {
        require(plan_on(read, accelerators, batch).accelerators() == accelerators, "it takes all");
      },
      "");
}

void run(const std::string& path) {
  const StatedRun read = load_run(path, default_configs());
  require(std::isfinite(read.tokens()) && read.tokens() >= 0, "tokens are finite");
  require_amount(read.samples(), "it trains");
}

/// Writes what was read and reads it again: writing once more must give the same text.
template <class Thing, Thing (*load)(const std::filesystem::path&), class Write>
void written_again(const std::string& path, const Write& write) {
  static const MemoryFile second;
  const std::string text = write(load(path));
  second.hold(text);
  require(write(load(second.path())) == text, "it reads back as it was");
}

void calibration(const std::string& path) {
  written_again<CollectiveCalibration, load_calibration>(
      path, [](const CollectiveCalibration& each) { return to_yaml(each); });
}

void step_profile(const std::string& path) {
  written_again<StepProfile, load_step_profile>(
      path, [](const StepProfile& each) { return to_yaml(each, "/proc/self/fd"); });
}

void model_steps(const std::string& path) {
  written_again<ModelSteps, load_model_steps>(
      path, [](const ModelSteps& each) { return to_yaml(each, "/proc/self/fd"); });
}

/// Checks that a text keeps its keys when it is upgraded to the newest format.
void upgraded(const std::string& text) {
  only_input_errors([&] {
    const YamlDocument before = parse_yaml(text, file);
    const YamlDocument after = parse_yaml(upgraded_text(text, file).text, file);
    require(before.root.entries.size() <= after.root.entries.size(), "no key is lost");
  });
}

Target yaml_target(const std::string& kind, std::function<void(const std::string& path)> load,
                   const std::string& seeds = {}) {
  return {.name = kind,
          .reads = "YAML: " + kind,
          .run =
              [load = std::move(load)](const std::string& text) {
                const std::string& path = path_with(text);
                only_input_errors([&] { load(path); }, path);
              },
          .shape = Shape::Yaml,
          .longest = 4096,
          .seeds = seeds};
}

}  // namespace

TargetTable yaml_targets() {
  return {
      yaml_target("accelerator", accelerator, "configs/accelerators"),
      yaml_target("cluster", cluster, "configs/clusters"),
      yaml_target(
          "workload", [](const std::string& path) { load_workload(path, default_configs()); },
          "configs/workloads"),
      yaml_target("model", model, "configs/models"),
      yaml_target("plan", plan, "configs/plans"),
      yaml_target("run", run, "configs/runs"),
      yaml_target(
          "stack", [](const std::string& path) { load_kernel_profile(path); }, "configs/stacks"),
      yaml_target(
          "quote", [](const std::string& path) { load_quote(path); }, "configs/quotes"),
      yaml_target(
          "fabric", [](const std::string& path) { load_link_family(path); }, "configs/fabrics"),
      yaml_target(
          "launcher", [](const std::string& path) { load_launcher(path, default_configs()); },
          "configs/launchers"),
      yaml_target("calibration", calibration, "configs/calibrations"),
      yaml_target("step_profile", step_profile),
      yaml_target("model_steps", model_steps),
      yaml_target(
          "sweep", [](const std::string& path) { load_sweep(path); }, "configs/sweeps"),
      yaml_target("price_list",
                  [](const std::string& path) { load_price_list(path, shipped_library()); }),
      yaml_target("record", [](const std::string& path) { load_record(path); }),
      {.name = "upgrade",
       .reads = "YAML of an older format",
       .run = upgraded,
       .shape = Shape::Yaml}};
}

}  // namespace tofn::fuzz
