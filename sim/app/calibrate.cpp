#include <algorithm>
#include <functional>
#include <tuple>

#include <fmt/format.h>

#include "sim/answers/link_families_answer.hpp"
#include "sim/answers/stacks_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/words.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "sim/report/calibrate_report.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace app {

namespace option {

constexpr Text type{{"type", "type of the elements, if the logs do not state it"}};
constexpr Text description{{"description", "description in words: who measured what, when"}};
constexpr Text machine{{"machine", "machine in words: accelerator and network"}};
constexpr Text stacks{{"stacks",
                       "a folder for the files of configs/stacks, their figures fitted again to "
                       "the steps of configs/measured"}};
constexpr AnyOption explain_calibration{
    "explain-calibration", "steps that moved each figure most, with --stacks", Takes::Nothing};
constexpr Text fabrics{{"fabrics",
                        "a folder for the files of configs/fabrics, their factors fitted again to "
                        "the tables of configs/calibrations"}};

}  // namespace option

CommandOptions calibrate_rows() {
  constexpr Jobs of_steps = workload_steps | model_steps;
  return joined(
      {{{&option::files,
         collectives_calibrated | of_steps,
         "logs of benchmarks, files of NCCL Inspector, records of tofn-bench, calibrations",
         {},
         -1},
        {&option::collective, collectives_calibrated, "collective, if the logs do not state it"},
        {&option::ranks, collectives_calibrated, "ranks, if the logs do not state them"},
        {&option::nodes, collectives_calibrated, "nodes, if the logs do not state them"},
        {&option::type, collectives_calibrated},
        {&option::name, collectives_calibrated | of_steps,
         "name of the calibration (default: the output's)"},
        {&option::description, collectives_calibrated},
        {&option::machine, collectives_calibrated},
        {&option::cluster, collectives_calibrated | of_steps,
         "cluster that was measured, one of `tofn list clusters`"},
        {&option::stacks, stacks_fitted},
        {&option::explain_calibration, stacks_fitted | fabrics_fitted},
        {&option::fabrics, fabrics_fitted}},
       step_log_rows()});
}

CommandLine calibrate_command_line() {
  return {"calibrate FILE...|--steps LOG... -o NAME.yaml [OPTIONS]",
          "  tofn calibrate all_reduce.txt -o my-machine.yaml\n"
          "  tofn calibrate 1x8.txt 2x8.txt 4x8.txt -o h100.yaml --cluster dgx-h100\n"
          "  tofn calibrate osu.log --ranks 64 --nodes 8 -o cpu.yaml\n"
          "  tofn calibrate --steps train.log --workload bert --cluster dgx-h100 -o "
          "my-node.yaml\n",
          calibrate_rows()};
}

