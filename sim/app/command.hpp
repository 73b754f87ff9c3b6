#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

#include "sim/report/records.hpp"

namespace tofn {

namespace options = boost::program_options;

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
int run_predict(const std::vector<std::string>& words);
int run_list(const std::vector<std::string>& words);
int run_check(const std::vector<std::string>& words);

enum class Format { Table, Csv, Json };

/// What all commands share: where the configs are, and where the answer goes.
struct CommonOptions {
  std::filesystem::path configs;
  Format format = Format::Table;
  std::filesystem::path output;  ///< empty: standard output
};

/// `--configs`, `--format`, `-o`, `--help`.
options::options_description common_options();

/// A command's options and usage text.
struct CommandLine {
  std::string_view usage;     ///< the words after `tofn`
  std::string_view examples;  ///< printed below the options
  options::options_description description;
  options::positional_options_description positional;
};

/// Parses; unknown or repeated options are InputErrors. Absent: help was asked for and printed.
std::optional<options::variables_map> parse(const CommandLine&, const std::vector<std::string>&);
CommonOptions read_common(const options::variables_map&);

/// Writes the text for people or the records for machines, as asked.
void write_answer(const CommonOptions&, const std::string& text, const Records&);

/// The `--seed`, a whole number of at least 0.
std::uint64_t seed_of(const options::variables_map&);

/// `a,b,c` -> its parts, without empty ones.
std::vector<std::string> split_list(const std::string& text);

}  // namespace tofn
