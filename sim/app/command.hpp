#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// One sub-command: `run` takes the words after its name and returns the exit code. Mistakes of the
/// user leave as InputError.
struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const std::vector<std::string>& words);
};

/// Every sub-command. Add one here: a row, and a file beside the others.
std::span<const Command> commands();

int run_compare(const std::vector<std::string>& words);
int run_study(const std::vector<std::string>& words);
int run_scale(const std::vector<std::string>& words);
int run_predict(const std::vector<std::string>& words);
/// The best machines, size and plan for a run.
int run_plan(const std::vector<std::string>& words);
int run_list(const std::vector<std::string>& words);
int run_check(const std::vector<std::string>& words);
int run_collective(const std::vector<std::string>& words);
int run_calibrate(const std::vector<std::string>& words);
int run_validate(const std::vector<std::string>& words);
int run_sweep(const std::vector<std::string>& words);
int run_report(const std::vector<std::string>& words);
int run_import(const std::vector<std::string>& words);
int run_watch(const std::vector<std::string>& words);
int run_repeat(const std::vector<std::string>& words);
int run_step(const std::vector<std::string>& words);

enum class Format { Table, Csv, Json };

/// What all commands share: where the configs are, and where the answer goes.
struct CommonOptions {
  std::filesystem::path configs;
  Format format = Format::Table;
  std::filesystem::path output;  ///< empty: standard output
};

/// `--configs`, `--format`, `-o`, `--help`.
options::options_description common_options();

/// Parses; unknown or repeated options are InputErrors. Absent: help was asked for and printed.
std::optional<options::variables_map> parse(const CommandLine&, const std::vector<std::string>&);
CommonOptions read_common(const options::variables_map&);

/// The words after the program's name, which answers in JSON state.
void set_invocation(std::vector<std::string> words);

/// A line on standard error for each of the mistakes that an error holds.
void say_mistakes(std::string_view what);

/// Writes text for people to standard output, in lines as wide as the terminal or $COLUMNS; as it
/// is where there is neither.
void print(const std::string& text);

/// Writes the text for people or the records for machines, as asked; JSON with its provenance.
void write_answer(const CommonOptions&, const std::string& text, const Records&);

/// The `--seed`, a whole number of at least 0.
std::uint64_t seed_of(const options::variables_map&);

/// `tofn calibrate --stacks`: the files of configs/stacks with their figures learnt again, written
/// to this folder.
int calibrate_stacks(const CommonOptions&, const std::filesystem::path& folder, bool explains);
int calibrate_fabrics(const CommonOptions&, const std::filesystem::path& folder);

/// `--steps` and what goes with it.
void add_step_options(options::options_description&);

/// The file that calibrate writes. InputError unless it is a .yaml.
std::filesystem::path profile_output(const CommonOptions&);

/// `tofn calibrate --steps`: logs of training -> a step profile, and what its fit says.
int calibrate_steps(const options::variables_map&, CommonOptions);
/// The same of a model under plans, for `--steps` of `tofn predict` and `tofn step`.
int calibrate_model_steps(const options::variables_map&, CommonOptions);

/// `tofn collective --check LOG...`: whether measured collectives are what their clusters should
/// give. 0 where all are normal, 1 where one is not, 2 where one cannot be read or placed,
/// after the others' verdicts.
int check_collectives(const options::variables_map&, const CommonOptions&);

/// Adds the options of `tofn step --record`.
void add_record_options(options::options_description&);

/// Predicts steps of several ranks from records of one and measured all-reduces, beside what was
/// measured where that is given; returns the exit code.
int step_from_records(const options::variables_map&, const CommonOptions&);

/// Adds the options of `tofn step MODEL CLUSTER`.
void add_simulation_options(options::options_description&);

/// The same of a workload, from measured runs: `tofn step WORKLOAD CLUSTER`.
int step_of_workload(const std::vector<std::string>& words);

/// Simulates a step of a model on one or more numbers of accelerators; returns the exit code.
int simulate_model(const options::variables_map&, const CommonOptions&);

}  // namespace app
}  // namespace tofn