namespace {

LogHints hints_of(const options::variables_map& values) {
  return {.collective = option::collective.of(values),
          .ranks = option::ranks.of(values),
          .nodes = option::nodes.of(values),
          .type = option::type.of(values).value_or("")};
}

/// Reads the tables of all files, sorted by collective, nodes and ranks. A file that cannot be read
/// is reported on standard error, and `all_read` becomes false. `require` throws InputError if a
/// file is from another machine.
std::vector<CollectiveTable> read_all(const options::variables_map& values,
                                      const std::function<void(const std::string&)>& require,
                                      bool& all_read) {
  if (!option::files.is_given(values))
    throw InputError("calibrate needs a file, e.g. `tofn calibrate all_reduce.txt -o my.yaml`");
  const LogHints hints = hints_of(values);
  std::vector<CollectiveTable> tables;
  for (const std::string& file : option::files.of(values)) {
    try {
      require(file);
      const LogReading reading = read_collective_tables(file, hints);
      for (const std::string& remark : reading.remarks) say(remark);
      tables.insert(tables.end(), reading.tables.begin(), reading.tables.end());
    } catch (const InputError& error) {
      all_read = false;
      say(error.what());
    }
  }
  for (CollectiveTable& table : tables)
    table.file = file_label(std::filesystem::path(table.file).filename());
  std::ranges::stable_sort(tables, [](const auto& a, const auto& b) {
    return std::tie(a.collective, a.nodes, a.ranks) < std::tie(b.collective, b.nodes, b.ranks);
  });
  return tables;
}

CollectiveCalibration calibration_of(const options::variables_map& values,
                                     const CommonOptions& common, const Cluster* cluster) {
  CollectiveCalibration calibration{
      .name = option::name.of(values).value_or(common.output.stem().string()),
      .description = option::description.of(values).value_or("not stated"),
      .machine = option::machine.of(values).value_or("not stated"),
      .cluster = cluster == nullptr ? "" : cluster->name,
      .tables = {}};
  return calibration;
}

/// Drops tables that no machine, or not this cluster, can have produced, and reports each of them
/// on standard error. Returns true if there were none.
bool drop_impossible(std::vector<CollectiveTable>& tables, const Cluster* cluster) {
  const std::size_t before = tables.size();
  std::erase_if(tables, [&](const CollectiveTable& table) {
    const std::string problem = impossibility_of(table, cluster);
    if (!problem.empty()) say(fmt::format("{}: {}", table.file, problem));
    return !problem.empty();
  });
  return tables.size() == before;
}

/// `tofn calibrate --stacks`: fits the figures of configs/stacks again, and writes the files to
/// this folder. `explains` adds the steps that moved each figure most.
CommandAnswer calibrate_stacks(const CommonOptions& common, const std::filesystem::path& folder,
                               bool explains) {
  const auto stacks = explained_stacks(common.configs);
  std::vector<KernelProfile> learned;
  for (const ExplainedStack& stack : stacks) {
    learned.push_back(stack.learned);
    const std::string name = stack.learned.name + ".yaml";
    write_into_folder(folder / name,
                      relearned_text(common.configs / "stacks" / name, stack.learned));
  }
  return {.text = explains ? explained_text(stacks) : stacks_text(learned)};
}

/// `tofn calibrate --fabrics`: the same of configs/fabrics.
CommandAnswer calibrate_fabrics(const CommonOptions& common, const std::filesystem::path& folder) {
  const auto families = relearned_families(common.configs);
  for (const LinkFamily& family : families) {
    const std::string name = family.name + ".yaml";
    write_into_folder(folder / name, relearned_text(common.configs / "fabrics" / name, family));
  }
  return {.text = list_fabrics(families).text};
}

}  // namespace

CommandAnswer run_calibrate(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  if (option::logs_of_steps.is_given(values)) return calibrate_steps(values, common);
  const bool explains = option::explain_calibration.is_given(values);
  const auto stacks = option::stacks.of(values);
  const auto fabrics = option::fabrics.of(values);
  if (explains && !stacks)
    throw InputError({}, option::explain_calibration.flag(), "changes nothing without --stacks");
  refuse_idle_options(values, calibrate_rows(),
                      stacks    ? stacks_fitted
                      : fabrics ? fabrics_fitted
                                : collectives_calibrated);
  if (stacks) return calibrate_stacks(common, *stacks, explains);
  if (fabrics) return calibrate_fabrics(common, *fabrics);
  const std::filesystem::path output = profile_output(common);
  Library library = Library::load(common.configs);
  const auto name = option::cluster.of(values);
  const Cluster* cluster = name ? &library.cluster(*name) : nullptr;
  CollectiveCalibration calibration = calibration_of(values, common, cluster);
  bool all_read = true;
  const auto require = [&](const std::string& file) {
    if (cluster != nullptr) require_machine_of_log(*cluster, file, library);
  };
  calibration.tables = read_all(values, require, all_read);
  if (!drop_impossible(calibration.tables, cluster)) all_read = false;
  if (calibration.tables.empty()) throw InputError("no table was read; nothing is written");
  if (const std::string twice = measured_twice(calibration.tables); !twice.empty())
    throw InputError(twice);
  const std::vector<FittedTable> fitted = fit_tables(calibration.tables);
  write_text_file_atomically(output, to_yaml(calibration));
  return written_profile(calibrate_text(fitted, reach_of(cluster)), calibrate_records(fitted),
                         output, counted(fitted.size(), "table"), all_read);
}

CommandAnswer written_profile(const std::string& text, Records records,
                              const std::filesystem::path& output, const std::string& rows,
                              bool all_read) {
  return {.text = fmt::format("{}{}: {} written\n", text, output.string(), rows),
          .records = std::move(records),
          .exit_code = all_read ? 0 : 2,
          .output_is_taken = true};
}

}  // namespace app
}  // namespace tofn
