#include <algorithm>
#include <functional>
#include <tuple>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/calibrate_report.hpp"

namespace tofn {
inline namespace app {

CommandLine calibrate_command_line() {
  CommandLine line{.usage = "calibrate FILE...|--steps LOG... -o NAME.yaml [OPTIONS]",
                   .examples =
                       "  tofn calibrate all_reduce.txt -o my-machine.yaml\n"
                       "  tofn calibrate 1x8.txt 2x8.txt 4x8.txt -o h100.yaml --cluster dgx-h100\n"
                       "  tofn calibrate osu.log --ranks 64 --nodes 8 -o cpu.yaml\n"
                       "  tofn calibrate --steps train.log --workload bert --cluster dgx-h100 -o "
                       "my-node.yaml\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("file", options::value<std::vector<std::string>>(),
       "logs of benchmarks, files of NCCL Inspector, records of tofn-bench, calibrations")        //
      ("collective", options::value<std::string>(), "where the logs do not state it")             //
      ("ranks", options::value<std::string>(), "where the logs do not state them")                //
      ("nodes", options::value<std::string>(), "where the logs do not state them")                //
      ("type", options::value<std::string>(), "of the elements, where the logs do not state it")  //
      ("name", options::value<std::string>(), "of the calibration (the output's name)")           //
      ("description", options::value<std::string>(), "who measured what, when")                   //
      ("machine", options::value<std::string>(), "accelerator and network, in words")             //
      ("cluster", options::value<std::string>(), "the one of `tofn list clusters` that it is");
  line.description.add_options()("stacks", options::value<std::string>(),
                                 "a folder for the files of configs/stacks, their figures fitted "
                                 "again to the steps of configs/measured")  //
      ("explain-calibration", options::bool_switch(),
       "with --stacks: the steps that moved each figure most")  //
      ("fabrics", options::value<std::string>(),
       "a folder for the files of configs/fabrics, their factors fitted again to the tables of "
       "configs/calibrations");
  add_step_options(line.description);
  line.positional.add("file", -1);
  return line;
}

namespace {

LogHints hints_of(const options::variables_map& values) {
  return {.collective = choice_option(values, "collective", collective_kinds),
          .ranks = count_option(values, "ranks"),
          .nodes = count_option(values, "nodes"),
          .type = text_option(values, "type").value_or("")};
}

/// All tables under the names of their files, in order of collective and size of the job. What a
/// file says amiss goes to standard error, and `all_read` becomes false. `require` throws where one
/// is of another machine.
std::vector<CollectiveTable> read_all(const options::variables_map& values,
                                      const std::function<void(const std::string&)>& require,
                                      bool& all_read) {
  if (values.count("file") == 0)
    throw InputError("calibrate needs a file, e.g. `tofn calibrate all_reduce.txt -o my.yaml`");
  const LogHints hints = hints_of(values);
  std::vector<CollectiveTable> tables;
  for (const std::string& file : values["file"].as<std::vector<std::string>>()) {
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
  std::stable_sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
    return std::tie(a.collective, a.nodes, a.ranks) < std::tie(b.collective, b.nodes, b.ranks);
  });
  return tables;
}

CollectiveCalibration calibration_of(const options::variables_map& values,
                                     const CommonOptions& common, const Cluster* cluster) {
  CollectiveCalibration calibration{
      .name = text_option(values, "name").value_or(common.output.stem().string()),
      .description = text_option(values, "description").value_or("not stated"),
      .machine = text_option(values, "machine").value_or("not stated"),
      .cluster = cluster == nullptr ? "" : cluster->name,
      .tables = {}};
  return calibration;
}

/// Drops the tables that no machine, or not this cluster, can have given, with a line on standard
/// error each; whether there were none.
bool drop_impossible(std::vector<CollectiveTable>& tables, const Cluster* cluster) {
  const std::size_t before = tables.size();
  std::erase_if(tables, [&](const CollectiveTable& table) {
    const std::string problem = impossibility_of(table, cluster);
    if (!problem.empty()) say(fmt::format("{}: {}", table.file, problem));
    return !problem.empty();
  });
  return tables.size() == before;
}

}  // namespace

CommandAnswer run_calibrate(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  if (values.count("steps") > 0) return calibrate_steps(values, common);
  const bool explains = values["explain-calibration"].as<bool>();
  if (explains && values.count("stacks") == 0)
    throw InputError({}, "--explain-calibration", "changes nothing without --stacks");
  for (const std::string key : {"stacks", "fabrics"}) {
    const auto folder = text_option(values, key.c_str());
    if (!folder) continue;
    for (const auto& [name, value] : values)
      if (name != key && name != "configs" && name != "explain-calibration" && !value.defaulted())
        throw InputError({}, "--" + name, "changes nothing with --" + key);
    return key == "stacks" ? calibrate_stacks(common, *folder, explains)
                           : calibrate_fabrics(common, *folder);
  }
  refuse_idle_options(values, collectives_calibrated);
  const std::filesystem::path output = profile_output(common);
  Library library = Library::load(common.configs);
  const auto name = text_option(values, "cluster");
  const Cluster* cluster = name ? &library.cluster(*name) : nullptr;
  CollectiveCalibration calibration = calibration_of(values, common, cluster);
  bool all_read = true;
  const auto require = [&](const std::string& file) {
    if (cluster != nullptr) require_machine_of_log(*cluster, file, library);
  };
  calibration.tables = read_all(values, require, all_read);
  if (!drop_impossible(calibration.tables, cluster)) all_read = false;
  if (calibration.tables.empty()) throw InputError("no table was read; nothing is written");
  const std::vector<FittedTable> fitted = fit_tables(calibration.tables);
  write_text_file_atomically(output, to_yaml(calibration));
  const std::size_t count = fitted.size();
  const std::string written =
      fmt::format("{}: {} {} written\n", output.string(), count, count == 1 ? "table" : "tables");
  return {.text = calibrate_text(fitted, reach_of(cluster)) + written,
          .records = calibrate_records(fitted),
          .exit_code = all_read ? 0 : 2,
          .output_is_taken = true};
}

}  // namespace app
}  // namespace tofn
