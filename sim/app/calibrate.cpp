#include <algorithm>
#include <iostream>
#include <tuple>

#include <fmt/format.h>

#include "sim/app/calibrate_report.hpp"
#include "sim/app/collective_tables.hpp"
#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
namespace {

CommandLine command_line() {
  CommandLine line{.usage = "calibrate FILE... -o NAME.yaml [OPTIONS]",
                   .examples =
                       "  tofn calibrate all_reduce.txt -o my-machine.yaml\n"
                       "  tofn calibrate 1x8.txt 2x8.txt 4x8.txt -o h100.yaml --cluster dgx-h100\n"
                       "  tofn calibrate osu.log --ranks 64 --nodes 8 -o cpu.yaml\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("file", options::value<std::vector<std::string>>(),
       "logs of benchmarks, records of tofn-bench, calibrations")                        //
      ("collective", options::value<std::string>(), "where the logs do not say")         //
      ("ranks", options::value<std::string>(), "likewise")                               //
      ("nodes", options::value<std::string>(), "likewise")                               //
      ("type", options::value<std::string>(), "of the elements; likewise")               //
      ("name", options::value<std::string>(), "of the calibration (the output's name)")  //
      ("description", options::value<std::string>(), "who measured what, when")          //
      ("machine", options::value<std::string>(), "accelerator and network, in words")    //
      ("cluster", options::value<std::string>(), "the one of `tofn list clusters` that it is");
  line.positional.add("file", -1);
  return line;
}

LogHints hints_of(const options::variables_map& values) {
  return {.collective = choice_option(values, "collective", collective_kinds),
          .ranks = count_option(values, "ranks"),
          .nodes = count_option(values, "nodes"),
          .type = text_option(values, "type").value_or("")};
}

/// All tables under the names of their files, in order of collective and size of the job. What a
/// file says amiss goes to standard error, and `all_read` becomes false.
std::vector<CollectiveTable> read_all(const options::variables_map& values, bool& all_read) {
  if (values.count("file") == 0)
    throw InputError("calibrate needs a file, e.g. `tofn calibrate all_reduce.txt -o my.yaml`");
  const LogHints hints = hints_of(values);
  std::vector<CollectiveTable> tables;
  for (const std::string& file : values["file"].as<std::vector<std::string>>()) {
    try {
      const LogReading reading = read_collective_tables(file, hints);
      for (const std::string& remark : reading.remarks) std::cerr << "tofn: " << remark << '\n';
      tables.insert(tables.end(), reading.tables.begin(), reading.tables.end());
    } catch (const InputError& error) {
      all_read = false;
      std::cerr << "tofn: " << error.what() << '\n';
    }
  }
  for (CollectiveTable& table : tables)
    table.file = std::filesystem::path(table.file).filename().string();
  std::stable_sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) {
    return std::tie(a.collective, a.nodes, a.ranks) < std::tie(b.collective, b.nodes, b.ranks);
  });
  return tables;
}

std::filesystem::path output_of(const CommonOptions& common) {
  if (common.output.extension() != ".yaml")
    throw InputError({}, "--output",
                     "calibrate needs the file to write, e.g. `-o my-machine.yaml`");
  return common.output;
}

CollectiveCalibration calibration_of(const options::variables_map& values,
                                     const CommonOptions& common) {
  CollectiveCalibration calibration{
      .name = text_option(values, "name").value_or(common.output.stem().string()),
      .description = text_option(values, "description").value_or("not stated"),
      .machine = text_option(values, "machine").value_or("not stated"),
      .cluster = text_option(values, "cluster").value_or(""),
      .tables = {}};
  if (!calibration.cluster.empty())
    calibration.cluster = Library::load(common.configs).cluster(calibration.cluster).name;
  return calibration;
}

}  // namespace

int run_calibrate(const std::vector<std::string>& words) {
  const auto values = parse(command_line(), words);
  if (!values) return 0;
  CommonOptions common = read_common(*values);
  const std::filesystem::path output = output_of(common);
  CollectiveCalibration calibration = calibration_of(*values, common);
  bool all_read = true;
  calibration.tables = read_all(*values, all_read);
  if (calibration.tables.empty()) throw InputError("no table was read; nothing is written");
  std::vector<FittedTable> fitted;
  for (const CollectiveTable& table : calibration.tables)
    fitted.push_back({table, fit_curve(table)});
  write_text_file_atomically(output, to_yaml(calibration));
  common.output.clear();  // the calibration took it; the answer goes to standard output
  const std::size_t count = fitted.size();
  const std::string written =
      fmt::format("{}: {} {} written\n", output.string(), count, count == 1 ? "table" : "tables");
  write_answer(common, calibrate_text(fitted) + written, calibrate_records(fitted));
  return all_read ? 0 : 2;
}

}  // namespace tofn
