
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/check_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/report/check_report.hpp"
#include "sim/yaml/file_format.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr AnyOption upgrade{
    "upgrade", "rewrites YAML of an older format as the newest has it, comments as they are",
    Takes::Nothing};
}  // namespace option

CommandLine check_command_line() {
  return {"check FILE...",
          "  tofn check my-cluster.yaml\n"
          "  tofn check configs/*/*.yaml configs/published/*.csv\n"
          "  tofn check my-results.csv --format csv\n"
          "  tofn check my-record.json\n"
          "  tofn check train.log nccl-tests.txt\n"
          "  tofn check --upgrade my-sweep.yaml\n",
          {{&option::files,
            every_job,
            "YAML of any kind that tofn reads; CSV table of published results; JSON "
            "record of tofn-bench; log of training or of collectives",
            {},
            -1},
           {&option::upgrade}}};
}

namespace {

void upgrade(const std::string& file) {
  const std::string before = read_text_file(file);
  const UpgradedText after = upgraded_text(before, file);
  if (after.text == before) return;
  write_text_file_atomically(file, after.text);
  say(fmt::format("{}: {}", file, fmt::join(after.changes, ", ")));
}

/// Checks a file, after upgrading it to the newest format if requested. An InputError becomes the
/// `problem` of the result.
CheckedFile checked(FileChecker& checker, const std::string& file, bool upgrades) try {
  if (upgrades) upgrade(file);
  return checker.checked(file);
} catch (const InputError& error) {
  return {.file = file, .content = {}, .problem = error.what()};
}

}  // namespace

CommandAnswer run_check(const options::variables_map& values) {
  if (!option::files.is_given(values))
    throw InputError("check needs a file, e.g. `tofn check my-cluster.yaml`");
  const CommonOptions common = read_common(values);
  FileChecker checker(common.configs);
  std::vector<CheckedFile> all;
  bool all_ok = true;
  for (const std::string& file : option::files.of(values)) {
    all.push_back(checked(checker, file, option::upgrade.is_given(values)));
    const auto& problem = all.back().problem;
    if (problem) say(*problem);
    all_ok = all_ok && !problem;
  }
  return {.text = check_text(all), .records = check_records(all), .exit_code = all_ok ? 0 : 2};
}

}  // namespace app
}  // namespace tofn
