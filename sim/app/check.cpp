#include <iostream>

#include <fmt/format.h>

#include "sim/answers/check_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"

namespace tofn {
namespace {

CommandLine command_line() {
  CommandLine line{.usage = "check FILE...",
                   .examples =
                       "  tofn check my-cluster.yaml\n"
                       "  tofn check configs/*/*.yaml configs/published/*.csv\n"
                       "  tofn check my-results.csv --format csv\n"
                       "  tofn check my-record.json\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("file", options::value<std::vector<std::string>>(),
       "YAML of any kind that tofn reads; CSV table of published results; JSON record of "
       "tofn-bench");
  line.positional.add("file", -1);
  return line;
}

/// What stands of a file: its kind, or what is wrong with it.
struct CheckedFile {
  std::string file;
  std::optional<std::string> kind, problem;
};

Columns<CheckedFile> columns() {
  return {{"file", &CheckedFile::file},
          {"kind", &CheckedFile::kind},
          {"ok", [](const CheckedFile& each) { return !each.problem; }},
          {"problem", &CheckedFile::problem}};
}

}  // namespace

int run_check(const std::vector<std::string>& words) {
  const auto values = parse(command_line(), words);
  if (!values) return 0;
  if (values->count("file") == 0)
    throw InputError("check needs a file, e.g. `tofn check my-cluster.yaml`");
  const CommonOptions common = read_common(*values);
  FileChecker checker(common.configs);
  std::vector<CheckedFile> checked;
  std::string text;
  bool all_ok = true;
  for (const std::string& file : (*values)["file"].as<std::vector<std::string>>()) {
    FileReport report;
    try {
      report = checker.check(file);
      text += fmt::format("{}: ok ({}{})\n", file, report.kind, report.summary);
      for (const std::string& note : report.notes) text += fmt::format("  {}\n", note);
      checked.push_back({file, report.kind, {}});
    } catch (const InputError& error) {
      all_ok = false;
      std::cerr << "tofn: " << error.what() << '\n';
      checked.push_back({file, {}, error.what()});
    }
  }
  write_answer(common, text, records_of(columns(), checked));
  return all_ok ? 0 : 2;
}

}  // namespace tofn
