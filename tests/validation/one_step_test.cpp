#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/scale_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/blocks/csv_rows.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/records.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/sweep/row_maker.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/temporary_folder.hpp"

// Tests that every command gives the same run the same step.
using namespace tofn;
using namespace tofn::test;

namespace {

/// A published run and the number of its row.
struct RequestedRun {
  std::size_t row = 0;
  RunDescription run;

  std::string text() const {
    return fmt::format("{} on {} x {}, batch {}, release '{}'", run.workload->name,
                       run.plan.accelerators(), run.cluster->name, run.plan.global_batch(),
                       run.settings.software_release);
  }
};

/// Runs on the most accelerators of each workload, split and release whose cluster is a shipped
/// file, because commands have no other name for it.
std::vector<RequestedRun> requested_runs(const Library& library,
                                         const std::vector<ResolvedRow>& table) {
  using Kind = std::tuple<std::string, int, int, std::string>;
  std::map<Kind, RequestedRun> largest;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!table[i].run) continue;
    const RunDescription& run = *table[i].run;
    if (library.find_cluster(run.cluster->name) != run.cluster) continue;
    RequestedRun& requested =
        largest[{run.workload->name, run.plan.tensor_parallel_size, run.plan.context_parallel_size,
                 run.settings.software_release}];
    if (requested.run.workload == nullptr ||
        run.plan.accelerators() > requested.run.plan.accelerators())
      requested = {i, run};
  }
  std::vector<RequestedRun> runs;
  for (const auto& [kind, requested] : largest) runs.push_back(requested);
  return runs;
}

/// The five commands, called as users call them.
class Commands {
 public:
  Commands() {
    std::vector<ResolvedRow> table = shipped.resolved(default_published_table(configs));
    runs = requested_runs(shipped.library(), table);
    compared_ = answer_of("compare", {});
    REQUIRE(compared_.rows() == table.size());
  }

  double compare(const RequestedRun& requested) const {
    return std::stod(compared_.at(requested.row, "step_s"));
  }
  double predict(const RequestedRun& requested) const { return from_runs(requested, "predict"); }
  double step(const RequestedRun& requested) const { return from_runs(requested, "step"); }

  double scale(const RequestedRun& requested) const {
    const Plan& plan = requested.run.plan;
    const OpenDescription open{.workload = requested.run.workload,
                               .cluster = requested.run.cluster,
                               .settings = requested.run.settings,
                               .runs = requested.run.runs,
                               .tensor_parallel_size = plan.tensor_parallel_size,
                               .context_parallel_size = plan.context_parallel_size,
                               .gradient_accumulation = plan.gradient_accumulation};
    ScaleRequest scaled;
    scaled.sizes = {plan.accelerators()};
    scaled.batch = plan.global_batch();
    const ScaleAnswer answer =
        scale_answer({.of = WorkloadRun{.open = open, .calibration = calibration}}, scaled);
    return answer.main->points.at(0).step.total.base();
  }

  /// True for the newest release, because sweeps know no other.
  bool sweeps(const RequestedRun& requested) const {
    const RunDescription& run = requested.run;
    return run.settings.software_release ==
           newest_release(calibration, *run.workload, run.cluster->accelerator);
  }
  double sweep(const RequestedRun& requested) {
    const Plan& plan = requested.run.plan;
    write("sweep.yaml",
          fmt::format("name: test\ntitle: a test\n"
                      "base:\n  workload: {}\n  cluster: {}\n  plan: {}\n  batch: {}\n"
                      "axes:\n  - path: accelerators\n    values: [{}]\ncolumns: [step_s]\n",
                      requested.run.workload->name, requested.run.cluster->name,
                      plan_file(requested), plan.global_batch(), plan.accelerators()));
    const Sweep sweep = load_sweep(folder_.file("sweep.yaml"));
    const SweepSources sources(sweep, configs, shipped.library(), &calibration);
    const RowLayout layout = layout_of(sources);
    return std::stod(csv_cells(RowMaker(sources, layout).rows(0, 1)).at(2));
  }

  Shipped shipped{configs};
  const Calibration& calibration = shipped.calibration();
  std::vector<RequestedRun> runs;

 private:
  static CsvTable answer_of(const std::string& name, std::vector<std::string> words) {
    words.insert(words.end(), {"--configs", configs.string(), "--format", "csv"});
    const Command& command = command_named(name);
    const CommandAnswer answer = command.run(parse_command(command, words));
    REQUIRE(answer.exit_code == 0);
    return CsvTable::parse(to_csv(answer.records), name);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
  }
  std::string plan_file(const RequestedRun& requested) const {
    const Plan& plan = requested.run.plan;
    write("plan.yaml",
          fmt::format("name: test\ntensor_parallel: {} [assumed]\n"
                      "context_parallel: {} [assumed]\ngradient_accumulation: {}\n{}",
                      plan.tensor_parallel_size, plan.context_parallel_size,
                      plan.gradient_accumulation, run_settings_yaml(requested.run.settings)));
    return folder_.file("plan.yaml");
  }
  double from_runs(const RequestedRun& requested, const char* command) const {
    const RunDescription& run = requested.run;
    std::vector<std::string> words{run.workload->name,
                                   run.cluster->name,
                                   "-N",
                                   std::to_string(run.plan.accelerators()),
                                   "--batch",
                                   fmt::format("{}", run.plan.global_batch()),
                                   "--plan",
                                   plan_file(requested)};
    if (!run.settings.software_release.empty()) {
      words.emplace_back("--release");
      words.push_back(run.settings.software_release);
    }
    return std::stod(answer_of(command, words).at(0, "step_s"));
  }

  TemporaryFolder folder_;
  CsvTable compared_;
};

}  // namespace

TEST_CASE("compare, predict, step, scale and sweep agree about the step of a published run") {
  constexpr double tolerance = 1e-3;
  Commands commands;
  std::map<std::string, int> swept;
  for (const RequestedRun& requested : commands.runs) {
    INFO(requested.text());
    const double step = commands.compare(requested);
    CHECK_THAT(commands.predict(requested), WithinRel(step, tolerance));
    CHECK_THAT(commands.step(requested), WithinRel(step, tolerance));
    CHECK_THAT(commands.scale(requested), WithinRel(step, tolerance));
    if (!commands.sweeps(requested)) continue;
    CHECK_THAT(commands.sweep(requested), WithinRel(step, tolerance));
    ++swept[requested.run.workload->name];
  }
  CHECK(commands.runs.size() >= 10);
  CHECK(swept.size() == 4);  // every workload
}
