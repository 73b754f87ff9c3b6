#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/common_options.hpp"
#include "sim/core/records.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// What a command answers.
struct CommandAnswer {
  std::string text{};     ///< for people: the answer, on one screen
  std::string details{};  ///< for people: what stands behind it (`--details`)
  Records records{};      ///< for machines; without columns the text is all, whatever was asked for
  int exit_code = 0;
  /// For people where the text is not written: on standard error, as it is.
  std::string summary{};
  bool output_is_taken = false;  ///< the file of -o holds something else
  bool is_exact = false;         ///< the text is a file of its own, whose lines are not broken
};

/// One sub-command.
struct Command {
  std::string_view name;
  std::string_view summary;
  /// Its options; of `step` those that the job has which the words name first.
  CommandLine (*line)(const std::vector<std::string>& words);
  /// Mistakes of the user leave as InputError.
  CommandAnswer (*run)(const options::variables_map&);
  /// Options of its other kind of job, for manuals; null: there is none.
  CommandLine (*other_line)() = nullptr;
};

/// Every sub-command. Add one here: a row, and a file beside the others.
std::span<const Command> commands();
/// Absent: nullptr.
const Command* find_command(std::string_view name);
/// InputError with the valid names.
const Command& command_named(const std::string& name);

CommandLine compare_command_line();
CommandAnswer run_compare(const options::variables_map&);
CommandLine study_command_line();
CommandAnswer run_study(const options::variables_map&);
CommandAnswer run_scale(const options::variables_map&);
CommandAnswer run_predict(const options::variables_map&);
CommandLine plan_command_line();
CommandAnswer run_plan(const options::variables_map&);
CommandLine list_command_line();
CommandAnswer run_list(const options::variables_map&);
CommandLine check_command_line();
CommandAnswer run_check(const options::variables_map&);
CommandLine collective_command_line();
CommandAnswer run_collective(const options::variables_map&);
CommandOptions calibrate_rows();
CommandLine calibrate_command_line();
CommandAnswer run_calibrate(const options::variables_map&);
CommandLine validate_command_line();
CommandAnswer run_validate(const options::variables_map&);
CommandLine sweep_command_line();
CommandAnswer run_sweep(const options::variables_map&);
CommandLine report_command_line();
CommandAnswer run_report(const options::variables_map&);
CommandLine import_command_line();
CommandAnswer run_import(const options::variables_map&);
CommandLine watch_command_line();
CommandAnswer run_watch(const options::variables_map&);
CommandLine manual_command_line();
CommandAnswer run_manual(const options::variables_map&);
CommandLine explore_command_line();
CommandAnswer run_explore(const options::variables_map&);
CommandLine init_command_line();
CommandAnswer run_init(const options::variables_map&);
CommandLine explain_command_line();
CommandAnswer run_explain(const options::variables_map&);
CommandLine repeat_command_line();
CommandAnswer run_repeat(const options::variables_map&);
CommandLine step_command_line(const std::vector<std::string>& words);
CommandAnswer run_step(const options::variables_map&);

/// What all commands share: where the configs are, and where the answer goes.
struct CommonOptions {
  std::filesystem::path configs;
  Format format = Format::Table;
  std::filesystem::path output;  ///< empty: standard output
  bool is_wide = false;          ///< tables for people are as wide as they are
  bool has_details = false;      ///< the text for people goes on with what stands behind it
};

/// `--configs`, `--format`, `-o`, `--details`, `--wide`, `--quiet`, `--help`.
options::options_description common_options();

/// InputError where the file that this option writes is one that another option names.
void refuse_overwriting(const options::variables_map&, const AnyOption& option,
                        const std::filesystem::path& output);

/// The words after a command's name. Unknown or repeated options, and files that would be written
/// over what is read, are InputErrors.
options::variables_map parse_command(const Command&, const std::vector<std::string>& words);
CommonOptions read_common(const options::variables_map&);

/// Runs it, having said what speaks against the machines of the files that it is given; of those
/// `check` says it in its answer.
CommandAnswer run_command(const Command&, const options::variables_map&);

/// The words after the program's name, which answers in JSON state.
void set_invocation(std::vector<std::string> words);

/// What a person must know beside the answer, a line each: on standard error, or where `Notices`
/// keeps it. Lines that are indented belong to the one before.
void say(std::string_view lines);
/// The same of a failure, which `--quiet` does not hide.
void say_why_it_failed(std::string_view lines);
/// The same without the program's name before each line.
void tell(std::string_view text);

/// While one lives, what its thread says and tells is kept here, and no progress is shown.
class Notices {
 public:
  Notices();
  ~Notices();
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;
  std::vector<std::string> lines{};
  std::vector<std::string> failures{};  ///< of them, those that say why a command failed

 private:
  Notices* before_;
};
bool are_notices_kept();

/// Writes text for people to standard output, fitted to the screen, or as wide as it is.
void print(const std::string& text, bool is_wide = false);

/// Writes the text for people or the records for machines, as asked; JSON with its provenance.
void write_answer(const CommonOptions&, const CommandAnswer&);
/// The records with their provenance.
std::string json_of(const CommandAnswer&);

/// `tofn calibrate --stacks`: the files of configs/stacks with their figures learnt again, written
/// to this folder.
CommandAnswer calibrate_stacks(const CommonOptions&, const std::filesystem::path& folder,
                               bool explains);
CommandAnswer calibrate_fabrics(const CommonOptions&, const std::filesystem::path& folder);

/// Rows of `--steps` and of what goes with it.
CommandOptions step_log_rows();

/// The file that calibrate writes. InputError unless it is a .yaml.
std::filesystem::path profile_output(const CommonOptions&);

/// `tofn calibrate --steps`: logs of training -> a step profile, and what its fit says.
CommandAnswer calibrate_steps(const options::variables_map&, const CommonOptions&);
/// The same of a model under plans, for `--steps` of `tofn predict` and `tofn step`.
CommandAnswer calibrate_model_steps(const options::variables_map&, const CommonOptions&);

/// `tofn collective --check LOG...`: whether measured collectives are what their clusters should
/// give. 0 where all are normal, 1 where one is not, 2 where one cannot be read or placed,
/// after the others' verdicts.
CommandAnswer check_collectives(const options::variables_map&, const CommonOptions&);

/// Rows of `tofn step --record`.
CommandOptions record_rows();

/// Predicts steps of several ranks from records of one and measured all-reduces, beside what was
/// measured where that is given; returns the exit code.
CommandAnswer step_from_records(const options::variables_map&, const CommonOptions&);

/// Rows of `tofn step MODEL CLUSTER`.
CommandOptions simulation_rows();

/// `tofn step MODEL CLUSTER --check LOG`: whether a log's step takes what similar published jobs
/// reach. 0 where it does, 1 where it is slower.
CommandOptions check_rows();
CommandAnswer check_step(const options::variables_map&, const CommonOptions&);

/// The same of a workload, from measured runs: `tofn step WORKLOAD CLUSTER`.
CommandLine step_of_workload_command_line();
CommandAnswer step_of_workload(const options::variables_map&);

/// Simulates a step of a model on one or more numbers of accelerators; returns the exit code.
CommandAnswer simulate_model(const options::variables_map&, const CommonOptions&);

}  // namespace app
}  // namespace tofn
