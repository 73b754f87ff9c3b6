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
int run_list(const std::vector<std::string>& words);
int run_check(const std::vector<std::string>& words);
int run_collective(const std::vector<std::string>& words);
int run_calibrate(const std::vector<std::string>& words);
int run_validate(const std::vector<std::string>& words);
int run_sweep(const std::vector<std::string>& words);
int run_report(const std::vector<std::string>& words);
int run_step(const std::vector<std::string>& words);

enum class Format { Table, Csv, Json };

/// TOFN_CONFIGS, else the folder that the program was built beside.
std::filesystem::path default_configs();

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

/// Writes the text for people or the records for machines, as asked.
void write_answer(const CommonOptions&, const std::string& text, const Records&);

/// The `--seed`, a whole number of at least 0.
std::uint64_t seed_of(const options::variables_map&);

}  // namespace tofn
