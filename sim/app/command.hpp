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
#include "sim/options/manual.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace app {

/// Answer of a command.
struct CommandAnswer {
  std::string text{};     ///< for people: the answer, on one screen
  std::string details{};  ///< for people: what the answer rests on (`--details`)
  Records records{};      ///< for machines; without columns, every format prints the text
  int exit_code = 0;
  /// Summary that is printed unchanged on standard error if the text is not printed.
  std::string summary{};
  bool output_is_taken = false;  ///< true if the file of -o has other content
  bool is_exact = false;         ///< true if the text is a file, whose lines are not broken
};

/// Answer of a report: its text and details, and its rows.
CommandAnswer command_answer(AnswerText, Records, int exit_code = 0);

struct Command {
  std::string_view name;
  std::string_view summary;
  /// Command line with the options; those of `step` depend on the job that the first word names.
  CommandLine (*line)(const std::vector<std::string>& words);
  /// Runs the command. InputError if the user made a mistake.
  CommandAnswer (*run)(const options::variables_map&);
  /// Command line for the other kind of job, for manuals; null if there is none.
  CommandLine (*other_line)() = nullptr;
};

/// All commands. A new one needs a row here, and a file beside the others.
std::span<const Command> commands();
/// Command of that name; null if there is none.
const Command* find_command(std::string_view name);
/// Command of that name. InputError with the valid names if there is none.
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
/// Manual of `tofn`, made from its commands and their options.
Manual program_manual();
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

/// Values of the options that all commands share.
struct CommonOptions {
  std::filesystem::path configs;
  Format format = Format::Table;
  std::filesystem::path output;  ///< empty for standard output
  bool is_wide = false;          ///< lines of text are not broken
  bool has_details = false;      ///< details follow the text for people
};

/// Throws InputError if another option names the file that this option writes.
void refuse_overwriting(const options::variables_map&, const AnyOption& option,
                        const std::filesystem::path& output);

/// Parses the words after a command's name. InputError if an option is unknown or repeated, or if
/// an output file would replace an input file.
options::variables_map parse_command(const Command&, const std::vector<std::string>& words);
CommonOptions read_common(const options::variables_map&);

/// Runs a command. First prints notes on implausible machines in its files, except for `check`,
/// which has them in its answer.
CommandAnswer run_command(const Command&, const options::variables_map&);

/// Sets the words after the program's name, which answers in JSON repeat.
void set_invocation(std::vector<std::string> words);

/// Prints what a person must know beside the answer, one notice per line, on standard error or into
/// `Notices`. An indented line continues the one before.
void say(std::string_view lines);
/// Prints the reason of a failure like `say`, but `--quiet` does not hide it.
void say_why_it_failed(std::string_view lines);
/// Prints text like `say`, but without the program's name before each line.
void tell(std::string_view text);

/// Collects what the thread passes to `say` and `tell` as long as the object exists. No progress is
/// shown meanwhile.
class Notices {
 public:
  Notices();
  ~Notices();
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;
  std::vector<std::string> lines{};
  std::vector<std::string> failures{};  ///< lines that say why a command failed

 private:
  Notices* before_;
};
bool are_notices_kept();

/// True if the rows of an answer are printed, written, or returned to a program that links tofn.
bool are_rows_taken(const CommonOptions&);
/// Says that an option that chooses the rows changes nothing, if it is given and they are not
/// taken.
void say_if_idle(const AnyOption&, const options::variables_map&, const CommonOptions&);

/// Writes text for people to standard output, fitted to the screen unless `is_wide`.
void print(const std::string& text, bool is_wide = false);

/// Writes the text or the records of an answer in the requested format.
void write_answer(const CommonOptions&, const CommandAnswer&);
/// Text and records as JSON, with the version, the command and the files that were read.
std::string json_of(const CommandAnswer&);

/// Rows of `--steps` and of the options that need it.
CommandOptions step_log_rows();

/// File that `calibrate` writes. InputError unless its name ends in .yaml.
std::filesystem::path profile_output(const CommonOptions&);
/// Answer of `calibrate` after it wrote that file: `rows`, such as `3 tables`, of files of which it
/// could read all, or else some.
CommandAnswer written_profile(const std::string& text, Records, const std::filesystem::path& output,
                              const std::string& rows, bool all_read);

/// `tofn calibrate --steps`: fits a step profile to training logs, and writes it.
CommandAnswer calibrate_steps(const options::variables_map&, const CommonOptions&);
/// `tofn calibrate --steps --model`: reads the steps of a model under plans, and writes them for
/// `--steps` of `tofn predict` and `tofn step`.
CommandAnswer calibrate_model_steps(const options::variables_map&, const CommonOptions&);

/// `tofn collective --check LOG...`: judges whether measured collectives are as fast as their
/// clusters allow. The exit code is 0 if all are normal, 1 if one is not, and 2 if one cannot be
/// read or judged; the others are still judged then.
CommandAnswer check_collectives(const options::variables_map&, const CommonOptions&);

/// Rows of `tofn step --record`.
CommandOptions record_rows();

/// Predicts steps on several ranks from records of one rank and measured all-reduces, and compares
/// them with measured steps if these are given.
CommandAnswer step_from_records(const options::variables_map&, const CommonOptions&);

/// Rows of `tofn step MODEL CLUSTER`.
CommandOptions simulation_rows();

/// `tofn step MODEL CLUSTER --check LOG`: judges whether a log's step is as fast as similar
/// published jobs. The exit code is 0 if it is, and 1 if it is slower.
CommandOptions check_rows();
CommandAnswer check_step(const options::variables_map&, const CommonOptions&);

/// `tofn step WORKLOAD CLUSTER`: predicts a step of a workload from measured runs.
CommandLine step_of_workload_command_line();
CommandAnswer step_of_workload(const options::variables_map&);

/// Simulates a step of a model on one or more numbers of accelerators.
CommandAnswer simulate_model(const options::variables_map&, const CommonOptions&);

}  // namespace app
}  // namespace tofn
