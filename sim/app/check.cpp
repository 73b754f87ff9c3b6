#include <iostream>

#include "sim/answers/check_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/report/check_report.hpp"

namespace tofn {
inline namespace app {
namespace {

CommandLine command_line() {
  CommandLine line{.usage = "check FILE...",
                   .examples =
                       "  tofn check my-cluster.yaml\n"
                       "  tofn check configs/*/*.yaml configs/published/*.csv\n"
                       "  tofn check my-results.csv --format csv\n"
                       "  tofn check my-record.json\n"
                       "  tofn check train.log nccl-tests.txt\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()  //
      ("file", options::value<std::vector<std::string>>(),
       "YAML of any kind that tofn reads; CSV table of published results; JSON record of "
       "tofn-bench; log of training or of collectives");
  line.positional.add("file", -1);
  return line;
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
  bool all_ok = true;
  for (const std::string& file : (*values)["file"].as<std::vector<std::string>>()) {
    checked.push_back(checker.checked(file));
    const auto& problem = checked.back().problem;
    if (problem) std::cerr << "tofn: " << *problem << '\n';
    all_ok = all_ok && !problem;
  }
  write_answer(common, check_text(checked), check_records(checked));
  return all_ok ? 0 : 2;
}

}  // namespace app
}  // namespace tofn
