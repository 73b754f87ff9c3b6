#include "sim/blocks/formats.hpp"

#include <array>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "sim/blocks/output_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace blocks {
namespace {

/// The rows are CSV already, so this makes a hard link to the file, or a copy if links are
/// impossible.
bool write_csv(const std::filesystem::path& csv, std::span<const OutputColumn>,
               const std::filesystem::path& to, const std::function<bool()>&) {
  std::error_code error;
  std::filesystem::create_hard_link(csv, to, error);
  if (error) std::filesystem::copy_file(csv, to, error);
  if (error) throw WriteError(to, error.message());
  return true;
}

}  // namespace

std::span<const OutputFormat> output_formats() {
  static constexpr std::array table{
      OutputFormat{"csv", ".csv", write_csv},
      OutputFormat{"jsonl", ".jsonl", write_jsonl},
      OutputFormat{"sqlite", ".sqlite", write_sqlite},
  };
  return table;
}

const OutputFormat& output_format_of(const std::filesystem::path& file) {
  for (const OutputFormat& format : output_formats())
    if (file.extension() == format.suffix) return format;
  if (!file.has_extension()) return output_formats().front();
  std::vector<std::string> suffixes;
  for (const OutputFormat& format : output_formats()) suffixes.emplace_back(format.suffix);
  throw InputError({}, "--output",
                   fmt::format("'{}' is no format of rows: {}", file.extension().string(),
                               list_text(suffixes, "or")));
}

std::string csv_header(std::span<const OutputColumn> columns) {
  std::string line;
  for (const OutputColumn& column : columns) line += (line.empty() ? "" : ",") + column.name;
  return line + '\n';
}

}  // namespace blocks
}  // namespace tofn
